package bubble

import (
	"math"

	"github.com/go-text/typesetting/font/opentype/tables"
)

// affine takes x, y to a[0]x + a[1]y + a[2], a[3]x + a[4]y + a[5].
type affine [6]float64

func (a affine) apply(x, y float64) (float64, float64) {
	return a[0]*x + a[1]*y + a[2], a[3]*x + a[4]*y + a[5]
}

// then is inner first, a after it.
func (a affine) then(inner affine) affine {
	tx, ty := a.apply(inner[2], inner[5])
	return affine{
		a[0]*inner[0] + a[1]*inner[3], a[0]*inner[1] + a[1]*inner[4], tx,
		a[3]*inner[0] + a[4]*inner[3], a[3]*inner[1] + a[4]*inner[4], ty,
	}
}

// inverse is the way back; false if there is none.
func (a affine) inverse() (affine, bool) {
	d := a[0]*a[4] - a[1]*a[3]
	if d == 0 {
		return a, false
	}
	b := affine{a[4] / d, -a[1] / d, 0, -a[3] / d, a[0] / d, 0}
	x, y := b.apply(a[2], a[5])
	b[2], b[5] = -x, -y
	return b, true
}

func moved(x, y float64) affine { return affine{1, 0, x, 0, 1, y} }

func scaled(x, y tables.Fixed214) affine { return affine{fraction(x), 0, 0, 0, fraction(y), 0} }

func rotated(half tables.Fixed214) affine {
	sin, cos := math.Sincos(fraction(half) * math.Pi)
	return affine{cos, -sin, 0, sin, cos, 0}
}

func skewed(x, y tables.Fixed214) affine {
	return affine{1, -math.Tan(fraction(x) * math.Pi), 0, math.Tan(fraction(y) * math.Pi), 1, 0}
}

// round does a about a centre.
func (a affine) about(x, y int16) affine {
	return moved(float64(x), float64(y)).then(a).then(moved(-float64(x), -float64(y)))
}

// fraction is a 2.14 fixed point number.
func fraction(v tables.Fixed214) float64 { return float64(v) / (1 << 14) }

// transform returns what p paints and how it moves it; false if p is not one of
// the paints that do only that.
func transform(p tables.PaintTable) (child tables.PaintTable, step affine, ok bool) {
	switch p := p.(type) {
	case tables.PaintTransform:
		t := p.Transform
		return p.Paint, affine{float64(t.Xx), float64(t.Xy), float64(t.Dx), float64(t.Yx), float64(t.Yy), float64(t.Dy)}, true
	case tables.PaintTranslate:
		return p.Paint, moved(float64(p.Dx), float64(p.Dy)), true
	case tables.PaintScale:
		return p.Paint, scaled(p.ScaleX, p.ScaleY), true
	case tables.PaintScaleAroundCenter:
		return p.Paint, scaled(p.ScaleX, p.ScaleY).about(p.CenterX, p.CenterY), true
	case tables.PaintScaleUniform:
		return p.Paint, scaled(p.Scale, p.Scale), true
	case tables.PaintScaleUniformAroundCenter:
		return p.Paint, scaled(p.Scale, p.Scale).about(p.CenterX, p.CenterY), true
	case tables.PaintRotate:
		return p.Paint, rotated(p.Angle), true
	case tables.PaintRotateAroundCenter:
		return p.Paint, rotated(p.Angle).about(p.CenterX, p.CenterY), true
	case tables.PaintSkew:
		return p.Paint, skewed(p.XSkewAngle, p.YSkewAngle), true
	case tables.PaintSkewAroundCenter:
		return p.Paint, skewed(p.XSkewAngle, p.YSkewAngle).about(p.CenterX, p.CenterY), true
	}
	return nil, affine{}, false
}
