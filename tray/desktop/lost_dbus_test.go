//go:build unix && !darwin

package desktop

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const nowhere = "unix:path=/nowhere/bus"

func TestBusComesBack(t *testing.T) {
	b := startBus(t)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", nowhere)
	pauses, over := make(chan time.Duration, 9), make(chan time.Time)
	b.program(portalName, map[string]any{"color-scheme": uint32(1)})
	e := listen(t, func(w *watcher) {
		w.after = func(d time.Duration) <-chan time.Time { pauses <- d; return over }
	})
	e.expect(nothing, night)
	b.program(saverName, map[string]any{"": true})
	e.expect(State{Dark: true, Away: true})

	b.kill()
	e.expect(night)
	for _, seconds := range []time.Duration{1, 2, 4, 8, 16, 32, 60} {
		if got := receive(t, pauses); got != seconds*time.Second {
			t.Fatalf("a pause of %v, not %d s", got, seconds)
		}
		over <- time.Time{}
	}
	if got := receive(t, pauses); got != time.Minute {
		t.Fatalf("a pause of %v, not one minute", got)
	}

	b.start()
	b.program(portalName, map[string]any{"color-scheme": uint32(0)})
	over <- time.Time{}
	e.expect(nothing)
	b.kill()
	if got := receive(t, pauses); got != time.Second {
		t.Errorf("looked for again after %v", got)
	}
}

// A bus that takes connections and says nothing is hung up on, and tried again.
func TestSilentBus(t *testing.T) {
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	silent, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(dir, "socket"))
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", nowhere)
	pauses, over, lines := make(chan time.Duration, 9), make(chan time.Time), make(logLines, 9)
	e := listen(t, func(w *watcher) {
		w.limit = time.Millisecond
		w.log = slog.New(slog.NewTextHandler(lines, nil))
		w.after = func(d time.Duration) <-chan time.Time { pauses <- d; return over }
	})
	e.expect(nothing)
	for _, seconds := range []time.Duration{1, 2} {
		if got := receive(t, pauses); got != seconds*time.Second {
			t.Fatalf("a pause of %v, not %d s", got, seconds)
		}
		over <- time.Time{}
	}
	receive(t, pauses)
	e.end()
	if len(lines) != 1 {
		t.Errorf("%d lines in the log", len(lines))
	}
}

// With no address godbus starts a bus of its own if it is let: dbus-launch is run
// by its ordinary functions, and never by ours.
func TestNoBusIsStarted(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	script := "#!/bin/sh\n: >" + ran + "\n"
	if err := os.WriteFile(filepath.Join(dir, "dbus-launch"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", nowhere)
	for _, address := range []string{"", "autolaunch:"} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		if conn, err := dbus.SessionBusPrivate(); err == nil {
			conn.Close()
			t.Skip("this user's bus is found without an address")
		}
		if err := os.Remove(ran); err != nil {
			t.Fatalf("godbus starts no bus any more: %v", err)
		}
		lines := make(logLines, 2)
		e := listen(t, func(w *watcher) { w.log = slog.New(slog.NewTextHandler(lines, nil)) })
		e.expect(nothing)
		line := receive(t, lines)
		if !strings.Contains(line, "level=INFO") || !strings.Contains(line, "the desktop says nothing") {
			t.Errorf("logged: %s", line)
		}
		e.end()
		if len(lines) > 0 {
			t.Errorf("logged too: %s", <-lines)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Error("dbus-launch was run")
		}
	}
}

// logLines are what a log writes.
type logLines chan string

func (l logLines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}
