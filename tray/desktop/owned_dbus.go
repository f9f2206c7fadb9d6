//go:build unix && !darwin

package desktop

import (
	"context"
	"fmt"

	"github.com/godbus/dbus/v5"
)

// Owned reports whether some program on the session bus goes by that name. The
// error says why the bus cannot be asked. Nothing is started by asking, no bus
// either.
func Owned(ctx context.Context, name string) (owned bool, err error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return false, fmt.Errorf("find the session bus: %w", err)
	}
	// Joining takes no context: a bus that does not answer is hung up on.
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err == nil {
		err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, name).Store(&owned)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return false, fmt.Errorf("ask the session bus: %w", err)
	}
	return owned, nil
}
