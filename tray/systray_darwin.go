package tray

import (
	"errors"
	"log/slog"
)

// trayIcon is not there on macOS: systray needs Cocoa's headers to be built, and
// the program's first thread to run.
type trayIcon struct{}

func openTray(*slog.Logger, func(command)) (*trayIcon, error) {
	return nil, errors.New("there is none on macOS yet")
}

// Set does nothing.
func (*trayIcon) Set(view) {}

// Missing never says anything.
func (*trayIcon) Missing() <-chan struct{} { return nil }

// Close does nothing.
func (*trayIcon) Close() {}
