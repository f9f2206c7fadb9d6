//go:build unix && !darwin

package desktop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemPath    = "/StatusNotifierItem"

	hostGrace = 15 * time.Second // for a panel that starts with the session, as the app does
)

// looks are when a watcher that has come is asked whether it has the icon. The
// icon mostly registers itself; a watcher that is just starting may not take it.
var looks = []time.Duration{200 * time.Millisecond, time.Second, 4 * time.Second}

func session(ctx context.Context) error {
	conn, err := dial(ctx, answerLimit)
	if err != nil {
		return fmt.Errorf("reach the session bus: %w", err)
	}
	return conn.Close()
}

// dial opens a connection of our own.
func dial(ctx context.Context, limit time.Duration) (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx), dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	if err != nil {
		return nil, err
	}
	if err := join(conn, limit); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// An iconKeeper knows the program's icon and listens for watchers, which tell
// panels of icons.
type iconKeeper struct {
	log     *slog.Logger
	missing func()
	grace   time.Duration
	looks   []time.Duration
	limit   time.Duration

	ears *dbus.Conn // hears of watchers
	icon *dbus.Conn // serves the icon: only what it says registers that
}

func keepIcon(ctx context.Context, log *slog.Logger, missing func()) {
	k := &iconKeeper{log: log, missing: missing, grace: hostGrace, looks: looks, limit: answerLimit}
	if err := k.keep(ctx); err != nil && ctx.Err() == nil {
		log.Info("the icon is away until the session bus is back", "reason", err)
	}
}

// keep returns when ctx ends, or with the reason why nothing can be kept.
func (k *iconKeeper) keep(ctx context.Context) (err error) {
	if k.icon, err = dbus.SessionBus(); err != nil {
		return fmt.Errorf("reach the session bus: %w", err)
	}
	// Whoever serves the icon anew does so over another connection: no panel knows
	// two of them.
	defer func() {
		if err != nil && ctx.Err() == nil {
			k.icon.Close()
		}
	}()
	// The connection that serves the icon hears signals as well, but whoever
	// listens there goes deaf after the first one of an unexpected form.
	if k.ears, err = dial(ctx, k.limit); err != nil {
		return fmt.Errorf("reach the session bus: %w", err)
	}
	defer k.ears.Close()
	signals := make(chan *dbus.Signal, 16)
	k.ears.Signal(signals)
	if err := k.ears.AddMatchSignalContext(ctx,
		dbus.WithMatchSender("org.freedesktop.DBus"),
		dbus.WithMatchInterface("org.freedesktop.DBus"),
		dbus.WithMatchMember("NameOwnerChanged"),
		dbus.WithMatchArg(0, watcherName),
	); err != nil {
		return fmt.Errorf("listen for a panel: %w", err)
	}
	return k.listen(ctx, signals)
}

func (k *iconKeeper) listen(ctx context.Context, signals <-chan *dbus.Signal) error {
	grace, look, looked := time.After(k.grace), time.After(k.looks[0]), 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-k.icon.Context().Done():
			return errors.New("the session bus is gone")
		case <-grace:
			if !k.shown(ctx) {
				k.missing()
			}
		case s := <-signals:
			if s == nil {
				return errors.New("the session bus is gone")
			}
			if came(s) {
				look, looked = time.After(k.looks[0]), 0
			}
		case <-look:
			k.register(ctx)
			if looked++; looked < len(k.looks) {
				look = time.After(k.looks[looked])
			}
		}
	}
}

// came reports whether a signal tells of a new watcher. Anybody on the bus can
// send us one.
func came(s *dbus.Signal) bool {
	var name, old, owner string
	return s.Sender == "org.freedesktop.DBus" && s.Name == "org.freedesktop.DBus.NameOwnerChanged" &&
		dbus.Store(s.Body, &name, &old, &owner) == nil && owner != ""
}

// register tells the watcher of the icon if it does not know it: told twice,
// some panels would show two. It says the same words as the icon itself does,
// over the same connection, so that it is the same icon for the watcher.
func (k *iconKeeper) register(ctx context.Context) {
	var known []string
	if !k.ask(ctx, "RegisteredStatusNotifierItems", &known) || slices.ContainsFunc(known, k.ours) {
		return // nobody is there, or all is well
	}
	ctx, cancel := context.WithTimeout(ctx, k.limit)
	defer cancel()
	call := k.icon.Object(watcherName, watcherPath).CallWithContext(ctx, watcherName+".RegisterStatusNotifierItem", dbus.FlagNoAutoStart, itemPath)
	if call.Err != nil {
		k.log.Info("the panel does not take the icon", "reason", call.Err)
		return
	}
	k.log.Info("the icon is registered anew")
}

// ours reports whether an entry of a watcher's list is the icon: the name of a
// connection, and with some watchers the object's path.
func (k *iconKeeper) ours(entry string) bool {
	name, _, _ := strings.Cut(entry, "/")
	return slices.Contains(k.icon.Names(), name)
}

// shown reports whether somebody shows icons. A watcher that does not say
// whether a panel listens to it is believed to have one.
func (k *iconKeeper) shown(ctx context.Context) bool {
	host := true
	if k.ask(ctx, "IsStatusNotifierHostRegistered", &host) {
		return host
	}
	var there bool
	ctx, cancel := context.WithTimeout(ctx, k.limit)
	defer cancel()
	err := k.ears.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, watcherName).Store(&there)
	return err != nil || there
}

// ask reads a property of the watcher into value; false: it says nothing.
func (k *iconKeeper) ask(ctx context.Context, property string, value any) bool {
	ctx, cancel := context.WithTimeout(ctx, k.limit)
	defer cancel()
	call := k.ears.Object(watcherName, watcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, watcherName, property)
	var answer dbus.Variant
	return call.Store(&answer) == nil && answer.Store(value) == nil
}
