package overlay

import (
	"image"
	"strings"

	"github.com/playpets/playpets/tray/overlay/bubble"
)

// sign draws a tag.
func (d *bubbles) sign(sign string, shadow bool) *image.RGBA {
	style := d.style
	style.Shadow = shadow
	return bubble.Draw(d.fonts, sign, "", style).RGBA
}

// menu draws a menu.
func (d *bubbles) menu(m Menu, hot int, shadow bool) menuPicture {
	var labels []string
	for _, i := range m.Items {
		labels = append(labels, i.Label)
	}
	style := d.style
	style.Shadow = shadow
	img := bubble.Draw(d.fonts, strings.Join(labels, " "), "", style)
	p := menuPicture{img: img.RGBA}
	for i := range m.Items {
		r := img.Rect
		r.Min.Y = img.Rect.Dy() * i / len(m.Items)
		r.Max.Y = img.Rect.Dy() * (i + 1) / len(m.Items)
		p.items = append(p.items, r.Inset(4))
	}
	return p
}
