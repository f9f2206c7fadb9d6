//go:build unix && !darwin

package overlay

import (
	"image"

	"github.com/jezek/xgb/xproto"
)

func (d *x11) newFigure(name string) figure {
	return &x11Figure{x11Window: d.newWindow(name, image.Pt(1, 1))}
}

func (d *x11) newBalloon(name string) balloon {
	return &x11Balloon{x11Window: d.newWindow(name, image.Pt(1, 1))}
}

// An x11Window is an override-redirect window: window managers leave it where
// it is, above all others, without focus and out of every list.
type x11Window struct {
	d      *x11
	id     xproto.Window
	rect   image.Rectangle
	mapped bool
	shaped bool
}

// An x11Frame is a picture in the server. The outline is what of it is opaque,
// where only a window's shape can be transparent.
type x11Frame struct {
	pixmap  xproto.Pixmap
	size    image.Point
	outline []xproto.Rectangle
}

// frame stores img in pixmap.
func (d *x11) frame(pixmap xproto.Pixmap, img *image.RGBA) x11Frame {
	f := x11Frame{pixmap: pixmap, size: img.Rect.Size()}
	if !d.translucent() {
		img = opaque(img)
		f.outline = rectangles(outline(img, opaqueAlpha))
	}
	d.putImage(pixmap, img)
	return f
}

// paint shows f in the window and maps it.
func (w *x11Window) paint(f x11Frame) {
	if w.d.shapes && (f.outline != nil || w.shaped) {
		w.d.setShape(w.id, f.outline)
		w.shaped = f.outline != nil
	}
	xproto.ChangeWindowAttributes(w.d.conn, w.id, xproto.CwBackPixmap, []uint32{uint32(f.pixmap)})
	if w.mapped {
		xproto.ClearArea(w.d.conn, false, w.id, 0, 0, 0, 0)
		return
	}
	xproto.MapWindow(w.d.conn, w.id)
	w.mapped = true
}

func (w *x11Window) raise() {
	xproto.ConfigureWindow(w.d.conn, w.id, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
}

func (w *x11Window) hide() {
	xproto.UnmapWindow(w.d.conn, w.id)
	w.mapped = false
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

type x11Figure struct {
	*x11Window
	rows [rowCount][]x11Frame
}

func (f *x11Figure) load(r row, frames []*image.RGBA) {
	old := f.rows[r]
	f.rows[r] = make([]x11Frame, len(frames))
	for i, img := range frames {
		f.rows[r][i] = f.d.frame(f.d.newPixmap(img.Rect.Size()), img)
	}
	f.free(old)
}

func (f *x11Figure) paint(r row, col int, at image.Point) {
	frame := f.rows[r][col]
	f.place(image.Rectangle{Max: frame.size}.Add(at))
	f.x11Window.paint(frame)
}

func (f *x11Figure) free(frames []x11Frame) {
	for _, frame := range frames {
		xproto.FreePixmap(f.d.conn, frame.pixmap)
	}
}

func (f *x11Figure) close() {
	xproto.DestroyWindow(f.d.conn, f.id)
	for _, frames := range f.rows {
		f.free(frames)
	}
}

type x11Balloon struct {
	*x11Window
	pixmap xproto.Pixmap
	size   image.Point // of the pixmap, which only grows: ids are not given twice
}

func (b *x11Balloon) put(img *image.RGBA, at image.Point) {
	if size := img.Rect.Size(); size.X > b.size.X || size.Y > b.size.Y {
		b.free()
		b.size = image.Pt(max(size.X, b.size.X), max(size.Y, b.size.Y))
		b.pixmap = b.d.newPixmap(b.size)
	}
	frame := b.d.frame(b.pixmap, img)
	b.place(image.Rectangle{Max: img.Rect.Size()}.Add(at))
	b.paint(frame)
}

func (b *x11Balloon) free() {
	if b.size != (image.Point{}) {
		xproto.FreePixmap(b.d.conn, b.pixmap)
	}
}

func (b *x11Balloon) close() {
	xproto.DestroyWindow(b.d.conn, b.id)
	b.free()
}
