package bubble

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A pen draws shaped text.
type pen struct {
	img      *image.RGBA // the body of a bubble: nothing is drawn outside
	ink      color.NRGBA
	raster   vector.Rasterizer
	origin   image.Point // of the raster in img
	pictures map[picture]*image.RGBA
}

// A picture is a colour glyph as it was drawn once.
type picture struct {
	face  *font.Face
	glyph font.GID
	size  fixed.Int26_6
	ink   color.NRGBA
}

// paragraph draws the lines of a paragraph in a column whose top left corner is
// at a point.
func (p *pen) paragraph(t paragraph, at image.Point, width int, ink color.NRGBA) {
	p.ink = ink
	for i, runs := range t.lines {
		x := float64(at.X)
		if t.right {
			x += float64(width) - px(advance(runs))
		}
		for _, run := range runs {
			p.run(run, x, at.Y+i*t.pitch+t.baseline)
			x += px(run.Advance)
		}
	}
}

// run draws one run from x on the baseline y.
func (p *pen) run(run shaping.Output, x float64, y int) {
	// The outlines of a run are filled together, so that letters that join
	// show no seam.
	em := run.Size.Ceil()
	above, below := run.GlyphBounds.Ascent.Ceil()+em/4, em/4-run.GlyphBounds.Descent.Floor()
	r := image.Rect(int(x)-em, y-above, int(x+px(run.Advance))+em, y+below).Intersect(p.img.Rect)
	if r.Empty() {
		return
	}
	p.origin = r.Min
	p.raster.Reset(r.Dx(), r.Dy())
	for _, g := range run.Glyphs {
		gx, gy := x+px(g.XOffset), float64(y)-px(g.YOffset)
		if g.GlyphID == missing {
			p.missing(gx, gy, px(g.Advance))
		} else if g.GlyphID != font.EmptyGlyph {
			p.glyph(run, g, gx, gy)
		}
		x += px(g.Advance)
	}
	p.raster.Draw(p.img, r, image.NewUniform(p.ink), image.Point{})
}

// glyph draws one glyph. A font that stumbles over one leaves it out.
func (p *pen) glyph(run shaping.Output, g shaping.Glyph, x, y float64) {
	var err error
	defer recovered(&err)
	var outline font.GlyphOutline
	switch data := run.Face.GlyphData(g.GlyphID).(type) {
	case font.GlyphOutline:
		outline = data
	case font.GlyphSVG: // SVG is not drawn; fonts have an outline for that case
		outline = data.Outline
	case font.GlyphBitmap:
		if p.bitmap(run, g, data, x, y) {
			return
		}
		if data.Outline != nil {
			outline = *data.Outline
		}
	case font.GlyphColor:
		p.colored(run, g, data, x, y)
		return
	}
	ox, oy := x-float64(p.origin.X), y-float64(p.origin.Y)
	scale := px(run.Size) / float64(run.Face.Upem())
	trace(&p.raster, outline.Segments, affine{scale, 0, ox, 0, -scale, oy})
}

// missing draws a box where no font has the character.
func (p *pen) missing(x, y, advance float64) {
	const wide, tall, radius, stroke = 0.76, 1.14, 0.18, 0.11 // parts of the advance
	x0, x1 := math.Round(x+advance*(1-wide)/2), math.Round(x+advance*(1+wide)/2)
	outer := box(x0, y-math.Round(advance*tall), x1, y, advance*radius)
	w := math.Max(1, math.Round(advance*stroke))
	ring := func(px, py float64) float64 { d := outer(px, py); return max(d, -d-w) }
	faint := p.ink
	faint.A = 0x99
	paint(p.img, image.Rect(int(x)-1, int(y-2*advance), int(x1)+1, int(y)+1), ring, faint)
}

// bitmap draws a glyph that its font has as a picture. It reports false for
// one without colours: the outline beside it is smoother.
func (p *pen) bitmap(run shaping.Output, g shaping.Glyph, data font.GlyphBitmap, x, y float64) bool {
	key := picture{run.Face, g.GlyphID, run.Size, p.ink}
	img, ok := p.pictures[key]
	if !ok {
		img = decode(data, px(g.Width), px(-g.Height))
		p.pictures[key] = img
	}
	if img == nil {
		return false
	}
	p.stamp(img, x+px(g.XBearing), y-px(g.YBearing))
	return true
}

// colored draws a glyph of coloured layers.
func (p *pen) colored(run shaping.Output, g shaping.Glyph, data font.GlyphColor, x, y float64) {
	em := run.Size.Ceil()
	key := picture{run.Face, g.GlyphID, run.Size, p.ink}
	img, ok := p.pictures[key]
	if !ok {
		img = image.NewRGBA(image.Rect(0, 0, g.Advance.Ceil()+em, 2*em))
		scale := px(run.Size) / float64(run.Face.Upem())
		layers := layers{face: run.Face, ink: p.ink}
		layers.paint(img, data.Paint, affine{scale, 0, float64(em / 2), 0, -scale, float64(em + em/4)}, nil)
		p.pictures[key] = img
	}
	p.stamp(img, x-float64(em/2), y-float64(em+em/4))
}

// stamp puts a picture on whole pixels, where it stays sharp.
func (p *pen) stamp(img *image.RGBA, x, y float64) {
	at := image.Pt(int(math.Round(x)), int(math.Round(y)))
	draw.Draw(p.img, img.Rect.Add(at), img, image.Point{}, draw.Over)
}

// trace adds an outline to a raster; m takes it there from font units.
func trace(raster *vector.Rasterizer, outline []opentype.Segment, m affine) {
	at := func(p opentype.SegmentPoint) (x, y float32) {
		fx, fy := m.apply(float64(p.X), float64(p.Y))
		return float32(fx), float32(fy)
	}
	for _, s := range outline {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			raster.ClosePath()
			raster.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			raster.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			raster.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			raster.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	raster.ClosePath()
}

// px is a length of the shaper in px.
func px(v fixed.Int26_6) float64 { return float64(v) / 64 }
