package overlay

import (
	"image"
	"time"
)

// A screen is where a stage plays: a window system, or the recorder's canvas.
// Only the goroutine that plays the stage calls it. Coordinates are physical
// pixels; pictures are premultiplied.
type screen interface {
	// monitors lists where friends may stand, the primary one first; it is
	// never empty.
	monitors() []monitor
	// scale is how many pixels the system wants for one of 96 dpi, 1 to 4.
	scale() float64
	// translucent reports whether what is behind shows through half-opaque
	// pixels. Otherwise a pixel is opaque or not there.
	translucent() bool
	newFigure(name string) figure
	newBalloon(name string) balloon
	// grab makes b a menu: until ungrab, pointer and keys are its own, and a
	// press elsewhere comes as dismissed, after which there is no grab.
	grab(b balloon)
	ungrab()
}

// A monitor is a part of the screen.
type monitor struct {
	name    string // of the connector: "HDMI-1"
	whole   image.Rectangle
	work    image.Rectangle // clear of panels; not empty
	covered bool            // a full-screen window is on it: nobody is to be seen there
}

// A figure is a friend on a screen. It is seen from its first paint on.
type figure interface {
	// load keeps the frames of a row, all of one size, in place of those it had.
	load(r row, frames []*image.RGBA)
	// paint shows a loaded frame with its corner at the given place; one that
	// was hidden comes to the front. Opaque pixels of the row take clicks.
	paint(r row, col int, at image.Point)
	// raise puts it in front of everything else, once.
	raise()
	hide()
	close()
}

// A balloon is a bubble on a screen, or a menu.
type balloon interface {
	// put shows img with its corner at the given place; a balloon that was
	// hidden comes to the front. Opaque pixels take clicks. The image that was
	// put last is moved only: nobody paints in it later.
	put(img *image.RGBA, at image.Point)
	// raise puts it in front of everything else, once.
	raise()
	hide()
	close()
}

// An input is what the person does with a window of ours, or while a menu has
// the grab.
type input struct {
	deed   deed
	on     any         // the figure or balloon; nil for keys and dismissed
	at     image.Point // on the screen
	button int         // of pressed and released: leftButton, …
	now    time.Time   // filled in by the loop
}

// A deed is what an input does. A pointer that has pressed a figure is told of
// until it is released, wherever it is; one over a menu is always told of.
type deed int

const (
	noDeed deed = iota
	pressed
	moved
	released
	left // the window
	keyEscape
	keyUp
	keyDown
	keyEnter
	dismissed // the menu lost its grab: a press elsewhere, or the focus changed
)

// Buttons of the pointer, as X numbers them.
const (
	leftButton  = 1
	rightButton = 3
)
