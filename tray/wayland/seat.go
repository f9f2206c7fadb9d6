//go:build unix

package wayland

// What people do with pointer and keyboard. Places are on the surface, in
// logical pixels; codes of buttons and keys are Linux' own (input-event-codes).
type (
	Capabilities struct {
		Seat              uint32
		Pointer, Keyboard bool
	}
	PointerEnter struct {
		Serial, Surface uint32
		X, Y            float64
	}
	PointerLeave  struct{ Surface uint32 }
	PointerMotion struct{ X, Y float64 }
	PointerButton struct {
		Code uint32
		Down bool
	}
	KeyboardEnter struct{ Surface uint32 }
	KeyboardLeave struct{ Surface uint32 }
	Key           struct {
		Code uint32
		Down bool
	}
)

// SeatKind is the pointer and the keyboard of one person.
var SeatKind = Kind{Name: "wl_seat", Least: 3, Version: 5, Events: []func(uint32, *Reader) any{
	func(id uint32, r *Reader) any {
		const pointer, keyboard = 1, 2
		c := r.Uint()
		return Capabilities{id, c&pointer != 0, c&keyboard != 0}
	},
}}

// A Seat is the pointer and the keyboard of one person.
type Seat struct{ Object }

var pointerKind = Kind{Name: "wl_pointer", Version: 5, Events: []func(uint32, *Reader) any{
	func(_ uint32, r *Reader) any { return PointerEnter{r.Uint(), r.Uint(), r.Fixed(), r.Fixed()} },
	func(_ uint32, r *Reader) any {
		r.Uint() // serial
		return PointerLeave{r.Uint()}
	},
	func(_ uint32, r *Reader) any {
		r.Uint() // time
		return PointerMotion{r.Fixed(), r.Fixed()}
	},
	func(_ uint32, r *Reader) any {
		r.Uint() // serial
		r.Uint() // time
		return PointerButton{r.Uint(), r.Uint() == 1}
	},
}}

// Pointer asks for the seat's pointer, which must be there.
func (s Seat) Pointer() Pointer {
	p := s.conn.New(&pointerKind)
	s.Send(0, p)
	return Pointer{p}
}

var keyboardKind = Kind{Name: "wl_keyboard", Version: 5, Events: []func(uint32, *Reader) any{
	func(_ uint32, r *Reader) any {
		r.Uint()         // format
		r.File().Close() // the layout
		return nil
	},
	1: func(_ uint32, r *Reader) any {
		r.Uint() // serial
		return KeyboardEnter{r.Uint()}
	},
	2: func(_ uint32, r *Reader) any {
		r.Uint() // serial
		return KeyboardLeave{r.Uint()}
	},
	3: func(_ uint32, r *Reader) any {
		r.Uint() // serial
		r.Uint() // time
		return Key{r.Uint(), r.Uint() == 1}
	},
}}

// Keyboard asks for the seat's keyboard, which must be there.
func (s Seat) Keyboard() Keyboard {
	k := s.conn.New(&keyboardKind)
	s.Send(1, k)
	return Keyboard{k}
}

// A Pointer is a mouse, or what acts as one.
type Pointer struct{ Object }

// SetCursor has a surface be the pointer's picture until it leaves; serial is
// that of PointerEnter. The hot spot is on the surface.
func (p Pointer) SetCursor(serial uint32, s Surface, hotX, hotY int) {
	p.Send(0, serial, s, hotX, hotY)
}

// Release gives the pointer back.
func (p Pointer) Release() { p.End(1) }

// A Keyboard is one, of any layout: keys come by their codes.
type Keyboard struct{ Object }

// Release gives the keyboard back.
func (k Keyboard) Release() { k.End(0) }

// CursorsKind knows pictures of the pointer by what they mean.
var CursorsKind = Kind{Name: "wp_cursor_shape_manager_v1", Version: 1}

// A Cursors knows pictures of the pointer by what they mean.
type Cursors struct{ Object }

var cursorsOfKind = Kind{Name: "wp_cursor_shape_device_v1", Version: 1}

// Of asks for the cursors of one pointer.
func (c Cursors) Of(p Pointer) CursorsOf {
	o := c.conn.New(&cursorsOfKind)
	c.Send(1, o, p)
	return CursorsOf{o}
}

// A CursorsOf gives one pointer a picture.
type CursorsOf struct{ Object }

// SetArrow is Pointer.SetCursor with the person's own arrow.
func (c CursorsOf) SetArrow(serial uint32) {
	const arrow = 1
	c.Send(1, serial, uint32(arrow))
}

// Destroy ends it; before that of the pointer.
func (c CursorsOf) Destroy() { c.End(0) }
