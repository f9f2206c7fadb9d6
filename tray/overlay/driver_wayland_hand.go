//go:build unix && !darwin

package overlay

import (
	"image"
	"math"
	"slices"

	"github.com/playpets/playpets/tray/overlay/wayland"
)

// wlHand is the person's pointer and keyboard.
type wlHand struct {
	seat     wayland.Seat
	pointer  wayland.Pointer
	keyboard wayland.Keyboard
	cursors  wayland.Cursors
	shapes   wayland.CursorsOf // of pointer
	arrow    wayland.Surface   // where the compositor has no cursors

	over    *wlSurface // where the pointer is; nil where nothing of ours is
	x, y    float64    // on over, or on held
	buttons int        // that are down
	held    *wlSurface // where the first one went down: its pointer until the last one is up

	menu     *wlWindow // has the grab
	inMenu   bool      // the pointer was told to be over it
	catchers []*wlSurface
}

// Linux' codes of buttons and keys.
var (
	wlButtons = map[uint32]int{0x110: leftButton, 0x112: 2, 0x111: rightButton}
	wlKeys    = map[uint32]deed{1: keyEscape, 103: keyUp, 108: keyDown, 28: keyEnter, 96: keyEnter}
)

// feel is what the person did.
func (d *wl) feel(event any) input {
	h := &d.hand
	switch e := event.(type) {
	case wayland.Capabilities:
		return d.equip(e)
	case wayland.PointerEnter:
		h.over = d.surface(func(s *wlSurface) bool { return s.surface.ID() == e.Surface })
		h.x, h.y = e.X, e.Y
		d.point(e.Serial)
		return d.move()
	case wayland.PointerMotion:
		h.x, h.y = e.X, e.Y
		return d.move()
	case wayland.PointerLeave:
		return d.slip()
	case wayland.PointerButton:
		if e.Down {
			return d.press(wlButtons[e.Code])
		}
		return d.release(wlButtons[e.Code])
	case wayland.KeyboardLeave:
		if h.menu != nil && h.menu.front != nil && h.menu.front.surface.ID() == e.Surface {
			return d.dismiss()
		}
	case wayland.Key:
		if h.menu != nil && e.Down {
			return input{deed: wlKeys[e.Code]}
		}
	}
	return input{}
}

// equip takes pointer and keyboard when there are any.
func (d *wl) equip(e wayland.Capabilities) (in input) {
	h := &d.hand
	switch {
	case e.Pointer && !h.pointer.Exists():
		h.pointer = h.seat.Pointer()
		if h.cursors.Exists() {
			h.shapes = h.cursors.Of(h.pointer)
		}
	case !e.Pointer && h.pointer.Exists():
		in = d.slip()
		if h.shapes.Exists() {
			h.shapes.Destroy()
		}
		h.pointer.Release()
		h.pointer, h.shapes = wayland.Pointer{}, wayland.CursorsOf{}
	}
	switch {
	case e.Keyboard && !h.keyboard.Exists():
		h.keyboard = h.seat.Keyboard()
	case !e.Keyboard && h.keyboard.Exists():
		h.keyboard.Release()
		h.keyboard = wayland.Keyboard{}
	}
	return in
}

// where is the place of the pointer on the screen, and the surface that knows.
func (d *wl) where() (at image.Point, on *wlSurface) {
	h := &d.hand
	if on = h.held; on == nil {
		on = h.over
	}
	if on == nil {
		return at, nil
	}
	corner := on.output.rect().Min.Add(on.corner)
	scaled := func(v float64, from int) int { return int(math.Floor((v + float64(from)) * float64(d.factor))) }
	return image.Pt(scaled(h.x, corner.X), scaled(h.y, corner.Y)), on
}

// move tells a menu that the pointer is over it, or a window that the pointer
// holds where it is.
func (d *wl) move() input {
	h := &d.hand
	at, on := d.where()
	was := h.inMenu
	h.inMenu = h.menu != nil && at.In(h.menu.rect())
	switch {
	case on == nil:
	case h.inMenu:
		return input{deed: moved, on: h.menu.on, at: at}
	case was:
		return input{deed: left, on: h.menu.on, at: at}
	case h.menu == nil && h.held != nil && h.held.window != nil:
		return input{deed: moved, on: h.held.window.on, at: at}
	}
	return input{}
}

// press is a button that goes down. Outside of an open menu it closes that, and
// does nothing else.
func (d *wl) press(button int) input {
	h := &d.hand
	at, on := d.where()
	if on == nil {
		return input{}
	}
	h.buttons++
	h.held = on
	switch {
	case h.menu != nil && !at.In(h.menu.rect()):
		return d.dismiss()
	case h.menu != nil:
		return clicked(pressed, h.menu, at, button)
	}
	return clicked(pressed, on.window, at, button)
}

// release is a button that goes up.
func (d *wl) release(button int) input {
	h := &d.hand
	at, on := d.where()
	if h.buttons == 0 || on == nil {
		return input{}
	}
	window := on.window
	if h.menu != nil && at.In(h.menu.rect()) {
		window = h.menu
	}
	if h.buttons--; h.buttons == 0 {
		h.letGo()
	}
	return clicked(released, window, at, button)
}

// clicked is what a known button did to a window.
func clicked(what deed, w *wlWindow, at image.Point, button int) input {
	if w == nil || button == 0 {
		return input{}
	}
	return input{deed: what, on: w.on, at: at, button: button}
}

// slip is called when the pointer is not ours any more, whatever it holds.
func (d *wl) slip() (in input) {
	h := &d.hand
	at, on := d.where()
	switch {
	case h.inMenu:
		in = input{deed: left, on: h.menu.on, at: at}
	case h.held != nil:
		in = clicked(released, on.window, at, leftButton)
	}
	h.over, h.buttons, h.inMenu = nil, 0, false
	h.letGo()
	return in
}

// letGo ends the hold on a surface, which was only kept for that if nothing
// shows on it.
func (h *wlHand) letGo() {
	s := h.held
	h.held = nil
	if s != nil && s.unused() {
		s.destroy()
	}
}

// forget is called when a surface is no more.
func (h *wlHand) forget(s *wlSurface) {
	if h.over == s {
		h.over = nil
	}
	if h.held == s {
		h.held = nil
	}
}

// unused reports whether nothing shows on the surface, and nothing ever will.
func (s *wlSurface) unused() bool {
	if w := s.window; w != nil {
		return w.front != s && w.back != s
	}
	return !slices.Contains(s.d.hand.catchers, s)
}

// grab has the menu take the keyboard, and every click beside it.
func (d *wl) grab(b balloon) {
	d.ungrab()
	d.hand.menu = b.(*wlBalloon).wlWindow
	if d.stretcher.Exists() { // without it Escape remains
		for _, o := range d.outputs {
			if o.known {
				d.hand.catchers = append(d.hand.catchers, d.newCatcher(o))
			}
		}
	}
	d.hand.menu.again()
	d.flush()
}

func (d *wl) ungrab() {
	h := &d.hand
	if h.menu == nil {
		return
	}
	menu, catchers := h.menu, h.catchers
	h.menu, h.catchers, h.inMenu = nil, nil, false
	for _, c := range catchers {
		c.leave()
	}
	menu.again()
	d.flush()
}

// dismiss ends the grab from outside.
func (d *wl) dismiss() input {
	d.ungrab()
	return input{deed: dismissed}
}
