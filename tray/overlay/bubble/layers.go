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
// Paints that vary along a variable font's axes are left out.
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
		fill(dst, image.NewUniform(l.color(p.PaletteIndex, fraction(p.Alpha))), clip)
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
