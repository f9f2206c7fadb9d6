package bubble

import (
	"testing"

	"github.com/playpets/playpets/agents"
)

// Any text in any style is drawn, within its limits.
func FuzzDraw(f *testing.F) {
	fonts := newFonts(f)
	for _, text := range texts(f) {
		f.Add(text, 1.0, 320, 200, 40, byte(2))
	}
	for _, s := range samples {
		f.Add(s.text, 2.0, 0, 0, -1, byte(7))
	}
	f.Add("\xff\xfe\U0010FFFF\u202E", -1.0, -5, 1, -9999, byte(3))
	f.Fuzz(func(t *testing.T, text string, scale float64, maxWidth, maxHeight, tail int, bits byte) {
		s := Style{Theme: Light, Scale: scale, MaxWidth: maxWidth, MaxHeight: maxHeight, Shadow: bits&1 != 0}
		mark := agents.States[int(bits>>2)%len(agents.States)]
		<-fonts.Load(text)
		img := Lay(fonts, Content{Text: text, Mark: mark}, s).Paint(Tail{Side(bits >> 1 & 1), tail})

		m := measuresFor(scale)
		around := 2 * m.around(s)
		leastWide := max(2*m.padX+m.indent(mark)+leastWidth*m.em, m.leastBody()) + around
		leastHigh := 3*m.em + 2*m.padY + m.tail + around
		if w := img.Rect.Dx(); maxWidth > 0 && w > max(maxWidth, leastWide) {
			t.Errorf("%d px wide, at most %d", w, maxWidth)
		}
		if h := img.Rect.Dy(); maxHeight > 0 && h > max(maxHeight, leastHigh) {
			t.Errorf("%d px high, at most %d", h, maxHeight)
		}
		if w := img.Rect.Dx(); w > mostWidth*m.em+2*m.padX+m.indent(mark)+around {
			t.Errorf("%d px wide, wider than any bubble", w)
		}
		if !img.TailTip.In(img.Rect) || !img.Body.In(img.Rect) || img.RGBAAt(img.TailTip.X, img.TailTip.Y).A == 0 {
			t.Errorf("tip %v and body %v of image %v", img.TailTip, img.Body, img.Rect)
		}
	})
}
