package tray

import (
	"errors"
	"testing"

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
