package tray

import (
	"errors"
	"log/slog"
)

// trayIcon is not there on macOS: systray needs Cocoa's headers to be built, and
// the program's first thread to run.
type trayIcon struct{}

func openTray(*slog.Logger, func(command)) *trayIcon { return &trayIcon{} }

// Set does nothing.
func (*trayIcon) Set(view) {}

// Missing says that nothing shows the icon.
func (*trayIcon) Missing() <-chan error {
	why := make(chan error, 1)
	why <- errors.New("PlayPets has none for macOS")
	return why
}

// Close does nothing.
func (*trayIcon) Close() {}
