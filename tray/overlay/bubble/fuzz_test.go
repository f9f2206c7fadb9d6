package bubble

import (
	"strings"
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
	f.Add("one\ntwo \u05d0\n\n\x00 whose", 1.5, 300, 90, 10, byte(5))
	f.Fuzz(func(t *testing.T, text string, scale float64, maxWidth, maxHeight, tail int, bits byte) {
		text, caption, _ := strings.Cut(text, "\x00")
		s := Style{Theme: Light, Scale: scale, MaxWidth: maxWidth, MaxHeight: maxHeight, Shadow: bits&1 != 0}
		side := Side(bits >> 1 % 3)
		mark := agents.States[int(bits>>3)%len(agents.States)]
		<-fonts.Load(text, caption)
		l := Lay(fonts, Content{text, caption, mark}, s)
		img := l.Paint(Tail{side, tail})

		m := measuresFor(scale)
		around := 2 * m.around(s)
		leastWide := max(2*m.padX+m.indent(mark)+leastWidth*m.em, m.leastBody()) + around
		leastHigh := 5*m.em + m.gapY + 2*m.padY + m.tail + around // a line of each, of a high script
		if w := img.Rect.Dx(); maxWidth > 0 && w > max(maxWidth, leastWide) {
			t.Errorf("%d px wide, at most %d", w, maxWidth)
		}
		if h := img.Rect.Dy(); maxHeight > 0 && h > max(maxHeight, leastHigh) {
			t.Errorf("%d px high, at most %d", h, maxHeight)
		}
		if w := img.Rect.Dx(); w > mostWidth*m.em+2*m.padX+m.indent(mark)+around {
			t.Errorf("%d px wide, wider than any bubble", w)
		}
		if img.Rect.Max != l.Size(side) {
			t.Errorf("image %v, told %v", img.Rect.Max, l.Size(side))
		}
		if !img.TailTip.In(img.Rect) || !img.Body.In(img.Rect) || img.RGBAAt(img.TailTip.X, img.TailTip.Y).A == 0 {
			t.Errorf("tip %v and body %v of image %v", img.TailTip, img.Body, img.Rect)
		}
		DrawMenu(fonts, Menu{caption, strings.Split(text, "\n")}, tail, s)
	})
}
