//go:build !unix || darwin

package overlay

import (
	"fmt"
	"log/slog"
	"runtime"
)

// openDriver has no driver yet for this system.
func openDriver(*slog.Logger) (driver, error) {
	return nil, fmt.Errorf("%w: nothing draws friends on %s yet", ErrNoDisplay, runtime.GOOS)
}

// way names the window system of a driver, for people.
func way(driver) string { return runtime.GOOS }

func saved(driver) bool { return false }
