//go:build unix && !darwin

package tray

import (
	"context"
	"os"
	"strings"

	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/tray/desktop"
)

// trayHost is the name of whoever takes icons for the panel.
const trayHost = "org.kde.StatusNotifierWatcher"

// checkBus looks at the session bus and at who is on it. Without one there is
// nobody to ask for.
func checkBus(ctx context.Context) []installer.Check {
	hosted, err := desktop.Owned(ctx, trayHost)
	if err != nil {
		return []installer.Check{odd("bus", "no session bus: no icon and no notifications",
			"Start PlayPets from your desktop, where DBUS_SESSION_BUS_ADDRESS is set.")}
	}
	return []installer.Check{good("bus", "the session bus answers"), checkTray(hosted), checkNotices(ctx)}
}

func checkTray(hosted bool) installer.Check {
	const id, instead = "tray", " A right click on a friend opens its menu all the same."
	switch {
	case hosted:
		return good(id, "the panel takes icons")
	case strings.Contains(os.Getenv("XDG_CURRENT_DESKTOP"), "GNOME"):
		return odd(id, "GNOME shows no icons by itself", "Install its AppIndicator extension."+instead)
	}
	return odd(id, "no panel takes icons", "Start one that has a system tray."+instead)
}
