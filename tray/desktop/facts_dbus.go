//go:build unix && !darwin

package desktop

import (
	"reflect"
	"strings"

	"github.com/godbus/dbus/v5"
)

// A fact is one thing that a program on a bus tells: it answers a method with
// it, and sends a signal when it changed.
type fact struct {
	kind   kind
	peer   string          // the program's name on the bus
	path   dbus.ObjectPath // of its object that is asked
	method string          // answers the value; empty where there is nothing to ask
	args   []any
	signal string   // has the value as an argument …
	begins []string // … after these
	again  bool     // the signal is no answer, but a reason to ask
	on     any      // what makes the fact true; other values of this type do not
}

// A kind is what a fact means for the State.
type kind int

const (
	lessMotion   kind = iota
	noAnimations      // counts where less motion is not known
	darkColours
	unseen
	asleep
)

// On the session bus. The screen savers share their interface and keep their
// own names for it.
var sessionFacts = []fact{
	setting(lessMotion, "org.freedesktop.appearance", "reduced-motion", uint32(1)),
	setting(darkColours, "org.freedesktop.appearance", "color-scheme", uint32(1)),
	setting(noAnimations, "org.gnome.desktop.interface", "enable-animations", false),
	saver("org.freedesktop.ScreenSaver"),
	saver("org.gnome.ScreenSaver"),
	saver("org.cinnamon.ScreenSaver"),
	saver("org.mate.ScreenSaver"),
	saver("org.xfce.ScreenSaver"),
}

// On the system bus.
var systemFacts = []fact{
	// The object "auto" is the caller's session, or its user's on the display
	// where the caller belongs to none. Signals come from the session's own
	// object, so that of any session is a reason to ask ours.
	{
		kind: unseen, on: true,
		peer:   "org.freedesktop.login1",
		path:   "/org/freedesktop/login1/session/auto",
		method: "org.freedesktop.DBus.Properties.Get",
		args:   []any{"org.freedesktop.login1.Session", "LockedHint"},
		signal: "org.freedesktop.DBus.Properties.PropertiesChanged",
		begins: []string{"org.freedesktop.login1.Session"},
		again:  true,
	},
	// Whoever asks is awake.
	{
		kind: asleep, on: true,
		peer:   "org.freedesktop.login1",
		signal: "org.freedesktop.login1.Manager.PrepareForSleep",
	},
}

// setting is a setting that the desktop portal reads. Read is older than ReadOne
// and every version has it: its answer is a variant in a variant.
func setting(k kind, namespace, key string, on any) fact {
	return fact{
		kind: k, on: on,
		peer:   "org.freedesktop.portal.Desktop",
		path:   "/org/freedesktop/portal/desktop",
		method: "org.freedesktop.portal.Settings.Read",
		args:   []any{namespace, key},
		signal: "org.freedesktop.portal.Settings.SettingChanged",
		begins: []string{namespace, key},
	}
}

func saver(name string) fact {
	return fact{
		kind: unseen, on: true,
		peer:   name,
		path:   dbus.ObjectPath("/" + strings.ReplaceAll(name, ".", "/")),
		method: name + ".GetActive",
		signal: name + ".ActiveChanged",
	}
}

// rule has the bus send the fact's signals and no others: each wakes the app.
func (f *fact) rule() []dbus.MatchOption {
	dot := strings.LastIndexByte(f.signal, '.')
	rule := []dbus.MatchOption{
		dbus.WithMatchSender(f.peer),
		dbus.WithMatchInterface(f.signal[:dot]),
		dbus.WithMatchMember(f.signal[dot+1:]),
	}
	for i, arg := range f.begins {
		rule = append(rule, dbus.WithMatchArg(i, arg))
	}
	return rule
}

// value is what a signal with this body says of the fact, if it does.
func (f *fact) value(body []any) (value any, ok bool) {
	if len(body) <= len(f.begins) {
		return nil, false
	}
	for i, arg := range f.begins {
		if body[i] != any(arg) {
			return nil, false
		}
	}
	return body[len(f.begins)], true
}

// read says whether a value makes the fact true; ok is false for a value of
// another type, which says nothing.
func (f *fact) read(value any) (on, ok bool) {
	for {
		v, wrapped := value.(dbus.Variant)
		if !wrapped {
			break
		}
		value = v.Value()
	}
	if reflect.TypeOf(value) != reflect.TypeOf(f.on) {
		return false, false
	}
	return value == f.on, true
}
