package overlay

import (
	"bytes"
	"image"
	"image/draw"
	"slices"
)

// A canvas is a screen that is an image.
type canvas struct {
	back    *image.RGBA
	pixels  float64     // scale
	seen    *image.RGBA // what compose showed last; nil before
	windows []*canvasWindow
	all     []monitor // nil for one, which is all of it
	grabbed balloon
}

func newCanvas(back *image.RGBA) *canvas { return &canvas{back: back, pixels: 1} }

func (c *canvas) monitors() []monitor {
	if c.all != nil {
		return c.all
	}
	return []monitor{{name: "canvas", whole: c.back.Rect, work: c.back.Rect}}
}

func (c *canvas) scale() float64 { return c.pixels }

func (c *canvas) grab(b balloon) { c.grabbed = b }

func (c *canvas) ungrab() { c.grabbed = nil }

func (c *canvas) translucent() bool { return true }

func (c *canvas) newFigure(string) figure { return c.newWindow() }

func (c *canvas) newBalloon(string) balloon { return c.newWindow() }

func (c *canvas) newWindow() *canvasWindow {
	w := &canvasWindow{canvas: c}
	c.windows = append(c.windows, w)
	return w
}

// compose draws the canvas and returns what changed, nil for nothing.
func (c *canvas) compose() *image.RGBA {
	now := image.NewRGBA(c.back.Rect)
	copy(now.Pix, c.back.Pix)
	for _, w := range c.windows {
		if w.img != nil {
			draw.Draw(now, w.img.Rect.Add(w.at), w.img, image.Point{}, draw.Over)
		}
	}
	before := c.seen
	c.seen = now
	if before == nil {
		return now
	}
	return clone(now, difference(before, now))
}

// difference is the smallest rectangle outside of which two images of one size
// are the same.
func difference(a, b *image.RGBA) (r image.Rectangle) {
	for y := range a.Rect.Dy() {
		rowA, rowB := a.Pix[y*a.Stride:][:a.Stride], b.Pix[y*b.Stride:][:b.Stride]
		if bytes.Equal(rowA, rowB) {
			continue
		}
		first, last := 0, len(rowA)-1
		for rowA[first] == rowB[first] {
			first++
		}
		for rowA[last] == rowB[last] {
			last--
		}
		r = r.Union(image.Rect(first/4, y, last/4+1, y+1))
	}
	return r
}

// clone copies a part of img; nil for an empty part.
func clone(img *image.RGBA, part image.Rectangle) *image.RGBA {
	if part.Empty() {
		return nil
	}
	out := image.NewRGBA(part)
	draw.Draw(out, part, img, part.Min, draw.Src)
	return out
}

// A canvasWindow is a figure and a balloon on a canvas, later ones in front.
type canvasWindow struct {
	canvas *canvas
	rows   [rowCount][]*image.RGBA
	img    *image.RGBA // what is seen, nil for nothing
	at     image.Point
}

func (w *canvasWindow) load(r row, frames []*image.RGBA) { w.rows[r] = frames }

func (w *canvasWindow) paint(r row, col int, at image.Point) { w.put(w.rows[r][col], at) }

func (w *canvasWindow) put(img *image.RGBA, at image.Point) {
	if w.img == nil {
		w.raise()
	}
	w.img, w.at = img, at
}

func (w *canvasWindow) hide() { w.img = nil }

func (w *canvasWindow) raise() {
	w.canvas.windows = append(w.canvas.without(w), w)
}

func (w *canvasWindow) close() { w.canvas.windows = w.canvas.without(w) }

func (c *canvas) without(w *canvasWindow) []*canvasWindow {
	return slices.DeleteFunc(slices.Clone(c.windows), func(other *canvasWindow) bool { return other == w })
}
