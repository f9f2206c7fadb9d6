package overlay

import "image"

// A screen is where a stage plays: a window system, or the recorder's canvas.
// Only the goroutine that plays the stage calls it. Coordinates are physical
// pixels; pictures are premultiplied.
type screen interface {
	// workArea is where friends may stand, clear of panels.
	workArea() image.Rectangle
	// translucent reports whether what is behind shows through half-opaque
	// pixels. Otherwise a pixel is opaque or not there.
	translucent() bool
	newFigure(name string, size image.Point) figure
	newBalloon(name string) balloon
}

// A figure is a friend on a screen. It is seen from its first paint on.
type figure interface {
	// load keeps the frames of a row, in place of those it had.
	load(r row, frames []*image.RGBA)
	// paint shows a loaded frame.
	paint(r row, col int)
	move(to image.Point)
	// raise puts it in front of everything else, once.
	raise()
	close()
}

// A balloon is a bubble on a screen.
type balloon interface {
	// put shows img with its corner at the given place; a balloon that was
	// hidden comes to the front.
	put(img *image.RGBA, at image.Point)
	// raise puts it in front of everything else, once.
	raise()
	hide()
	close()
}
