package bubble

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/playpets/playpets/agents"
)

// A canvas is a bubble whose every part has its place.
type canvas struct {
	measures
	paragraph
	img  *image.RGBA
	body image.Rectangle
	tip  image.Point
	root int         // x of the middle of the tail's root
	text image.Point // the top left corner of the text
	spot image.Point // the middle of the mark
}

// The tail at scale 1, in px.
const (
	tailRoot   = 8   // half its width where it leaves the body
	tailTip    = 1.6 // the radius of its tip
	tailFillet = 5   // of the corners between tail and body
)

// place makes the canvas for a paragraph.
func place(m measures, p paragraph, mark agents.State, s Style) *canvas {
	around, indent := m.around(s), m.indent(mark)
	width := max(p.width+2*m.padX+indent, m.leastBody())
	height := len(p.lines)*p.height + 2*m.padY
	c := &canvas{measures: m, paragraph: p}
	c.body = image.Rect(0, 0, width, height).Add(image.Pt(around, around))
	if s.Tail.Side == Above {
		c.body = c.body.Add(image.Pt(0, m.tail))
	}
	c.img = image.NewRGBA(image.Rect(0, 0, width+2*around, height+m.tail+2*around))
	c.placeTail(s.Tail)

	inner := image.Rectangle{c.body.Min.Add(image.Pt(m.padX, m.padY)), c.body.Max.Sub(image.Pt(m.padX, m.padY))}
	spare := inner.Dx() - indent - p.width // when the text is shorter than the tail is wide
	c.spot = image.Pt(inner.Min.X+spare/2+m.mark/2, inner.Min.Y+p.middle)
	c.text = image.Pt(inner.Min.X+spare/2+indent, inner.Min.Y)
	if p.rtl {
		c.spot.X = inner.Max.X - spare/2 - m.mark/2
		c.text.X = inner.Max.X - spare/2 - indent - p.width
	}
	return c
}

// leastBody is the narrowest body that a tail can leave between two corners.
func (m measures) leastBody() int { return int(math.Ceil(2 * (m.radius + tailRoot*m.scale))) }

// placeTail keeps the tail's root between the corners; its tip may lean a
// little further.
func (c *canvas) placeTail(t Tail) {
	x := t.X
	if x < 0 {
		x = c.body.Dx() / 2
	}
	edge, corner := int(c.radius/3), c.leastBody()/2
	c.tip.X = c.body.Min.X + min(max(x, edge), c.body.Dx()-edge)
	c.root = min(max(c.tip.X, c.body.Min.X+corner), c.body.Max.X-corner)
	c.tip.Y = c.body.Max.Y + c.tail - 1
	if t.Side == Above {
		c.tip.Y = c.body.Min.Y - c.tail
	}
}

// outline is body and tail as one shape.
func (c *canvas) outline() field {
	b := c.body
	body := box(float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y), c.radius)
	edge, tip, deep := float64(b.Max.Y), float64(c.tip.Y+1), -c.radius/2
	if c.tip.Y < b.Min.Y {
		edge, tip, deep = float64(b.Min.Y), float64(c.tip.Y), c.radius/2
	}
	round := tailTip * c.scale
	// The root lies inside the body, and wider by as much as it is deeper.
	wide := tailRoot*c.scale*(float64(c.measures.tail)+c.radius/2)/float64(c.measures.tail) - round
	root, x := float64(c.root), float64(c.tip.X)
	tail := triangle(root-wide, edge+deep, root+wide, edge+deep, x, tip-math.Copysign(round, tip-edge), round)
	both := blend(body, tail, tailFillet*c.scale)
	// Away from the tail, where neither fillet nor shadow reaches, the body's
	// distance is the smaller one and costs a third.
	reach := float64(c.margin) + tailFillet*c.scale
	left, right := math.Min(root-wide, x)-round-reach, math.Max(root+wide, x)+round+reach
	return func(x, y float64) float64 {
		if x < left || x > right {
			return body(x, y)
		}
		return both(x, y)
	}
}

// paintBody paints the shadow, the outline and the fill.
func (c *canvas) paintBody(t Theme, shadow bool) {
	shape := c.outline()
	inside := c.inside()
	for _, r := range inside {
		draw.Draw(c.img, r, image.NewUniform(t.Fill), image.Point{}, draw.Src)
	}
	for y := range c.img.Rect.Max.Y {
		for x := 0; x < c.img.Rect.Max.X; x++ {
			if p := image.Pt(x, y); p.In(inside[0]) {
				x = inside[0].Max.X - 1
				continue
			} else if p.In(inside[1]) {
				x = inside[1].Max.X - 1
				continue
			}
			d := shape(float64(x)+0.5, float64(y)+0.5)
			if shadow && d > -1 {
				over(c.img, x, y, color.NRGBA{A: 255}, c.shade(shape, x, y))
			}
			over(c.img, x, y, t.Line, coverage(d))
			over(c.img, x, y, t.Fill, coverage(d+c.stroke))
		}
	}
}

// inside is what of the body lies behind the outline everywhere: no distance
// needs to be measured there.
func (c *canvas) inside() [2]image.Rectangle {
	thin, thick := int(c.stroke)+1, int(math.Ceil(c.radius))
	wide, tall := c.body.Inset(thin), c.body.Inset(thin)
	wide.Min.Y, wide.Max.Y = c.body.Min.Y+thick, c.body.Max.Y-thick
	tall.Min.X, tall.Max.X = c.body.Min.X+thick, c.body.Max.X-thick
	return [2]image.Rectangle{wide, tall}
}

// shade is the shadow's strength at a pixel. Across a straight edge a blurred
// shadow is the error function of the distance; a bubble's corners are round
// enough for that to hold all along.
func (c *canvas) shade(shape field, x, y int) float64 {
	sigma := shadowBlur * c.scale / 2
	d := shape(float64(x)+0.5, float64(y)+0.5-shadowDrop*c.scale)
	if d > 2.2*sigma {
		return 0
	}
	return shadowOpacity / 2 * math.Erfc(d/sigma/math.Sqrt2)
}
