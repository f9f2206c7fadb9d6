package tray

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// display is the screen that may not be there: none yet, or gone with its X
// server. Asked to show every friend, and while it is kept, it tries again.
type display struct {
	open   func(overlay.Look) (*overlay.Overlay, error)
	opened chan struct{} // holds a value when keep has an overlay to watch; nil without keep

	// opening is held while open waits for a display. What agents report does
	// not wait for that: mu is held for moments only.
	opening sync.Mutex

	mu      sync.Mutex // guards the rest
	now     *overlay.Overlay
	sprites []overlay.Sprite
	look    overlay.Look
	paused  bool
	closed  bool
}

// Open opens the overlay if it is not there. The error wraps
// overlay.ErrNoDisplay.
func (d *display) Open() error {
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.live() {
		return nil
	}
	d.mu.Lock()
	look := d.look
	d.mu.Unlock()
	o, err := d.open(look)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		go o.Close() // the app ends, and waits for nobody
		return nil
	}
	d.now = o
	if d.look != look {
		o.SetLook(d.look)
	}
	if d.paused {
		o.Pause(true)
	}
	o.SetFriends(d.sprites)
	select {
	case d.opened <- struct{}{}:
	default:
	}
	return nil
}

// keep waits for a display that is not there yet, or that went away, until ctx ends,
// and opens it; then it calls back. Where the environment names none, none is
// waited for.
func (d *display) keep(ctx context.Context, back func()) {
	for wait := named(); ; wait = true {
		for pause := time.Second; wait && !d.live(); pause = min(2*pause, keepPause) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
			if d.Open() == nil {
				back()
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-d.opened:
		}
		select {
		case <-ctx.Done():
			return
		case <-d.gone():
		}
	}
}

// keepPause is the longest pause between two looks for a display.
const keepPause = 30 * time.Second

// named reports whether the environment names a display. Who starts the app before
// the desktop may name one that comes.
func named() bool { return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" }

// gone is closed when the overlay that was opened last has ended.
func (d *display) gone() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now.Done()
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

// OpenMenu implements screen.
func (d *display) OpenMenu(friend string, m overlay.Menu) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != nil {
		d.now.OpenMenu(friend, m)
	}
}

// SetLook changes how friends are shown.
func (d *display) SetLook(l overlay.Look) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.look == l {
		return
	}
	d.look = l
	if d.now != nil {
		d.now.SetLook(l)
	}
}

// Pause says whether nobody can see the screen.
func (d *display) Pause(paused bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused = paused
	if d.now != nil {
		d.now.Pause(paused)
	}
}

// ShowAll brings every friend to the front. If the display is not there it is
// opened first: its friends know nothing yet. The error says why there is none.
func (d *display) ShowAll() error {
	if err := d.Open(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != nil {
		d.now.ShowAll()
	}
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
		all = append(all, overlay.Sprite{ID: p.ID, Name: p.Name, Smooth: p.Smooth, Sheet: p.Sheet})
	}
	return all
}
