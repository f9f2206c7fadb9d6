//go:build unix && !darwin

package overlay

import (
	"image"
	"math"

	"github.com/playpets/playpets/tray/wayland"
)

// wlHand is the person's pointer and keyboard.
type wlHand struct {
	seat     wayland.Seat
	pointer  wayland.Pointer
	keyboard wayland.Keyboard
	cursors  wayland.Cursors
	shapes   wayland.CursorsOf // of pointer
	arrow    wayland.Surface   // where the compositor has no cursors

	over    *wlSurface  // where the pointer is; nil where nothing of ours is
	x, y    float64     // on over
	buttons int         // that are down
	held    *wlSurface  // where the first one went down, until the last one is up
	at      image.Point // on the screen, when that was asked last
	doubt   uint32      // the Sync that ends the hold unless the pointer comes back before

	menu     *wlWindow    // has the grab
	inMenu   bool         // the pointer was told to be over it
	catchers []*wlSurface // behind the menu, or everywhere while something is held
	keyed    *wlOutput    // whose ground asked for the keyboard
	typing   bool         // and has it
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
		h.over = d.surface(e.Surface)
		h.x, h.y = e.X, e.Y
		d.point(e.Serial)
		return d.move()
	case wayland.PointerMotion:
		h.x, h.y = e.X, e.Y
		return d.move()
	case wayland.PointerLeave:
		return d.stray()
	case wayland.Done:
		if e.Sync == h.doubt && h.over == nil {
			return d.slip()
		}
	case wayland.PointerButton:
		if e.Down {
			return d.press(wlButtons[e.Code])
		}
		return d.release(wlButtons[e.Code])
	case wayland.KeyboardEnter:
		h.typing = h.menu != nil
	case wayland.KeyboardLeave:
		if h.typing { // else it is of the menu before
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

// where is the place of the pointer on the screen, the last one known when it is
// on nothing of ours.
func (d *wl) where() image.Point {
	h := &d.hand
	if h.over != nil {
		corner := h.over.output.rect().Min.Add(h.over.corner)
		scaled := func(v float64, from int) int { return int(math.Floor((v + float64(from)) * float64(d.factor))) }
		h.at = image.Pt(scaled(h.x, corner.X), scaled(h.y, corner.Y))
	}
	return h.at
}

// move tells a menu that the pointer is over it, or a window that the pointer
// holds where it is.
func (d *wl) move() input {
	h := &d.hand
	at, was := d.where(), h.inMenu
	h.inMenu = h.menu != nil && h.over != nil && at.In(h.menu.rect())
	switch {
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
	if h.over == nil {
		return input{}
	}
	at := d.where()
	h.buttons++
	if h.held == nil {
		h.held = h.over
		d.guard()
	}
	switch {
	case h.menu != nil && !at.In(h.menu.rect()):
		return d.dismiss()
	case h.menu != nil:
		return clicked(pressed, h.menu, at, button)
	}
	return clicked(pressed, h.held.window, at, button)
}

// release is a button that goes up.
func (d *wl) release(button int) input {
	h := &d.hand
	if h.held == nil {
		return input{}
	}
	at, window := d.where(), h.held.window
	if h.menu != nil && at.In(h.menu.rect()) {
		window = h.menu
	}
	if h.buttons--; h.buttons == 0 {
		d.letGo()
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

// stray is called when the pointer leaves a surface. While a button is down it is
// most often on another one of ours next: some compositors hand it on although
// it is held.
func (d *wl) stray() input {
	h := &d.hand
	d.where()
	h.over = nil
	if h.held != nil {
		h.doubt = d.conn.Sync()
		return input{}
	}
	return d.move()
}

// slip is called when the pointer is not ours any more, whatever it holds.
func (d *wl) slip() (in input) {
	h := &d.hand
	at := d.where()
	if h.held != nil {
		in = clicked(released, h.held.window, at, leftButton)
	}
	h.over, h.inMenu = nil, false
	d.letGo()
	return in
}

// letGo ends the hold on a surface, which was only kept for that if nothing
// shows on it.
func (d *wl) letGo() {
	h := &d.hand
	s := h.held
	h.held, h.buttons, h.doubt = nil, 0, 0
	if s != nil && s.window != nil && s.window.front != s {
		s.destroy()
	}
	d.guard()
}

// guard covers all monitors while a press must not reach anybody else: a pointer
// that holds something can be faster than that follows, and not every compositor
// leaves the pointer to what it holds.
func (d *wl) guard() {
	h := &d.hand
	wanted := h.held != nil || h.menu != nil
	switch {
	case wanted && h.catchers == nil && d.stretcher.Exists():
		for _, o := range d.outputs {
			if o.ground != nil {
				h.catchers = append(h.catchers, d.newCatcher(o))
			}
		}
		d.keepInFront()
	case !wanted:
		catchers := h.catchers
		h.catchers = nil
		for _, c := range catchers {
			c.destroy()
		}
	}
}

// forget is called when a surface is no more.
func (h *wlHand) forget(s *wlSurface) {
	if h.over == s {
		h.over = nil
	}
	h.catchers = without(h.catchers, s)
}

// grab has the menu take the keyboard, and every click beside it.
func (d *wl) grab(b balloon) {
	d.ungrab()
	h := &d.hand
	h.menu = b.(*wlBalloon).wlWindow
	d.guard()
	if h.keyed = d.outputAt(floor(h.menu.at, d.factor)); h.keyed != nil {
		h.keyed.takeKeyboard(true)
	}
	d.keepInFront()
	d.flush()
}

func (d *wl) ungrab() {
	h := &d.hand
	if h.menu == nil {
		return
	}
	keyed := h.keyed
	h.menu, h.keyed, h.typing, h.inMenu = nil, nil, false, false
	d.guard()
	if keyed != nil && keyed.ground != nil {
		keyed.takeKeyboard(false)
	}
	d.flush()
}

func (o *wlOutput) takeKeyboard(take bool) {
	o.ground.layer.SetKeyboard(take)
	o.ground.surface.Commit()
}

// keepInFront is called when something came to the front: an open menu is, and
// behind that what catches clicks.
func (d *wl) keepInFront() {
	for _, c := range d.hand.catchers {
		c.toFront()
	}
	if m := d.hand.menu; m != nil && m.front != nil {
		m.front.toFront()
	}
}

// dismiss ends the grab from outside.
func (d *wl) dismiss() input {
	d.ungrab()
	return input{deed: dismissed}
}
