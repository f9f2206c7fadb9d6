package tray

import (
	"slices"
	"sync"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// display is the screen that may not be there: none yet, or gone with its X
// server. Asked to show every friend, it tries again.
type display struct {
	open func() (*overlay.Overlay, error)

	// opening is held while open waits for a display. What agents report does
	// not wait for that: mu is held for moments only.
	opening sync.Mutex

	mu      sync.Mutex // guards the rest
	now     *overlay.Overlay
	sprites []overlay.Sprite
	closed  bool
}

// Open opens the overlay if it is not there, and reports whether it did. The
// error wraps overlay.ErrNoDisplay.
func (d *display) Open() (opened bool, err error) {
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.live() {
		return false, nil
	}
	o, err := d.open()
	if err != nil {
		return false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		go o.Close() // the app ends, and waits for nobody
		return false, nil
	}
	d.now = o
	o.SetFriends(d.sprites)
	return true, nil
}

func (d *display) live() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
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

// ShowAll brings every friend to the front. If the display is not there it is
// opened first, with every friend as it is now. The error says why there is none.
func (d *display) ShowAll(status func() []agents.Status) error {
	opened, err := d.Open()
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now == nil {
		return nil
	}
	if opened {
		for _, s := range status() {
			d.now.Show(present(s))
		}
	}
	d.now.ShowAll()
	return nil
}

// present is a friend as it is now: a question or a failure is still said.
func present(s agents.Status) overlay.Update {
	u := overlay.Update{Friend: s.ID, State: s.State}
	if !stays(s.State) {
		return u
	}
	for _, a := range slices.Backward(s.Activities) { // not Sentence, which may be a word in between
		if a.State == s.State {
			u.Bubble = &overlay.Bubble{Text: a.Sentence, Mark: s.State, Stay: true}
			break
		}
	}
	return u
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
		all = append(all, overlay.Sprite{ID: p.ID, Name: p.Name, Smooth: p.Smooth, Sheet: p.Sheet})
	}
	return all
}
