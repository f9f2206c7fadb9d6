//go:build unix && !darwin

package clipboard

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"
)

// Klipper is KDE's clipboard, which takes texts over the session bus and keeps
// them itself.
const (
	klipperName   = "org.kde.klipper"
	klipperPath   = "/klipper"
	klipperMember = "org.kde.klipper.klipper."
)

func findKlipper(ctx context.Context) error {
	_, hangUp, err := callKlipper(ctx)
	if err == nil {
		hangUp()
	}
	return err
}

func copyKlipper(ctx context.Context, text string) (holder, error) {
	klipper, hangUp, err := callKlipper(ctx)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	if err := klipper.CallWithContext(ctx, klipperMember+"setClipboardContents", dbus.FlagNoAutoStart, text).Err; err != nil {
		return nil, err
	}
	var got string
	if err := klipper.CallWithContext(ctx, klipperMember+"getClipboardContents", dbus.FlagNoAutoStart).Store(&got); err != nil {
		return nil, err
	}
	if got != text {
		return nil, errNotThere
	}
	return nil, nil
}

// callKlipper finds Klipper on the session bus, without starting either.
func callKlipper(ctx context.Context) (klipper dbus.BusObject, hangUp func(), err error) {
	// A connection of our own, since others close the one that godbus shares. The
	// end of ctx closes it.
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return nil, nil, err
	}
	hangUp = func() { conn.Close() }
	if err := join(ctx, conn); err != nil {
		hangUp()
		return nil, nil, err
	}
	return conn.Object(klipperName, klipperPath), hangUp, nil
}

// join introduces us to the bus, and fails when Klipper is not there.
func join(ctx context.Context, conn *dbus.Conn) error {
	if err := conn.Auth(nil); err != nil {
		return err
	}
	if err := conn.Hello(); err != nil {
		return err
	}
	var there bool
	if err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, klipperName).Store(&there); err != nil {
		return err
	}
	if !there {
		return errors.New("it does not run")
	}
	return nil
}
