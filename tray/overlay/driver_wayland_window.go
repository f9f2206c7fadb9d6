//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"

	"github.com/playpets/playpets/tray/wayland"
)

// wlClickAlpha is from where on a pixel takes clicks.
const wlClickAlpha = 32

func (d *wl) newFigure(string) figure {
	f := &wlFigure{}
	f.wlWindow = d.newWindow(f)
	return f
}

func (d *wl) newBalloon(string) balloon {
	b := &wlBalloon{}
	b.wlWindow = d.newWindow(b)
	return b
}

func (d *wl) newWindow(on any) *wlWindow {
	w := &wlWindow{d: d, on: on}
	d.windows = append(d.windows, w)
	return w
}

// A wlFrame is a picture at the compositor.
type wlFrame struct {
	buffer wayland.Buffer
	input  []image.Rectangle // where it takes clicks, in logical pixels
}

// size is the logical size of the picture.
func (f *wlFrame) size() image.Point { return f.buffer.Size.Div(f.buffer.Scale) }

// frames stores pictures of one size, none when that does not work.
func (d *wl) frames(pictures []*image.RGBA) []*wlFrame {
	buffers, err := d.shm.Store(pictures, d.factor)
	if err != nil {
		d.log.Warn("a picture cannot be shown", "error", err)
		return nil
	}
	input := outline(overlaid(pictures), wlClickAlpha)
	for i, r := range input {
		input[i] = logical(r, d.factor)
	}
	frames := make([]*wlFrame, len(buffers))
	for i, b := range buffers {
		frames[i] = &wlFrame{b, input}
	}
	return frames
}

// overlaid is as opaque everywhere as the most opaque one of pictures of one
// size.
func overlaid(pictures []*image.RGBA) *image.RGBA {
	if len(pictures) == 1 {
		return pictures[0]
	}
	all := image.NewRGBA(pictures[0].Rect)
	for _, p := range pictures {
		for i := 3; i < len(all.Pix); i += 4 {
			all.Pix[i] = max(all.Pix[i], p.Pix[i])
		}
	}
	return all
}

// logical is the smallest rectangle of logical pixels around r.
func logical(r image.Rectangle, factor int) image.Rectangle {
	up := image.Pt(factor-1, factor-1)
	return image.Rectangle{floor(r.Min, factor), floor(r.Max.Add(up), factor)}
}

// floor divides a place, rounding down.
func floor(p image.Point, by int) image.Point {
	down := func(v int) int {
		if v < 0 {
			v -= by - 1
		}
		return v / by
	}
	return image.Pt(down(p.X), down(p.Y))
}

// A wlWindow is a figure or a balloon. It is on the screen while it has a frame,
// on the monitor where its middle is.
type wlWindow struct {
	d     *wl
	on    any      // what inputs name
	frame *wlFrame // nil while it is hidden
	at    image.Point
	front *wlSurface // shows it; nil while no monitor can
}

// show has the window show f with its corner at the given place.
func (w *wlWindow) show(f *wlFrame, at image.Point) {
	w.frame, w.at = f, at
	w.settle()
	w.d.flush()
}

// rect is what the window covers of the screen.
func (w *wlWindow) rect() image.Rectangle {
	if w.frame == nil {
		return image.Rectangle{}
	}
	return image.Rectangle{Max: w.frame.buffer.Size}.Add(w.at)
}

// settle has the window be where it belongs.
//
// A surface never moves: a new one takes its place. It belongs to one monitor;
// compositors disagree on whether the coordinates of a pointer that holds it move
// along; and some do not draw again what is where it was.
func (w *wlWindow) settle() {
	if w.frame == nil {
		return
	}
	corner := floor(w.at, w.d.factor)
	home := w.d.outputAt(corner.Add(w.frame.size().Div(2)))
	if home == nil {
		return
	}
	corner = corner.Sub(home.rect().Min)
	if old := w.front; old == nil || old.output != home || old.corner != corner {
		w.front = w.d.newSurface(w, home, corner, old)
		defer old.leave() // the new one is to be seen first
	}
	w.front.show(w.frame)
}

func (w *wlWindow) raise() {
	if w.front != nil {
		w.front.toFront()
		w.d.keepInFront()
		w.d.flush()
	}
}

func (w *wlWindow) hide() {
	front := w.front
	w.frame, w.front = nil, nil
	front.leave()
	w.d.flush()
}

func (w *wlWindow) close() {
	h := &w.d.hand
	if h.menu == w {
		w.d.ungrab()
	}
	w.hide()
	if h.held != nil && h.held.window == w {
		w.d.letGo()
	}
	w.d.windows = slices.DeleteFunc(w.d.windows, func(o *wlWindow) bool { return o == w })
}

type wlFigure struct {
	*wlWindow
	rows [rowCount][]*wlFrame
}

func (f *wlFigure) load(r row, pictures []*image.RGBA) {
	old := f.rows[r]
	f.rows[r] = f.d.frames(pictures)
	free(old)
	f.d.flush()
}

func (f *wlFigure) paint(r row, col int, at image.Point) {
	if col < len(f.rows[r]) {
		f.show(f.rows[r][col], at)
	}
}

func (f *wlFigure) close() {
	f.wlWindow.close()
	for _, frames := range f.rows {
		free(frames)
	}
	f.d.flush()
}

func free(frames []*wlFrame) {
	for _, f := range frames {
		f.buffer.Destroy()
	}
}

type wlBalloon struct {
	*wlWindow
	picture []*wlFrame // one, or none while it is hidden
}

func (b *wlBalloon) put(img *image.RGBA, at image.Point) {
	frames := b.d.frames([]*image.RGBA{img})
	if frames == nil {
		return
	}
	b.show(frames[0], at)
	b.keep(frames)
}

func (b *wlBalloon) hide() {
	b.wlWindow.hide()
	b.keep(nil)
}

func (b *wlBalloon) close() {
	b.wlWindow.close()
	b.keep(nil)
}

// keep frees the picture that was there before.
func (b *wlBalloon) keep(picture []*wlFrame) {
	free(b.picture)
	b.picture = picture
	b.d.flush()
}
