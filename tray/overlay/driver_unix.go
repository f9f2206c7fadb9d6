//go:build unix && !darwin

package overlay

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"
)

// openLimit is how long a display may take to answer at first; less than who
// asks the app to show its friends waits.
const openLimit = 2 * time.Second

// openDriver connects to the server that DISPLAY names, which under a Wayland
// compositor is XWayland, and works under those without a layer shell too. When
// there is none it is the compositor that WAYLAND_DISPLAY names.
func openDriver(log *slog.Logger) (driver, error) {
	x, w := os.Getenv("DISPLAY"), os.Getenv("WAYLAND_DISPLAY")
	why := errors.New("DISPLAY is not set")
	if x != "" {
		d, err := inTime(x, func() (driver, error) { return openX11(x, log) })
		if err == nil {
			return d, nil
		}
		why = err
	}
	if w != "" {
		d, err := inTime(w, func() (driver, error) { return openWayland(log) })
		if err == nil {
			return d, nil
		}
		why = fmt.Errorf("%w, and no X server for XWayland: %w", err, why)
	}
	return nil, fmt.Errorf("%w: %w", ErrNoDisplay, why)
}

// inTime opens a display, unless that takes longer than openLimit.
func inTime(name string, open func() (driver, error)) (driver, error) {
	type opened struct {
		d   driver
		err error
	}
	answer := make(chan opened, 1)
	go func() {
		d, err := open()
		answer <- opened{d, err}
	}()
	select {
	case o := <-answer:
		return o.d, o.err
	case <-time.After(openLimit):
		go func() { // it may still come alive
			if o := <-answer; o.err == nil {
				o.d.close()
			}
		}()
		return nil, fmt.Errorf("%s does not answer", name)
	}
}
