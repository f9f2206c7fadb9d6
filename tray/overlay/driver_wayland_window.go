//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"

	"github.com/playpets/playpets/tray/overlay/wayland"
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
	front *wlSurface // shows it, once ready
	back  *wlSurface // shows it until then
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

// again puts what the window shows on a new surface.
func (w *wlWindow) again() {
	w.leave()
	w.settle()
}

// settle has the window be where it belongs, on the surface that it needs.
func (w *wlWindow) settle() {
	if w.frame == nil {
		return
	}
	corner := floor(w.at, w.d.factor)
	size := w.frame.buffer.Size.Div(w.frame.buffer.Scale)
	home := w.d.outputAt(corner.Add(size.Div(2)))
	if home == nil {
		return
	}
	corner = corner.Sub(home.rect().Min)
	switch s := w.front; {
	case s == nil:
		w.front = w.d.newSurface(w, home, corner, size)
	case s.output != home, s == w.d.hand.held && s.corner != corner:
		w.replace(w.d.newSurface(w, home, corner, size))
	default:
		s.update(w.frame, corner, size)
	}
}

// replace puts s in the place of the front surface, which is seen until s is.
//
// A surface belongs to one monitor. And one that is held by the pointer must not
// move: compositors disagree on whether the pointer's coordinates, which are on
// the surface, move along. The pointer keeps the old one, emptied, and a new one
// is seen moving.
func (w *wlWindow) replace(s *wlSurface) {
	if w.front.ready {
		w.back.leave()
		w.back = w.front
	} else {
		w.front.leave()
	}
	w.front = s
}

// raise puts the window in front. A layer's order is that in which surfaces came
// into it.
func (w *wlWindow) raise() {
	if s := w.front; s != nil && s.ready && w.d.layering && w != w.d.hand.menu {
		s.layer.SetLayer(wayland.Over)
		s.surface.Commit()
		s.layer.SetLayer(wayland.Top)
		s.surface.Commit()
		w.d.flush()
	}
}

func (w *wlWindow) hide() {
	w.frame = nil
	w.leave()
	w.d.flush()
}

// leave takes the window off the screen.
func (w *wlWindow) leave() {
	w.front.leave()
	w.back.leave()
	w.front, w.back = nil, nil
}

func (w *wlWindow) close() {
	h := &w.d.hand
	if h.menu == w {
		w.d.ungrab()
	}
	w.hide()
	if h.held != nil && h.held.window == w {
		h.letGo()
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
