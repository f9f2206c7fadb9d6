package tray

import (
	"sync"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// display is the screen that may not be there: none yet, or gone with its X
// server. Asked to show every friend, it tries again.
type display struct {
	open func() (*overlay.Overlay, error)

	mu      sync.Mutex // guards the rest
	now     *overlay.Overlay
	sprites []overlay.Sprite
	closed  bool
}

// Open opens the overlay if it is not there. The error wraps
// overlay.ErrNoDisplay.
func (d *display) Open() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reopen()
}

func (d *display) reopen() error {
	if d.closed || d.live() {
		return nil
	}
	o, err := d.open()
	if err != nil {
		return err
	}
	if d.now != nil {
		d.now.Close()
	}
	d.now = o
	o.SetFriends(d.sprites)
	return nil
}

func (d *display) live() bool {
	if d.now == nil {
		return false
	}
	select {
	case <-d.now.Done():
		return false
	default:
		return true
	}
}

// SetFriends implements screen.
func (d *display) SetFriends(s []overlay.Sprite) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sprites = s
	if d.now != nil {
		d.now.SetFriends(s)
	}
}

// Show implements screen.
func (d *display) Show(u overlay.Update) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != nil {
		d.now.Show(u)
	}
}

// ShowAll opens the display if it is not there, with every friend as it is now,
// and brings them to the front. The error says why there is none.
func (d *display) ShowAll(all []agents.Friend) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.reopen(); err != nil || d.closed {
		return err
	}
	for _, f := range all {
		d.now.Show(overlay.Update{Friend: f.ID, State: f.State})
	}
	d.now.ShowAll()
	return nil
}

// Close takes every friend off the display, for good.
func (d *display) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.now != nil {
		d.now.Close()
	}
}

func sprites(packages []friends.Package) []overlay.Sprite {
	all := make([]overlay.Sprite, 0, len(packages))
	for _, p := range packages {
		all = append(all, overlay.Sprite{ID: p.ID, Name: p.Name, Sheet: p.Sheet})
	}
	return all
}
