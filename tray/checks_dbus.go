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

// busChecks look at what hangs on the session bus: the tray's icon, and
// notifications.
var busChecks = []check{{"bus", checkBus}, {"tray", checkTray}}

func checkBus(ctx context.Context) installer.Check {
	if _, err := desktop.Owned(ctx, trayHost); err != nil {
		return odd("no session bus answers: no icon and no notifications", "Start PlayPets from your desktop, where DBUS_SESSION_BUS_ADDRESS is set.")
	}
	return good("the session bus answers")
}

func checkTray(ctx context.Context) installer.Check {
	owned, err := desktop.Owned(ctx, trayHost)
	switch {
	case err != nil:
		return odd("no icon: there is no session bus", "A right click on a friend opens its menu all the same.")
	case owned:
		return good("the panel takes icons")
	case strings.Contains(os.Getenv("XDG_CURRENT_DESKTOP"), "GNOME"):
		return odd("GNOME shows no icons by itself", "Install its extension AppIndicator Support; a right click on a friend opens its menu all the same.")
	}
	return odd("no panel takes icons", "Start a panel with a system tray; a right click on a friend opens its menu all the same.")
}
