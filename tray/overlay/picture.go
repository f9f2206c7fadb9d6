package overlay

import (
	"image"
	"image/draw"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
)

// A picture is a drawn bubble.
type picture struct {
	img *image.RGBA
	at  image.Point // its corner, from the corner of the friend's cell
	tip image.Point // the end of its tail, within img

	body image.Rectangle // the bubble without tail and shadow, within img
}

// as is the picture in a look: smaller about the tail's tip, and translucent.
// The image has the picture's size in any look.
func (p picture) as(l look) *image.RGBA {
	if l == (look{1, 1}) {
		return p.img
	}
	img := image.NewRGBA(p.img.Rect)
	if l.size == 1 {
		copy(img.Pix, p.img.Pix)
	} else {
		x, y := float64(p.tip.X)*(1-l.size), float64(p.tip.Y)*(1-l.size)
		xdraw.ApproxBiLinear.Transform(img, f64.Aff3{l.size, 0, x, 0, l.size, y}, p.img, p.img.Rect, draw.Src, nil)
	}
	opacity := uint32(l.opacity*256 + 0.5)
	for i, v := range img.Pix {
		img.Pix[i] = uint8(uint32(v) * opacity >> 8)
	}
	return img
}
