package overlay

import (
	"context"
	"log/slog"
)

// A Screen is where friends would be seen.
type Screen struct {
	Way         string // the window system by which they are drawn
	Translucent bool   // soft edges and shadows: a compositor runs
	Saved       bool   // its screen saver is on: friends stand still
}

// Probe finds the screen on which Open would show friends, and shows nothing on it. The
// error wraps ErrNoDisplay, or is ctx's.
func Probe(ctx context.Context) (Screen, error) {
	type answer struct {
		screen Screen
		err    error
	}
	found := make(chan answer, 1)
	go func() {
		d, err := openDriver(slog.New(slog.DiscardHandler))
		if err != nil {
			found <- answer{err: err}
			return
		}
		defer d.close()
		found <- answer{screen: Screen{Way: way(d), Translucent: d.translucent(), Saved: saved(d)}}
	}()
	select {
	case a := <-found:
		return a.screen, a.err
	case <-ctx.Done():
		return Screen{}, ctx.Err()
	}
}
