//go:build unix && !darwin

package desktop

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// keep runs an iconKeeper until the test is over.
func keep(t *testing.T, change func(*iconKeeper)) (missing chan bool, ended chan error, end func()) {
	t.Helper()
	missing, ended = make(chan bool, 9), make(chan error, 1)
	k := &iconKeeper{
		log:     slog.New(slog.DiscardHandler),
		missing: func() { missing <- true },
		grace:   time.Millisecond, limit: answerLimit,
		looks: []time.Duration{time.Millisecond, time.Millisecond},
	}
	if change != nil {
		change(k)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { ended <- k.keep(ctx) })
	end = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		if conn, err := dbus.SessionBus(); err == nil {
			conn.Close() // the one that all share
		}
	})
	t.Cleanup(end)
	return missing, ended, end
}

// watcher owns the watcher's name; values are its properties, those of an odd
// one may be missing.
func (b *bus) watcher(values map[string]any) (registered chan string) {
	b.t.Helper()
	registered = make(chan string, 9)
	conn := b.connect()
	conn.ExportMethodTable(map[string]any{"RegisterStatusNotifierItem": func(s dbus.Sender, path string) *dbus.Error {
		registered <- string(s) + path
		return nil
	}}, watcherPath, watcherName)
	conn.ExportMethodTable(map[string]any{"Get": func(_, name string) (dbus.Variant, *dbus.Error) {
		if v, ok := values[name]; ok {
			return dbus.MakeVariant(v), nil
		}
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", nil)
	}}, watcherPath, "org.freedesktop.DBus.Properties")
	if _, err := conn.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil {
		b.t.Fatal(err)
	}
	return registered
}

// TestPanelMissing is told once; a panel that comes later gets the icon.
func TestPanelMissing(t *testing.T) {
	b := startBus(t)
	missing, ended, end := keep(t, nil)
	receive(t, missing)
	registered := b.watcher(map[string]any{"RegisteredStatusNotifierItems": []string{":1.999" + itemPath}})
	if item := receive(t, registered); !strings.HasPrefix(item, ":") || !strings.HasSuffix(item, itemPath) {
		t.Errorf("registered as %q", item)
	}
	end()
	if err := <-ended; err != nil || len(missing) > 0 {
		t.Errorf("ended with %v, told %d times more", err, len(missing))
	}
}

func TestShown(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values map[string]any // nil: no watcher
		want   bool
	}{
		{"nobody", nil, false},
		{"a watcher and a panel", map[string]any{"IsStatusNotifierHostRegistered": true}, true},
		{"a watcher alone", map[string]any{"IsStatusNotifierHostRegistered": false}, false},
		{"a watcher that does not say", map[string]any{}, true},
		{"a watcher that says odd things", map[string]any{"IsStatusNotifierHostRegistered": "yes"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := startBus(t)
			if tt.values != nil {
				b.watcher(tt.values)
			}
			k := &iconKeeper{ears: b.connect(), limit: answerLimit}
			if got := k.shown(t.Context()); got != tt.want {
				t.Errorf("shown: %v", got)
			}
		})
	}
}

// TestRegister: an icon that is known in any form is not registered twice.
func TestRegister(t *testing.T) {
	for _, tt := range []struct {
		name  string
		items func(own string) any
		want  bool
	}{
		{"nothing known", func(string) any { return []string{} }, true},
		{"name and path", func(own string) any { return []string{":1.9999" + itemPath, own + itemPath} }, false},
		{"name alone", func(own string) any { return []string{own} }, false},
		{"another with a like name", func(own string) any { return []string{own + "1" + itemPath} }, true},
		{"no list", func(string) any { return 1 }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := startBus(t)
			own := b.connect()
			registered := b.watcher(map[string]any{"RegisteredStatusNotifierItems": tt.items(own.Names()[0])})
			k := &iconKeeper{log: slog.New(slog.DiscardHandler), ears: b.connect(), icon: own, limit: answerLimit}
			k.register(t.Context())
			if (len(registered) == 1) != tt.want || tt.want && <-registered != own.Names()[0]+itemPath {
				t.Errorf("registered %d times", len(registered))
			}
		})
	}
}

func TestCame(t *testing.T) {
	const bus, changed = "org.freedesktop.DBus", "org.freedesktop.DBus.NameOwnerChanged"
	for _, tt := range []struct {
		signal dbus.Signal
		want   bool
	}{
		{dbus.Signal{Sender: bus, Name: changed, Body: []any{watcherName, "", ":1.2"}}, true},
		{dbus.Signal{Sender: bus, Name: changed, Body: []any{watcherName, ":1.2", ""}}, false},
		{dbus.Signal{Sender: ":1.3", Name: changed, Body: []any{watcherName, "", ":1.2"}}, false},
		{dbus.Signal{Sender: bus, Name: bus + ".NameAcquired", Body: []any{":1.3"}}, false},
		{dbus.Signal{Sender: bus, Name: changed, Body: []any{watcherName}}, false},
		{dbus.Signal{Sender: bus, Name: changed}, false},
	} {
		if got := came(&tt.signal); got != tt.want {
			t.Errorf("%+v: %v", tt.signal, got)
		}
	}
}

func TestIconsBusGone(t *testing.T) {
	b := startBus(t)
	_, ended, _ := keep(t, nil)
	registered := b.watcher(map[string]any{"RegisteredStatusNotifierItems": []string{}})
	receive(t, registered)
	b.kill()
	if err := receive(t, ended); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("ended with %v", err)
	}
	if err := Session(t.Context()); err == nil || !strings.Contains(err.Error(), "session bus") {
		t.Errorf("the session bus: %v", err)
	}
	b.start()
	if err := Session(t.Context()); err != nil {
		t.Errorf("the session bus: %v", err)
	}
}
