//go:build unix && !darwin

package notify

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

// The names are those of the Desktop Notifications Specification 1.2.
const (
	busName     = "org.freedesktop.Notifications"
	busPath     = "/org/freedesktop/Notifications"
	driver      = "org.freedesktop.DBus" // the bus itself
	driverPath  = "/org/freedesktop/DBus"
	maxMessages = 64 // on the screen that are remembered; no desktop shows as many
)

type signal = dbus.Signal

// A busDesk is a connection to the session bus of our own, and who shows
// notifications on it.
//
// There is no way around the bus when it cannot be reached, neither beeep nor
// notify-send: both need it as well, would start one that nobody else is on, and
// wait for a silent daemon for good.
type busDesk struct {
	icon  *pixels       // nil: none
	limit time.Duration // for each answer

	conn *dbus.Conn // nil: none yet
	in   chan *dbus.Signal

	// Who shows notifications, by the unique name. The rest holds only for it:
	// whoever comes after it knows none of our messages.
	owner           string
	awake           bool // it answered last time; what follows is known
	name            string
	markup, actions bool // it can do that
	shown           map[uint32]shown
}

// shown is a message that was not closed yet.
type shown struct{ key, friend string }

func newDesk(icon []byte, log *slog.Logger) desk {
	d := &busDesk{limit: callLimit}
	if icon != nil {
		var err error
		if d.icon, err = decode(icon); err != nil {
			log.Warn("notifications have no picture", "reason", err)
		}
	}
	return d
}

// Server returns who shows notifications here, such as "dunst 1.9.0". One that
// the bus starts when needed is started, as by a notification. The error says
// why there is none.
func Server(ctx context.Context) (name string, err error) {
	d := &busDesk{limit: callLimit}
	defer d.close()
	if err := d.meet(ctx); err != nil {
		return "", err
	}
	return d.name, nil
}

func (d *busDesk) show(ctx context.Context, m Message, friend string) (server string, err error) {
	if err := d.meet(ctx); err != nil {
		return "", err
	}
	var id uint32
	err = d.call(ctx, d.owner, busPath, busName+".Notify", d.arguments(m)...).Store(&id)
	if err != nil {
		// Before the next message it is asked who it is: one that hangs gets no
		// pile of them to show when it wakes up.
		d.awake = false
		return "", fmt.Errorf("have %s show a notification: %w", d.name, err)
	}
	if len(d.shown) >= maxMessages {
		clear(d.shown)
	}
	d.shown[id] = shown{m.Key, friend}
	return d.name, nil
}

func (d *busDesk) arguments(m Message) []any {
	body := clean(m.Body)
	if d.markup {
		body = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(body)
	}
	actions := []string{}
	if d.actions {
		actions = []string{"default", "PlayPets"} // some show its name
	}
	// Urgency stays normal: what is critical never goes away by itself on GNOME
	// and KDE, and is shown to people who asked not to be disturbed.
	hints := map[string]dbus.Variant{
		"urgency":       dbus.MakeVariant(byte(1)),
		"desktop-entry": dbus.MakeVariant("playpets"),
	}
	if m.Sound {
		hints["sound-name"] = dbus.MakeVariant("message-new-instant")
	} else {
		hints["suppress-sound"] = dbus.MakeVariant(true)
	}
	if d.icon != nil {
		hints["image-data"] = dbus.MakeVariant(*d.icon)
	}
	return []any{"PlayPets", d.replaces(m.Key), "", clean(m.Title), body, actions, hints, int32(-1)}
}

// replaces is the message that one with this key takes the place of; 0 for none.
func (d *busDesk) replaces(key string) (id uint32) {
	for i, s := range d.shown {
		if key != "" && s.key == key {
			id = max(id, i)
		}
	}
	return id
}

// withdraw takes nothing back from who did not answer last time.
func (d *busDesk) withdraw(ctx context.Context, key string) {
	id := d.replaces(key)
	if id == 0 || !d.awake {
		return
	}
	delete(d.shown, id)
	if d.call(ctx, d.owner, busPath, busName+".CloseNotification", id).Err != nil {
		d.awake = false
	}
}

// clean is what a bus takes: it hangs up on whoever sends it anything else.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

// meet finds out who shows notifications now. It is called by the unique name
// from then on, so that no message goes to somebody else unnoticed.
func (d *busDesk) meet(ctx context.Context) error {
	if err := d.connect(ctx); err != nil {
		return fmt.Errorf("reach the session bus: %w", err)
	}
	owner, err := d.find(ctx)
	if err != nil {
		return fmt.Errorf("find who shows notifications: %w", err)
	}
	if owner != d.owner {
		d.owner, d.awake, d.shown = owner, false, map[uint32]shown{}
	}
	if d.awake {
		return nil
	}
	var can []string
	if err := d.call(ctx, owner, busPath, busName+".GetCapabilities").Store(&can); err != nil {
		return fmt.Errorf("ask what notifications can do: %w", err)
	}
	var name, vendor, version, spec string
	if err := d.call(ctx, owner, busPath, busName+".GetServerInformation").Store(&name, &vendor, &version, &spec); err != nil {
		return fmt.Errorf("ask who shows notifications: %w", err)
	}
	d.awake, d.name = true, strings.TrimSpace(name+" "+version)
	d.markup, d.actions = slices.Contains(can, "body-markup"), slices.Contains(can, "actions")
	return nil
}

// find returns the unique name of who shows notifications. The bus starts it if
// it is not there and can be started.
func (d *busDesk) find(ctx context.Context) (owner string, err error) {
	for range 2 {
		err = d.call(ctx, driver, driverPath, driver+".GetNameOwner", busName).Store(&owner)
		if e := (dbus.Error{}); !errors.As(err, &e) || e.Name != driver+".Error.NameHasNoOwner" {
			return owner, err
		}
		err = d.call(ctx, driver, driverPath, driver+".StartServiceByName", busName, uint32(0)).Err
		if err != nil {
			return "", err
		}
	}
	return "", errors.New("it ended as it started")
}

func (d *busDesk) call(ctx context.Context, to string, path dbus.ObjectPath, method string, args ...any) *dbus.Call {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	return d.conn.Object(to, path).CallWithContext(ctx, method, 0, args...)
}

// connect reaches for the bus, unless it is at the other end already. It starts
// none.
func (d *busDesk) connect(ctx context.Context) error {
	if d.conn != nil && d.conn.Connected() {
		return nil
	}
	d.close()
	// Of our own, since others close the connection that godbus shares; signals
	// in their order, for the click that closes a message comes before its end.
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	if err != nil {
		return err
	}
	if err := d.join(ctx, conn); err != nil {
		conn.Close()
		return err
	}
	d.conn, d.in = conn, make(chan *dbus.Signal, 16)
	conn.Signal(d.in)
	return nil
}

// join introduces us, and asks for what becomes of messages. The first two steps
// take no limit: a bus that does not answer is hung up on.
func (d *busDesk) join(ctx context.Context, conn *dbus.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := conn.Auth(nil); err != nil {
		return err
	}
	if err := conn.Hello(); err != nil {
		return err
	}
	for _, member := range []string{"ActionInvoked", "NotificationClosed"} {
		err := conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(busName), dbus.WithMatchInterface(busName), dbus.WithMatchMember(member))
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (d *busDesk) signals() <-chan *signal { return d.in }

// heard takes in what became of a message. Signals tell of everybody's messages,
// and anybody can send us one.
func (d *busDesk) heard(s *signal) (friend string, clicked bool) {
	if s == nil { // the bus is gone
		d.close()
		return "", false
	}
	if len(s.Body) < 2 || s.Sender != d.owner {
		return "", false
	}
	id, _ := s.Body[0].(uint32)
	m, ours := d.shown[id]
	switch {
	case !ours:
	case s.Name == busName+".NotificationClosed":
		delete(d.shown, id)
	case s.Name == busName+".ActionInvoked" && s.Body[1] == "default":
		return m.friend, true
	}
	return "", false
}

func (d *busDesk) close() {
	if d.conn != nil {
		d.conn.Close()
	}
	*d = busDesk{icon: d.icon, limit: d.limit}
}
