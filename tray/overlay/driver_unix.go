//go:build unix && !darwin

package overlay

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// openLimit is how long a display may take to answer at first; less than who
// asks the app to show its friends waits.
const openLimit = 2 * time.Second

// openDriver connects to the Wayland compositor that WAYLAND_DISPLAY names, if it
// has a layer shell, else to the X server that DISPLAY names, which under other
// compositors is XWayland. The compositors with a layer shell give XWayland's
// windows the clicks on their transparent pixels too, and lose drags.
func openDriver(log *slog.Logger) (driver, error) {
	d, noWayland := openNamed("WAYLAND_DISPLAY", func(string) (driver, error) { return openWayland(log) })
	if noWayland == nil {
		return d, nil
	}
	d, noX := openNamed("DISPLAY", func(name string) (driver, error) { return openX11(name, log) })
	switch {
	case noX == nil:
		return d, nil
	case os.Getenv("WAYLAND_DISPLAY") == "":
		return nil, fmt.Errorf("%w: %w", ErrNoDisplay, noX)
	}
	return nil, fmt.Errorf("%w: %w, and %w", ErrNoDisplay, noWayland, noX)
}

// way names the window system of a driver, for people.
func way(d driver) string {
	switch _, x := d.(*x11); {
	case !x:
		return "Wayland, by its layer shell"
	case os.Getenv("WAYLAND_DISPLAY") != "":
		return "Wayland, through XWayland"
	}
	return "X11"
}

// saved reports whether a driver's screen saver is on.
func saved(d driver) bool {
	x, ok := d.(*x11)
	return ok && x.saved()
}

// openNamed opens the display that a variable of the environment names.
func openNamed(variable string, open func(name string) (driver, error)) (driver, error) {
	name := os.Getenv(variable)
	if name == "" {
		return nil, fmt.Errorf("%s is not set", variable)
	}
	return inTime(name, func() (driver, error) { return open(name) })
}

// hanging holds the names of displays that have not answered yet, so that who
// tries again and again leaves no more behind than one try.
var hanging sync.Map

// inTime opens a display, unless that takes longer than openLimit.
func inTime(name string, open func() (driver, error)) (driver, error) {
	late := fmt.Errorf("%s does not answer", name)
	if _, before := hanging.LoadOrStore(name, true); before {
		return nil, late
	}
	type opened struct {
		d   driver
		err error
	}
	answer := make(chan opened, 1)
	go func() {
		d, err := open()
		hanging.Delete(name)
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
		return nil, late
	}
}
