package tray

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
)

var (
	// errAlreadyRunning says that another app lives and was asked to show its
	// friends: this one has nothing left to do.
	errAlreadyRunning = errors.New("running already")
	// errSilent says that another app holds the lock and does not answer.
	errSilent = errors.New("running already, and does not answer")
)

// claim takes the single-instance lock beside bridge.json, or hands link over
// to the app that holds it (errAlreadyRunning).
func claim(ctx context.Context, bridgePath, link string) (*line.Lock, error) {
	lock, err := line.Acquire(bridgePath)
	if !errors.Is(err, line.ErrLocked) {
		return lock, err
	}
	err = handOver(ctx, bridge.NewClient(bridgePath), link)
	var refused *bridge.Error
	switch {
	case err == nil:
		return nil, fmt.Errorf("%w; its friends wave to you", errAlreadyRunning)
	case errors.As(err, &refused):
		return nil, fmt.Errorf("%w, but its friends cannot be shown (%s); if they should be here, stop that one and start it again", errAlreadyRunning, refused.Message)
	}
	return nil, fmt.Errorf("%w (%w); stop that one and start it again", errSilent, err)
}

// handOver asks the running app to show its friends. One that has taken the
// lock and not yet opened its bridge needs a moment.
func handOver(ctx context.Context, client *bridge.Client, link string) (err error) {
	for range 20 {
		if err = client.Open(link); !errors.Is(err, bridge.ErrNotRunning) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return err
}
