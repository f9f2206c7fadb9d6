package icon

import (
	"image/color"
	"math"
)

// shape is a form by its distance function: how far a point is outside of it,
// in units; below zero inside. That gives soft edges and halos for nothing.
type shape interface{ distance(x, y float64) float64 }

// paw is four toes and a pad.
var paw = union{0, []shape{
	ellipse{4.6, 11.2, 2.3, 2.9, -.42},
	ellipse{9.1, 6.0, 2.5, 3.4, -.12},
	ellipse{14.9, 6.0, 2.5, 3.4, .12},
	ellipse{19.4, 11.2, 2.3, 2.9, .42},
	union{2.2, []shape{
		ellipse{12, 15.4, 4.0, 3.6, 0},
		ellipse{8.9, 18.4, 2.9, 2.5, 0},
		ellipse{15.1, 18.4, 2.9, 2.5, 0},
	}},
}}

// sign is what a badge looks like.
type sign struct {
	outline shape
	fill    color.NRGBA
	mark    shape // inside the outline; nil: nothing
	ink     color.NRGBA
}

var signs = map[Badge]sign{
	Done:  {outline: ellipse{18.2, 18.2, 4, 4, 0}, fill: color.NRGBA{0x1F, 0x9D, 0x63, 0xFF}},
	Quiet: {outline: without{ellipse{17.2, 17.4, 5.4, 5.4, 0}, ellipse{20.2, 15.2, 4.4, 4.4, 0}}, fill: color.NRGBA{0x2B, 0x5F, 0xC4, 0xFF}},
	Waiting: {
		outline: triangle{16.6, 17.6, 4.2, 1.1}, fill: color.NRGBA{0xFF, 0xB0, 0x1F, 0xFF},
		mark: union{0, []shape{stroke{16.6, 15.2, 16.6, 17.8, .95}, stroke{16.6, 20.5, 16.6, 20.5, 1.05}}}, ink: color.NRGBA{0x3B, 0x26, 0x00, 0xFF},
	},
	Error: {outline: union{0, []shape{stroke{13.9, 13.9, 21, 21, 1.6}, stroke{21, 13.9, 13.9, 21, 1.6}}}, fill: color.NRGBA{0xE0, 0x3A, 0x40, 0xFF}},
}

// ellipse has its centre, its half axes, and how far it is turned (radians).
type ellipse struct{ x, y, rx, ry, turn float64 }

func (e ellipse) distance(x, y float64) float64 {
	sin, cos := math.Sincos(e.turn)
	dx, dy := x-e.x, y-e.y
	dx, dy = dx*cos+dy*sin, dy*cos-dx*sin
	if e.rx == e.ry {
		return math.Hypot(dx, dy) - e.rx
	}
	// The distance of an ellipse has no formula; this one is right near its edge.
	a, b := math.Hypot(dx/e.rx, dy/e.ry), math.Hypot(dx/(e.rx*e.rx), dy/(e.ry*e.ry))
	if b == 0 {
		return -min(e.rx, e.ry)
	}
	return a * (a - 1) / b
}

// stroke is a line with round ends, twice r wide.
type stroke struct{ x0, y0, x1, y1, r float64 }

func (s stroke) distance(x, y float64) float64 {
	dx, dy := s.x1-s.x0, s.y1-s.y0
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(max(((x-s.x0)*dx+(y-s.y0)*dy)/length, 0), 1)
	}
	return math.Hypot(x-s.x0-t*dx, y-s.y0-t*dy) - s.r
}

// triangle stands on its base; inner is the radius of the circle inside, edge
// that of its rounded corners.
type triangle struct{ x, y, inner, edge float64 }

func (t triangle) distance(x, y float64) float64 {
	// Around its middle, with three sides alike: fold them onto the base.
	k := math.Sqrt(3)
	half := (t.inner - t.edge) * k // of a side
	px, py := math.Abs(x-t.x)-half, -(y-t.y)+half/k
	if px+k*py > 0 {
		px, py = (px-k*py)/2, (-k*px-py)/2
	}
	px -= min(max(px, -2*half), 0)
	return -math.Hypot(px, py)*math.Copysign(1, py) - t.edge
}

// union is all of its shapes; round fills the corners between them.
type union struct {
	round  float64
	shapes []shape
}

func (u union) distance(x, y float64) float64 {
	d := math.Inf(1)
	for _, s := range u.shapes {
		next := s.distance(x, y)
		if h := max(u.round-math.Abs(d-next), 0); u.round > 0 && !math.IsInf(d, 1) {
			d = min(d, next) - h*h/(4*u.round)
		} else {
			d = min(d, next)
		}
	}
	return d
}

// without is a shape that another one is taken out of.
type without struct{ whole, hole shape }

func (w without) distance(x, y float64) float64 {
	return max(w.whole.distance(x, y), -w.hole.distance(x, y))
}

// grown is a shape with a rim around it.
type grown struct {
	shape
	by float64
}

func (g grown) distance(x, y float64) float64 { return g.shape.distance(x, y) - g.by }
