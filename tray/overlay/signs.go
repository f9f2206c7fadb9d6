package overlay

import (
	"image"

	"github.com/playpets/playpets/tray/overlay/bubble"
)

// sign draws a tag. It waits for the fonts that it needs.
func (d *bubbles) sign(sign string, shadow bool) *image.RGBA {
	style := d.style
	style.Shadow = shadow
	if sign == dozes {
		return bubble.DrawDoze(style).RGBA
	}
	<-d.fonts.Load(sign)
	return bubble.DrawPill(d.fonts, sign, style).RGBA
}

// menu draws a menu. It waits for the fonts that it needs.
func (d *bubbles) menu(m Menu, hot int, shadow bool) menuPicture {
	shown := bubble.Menu{Title: m.Title}
	for _, i := range m.Items {
		shown.Items = append(shown.Items, i.Label)
	}
	<-d.fonts.Load(append(shown.Items, m.Title)...)
	style := d.style
	style.Shadow = shadow
	img := bubble.DrawMenu(d.fonts, shown, hot, style)
	return menuPicture{img.RGBA, img.Items}
}
