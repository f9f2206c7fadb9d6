//go:build unix && !darwin

package overlay

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"github.com/jezek/xgb/xproto"
)

func TestProbeX11(t *testing.T) {
	x := startX(t)
	if got, err := Probe(t.Context()); err != nil || got != (Screen{Way: "X11"}) {
		t.Errorf("a bare X server: %+v, %v", got, err)
	}
	x.compositor()
	if got, err := Probe(t.Context()); err != nil || got != (Screen{Way: "X11", Translucent: true}) {
		t.Errorf("with a compositor: %+v, %v", got, err)
	}
	xproto.ForceScreenSaver(x.conn, xproto.ScreenSaverActive)
	until(t, "the screen saver is seen", func() bool {
		got, err := Probe(t.Context())
		return err == nil && got == Screen{Way: "X11", Translucent: true, Saved: true}
	})
	xproto.ForceScreenSaver(x.conn, xproto.ScreenSaverReset)
	if windows := x.ours(); len(windows) > 0 {
		t.Errorf("it left windows: %v", windows)
	}
	// A compositor without a layer shell: one that nobody can reach.
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("WAYLAND_DISPLAY", "wayland-none")
	if got, err := Probe(t.Context()); err != nil || got.Way != "Wayland, through XWayland" {
		t.Errorf("XWayland: %+v, %v", got, err)
	}
}

func TestProbeNothing(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if got, err := Probe(t.Context()); !errors.Is(err, ErrNoDisplay) {
		t.Errorf("no display: %+v, %v", got, err)
	}
	// A compositor that accepts and never answers.
	socket := filepath.Join(t.TempDir(), "w")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("WAYLAND_DISPLAY", socket)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Probe(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("one that hangs: %v", err)
	}
}

func TestProbeSway(t *testing.T) {
	startSway(t)
	if got, err := Probe(t.Context()); err != nil || got != (Screen{Way: "Wayland, by its layer shell", Translucent: true}) {
		t.Errorf("%+v, %v", got, err)
	}
}
