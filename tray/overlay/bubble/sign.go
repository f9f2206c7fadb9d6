package bubble

import (
	"image"
	"image/color"
	"math"
)

// DrawPill draws a short text as a quiet label: one small line, as wide as one
// of a bubble at most, without shadow.
func DrawPill(f *Fonts, text string, s Style) *Image {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := measuresFor(s.Scale).small()
	s.Shadow = false
	m.padX, m.padY, m.stroke = m.px(10), m.px(2), math.Max(1, math.Floor(m.scale))
	label := f.label(text, m, m.room(s, 0).usual, 1)
	height := label.pitch + 2*m.padY
	m.radius = float64(height) / 2
	c := newCanvas(m, image.Pt(max(label.width+2*m.padX, height), height), Tail{Side: None}, s)
	c.theme.Line = between(s.Theme.Fill, s.Theme.Dim)
	c.paintBody()
	c.pen.paragraph(label, c.body.Min.Add(image.Pt(m.padX, m.padY)), label.width, c.theme.Dim)
	return c.image()
}

// between is the colour halfway between two.
func between(a, b color.NRGBA) color.NRGBA {
	half := func(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }
	return color.NRGBA{half(a.R, b.R), half(a.G, b.G), half(a.B, b.B), 0xFF}
}

// snores are the letters over somebody who dozes: the left end, the upper end
// and the size of each, in px at scale 1.
var snores = [][3]float64{{5, 24, 7}, {14, 14.5, 9}, {26, 5.5, 11.5}}

// halo is how wide the light round these letters is, at scale 1.
const halo = 3

// DrawDoze draws the sign of somebody who dozes: a z that grows as it rises. A
// halo in the theme's Fill keeps it readable on anything.
func DrawDoze(s Style) *Image {
	m := measuresFor(s.Scale)
	img := image.NewRGBA(image.Rect(0, 0, m.px(43), m.px(36)))
	var letters []field
	for _, z := range snores {
		letters = append(letters, snore(z[0], z[1], z[2]))
	}
	shape := join(letters...).at(0, 0, m.scale)
	around := func(x, y float64) float64 { return shape(x, y) - 1.5*m.scale }
	if s.Shadow { // where pixels can be translucent: soft
		soft := halo * m.scale
		around = func(x, y float64) float64 { return max(shape(x, y)/soft-0.5, -0.4) }
	}
	paint(img, img.Rect, around, s.Theme.Fill)
	paint(img, img.Rect, shape, s.Theme.Working)
	return &Image{img, img.Rect, image.Pt(0, img.Rect.Max.Y-1)}
}

// snore is one z, leaning back a little.
func snore(x, y, size float64) field {
	width, wide, lean := size*0.22, size*0.86, size*0.1
	return join(
		line(x, y+lean, x+wide, y, width),
		line(x+wide, y, x+lean, y+size, width),
		line(x+lean, y+size, x+lean+wide, y+size-lean, width),
	)
}
