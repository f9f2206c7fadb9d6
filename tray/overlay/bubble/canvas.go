package bubble

import (
	"image"
	"image/color"
	"math"
)

// A canvas is a bubble, or what looks like one, whose body has its place.
type canvas struct {
	measures
	theme  Theme
	shadow bool
	img    *image.RGBA
	pen    pen
	body   image.Rectangle
	side   Side
	tip    image.Point
	root   int // x of the middle of the tail's root
}

// The tail at scale 1, in px.
const (
	tailRoot   = 8   // half its width where it leaves the body
	tailTip    = 1.6 // the radius of its tip
	tailFillet = 5   // of the corners between tail and body
)

// newCanvas makes the canvas for a body of a size.
func newCanvas(m measures, body image.Point, t Tail, s Style) *canvas {
	around := m.around(s)
	c := &canvas{measures: m, theme: s.Theme, shadow: s.Shadow, side: t.Side}
	c.body = image.Rectangle{Max: body}.Add(image.Pt(around, around))
	size := body.Add(image.Pt(2*around, 2*around))
	switch t.Side {
	case Above:
		c.body = c.body.Add(image.Pt(0, m.tail))
		fallthrough
	case Below:
		size.Y += m.tail
	}
	c.img = image.NewRGBA(image.Rectangle{Max: size})
	c.pen.img = c.img.SubImage(c.body.Inset(int(m.stroke))).(*image.RGBA)
	c.pen.pictures = map[picture]*image.RGBA{}
	c.placeTail(t)
	return c
}

func (c *canvas) image() *Image { return &Image{c.img, c.body, c.tip} }

// leastBody is the narrowest body that a tail can leave between two corners.
func (m measures) leastBody() int { return int(math.Ceil(2 * (m.radius + tailRoot*m.scale))) }

// placeTail keeps the tail's root between the corners; its tip may lean a
// little further.
func (c *canvas) placeTail(t Tail) {
	x := t.X
	if x < 0 || t.Side == None {
		x = c.img.Rect.Max.X / 2
	}
	edge, corner := int(c.radius/3), c.leastBody()/2
	c.tip.X = min(max(x, c.body.Min.X+edge), c.body.Max.X-edge)
	c.root = min(max(c.tip.X, c.body.Min.X+corner), c.body.Max.X-corner)
	c.tip.Y = c.img.Rect.Max.Y - c.body.Min.X - 1
	if t.Side == Above {
		c.tip.Y = c.body.Min.Y - c.tail
	}
}

// outline is the body as a shape, body and tail as one, and where these differ.
func (c *canvas) outline() (body, both field, near image.Rectangle) {
	b := c.body
	body = box(float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y), c.radius)
	edge, tip, deep := float64(b.Max.Y), float64(c.tip.Y+1), -c.radius/2
	near = image.Rect(0, b.Max.Y-c.corner(), 0, c.img.Rect.Max.Y)
	switch c.side {
	case Above:
		edge, tip, deep = float64(b.Min.Y), float64(c.tip.Y), c.radius/2
		near = image.Rect(0, 0, 0, b.Min.Y+c.corner())
	case None:
		return body, body, image.Rectangle{}
	}
	round := tailTip * c.scale
	// The root lies inside the body, and wider by as much as it is deeper.
	wide := tailRoot*c.scale*(float64(c.tail)+c.radius/2)/float64(c.tail) - round
	root, x := float64(c.root), float64(c.tip.X)
	tail := triangle(root-wide, edge+deep, root+wide, edge+deep, x, tip-math.Copysign(round, tip-edge), round)
	// Farther away neither fillet nor shadow reaches.
	reach := round + float64(c.margin) + tailFillet*c.scale
	near.Min.X, near.Max.X = int(min(root-wide, x)-reach), int(max(root+wide, x)+reach)+1
	return body, blend(body, tail, tailFillet*c.scale), near
}

// corner is the whole px that a corner takes.
func (m measures) corner() int { return int(math.Ceil(m.radius)) }

// paintBody paints the shadow, the outline and the fill. Between the corners
// and away from the tail a pixel is as its neighbour, so few are worked out.
func (c *canvas) paintBody() {
	body, both, near := c.outline()
	drop := int(math.Ceil(shadowDrop * c.scale))
	columns := image.Rect(c.body.Min.X+c.corner()+1, 0, c.body.Max.X-c.corner(), c.img.Rect.Max.Y)
	rows := image.Rect(0, c.body.Min.Y+c.corner()+drop+1, 1, c.body.Max.Y-c.corner())
	for y := range c.img.Rect.Max.Y {
		row := c.img.Pix[y*c.img.Stride:][:c.img.Stride]
		if image.Pt(0, y).In(rows) {
			copy(row, c.img.Pix[(y-1)*c.img.Stride:])
			continue
		}
		for x := range c.img.Rect.Max.X {
			switch p := image.Pt(x, y); {
			case p.In(near):
				c.paintPixel(both, x, y)
			case p.In(columns) && p.X != near.Max.X:
				copy(row[4*x:4*x+4], row[4*x-4:])
			default:
				c.paintPixel(body, x, y)
			}
		}
	}
}

func (c *canvas) paintPixel(shape field, x, y int) {
	d := shape(float64(x)+0.5, float64(y)+0.5)
	if c.shadow && d > -1 {
		over(c.img, x, y, color.NRGBA{A: 255}, c.shade(shape, x, y))
	}
	over(c.img, x, y, c.theme.Line, coverage(d))
	over(c.img, x, y, c.theme.Fill, coverage(d+c.stroke))
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

// paintContent paints mark and text.
func (c *canvas) paintContent(l *Laid) {
	indent := c.indent(l.mark)
	inner := image.Rectangle{c.body.Min.Add(image.Pt(c.padX, c.padY)), c.body.Max.Sub(image.Pt(c.padX, c.padY))}
	spare := (inner.Dx() - indent - l.width) / 2 // when the text is shorter than the tail is wide
	spot, text := inner.Min.X+spare+c.mark/2, inner.Min.X+spare+indent
	if l.right {
		spot, text = inner.Max.X-spare-c.mark/2, inner.Max.X-spare-indent-l.width
	}
	c.paintMark(l.mark, image.Pt(spot, inner.Min.Y+l.middle))
	for _, p := range l.paragraphs {
		ink := c.theme.Ink
		if p.dim {
			ink = c.theme.Dim
		}
		c.pen.paragraph(p, image.Pt(text, inner.Min.Y+p.top), l.width, ink)
	}
}
