package main

import (
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/vector"
)

// scale is how many canvas pixels make one pixel of the finished cell.
const scale = 4

// pt is a point in pixels of the finished cell, y down.
type pt struct{ x, y float64 }

func (p pt) add(q pt) pt           { return pt{p.x + q.x, p.y + q.y} }
func (p pt) sub(q pt) pt           { return pt{p.x - q.x, p.y - q.y} }
func (p pt) mul(k float64) pt      { return pt{p.x * k, p.y * k} }
func (p pt) len() float64          { return math.Hypot(p.x, p.y) }
func (p pt) to(q pt, t float64) pt { return p.add(q.sub(p).mul(t)) }

// affine maps (x, y) to (ax+cy+e, bx+dy+f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) at(p pt) pt {
	return pt{m.a*p.x + m.c*p.y + m.e, m.b*p.x + m.d*p.y + m.f}
}

func (m affine) then(n affine) affine {
	return affine{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

func (m affine) inverse() affine {
	k := 1 / (m.a*m.d - m.b*m.c)
	return affine{m.d * k, -m.b * k, -m.c * k, m.a * k, (m.c*m.f - m.d*m.e) * k, (m.b*m.e - m.a*m.f) * k}
}

func (m affine) move(x, y float64) affine  { return m.then(affine{1, 0, 0, 1, x, y}) }
func (m affine) scale(x, y float64) affine { return m.then(affine{x, 0, 0, y, 0, 0}) }

// turn rotates by degrees, clockwise on the screen.
func (m affine) turn(deg float64) affine {
	s, c := math.Sincos(deg * math.Pi / 180)
	return m.then(affine{c, s, -s, c, 0, 0})
}

// A shape is a region bounded by pts or, with radii, a stroke along pts that is
// radii[i] to either side at pts[i].
type shape struct {
	pts   []pt
	radii []float64
}

// on carries a shape into another frame of reference. Radii stay as they are:
// lines keep their weight when the puppet is squashed.
func (s shape) on(m affine) shape {
	out := shape{make([]pt, len(s.pts)), s.radii}
	for i, p := range s.pts {
		out.pts[i] = m.at(p)
	}
	return out
}

// blob is the smooth closed curve through pts.
func blob(pts ...pt) shape {
	n := len(pts)
	var out []pt
	for i := range pts {
		out = append(out, catmull(pts[(i+n-1)%n], pts[i], pts[(i+1)%n], pts[(i+2)%n])...)
	}
	return shape{pts: out}
}

// symmetric is the blob whose right half is pts, from the top down; the first and the
// last point stand on the axis.
func symmetric(pts ...pt) shape {
	all := slices.Clone(pts)
	for i := len(pts) - 2; i > 0; i-- {
		all = append(all, pt{-pts[i].x, pts[i].y})
	}
	return blob(all...)
}

// curve is the smooth open curve through pts.
func curve(pts ...pt) []pt {
	n := len(pts)
	var out []pt
	for i := range n - 1 {
		out = append(out, catmull(pts[max(i-1, 0)], pts[i], pts[i+1], pts[min(i+2, n-1)])...)
	}
	return append(out, pts[n-1])
}

// catmull gives the points from b up to but without c.
func catmull(a, b, c, d pt) []pt {
	const steps = 12
	out := make([]pt, steps)
	for i := range out {
		t := float64(i) / steps
		u := t * t
		v := u * t
		ka, kb, kc, kd := -t+2*u-v, 2-5*u+3*v, t+4*u-3*v, v-u
		out[i] = pt{(ka*a.x + kb*b.x + kc*c.x + kd*d.x) / 2, (ka*a.y + kb*b.y + kc*c.y + kd*d.y) / 2}
	}
	return out
}

// bezier starts at from and takes cubic segments, three points each.
func bezier(from pt, rest ...pt) []pt {
	const steps = 14
	out := []pt{from}
	for i := 0; i+2 < len(rest); i += 3 {
		a, b, c, d := out[len(out)-1], rest[i], rest[i+1], rest[i+2]
		for k := 1; k <= steps; k++ {
			t := float64(k) / steps
			ab, bc, cd := a.to(b, t), b.to(c, t), c.to(d, t)
			out = append(out, ab.to(bc, t).to(bc.to(cd, t), t))
		}
	}
	return out
}

func ellipse(x, y, rx, ry float64) shape { return arc(x, y, rx, ry, 0, 360) }

// arc is the part of an ellipse from one angle to another, clockwise from the right.
func arc(x, y, rx, ry, from, to float64) shape {
	const n = 40
	out := make([]pt, 0, n+1)
	for i := range n + 1 {
		s, c := math.Sincos((from + (to-from)*float64(i)/n) * math.Pi / 180)
		out = append(out, pt{x + rx*c, y + ry*s})
	}
	return shape{pts: out}
}

// limb strokes pts with a weight that runs from w0 through w1 to w2.
func limb(pts []pt, w0, w1, w2 float64) shape {
	radii := make([]float64, len(pts))
	for i := range radii {
		t := float64(i) / float64(len(pts)-1)
		radii[i] = w0*(1-t)*(1-t) + (4*w1-w0-w2)*t*(1-t) + w2*t*t
	}
	return shape{pts, radii}
}

// ink strokes pts as a pen does: full in the middle, finer at the ends.
func ink(pts []pt, weight float64) shape { return limb(pts, weight*.32, weight*.55, weight*.32) }

// stroke is the line round a region, w to either side.
func (s shape) stroke(w float64) shape {
	return limb(append(slices.Clone(s.pts), s.pts[0]), w, w, w)
}

// trace adds the shape, widened by grow, to a rasteriser whose origin is off.
func (s shape) trace(r *vector.Rasterizer, off pt, grow float64) {
	if s.radii == nil {
		polygon(r, off, s.pts)
		if grow > 0 {
			s.stroke(grow).trace(r, off, 0)
		}
		return
	}
	for i, p := range s.pts {
		w := s.radii[i] + grow
		polygon(r, off, disc(p, w))
		if i == 0 {
			continue
		}
		q, v := s.pts[i-1], s.radii[i-1]+grow
		d := p.sub(q)
		if d.len() < 1e-6 {
			continue
		}
		n := pt{-d.y, d.x}.mul(1 / d.len())
		polygon(r, off, []pt{q.add(n.mul(v)), p.add(n.mul(w)), p.sub(n.mul(w)), q.sub(n.mul(v))})
	}
}

func disc(c pt, r float64) []pt {
	const n = 20
	out := make([]pt, n)
	for i := range out {
		s, k := math.Sincos(2 * math.Pi * float64(i) / n)
		out[i] = pt{c.x + r*k, c.y + r*s}
	}
	return out
}

// polygon adds pts, always in the same sense: the rasteriser sums windings, so shapes
// of one sense unite where they overlap.
func polygon(r *vector.Rasterizer, off pt, pts []pt) {
	area := 0.0
	for i, p := range pts {
		q := pts[(i+1)%len(pts)]
		area += p.x*q.y - q.x*p.y
	}
	n := len(pts)
	for i := range pts {
		k := i
		if area < 0 {
			k = n - 1 - i
		}
		x, y := float32(pts[k].x*scale-off.x), float32(pts[k].y*scale-off.y)
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
}

// mask rasterises the shape, widened by grow, at canvas scale.
func (s shape) mask(grow float64) *image.Alpha {
	lo, hi := pt{math.Inf(1), math.Inf(1)}, pt{math.Inf(-1), math.Inf(-1)}
	for i, p := range s.pts {
		w := grow
		if s.radii != nil {
			w += s.radii[i]
		}
		lo = pt{min(lo.x, p.x-w), min(lo.y, p.y-w)}
		hi = pt{max(hi.x, p.x+w), max(hi.y, p.y+w)}
	}
	box := image.Rect(int(lo.x*scale)-2, int(lo.y*scale)-2, int(hi.x*scale)+3, int(hi.y*scale)+3)
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	s.trace(r, pt{float64(box.Min.X), float64(box.Min.Y)}, grow)
	m := image.NewAlpha(box)
	r.Draw(m, box, image.Opaque, image.Point{})
	return m
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// mix is a with t of b in it.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	m := func(p, q uint8) uint8 { return uint8(math.Round(float64(p)*(1-t) + float64(q)*t)) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), m(a.A, b.A)}
}

// fade is c at t of its opacity.
func fade(c color.NRGBA, t float64) color.NRGBA {
	c.A = uint8(math.Round(float64(c.A) * min(max(t, 0), 1)))
	return c
}
