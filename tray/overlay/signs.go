package overlay

import (
	"image"

	"github.com/playpets/playpets/tray/overlay/bubble"
)

// sign draws a tag.
func (d *bubbles) sign(sign string) *image.RGBA {
	if sign == dozes {
		return bubble.DrawDoze(d.style).RGBA
	}
	<-d.fonts.Load(sign)
	return bubble.DrawPill(d.fonts, sign, d.style).RGBA
}

// menu draws a menu with one hot item; -1 is none.
func (d *bubbles) menu(m Menu, hot int, shadow bool) menuPicture {
	drawn := bubble.Menu{Title: m.Title}
	for _, item := range m.Items {
		drawn.Items = append(drawn.Items, item.Label)
	}
	<-d.fonts.Load(append(drawn.Items, m.Title)...)
	style := d.style
	style.Shadow = shadow
	img := bubble.DrawMenu(d.fonts, drawn, hot, style)
	return menuPicture{img.RGBA, img.Items}
}
