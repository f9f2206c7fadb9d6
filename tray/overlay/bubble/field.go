package bubble

import (
	"image"
	"image/color"
	"math"
)

// A field is a shape as the distance from its border in px, negative inside.
// Every shape of a bubble is one: an outline then is a band along the border,
// of even width round any corner, a shadow is a function of the distance, and
// body and tail join without a seam. Letters are paths, see glyphs.go.
type field func(x, y float64) float64

// box is a rectangle with round corners.
func box(x0, y0, x1, y1, radius float64) field {
	cx, cy, w, h := (x0+x1)/2, (y0+y1)/2, (x1-x0)/2-radius, (y1-y0)/2-radius
	return func(x, y float64) float64 {
		dx, dy := math.Abs(x-cx)-w, math.Abs(y-cy)-h
		return hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - radius
	}
}

// line is a straight stroke with round ends; a dot where both ends are one.
func line(x0, y0, x1, y1, width float64) field {
	return func(x, y float64) float64 { return toSegment(x, y, x0, y0, x1, y1) - width/2 }
}

// triangle has round corners: its points are the centres of their rounding.
func triangle(x0, y0, x1, y1, x2, y2, radius float64) field {
	side := func(x, y, ax, ay, bx, by float64) float64 { return (bx-ax)*(y-ay) - (by-ay)*(x-ax) }
	return func(x, y float64) float64 {
		d := min(toSegment(x, y, x0, y0, x1, y1), toSegment(x, y, x1, y1, x2, y2), toSegment(x, y, x2, y2, x0, y0))
		a, b, c := side(x, y, x0, y0, x1, y1), side(x, y, x1, y1, x2, y2), side(x, y, x2, y2, x0, y0)
		if a > 0 && b > 0 && c > 0 || a < 0 && b < 0 && c < 0 {
			d = -d
		}
		return d - radius
	}
}

// toSegment is the distance from a point to a line between two points.
func toSegment(x, y, x0, y0, x1, y1 float64) float64 {
	dx, dy := x1-x0, y1-y0
	t := 0.0
	if square := dx*dx + dy*dy; square > 0 {
		t = min(max(((x-x0)*dx+(y-y0)*dy)/square, 0), 1)
	}
	return hypot(x-x0-t*dx, y-y0-t*dy)
}

// hypot does without math.Hypot's guards against overflow, which take most of
// its time.
func hypot(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

// join is the shape of several together.
func join(fields ...field) field {
	return func(x, y float64) float64 {
		d := math.Inf(1)
		for _, f := range fields {
			d = min(d, f(x, y))
		}
		return d
	}
}

// without is a with b cut out.
func without(a, b field) field {
	return func(x, y float64) float64 { return max(a(x, y), -b(x, y)) }
}

// blend joins two shapes with a fillet in the corners between them.
func blend(a, b field, fillet float64) field {
	return func(x, y float64) float64 {
		da, db := a(x, y), b(x, y)
		h := max(fillet-math.Abs(da-db), 0) / fillet
		return min(da, db) - h*h*fillet/4
	}
}

// at moves a shape that is drawn round 0,0 and scales it.
func (f field) at(cx, cy, scale float64) field {
	return func(x, y float64) float64 { return f((x-cx)/scale, (y-cy)/scale) * scale }
}

// paint fills a shape with a colour within r.
func paint(img *image.RGBA, r image.Rectangle, shape field, c color.NRGBA) {
	r = r.Intersect(img.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			alpha := coverage(shape(float64(x)+0.5, float64(y)+0.5)) * float64(c.A) / 255
			over(img, x, y, c, alpha)
		}
	}
}

// coverage is how much of a pixel lies in a shape whose border is at distance d
// from the pixel's middle.
func coverage(d float64) float64 { return min(max(0.5-d, 0), 1) }

// over puts a colour over a premultiplied pixel; alpha is the colour's own too.
func over(img *image.RGBA, x, y int, c color.NRGBA, alpha float64) {
	if alpha <= 0 {
		return
	}
	p := img.Pix[img.PixOffset(x, y):][:4]
	p[0] = mix(p[0], c.R, alpha)
	p[1] = mix(p[1], c.G, alpha)
	p[2] = mix(p[2], c.B, alpha)
	p[3] = mix(p[3], 255, alpha)
}

func mix(under, top uint8, alpha float64) uint8 {
	return uint8(float64(top)*alpha + float64(under)*(1-alpha) + 0.5)
}
