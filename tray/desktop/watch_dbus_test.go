//go:build unix && !darwin

package desktop

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	portalName = "org.freedesktop.portal.Desktop"
	saverName  = "org.gnome.ScreenSaver"
	loginName  = "org.freedesktop.login1"

	settingChanged  = "org.freedesktop.portal.Settings.SettingChanged"
	activeChanged   = saverName + ".ActiveChanged"
	prepareForSleep = "org.freedesktop.login1.Manager.PrepareForSleep"

	appearance = "org.freedesktop.appearance"
)

var (
	nothing = State{}
	still   = State{ReducedMotion: true}
	night   = State{Dark: true}
	away    = State{Away: true}
)

// Every fact is asked for when its program is there first, and followed.
func TestEveryFact(t *testing.T) {
	for _, f := range allFacts() {
		t.Run(f.peer+" "+f.signal+" "+f.key(), func(t *testing.T) {
			want := map[kind]State{lessMotion: still, noAnimations: still, darkColours: night, unseen: away, asleep: away}[f.kind]
			b := startBus(t)
			p := b.program(f.peer, map[string]any{"LockedHint": true})
			p.set(f.key(), f.on)
			e := listen(t, nil)
			e.expect(nothing, want)
			if f.kind == asleep { // which nobody asks for: the lock was what they said
				tell(p, lockedHint(), false)
				e.expect(nothing)
				tell(p, f, true)
				e.expect(want)
			}
			tell(p, f, other(f.on))
			e.expect(nothing)
			tell(p, f, f.on)
			e.expect(want)
			p.conn.Close()
			if want == away {
				e.expect(nothing)
			}
		})
	}
}

// tell has a program tell that a fact changed.
func tell(p *program, f *fact, value any) {
	p.t.Helper()
	p.set(f.key(), value)
	var body []any
	for _, arg := range f.begins {
		body = append(body, arg)
	}
	switch {
	case f.again:
		body = append(body, map[string]dbus.Variant{f.key(): dbus.MakeVariant(value)}, []string{})
	case f.peer == portalName:
		body = append(body, dbus.MakeVariant(value))
	default:
		body = append(body, value)
	}
	p.emit(f.signal, body...)
}

// other is another value of the same type.
func other(v any) any {
	if n, ok := v.(uint32); ok {
		return n + 1
	}
	return !v.(bool)
}

func lockedHint() *fact {
	for _, f := range allFacts() {
		if f.key() == "LockedHint" {
			return f
		}
	}
	panic("no such fact")
}

func TestBothVersionsOfTheMotionSetting(t *testing.T) {
	b := startBus(t)
	portal := b.program(portalName, map[string]any{"enable-animations": false})
	e := listen(t, nil)
	e.expect(nothing, still)
	portal.emit(settingChanged, appearance, "reduced-motion", dbus.MakeVariant(uint32(0)))
	e.expect(nothing) // the newer one counts where there are both
	portal.emit(settingChanged, appearance, "reduced-motion", dbus.MakeVariant(uint32(1)))
	e.expect(still)
}

func TestProgramsComeAndGo(t *testing.T) {
	b := startBus(t)
	e := listen(t, nil)
	e.expect(nothing)
	portal := b.program(portalName, map[string]any{"color-scheme": uint32(1)})
	e.expect(night)
	saver := b.program(saverName, map[string]any{"": true})
	e.expect(State{Dark: true, Away: true})
	saver.conn.Close() // nobody says any more that the screen is off
	e.expect(night)
	portal.conn.Close() // the person still prefers dark
	b.program(saverName, map[string]any{"": true})
	e.expect(State{Dark: true, Away: true})
	b.program(portalName, map[string]any{"color-scheme": uint32(2)})
	e.expect(away)
}

func TestSleep(t *testing.T) {
	b := startBus(t)
	login := b.program(loginName, map[string]any{"LockedHint": true})
	e := listen(t, nil)
	e.expect(nothing, away)
	tell(login, lockedHint(), false)
	e.expect(nothing)
	login.emit(prepareForSleep, true)
	e.expect(away)
	login.emit(prepareForSleep, false)
	e.expect(nothing)
	login.emit(prepareForSleep, false) // who slept through the first signal still wakes up
	e.expect(nothing)
	tell(login, lockedHint(), true)
	e.expect(away)
	login.emit(prepareForSleep, true)
	login.emit(prepareForSleep, false) // into a locked screen
	e.expect(away)
}

func TestHangingProgram(t *testing.T) {
	b := startBus(t)
	portal := b.hanging(portalName, nil)
	saver := b.program(saverName, map[string]any{"": true})
	e := listen(t, nil)
	e.expect(nothing, away)
	portal.emit(settingChanged, appearance, "color-scheme", dbus.MakeVariant(uint32(1)))
	e.expect(State{Dark: true, Away: true})
	saver.emit(activeChanged, false)
	e.expect(night)
	e.end() // without waiting for the portal
	close(portal.hang)
}

func TestUnansweredQuestionEnds(t *testing.T) {
	b := startBus(t)
	portal := b.hanging(portalName, nil)
	defer close(portal.hang)
	w := newWatcher(slog.New(slog.DiscardHandler), func(s State) { t.Errorf("told %+v", s) })
	w.limit = time.Millisecond
	l := &line{watcher: w, conn: b.connect(), owners: map[string]string{portalName: "somebody"}}
	l.ask(&sessionFacts[0])
	l.asking.Wait()
	if !l.conn.Connected() {
		t.Error("hung up on the bus, where only the program is silent")
	}
}

// What is not understood says nothing: it neither makes a fact true nor undoes it.
func TestWrongTypes(t *testing.T) {
	b := startBus(t)
	portal := b.program(portalName, map[string]any{"reduced-motion": "0", "color-scheme": int32(1), "enable-animations": false})
	login := b.program(loginName, map[string]any{"LockedHint": "yes"})
	saver := b.program(saverName, map[string]any{"": "on"})
	e := listen(t, nil)
	e.expect(nothing, still)
	saver.emit(activeChanged, true)
	e.expect(State{ReducedMotion: true, Away: true})
	portal.emit(settingChanged, appearance, "color-scheme", dbus.MakeVariant(uint32(1)))
	e.expect(State{ReducedMotion: true, Dark: true, Away: true})
	for _, body := range [][]any{
		{},
		{appearance},
		{appearance, "color-scheme"},
		{appearance, uint32(1), dbus.MakeVariant(uint32(0))},
		{uint32(1), "color-scheme", dbus.MakeVariant(uint32(0))},
		{appearance, "color-scheme", dbus.MakeVariant(int64(0))},
		{appearance, "color-scheme", dbus.MakeVariant("")},
		{appearance, "color-scheme", map[string]uint32{"a": 0}},
		{[]string{appearance}, "color-scheme", uint32(0)},
	} {
		portal.emit(settingChanged, body...)
	}
	for _, body := range [][]any{{}, {"no"}, {uint32(0)}, {dbus.MakeVariant(0.5)}, {[]bool{false}}} {
		saver.emit(activeChanged, body...)
		login.emit(prepareForSleep, body...)
		login.emit("org.freedesktop.DBus.Properties.PropertiesChanged", append([]any{"org.freedesktop.login1.Session"}, body...)...)
	}
	saver.emit(activeChanged, false)
	e.expect(State{ReducedMotion: true, Dark: true})
	login.emit(prepareForSleep, false)
	e.expect(State{ReducedMotion: true, Dark: true}) // as whoever wakes up is told
}

// A signal sent to us by somebody who does not have the name is not believed.
func TestStranger(t *testing.T) {
	b := startBus(t)
	login := b.program(loginName, map[string]any{"LockedHint": true})
	e := listen(t, nil)
	e.expect(nothing, away)
	tell(login, lockedHint(), false)
	e.expect(nothing)
	stranger := b.connect()
	var names []string
	if err := stranger.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, ":") {
			stranger.Send(&dbus.Message{
				Type: dbus.TypeSignal,
				Headers: map[dbus.HeaderField]dbus.Variant{
					dbus.FieldDestination: dbus.MakeVariant(name),
					dbus.FieldPath:        dbus.MakeVariant(dbus.ObjectPath("/org/freedesktop/login1")),
					dbus.FieldInterface:   dbus.MakeVariant("org.freedesktop.login1.Manager"),
					dbus.FieldMember:      dbus.MakeVariant("PrepareForSleep"),
					dbus.FieldSignature:   dbus.MakeVariant(dbus.SignatureOf(true)),
				},
				Body: []any{true},
			}, nil)
		}
	}
	// The bus keeps the order of what one sender sends.
	if err := stranger.BusObject().Call("org.freedesktop.DBus.GetId", 0).Err; err != nil {
		t.Fatal(err)
	}
	login.emit(prepareForSleep, false)
	e.expect(nothing)
}

// What does not concern us does not wake us, and who is not there is not started.
func TestOnlyWhatMatters(t *testing.T) {
	b := startBus(t)
	portal := b.program(portalName, map[string]any{"color-scheme": uint32(1)})
	var came atomic.Int32
	in := func(m *dbus.Message) {
		if m.Type == dbus.TypeSignal {
			came.Add(1)
		}
	}
	out := func(m *dbus.Message) {
		switch to := m.Headers[dbus.FieldDestination].Value(); {
		case to == "org.freedesktop.DBus":
		case to != portalName:
			t.Errorf("%v is asked, who is not there", to)
		case m.Flags&dbus.FlagNoAutoStart == 0:
			t.Errorf("%v could be started", to)
		}
	}
	dial := func(opts ...dbus.ConnOption) (*dbus.Conn, error) {
		return dbus.SessionBusPrivateNoAutoStartup(append(opts, dbus.WithIncomingInterceptor(in), dbus.WithOutgoingInterceptor(out))...)
	}
	states := make(chan State, 100)
	w := newWatcher(slog.New(slog.DiscardHandler), func(s State) { states <- s })
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.stay(ctx, "session", dial, sessionFacts) })
	defer running.Wait()
	defer cancel()
	if s := receive(t, states); s != night {
		t.Fatalf("told %+v", s)
	}
	before := came.Load()
	for range 20 {
		portal.emit(settingChanged, appearance, "accent-color", dbus.MakeVariant(uint32(1)))
		portal.emit(settingChanged, "org.gnome.desktop.interface", "clock-format", dbus.MakeVariant("24h"))
		portal.emit("org.freedesktop.portal.Request.Response", uint32(0))
		b.connect().Close() // comes and goes
	}
	portal.emit(settingChanged, appearance, "color-scheme", dbus.MakeVariant(uint32(0)))
	if s := receive(t, states); s != nothing {
		t.Fatalf("told %+v", s)
	}
	if n := came.Load() - before; n != 1 {
		t.Errorf("%d signals came, 1 concerns us", n)
	}
}
