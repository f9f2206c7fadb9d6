//go:build unix && !darwin

package overlay

import (
	"encoding/binary"
	"image"

	"github.com/jezek/xgb/xproto"
)

const (
	pointerEvents = xproto.EventMaskButtonPress | xproto.EventMaskButtonRelease | xproto.EventMaskPointerMotion | xproto.EventMaskLeaveWindow
	menuEvents    = windowEvents | pointerEvents
)

// An x11Menu is the window that has the grab, or wants it.
type x11Menu struct {
	window  *x11Window
	pointer bool // the server has granted the pointer
	keys    bool // and the keys
	inside  bool // the pointer was over it last
	active  xproto.Window
	deeds   map[xproto.Keycode]deed
}

// keysyms are the keys that a menu knows, by their numbers in keysymdef.h.
var keysyms = map[xproto.Keysym]deed{
	0xff1b: keyEscape,
	0xff52: keyUp, 0xff97: keyUp, // of the number pad
	0xff54: keyDown, 0xff99: keyDown,
	0xff0d: keyEnter, 0xff8d: keyEnter,
}

// input is what an event of the pointer or the keyboard means for the stage.
func (d *x11) input(event any) input {
	switch e := event.(type) {
	case xproto.ButtonPressEvent:
		return d.button(pressed, e.Event, e.Detail, image.Pt(int(e.RootX), int(e.RootY)))
	case xproto.ButtonReleaseEvent:
		return d.button(released, e.Event, e.Detail, image.Pt(int(e.RootX), int(e.RootY)))
	case xproto.MotionNotifyEvent:
		return d.motion(e.Event, image.Pt(int(e.RootX), int(e.RootY)))
	case xproto.LeaveNotifyEvent:
		return d.leave(e)
	case xproto.KeyPressEvent:
		if d.menu != nil {
			return input{deed: d.menu.deeds[e.Detail]}
		}
	case xproto.PropertyNotifyEvent:
		if d.menu != nil && d.refocused() {
			return d.dismiss()
		}
	}
	return input{}
}

func (d *x11) button(what deed, id xproto.Window, detail xproto.Button, at image.Point) input {
	w := d.windows[id]
	if w == nil || detail > rightButton {
		return input{} // a wheel, or a button that means something else to everybody
	}
	if m := d.menu; m != nil && what == pressed && !m.window.contains(at) {
		return d.dismiss()
	}
	return input{deed: what, on: w.owner, at: at, button: int(detail)}
}

func (d *x11) motion(id xproto.Window, at image.Point) input {
	w, m := d.windows[id], d.menu
	if w == nil {
		return input{}
	}
	if m == nil || m.window != w {
		return input{deed: moved, on: w.owner, at: at}
	}
	d.seize() // who was in the way may be gone
	was := m.inside
	m.inside = w.contains(at)
	switch {
	case m.inside:
		return input{deed: moved, on: w.owner, at: at}
	case was:
		return input{deed: left, on: w.owner, at: at}
	}
	return input{}
}

// leave takes that the pointer has left a menu. With the grab, motion says so as
// well and better. A menu without one closes: it would never hear of a press
// elsewhere. So it is with a pointer that has left and still is where the menu
// is: on XWayland, windows that are not the server's are no part of its screen.
func (d *x11) leave(e xproto.LeaveNotifyEvent) input {
	m := d.menu
	if m == nil || e.Event != m.window.id || e.Mode != xproto.NotifyModeNormal {
		return input{}
	}
	at := image.Pt(int(e.RootX), int(e.RootY))
	if !m.pointer || m.window.contains(at) {
		return d.dismiss()
	}
	return d.motion(e.Event, at)
}

func (d *x11) dismiss() input {
	d.ungrab()
	return input{deed: dismissed}
}

// grab gives b the pointer and the keys. The input focus stays where it is, and
// nothing is frozen. A grab ends with its window or its client, whatever becomes
// of them.
func (d *x11) grab(b balloon) {
	w := b.(*x11Balloon).x11Window
	d.menu = &x11Menu{window: w, active: d.activeWindow(), deeds: d.keyboard()}
	xproto.ChangeWindowAttributes(d.conn, w.id, xproto.CwEventMask, []uint32{menuEvents})
	d.seize()
}

// seize asks for what the menu has not got yet. Another client may hold it, as
// the one does whose menu is open.
func (d *x11) seize() {
	m := d.menu
	if !m.pointer {
		r, err := xproto.GrabPointer(d.conn, false, m.window.id, pointerEvents, xproto.GrabModeAsync, xproto.GrabModeAsync,
			xproto.WindowNone, xproto.CursorNone, xproto.TimeCurrentTime).Reply()
		m.pointer = err == nil && r.Status == xproto.GrabStatusSuccess
	}
	if !m.keys {
		r, err := xproto.GrabKeyboard(d.conn, false, m.window.id, xproto.TimeCurrentTime, xproto.GrabModeAsync, xproto.GrabModeAsync).Reply()
		m.keys = err == nil && r.Status == xproto.GrabStatusSuccess
	}
}

func (d *x11) ungrab() {
	if d.menu == nil {
		return
	}
	xproto.UngrabPointer(d.conn, xproto.TimeCurrentTime)
	xproto.UngrabKeyboard(d.conn, xproto.TimeCurrentTime)
	xproto.ChangeWindowAttributes(d.conn, d.menu.window.id, xproto.CwEventMask, []uint32{windowEvents})
	d.menu = nil
}

// keyboard is which keys mean something to a menu. It is asked for each time:
// people change their layout.
func (d *x11) keyboard() map[xproto.Keycode]deed {
	setup := xproto.Setup(d.conn)
	first := setup.MinKeycode
	reply, err := xproto.GetKeyboardMapping(d.conn, first, byte(setup.MaxKeycode-first+1)).Reply()
	if err != nil {
		return nil // the connection is gone
	}
	deeds := map[xproto.Keycode]deed{}
	for i := 0; i < len(reply.Keysyms); i += int(reply.KeysymsPerKeycode) {
		if deed, ok := keysyms[reply.Keysyms[i]]; ok {
			deeds[first+xproto.Keycode(i/int(reply.KeysymsPerKeycode))] = deed
		}
	}
	return deeds
}

// activeWindow is the window that people work with; 0 if nobody says.
func (d *x11) activeWindow() xproto.Window {
	reply, err := xproto.GetProperty(d.conn, false, d.root, d.atoms.active, xproto.AtomWindow, 0, 1).Reply()
	if err != nil || len(reply.Value) < 4 {
		return 0
	}
	return xproto.Window(binary.LittleEndian.Uint32(reply.Value))
}

// refocused reports whether people work with another window than when the menu
// was opened. None is not another one: some window managers say so during grabs.
func (d *x11) refocused() bool {
	active := d.activeWindow()
	return active != 0 && active != d.menu.active
}
