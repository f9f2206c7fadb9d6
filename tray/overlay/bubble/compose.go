package bubble

import (
	"image"
	"math"

	"github.com/go-text/typesetting/font/opentype/tables"
)

// porterDuff is what each operator keeps of the source, given the backdrop's
// alpha, and of the backdrop, given the source's.
var porterDuff = map[tables.CompositeMode]struct{ source, backdrop func(a float64) float64 }{
	tables.CompositeClear:    {none, none},
	tables.CompositeSrc:      {all, none},
	tables.CompositeDest:     {none, all},
	tables.CompositeSrcOver:  {all, outside},
	tables.CompositeDestOver: {outside, all},
	tables.CompositeSrcIn:    {within, none},
	tables.CompositeDestIn:   {none, within},
	tables.CompositeSrcOut:   {outside, none},
	tables.CompositeDestOut:  {none, outside},
	tables.CompositeSrcAtop:  {within, outside},
	tables.CompositeDestAtop: {outside, within},
	tables.CompositeXor:      {outside, outside},
	tables.CompositePlus:     {all, all},
}

func none(float64) float64      { return 0 }
func all(float64) float64       { return 1 }
func within(a float64) float64  { return a }
func outside(a float64) float64 { return 1 - a }

// blends mix the straight colours of backdrop and source where both are; see
// https://www.w3.org/TR/compositing-1/#blendingseparable. Modes that no known
// emoji font uses are missing: their source is painted over.
var blends = map[tables.CompositeMode]func(b, s float64) float64{
	tables.CompositeMultiply:  func(b, s float64) float64 { return b * s },
	tables.CompositeScreen:    screen,
	tables.CompositeOverlay:   func(b, s float64) float64 { return hardLight(s, b) },
	tables.CompositeHardLight: hardLight,
	tables.CompositeSoftLight: softLight,
	tables.CompositeDarken:    func(b, s float64) float64 { return min(b, s) },
	tables.CompositeLighten:   func(b, s float64) float64 { return max(b, s) },
}

func screen(b, s float64) float64 { return b + s - b*s }

func hardLight(b, s float64) float64 {
	if s <= 0.5 {
		return b * 2 * s
	}
	return screen(b, 2*s-1)
}

func softLight(b, s float64) float64 {
	if s <= 0.5 {
		return b - (1-2*s)*b*(1-b)
	}
	d := math.Sqrt(b)
	if b <= 0.25 {
		d = ((16*b-12)*b + 4) * b
	}
	return b + (2*s-1)*(d-b)
}

// compose combines a source with a backdrop of the same size, in place.
func compose(backdrop, source *image.RGBA, mode tables.CompositeMode) {
	op, ok := porterDuff[mode]
	if !ok {
		op = porterDuff[tables.CompositeSrcOver]
	}
	blend := blends[mode]
	for i := 0; i < len(source.Pix); i += 4 {
		s, b := source.Pix[i:][:4], backdrop.Pix[i:][:4]
		as, ab := float64(s[3])/255, float64(b[3])/255
		for j := range b {
			cs, cb := float64(s[j])/255, float64(b[j])/255
			mixed := cs*op.source(ab) + cb*op.backdrop(as)
			if blend != nil && j < 3 && as > 0 && ab > 0 {
				mixed = cs*(1-ab) + cb*(1-as) + as*ab*blend(cb/ab, cs/as)
			}
			b[j] = uint8(min(max(mixed, 0), 1)*255 + 0.5)
		}
	}
}
