//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"

	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"
)

// windowEvents are those that every window of ours asks for. Who presses a
// button on it has the pointer until it is released, wherever it goes.
const windowEvents = xproto.EventMaskExposure | xproto.EventMaskButtonPress | xproto.EventMaskButtonRelease | xproto.EventMaskButtonMotion

var onePixel = image.Pt(1, 1)

// An x11Window is an override-redirect window: window managers leave it where
// it is, above all others, without focus and out of every list.
type x11Window struct {
	d      *x11
	id     xproto.Window
	owner  any // the figure or balloon whose it is
	rect   image.Rectangle
	mapped bool

	shown x11Picture
	input []xproto.Rectangle // where it takes clicks
}

// An x11Picture is a part of a pixmap.
type x11Picture struct {
	pixmap xproto.Pixmap
	x      int // of its left edge
	size   image.Point
	// outline is what of it is opaque, where only a window's shape can be
	// transparent; otherwise it is nil.
	outline []xproto.Rectangle
}

// store writes img into a pixmap with its left edge at x.
func (d *x11) store(pixmap xproto.Pixmap, x int, img *image.RGBA) x11Picture {
	p := x11Picture{pixmap: pixmap, x: x, size: img.Rect.Size()}
	if !d.translucent() {
		img = opaque(img)
		p.outline = rectangles(outline(img, opaqueAlpha))
	}
	d.putImage(pixmap, x, img)
	return p
}

// show brings p to the screen, with clicks taken where input says. It asks for
// nothing that is so already: each request costs, and each change of a shape
// costs the compositor more than all frames.
func (w *x11Window) show(p x11Picture, input []xproto.Rectangle, at image.Point) {
	if !slices.Equal(w.input, input) {
		w.d.setShape(w.id, shape.SkInput, input)
		w.input = input
	}
	if (p.outline == nil) != (w.shown.outline == nil) || !slices.Equal(p.outline, w.shown.outline) {
		w.d.setShape(w.id, shape.SkBounding, p.outline)
	}
	drawn := w.mapped && w.rect.Size() == p.size && w.shown.pixmap == p.pixmap && w.shown.x == p.x
	w.shown = p
	w.place(image.Rectangle{Max: p.size}.Add(at))
	if !w.mapped {
		xproto.MapWindow(w.d.conn, w.id)
		w.mapped = true
	}
	if !drawn {
		w.repair()
	}
}

// repair draws what is shown; the server asks for it where something else was.
func (w *x11Window) repair() {
	p := w.shown
	if p.pixmap == 0 {
		return // another is about to be shown
	}
	xproto.CopyArea(w.d.conn, xproto.Drawable(p.pixmap), xproto.Drawable(w.id), w.d.gc, int16(p.x), 0, 0, 0, uint16(p.size.X), uint16(p.size.Y))
}

// place moves and resizes the window, and raises it unless it is seen already.
func (w *x11Window) place(r image.Rectangle) {
	mask := uint16(xproto.ConfigWindowX | xproto.ConfigWindowY | xproto.ConfigWindowWidth | xproto.ConfigWindowHeight)
	values := []uint32{uint32(int32(r.Min.X)), uint32(int32(r.Min.Y)), uint32(r.Dx()), uint32(r.Dy())}
	if !w.mapped {
		mask |= xproto.ConfigWindowStackMode
		values = append(values, xproto.StackModeAbove)
	} else if r == w.rect {
		return
	}
	w.rect = r
	xproto.ConfigureWindow(w.d.conn, w.id, mask, values)
}

func (w *x11Window) raise() {
	xproto.ConfigureWindow(w.d.conn, w.id, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
}

func (w *x11Window) hide() {
	w.letGo()
	xproto.UnmapWindow(w.d.conn, w.id)
	w.mapped = false
}

func (w *x11Window) close() {
	w.letGo()
	xproto.DestroyWindow(w.d.conn, w.id)
	delete(w.d.windows, w.id)
}

// letGo ends the grab if it is this window's.
func (w *x11Window) letGo() {
	if m := w.d.menu; m != nil && m.window == w {
		w.d.ungrab()
	}
}

// contains reports whether a point of the screen is where the window takes
// clicks.
func (w *x11Window) contains(p image.Point) bool {
	p = p.Sub(w.rect.Min)
	return slices.ContainsFunc(w.input, func(r xproto.Rectangle) bool {
		return p.In(box(int(r.X), int(r.Y), int(r.Width), int(r.Height)))
	})
}

// An x11Figure keeps each row in one pixmap, its frames side by side.
type x11Figure struct {
	*x11Window
	rows [rowCount]x11Row
}

type x11Row struct {
	pixmap xproto.Pixmap // 0 for none
	size   image.Point   // of it
	frames []x11Picture
	input  []xproto.Rectangle // one for all frames: where any of them is opaque
}

func (d *x11) newFigure(name string) figure {
	f := &x11Figure{x11Window: d.newWindow(name)}
	f.owner = f
	return f
}

func (f *x11Figure) load(r row, frames []*image.RGBA) {
	strip := &f.rows[r]
	if f.shown.pixmap == strip.pixmap {
		f.shown.pixmap = 0 // it is of the old frames
	}
	one := frames[0].Rect.Size()
	if size := image.Pt(one.X*len(frames), one.Y); size != strip.size {
		f.free(strip)
		strip.pixmap, strip.size = f.d.newPixmap(size), size
	}
	strip.frames = make([]x11Picture, len(frames))
	for i, img := range frames {
		strip.frames[i] = f.d.store(strip.pixmap, i*one.X, img)
	}
	strip.input = rectangles(outline(union(frames), touchAlpha))
}

func (f *x11Figure) paint(r row, col int, at image.Point) {
	f.show(f.rows[r].frames[col], f.rows[r].input, at)
}

func (f *x11Figure) free(r *x11Row) {
	if r.pixmap != 0 {
		f.d.freePixmap(r.pixmap)
	}
}

func (f *x11Figure) close() {
	f.x11Window.close()
	for i := range f.rows {
		f.free(&f.rows[i])
	}
}

type x11Balloon struct {
	*x11Window
	image *image.RGBA // what the pixmap shows, while it is seen
	size  image.Point // of the pixmap
	paper x11Picture
}

func (d *x11) newBalloon(name string) balloon {
	b := &x11Balloon{x11Window: d.newWindow(name)}
	b.owner = b
	return b
}

func (b *x11Balloon) put(img *image.RGBA, at image.Point) {
	input := b.input
	if img != b.image {
		if size := img.Rect.Size(); size != b.size {
			b.free()
			b.size, b.paper.pixmap = size, b.d.newPixmap(size)
		}
		b.paper = b.d.store(b.paper.pixmap, 0, img)
		b.shown.pixmap = 0
		input = rectangles(outline(img, faintest(img, touchAlpha)))
	}
	b.image = img
	b.show(b.paper, input, at)
}

func (b *x11Balloon) hide() {
	b.image = nil
	b.x11Window.hide()
}

func (b *x11Balloon) free() {
	if b.size != (image.Point{}) {
		b.d.freePixmap(b.paper.pixmap)
	}
}

func (b *x11Balloon) close() {
	b.x11Window.close()
	b.free()
}
