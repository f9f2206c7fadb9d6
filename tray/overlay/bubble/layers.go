package bubble

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
	"golang.org/x/image/vector"
)

// layers draws glyphs made of coloured shapes: the OpenType table COLR, versions
// 0 and 1. https://learn.microsoft.com/typography/opentype/spec/colr
// Parts that vary with a variable font's axes are left out, and blend modes that
// are no Porter-Duff operator are painted over what is there.
type layers struct {
	face  *font.Face
	ink   color.NRGBA // the colour of the text
	count int
}

// mostLayers bounds the work that one glyph of a broken font can ask for. Real
// ones have up to about 200.
const mostLayers = 2000

// paint paints p on dst. m takes font units to px; clip is what may be painted
// on, nil for all.
func (l *layers) paint(dst *image.RGBA, p tables.PaintTable, m affine, clip *image.Alpha) {
	if l.count++; l.count > mostLayers {
		return
	}
	if child, step, ok := transform(p); ok {
		l.paint(dst, child, m.then(step), clip)
		return
	}
	switch p := p.(type) {
	case tables.PaintColrLayersResolved:
		for _, layer := range p {
			fill(dst, image.NewUniform(l.color(layer.PaletteIndex, 1)), l.clip(dst.Rect, layer.GlyphID, m, clip))
		}
	case tables.PaintColrLayers:
		parts, _ := l.face.COLR.LayerList.Resolve(p)
		for _, part := range parts {
			l.paint(dst, part, m, clip)
		}
	case tables.PaintColrGlyph:
		if glyph, ok := l.face.GlyphDataColor(font.GID(p.GlyphID)); ok {
			l.paint(dst, glyph.Paint, m, clip)
		}
	case tables.PaintGlyph:
		l.paint(dst, p.Paint, m, l.clip(dst.Rect, p.GlyphID, m, clip))
	case tables.PaintComposite:
		source, backdrop := image.NewRGBA(dst.Rect), image.NewRGBA(dst.Rect)
		l.paint(source, p.SourcePaint, m, clip)
		l.paint(backdrop, p.BackdropPaint, m, clip)
		compose(backdrop, source, p.CompositeMode)
		draw.Draw(dst, dst.Rect, backdrop, image.Point{}, draw.Over)
	case tables.PaintSolid:
		fill(dst, image.NewUniform(l.color(p.PaletteIndex, unit(p.Alpha))), clip)
	default:
		if g := l.gradient(p, m); g != nil {
			fill(dst, g, clip)
		}
	}
}

func fill(dst *image.RGBA, src image.Image, clip *image.Alpha) {
	if clip == nil {
		draw.Draw(dst, dst.Rect, src, image.Point{}, draw.Over)
		return
	}
	draw.DrawMask(dst, dst.Rect, src, image.Point{}, clip, image.Point{}, draw.Over)
}

// clip is the outline of a glyph within another clip.
func (l *layers) clip(r image.Rectangle, glyph tables.GlyphID, m affine, within *image.Alpha) *image.Alpha {
	out := image.NewAlpha(r)
	outline, _ := l.face.GlyphDataOutline(font.GID(glyph))
	var raster vector.Rasterizer
	raster.Reset(r.Dx(), r.Dy())
	trace(&raster, outline.Segments, m)
	raster.Draw(out, r, image.Opaque, image.Point{})
	if within != nil {
		for i, a := range within.Pix {
			out.Pix[i] = uint8(int(out.Pix[i]) * int(a) / 255)
		}
	}
	return out
}

// color is an entry of the font's first palette; 0xFFFF is the text's colour.
func (l *layers) color(index uint16, alpha float64) color.NRGBA {
	c := l.ink
	if index != 0xFFFF {
		c = color.NRGBA{}
		if len(l.face.CPAL) > 0 && int(index) < len(l.face.CPAL[0]) {
			entry := l.face.CPAL[0][index]
			c = color.NRGBA{entry.Red, entry.Green, entry.Blue, entry.Alpha}
		}
	}
	c.A = uint8(float64(c.A)*min(max(alpha, 0), 1) + 0.5)
	return c
}

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

// compose combines a source with a backdrop of the same size, in place.
func compose(backdrop, source *image.RGBA, mode tables.CompositeMode) {
	op, ok := porterDuff[mode]
	if !ok {
		op = porterDuff[tables.CompositeSrcOver]
	}
	for i := 0; i < len(source.Pix); i += 4 {
		s, b := source.Pix[i:][:4], backdrop.Pix[i:][:4]
		ks, kb := op.source(float64(b[3])/255), op.backdrop(float64(s[3])/255)
		for j := range b {
			b[j] = uint8(min(float64(s[j])*ks+float64(b[j])*kb+0.5, 255))
		}
	}
}
