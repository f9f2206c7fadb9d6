package bubble

import (
	"image"
	"image/color"
	"math"

	"github.com/go-text/typesetting/font/opentype/tables"
)

// A gradient is an endless picture of colours along a line, round a circle or
// between two.
type gradient struct {
	toFont affine // from px
	along  func(x, y float64) (t float64, ok bool)
	extend tables.Extend
	stops  []stop // by rising offset
}

type stop struct {
	at    float64
	color color.NRGBA
}

// gradient returns the gradient that p is, or nil.
func (l *layers) gradient(p tables.PaintTable, m affine) *gradient {
	var (
		line  tables.ColorLine
		along func(x, y float64) (float64, bool)
	)
	switch p := p.(type) {
	case tables.PaintLinearGradient:
		line, along = p.ColorLine, linear(p)
	case tables.PaintRadialGradient:
		line, along = p.ColorLine, radial(p)
	case tables.PaintSweepGradient:
		line, along = p.ColorLine, sweep(p)
	}
	toFont, ok := m.inverse()
	if len(line.ColorStops) == 0 || !ok {
		return nil
	}
	g := &gradient{toFont: toFont, along: along, extend: line.Extend}
	for _, s := range line.ColorStops {
		g.stops = append(g.stops, stop{fraction(s.StopOffset), l.color(s.PaletteIndex, fraction(s.Alpha))})
	}
	return g
}

// linear runs from point 0 towards point 1, square to the line from point 0 to
// point 2.
func linear(p tables.PaintLinearGradient) func(x, y float64) (float64, bool) {
	x0, y0 := float64(p.X0), float64(p.Y0)
	nx, ny := float64(p.Y2)-y0, x0-float64(p.X2)
	length := nx*(float64(p.X1)-x0) + ny*(float64(p.Y1)-y0)
	return func(x, y float64) (float64, bool) {
		return (nx*(x-x0) + ny*(y-y0)) / length, length != 0
	}
}

// radial runs between two circles: t is the largest for which a point lies on
// the circle between them with a radius that is not negative.
func radial(p tables.PaintRadialGradient) func(x, y float64) (float64, bool) {
	x0, y0, r0 := float64(p.X0), float64(p.Y0), float64(p.Radius0)
	dx, dy, dr := float64(p.X1)-x0, float64(p.Y1)-y0, float64(p.Radius1)-r0
	a := dx*dx + dy*dy - dr*dr
	return func(x, y float64) (float64, bool) {
		px, py := x-x0, y-y0
		b, c := px*dx+py*dy+r0*dr, px*px+py*py-r0*r0
		if a == 0 {
			t := c / (2 * b)
			return t, b != 0 && r0+t*dr >= 0
		}
		root := math.Sqrt(b*b - a*c) // NaN where there is no such circle
		t := max((b+root)/a, (b-root)/a)
		if r0+t*dr < 0 {
			t = min((b+root)/a, (b-root)/a)
		}
		return t, r0+t*dr >= 0
	}
}

// sweep runs round a centre, against the clock.
func sweep(p tables.PaintSweepGradient) func(x, y float64) (float64, bool) {
	from, to := (fraction(p.StartAngle)+1)/2, (fraction(p.EndAngle)+1)/2 // turns
	return func(x, y float64) (float64, bool) {
		turn := math.Atan2(y-float64(p.CenterY), x-float64(p.CenterX)) / (2 * math.Pi)
		if turn < 0 {
			turn++
		}
		return (turn - from) / (to - from), from != to
	}
}

// ColorModel is that of straight alpha.
func (g *gradient) ColorModel() color.Model { return color.NRGBAModel }

// Bounds are wide enough for any glyph.
func (g *gradient) Bounds() image.Rectangle { return image.Rect(-1e6, -1e6, 1e6, 1e6) }

// At is the colour of a pixel.
func (g *gradient) At(x, y int) color.Color {
	t, ok := g.along(g.toFont.apply(float64(x)+0.5, float64(y)+0.5))
	if !ok {
		return color.NRGBA{}
	}
	first, last := g.stops[0], g.stops[len(g.stops)-1]
	if span := last.at - first.at; span > 0 && g.extend != tables.ExtendPad {
		turn := (t - first.at) / span
		whole := math.Floor(turn)
		t = first.at + span*(turn-whole)
		if g.extend == tables.ExtendReflect && math.Mod(whole, 2) != 0 {
			t = last.at - span*(turn-whole)
		}
	}
	if t <= first.at {
		return first.color
	}
	for i, s := range g.stops[1:] {
		if before := g.stops[i]; t < s.at {
			return blendColors(before.color, s.color, (t-before.at)/(s.at-before.at))
		}
	}
	return last.color
}

func blendColors(a, b color.NRGBA, t float64) color.NRGBA {
	return color.NRGBA{mix(a.R, b.R, t), mix(a.G, b.G, t), mix(a.B, b.B, t), mix(a.A, b.A, t)}
}
