//go:build unix && !darwin

package overlay

import (
	"fmt"
	"log/slog"
	"os"
	"time"
)

// openLimit is how long a display may take to answer at first; less than who
// asks the app to show its friends waits.
const openLimit = 2 * time.Second

// openDriver connects to the server that DISPLAY names.
func openDriver(log *slog.Logger) (driver, error) {
	name := os.Getenv("DISPLAY")
	if name == "" {
		return nil, fmt.Errorf("%w: DISPLAY is not set", ErrNoDisplay)
	}
	d, err := inTime(name, func() (driver, error) { return openX11(name, log) })
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDisplay, err)
	}
	return d, nil
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
