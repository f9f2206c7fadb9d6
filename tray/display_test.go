package tray

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/overlay"
)

// TestNoDisplayYet: what the screen is told before there is one is not lost, and
// nobody waits for it.
func TestNoDisplayYet(t *testing.T) {
	none := errors.New("none")
	var opened []overlay.Look
	d := &display{look: overlay.Look{Size: 1}, open: func(l overlay.Look) (*overlay.Overlay, error) {
		opened = append(opened, l)
		return nil, none
	}}
	defer d.Close()
	if err := d.Open(); !errors.Is(err, none) {
		t.Errorf("open: %v", err)
	}
	d.SetFriends([]overlay.Sprite{{ID: "mochi"}})
	d.Show(overlay.Update{Friend: "mochi", State: agents.Working})
	d.OpenMenu("mochi", overlay.Menu{Title: "Mochi"})
	d.SetLook(overlay.Look{Size: 1, Dark: true})
	d.Pause(true)
	if err := d.ShowAll(); !errors.Is(err, none) {
		t.Errorf("show all: %v", err)
	}
	if len(opened) != 2 || opened[0].Dark || !opened[1].Dark || !d.paused || len(d.sprites) != 1 {
		t.Errorf("opened as %+v, paused %t, with %d friends", opened, d.paused, len(d.sprites))
	}
}

// TestDisplayToCome: a display that the environment names is waited for from the
// start on, ever more rarely, until it is there.
func TestDisplayToCome(t *testing.T) {
	for _, tt := range []struct{ x, wayland string }{{":7", ""}, {"", "wayland-7"}, {"", ""}} {
		t.Setenv("DISPLAY", tt.x)
		t.Setenv("WAYLAND_DISPLAY", tt.wayland)
		synctest.Test(t, func(t *testing.T) {
			start, back := time.Now(), 0
			var tried []time.Duration
			d := &display{opened: make(chan struct{}, 1), open: func(overlay.Look) (*overlay.Overlay, error) {
				if tried = append(tried, time.Since(start)/time.Second); len(tried) < 9 {
					return nil, overlay.ErrNoDisplay
				}
				return new(overlay.Overlay), nil // one that shows nothing and never ends
			}}
			if err := d.Open(); err == nil {
				t.Error("it is there at once")
			}
			ctx, stop := context.WithCancel(t.Context())
			go d.keep(ctx, func() { back++ })
			time.Sleep(time.Hour)
			stop()
			synctest.Wait()
			want, wantBack := []time.Duration{0, 1, 3, 7, 15, 31, 61, 91, 121}, 1
			if tt.x+tt.wayland == "" {
				want, wantBack = want[:1], 0
			}
			if !slices.Equal(tried, want) || back != wantBack || d.live() != (wantBack == 1) {
				t.Errorf("%+v: tried at %d s, came back %d times", tt, tried, back)
			}
		})
	}
}
