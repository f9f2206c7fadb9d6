// Package icon draws the app's mark, a paw, with a badge that says how things
// are. It draws for any size instead of keeping pictures: what is a pixel wide
// at 16 pixels is so at 64 as well, where the panel scales it down. It knows
// neither friends nor panels.
package icon

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	ico "github.com/sergeymakinen/go-ico"
)

// Badge is the small sign at the lower right. Each has a shape of its own:
// colours alone say nothing to many people.
type Badge int

// The badges.
const (
	None    Badge = iota
	Done          // a dot
	Quiet         // a moon
	Waiting       // a triangle with "!"
	Error         // a cross
)

// Badges lists every badge.
var Badges = []Badge{None, Done, Quiet, Waiting, Error}

var (
	light = color.NRGBA{0xFF, 0xFF, 0xFF, 0xF0}
	paint = color.NRGBA{0x7B, 0x68, 0xEA, 0xFF} // neither near black nor near white: seen on both
)

// Draw draws the icon, size pixels wide and high.
func Draw(b Badge, size int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	c := canvas{m, size}
	c.lay(grown{paw, c.halo()}, light)
	c.lay(paw, paint)
	if s := signs[b]; s.outline != nil {
		c.lay(grown{s.outline, c.halo()}, color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF})
		c.lay(s.outline, s.fill)
		if s.mark != nil {
			c.lay(s.mark, s.ink)
		}
	}
	return m
}

// Template is the icon for the menu bar of macOS, which colours it: a PNG of
// 32 pixels, black and see-through, where the badge stands in a gap.
func Template(b Badge) []byte {
	const size = 32
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	c := canvas{m, size}
	black := color.NRGBA{A: 0xFF}
	c.lay(paw, black)
	if s := signs[b]; s.outline != nil {
		c.erase(grown{s.outline, c.halo()})
		c.lay(s.outline, black)
		if s.mark != nil {
			c.erase(s.mark)
		}
	}
	return encode(m)
}

// PNG is Draw as a file.
func PNG(b Badge, size int) []byte { return encode(Draw(b, size)) }

// ICO is the icon for Windows, which takes the size it needs: 16 to 48 pixels.
func ICO(b Badge) []byte {
	var sizes []image.Image
	for _, size := range []int{16, 20, 24, 32, 48} {
		sizes = append(sizes, Draw(b, size))
	}
	var file bytes.Buffer
	if err := ico.EncodeAll(&file, sizes); err != nil {
		panic("encode the icon: " + err.Error()) // a buffer takes everything
	}
	return file.Bytes()
}

func encode(m image.Image) []byte {
	var file bytes.Buffer
	if err := png.Encode(&file, m); err != nil {
		panic("encode the icon: " + err.Error()) // a buffer takes everything
	}
	return file.Bytes()
}

// canvas is a picture of the grid's 24 units.
type canvas struct {
	*image.NRGBA
	size int
}

const grid = 24

// halo is the width of a halo in units: a pixel, also after a panel has scaled
// the picture down to the 22 that they are mostly made for.
func (c canvas) halo() float64 { return max(float64(grid)/float64(c.size), float64(grid)/22) }

// cover is how much of a pixel lies in s, 0 to 1.
func (c canvas) cover(s shape, x, y int) float64 {
	unit := float64(grid) / float64(c.size)
	d := s.distance((float64(x)+.5)*unit, (float64(y)+.5)*unit) / unit
	return min(max(.5-d, 0), 1)
}

// lay paints s over what is there.
func (c canvas) lay(s shape, ink color.NRGBA) {
	for y := range c.size {
		for x := range c.size {
			over := c.cover(s, x, y) * float64(ink.A) / 255
			if over == 0 {
				continue
			}
			p := c.Pix[c.PixOffset(x, y):][:4]
			under := float64(p[3]) / 255 * (1 - over)
			for k, v := range [3]uint8{ink.R, ink.G, ink.B} {
				p[k] = uint8((float64(v)*over+float64(p[k])*under)/(over+under) + .5)
			}
			p[3] = uint8((over+under)*255 + .5)
		}
	}
}

// erase takes s away.
func (c canvas) erase(s shape) {
	for y := range c.size {
		for x := range c.size {
			a := &c.Pix[c.PixOffset(x, y)+3]
			*a = uint8(float64(*a)*(1-c.cover(s, x, y)) + .5)
		}
	}
}
