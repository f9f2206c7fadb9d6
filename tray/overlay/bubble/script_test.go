package bubble

import (
	"image"
	"os"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

// load finds the fonts for a text, or ends the test on a machine without them.
func load(t testing.TB, f *Fonts, text string) {
	t.Helper()
	<-f.Load(text)
	if f.Needs(text) {
		t.Fatalf("%q needs fonts after they were loaded", text)
	}
	for _, run := range firstLine(f, text) {
		for _, g := range run.Glyphs {
			if g.GlyphID != missing {
				continue
			}
			lacking(t, "a font for "+text+": fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji fonts-dejavu-core")
		}
	}
}

// lacking ends a test for want of a Debian package.
func lacking(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("this machine lacks " + what)
	}
	t.Skip("this machine lacks " + what)
}

// ink is where text and mark differ from the empty bubble within r.
func ink(f *Fonts, text string, mark agents.State, s Style, r image.Rectangle) (in image.Rectangle) {
	laid := Lay(f, Content{Text: text, Mark: mark}, s)
	empty := newCanvas(laid.measures, laid.body(), middle, s)
	empty.paintBody()
	img := laid.Paint(middle)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			a, b := img.RGBAAt(x, y), empty.img.RGBAAt(x, y)
			if differ(a.R, b.R)+differ(a.G, b.G)+differ(a.B, b.B) > 40 {
				in = in.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return in
}

func differ(a, b uint8) int { return int(max(a, b)) - int(min(a, b)) }

// Text of every script keeps to the middle of its bubble.
func TestScripts(t *testing.T) {
	f := newFonts(t)
	for _, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			if !sample.boxes {
				load(t, f, sample.text)
			}
			for _, theme := range []Theme{Light, Dark} {
				for _, scale := range []float64{1, 1.5, 2} {
					m := measuresFor(scale)
					style := Style{Theme: theme, Scale: scale}
					img := drawn(f, sample.text, sample.mark, style)
					got := ink(f, sample.text, sample.mark, style, img.Rect)
					slack := m.em / 5 // letters lean out of their advance
					allowed := image.Rectangle{img.Body.Min.Add(image.Pt(m.padX-slack, m.padY-slack)), img.Body.Max.Sub(image.Pt(m.padX-slack, m.padY-slack))}
					if got.Empty() || !got.In(allowed) {
						t.Errorf("scale %v: ink in %v, allowed in %v", scale, got, allowed)
					}
					if img.Body.Dx() > m.leastBody() && got.Dx() < allowed.Dx()-4*slack {
						t.Errorf("scale %v: ink in %v does not fill %v", scale, got, allowed)
					}
					if widest := mostWidth*m.em + 2*m.padX + m.indent(sample.mark); img.Body.Dx() > widest {
						t.Errorf("scale %v: %d wide, at most %d", scale, img.Body.Dx(), widest)
					}
				}
			}
		})
	}
}

func TestRightToLeftTextStandsAtTheRight(t *testing.T) {
	f := newFonts(t)
	for _, text := range []string{
		"הבנייה נכשלה עם קוד 2, נא לבדוק את הקובץ main.go ולנסות שוב מאוחר יותר כי משהו השתבש",
		"مرحبا، انتهت الاختبارات (3 من 3) بنجاح — file.txt وكل شيء على ما يرام الآن، شكرا جزيلا",
	} {
		load(t, f, text)
		m := measuresFor(1)
		style := Style{Theme: Light}
		img := drawn(f, text, agents.Done, style)
		p := f.layout(Content{Text: text, Mark: agents.Done}, m, Style{}).paragraphs[0]
		if len(p.lines) < 2 {
			t.Fatalf("%q is one line", text)
		}
		edge := img.Body.Max.X - m.padX
		for i := range p.lines {
			top := img.Body.Min.Y + m.padY + i*p.pitch
			line := ink(f, text, agents.Done, style, image.Rect(img.Body.Min.X+3, top+2, edge-m.indent(agents.Done)+2, top+p.pitch-2))
			if gap := edge - m.indent(agents.Done) - line.Max.X; gap < -2 || gap > 3 {
				t.Errorf("line %d of %.12q ends %d px from the right", i, text, gap)
			}
		}
		mark := ink(f, text, agents.Done, style, image.Rect(edge-m.mark, img.Body.Min.Y+m.padY, edge, img.Body.Min.Y+m.padY+p.pitch))
		if mark.Empty() {
			t.Errorf("%.12q has no mark at the right", text)
		}
	}
}

func TestEmojiAreColoured(t *testing.T) {
	f := newFonts(t)
	for name, text := range map[string]string{
		"face": "😀", "family": "👩‍👩‍👧‍👦", "flag": "🇰🇷", "rainbow flag": "🏳️‍🌈", "keycap": "1️⃣", "skin": "👍🏽", "heart": "❤️", "check": "✅",
	} {
		t.Run(name, func(t *testing.T) {
			load(t, f, text)
			img := drawn(f, text, "", Style{Theme: Light, Scale: 2})
			if name != "family" && !colourful(img) { // newer families are grey
				t.Errorf("%s has no colour", text)
			}
			line := firstLine(f, text)
			if width := px(advance(line)); len(line) != 1 || width > 24 {
				t.Errorf("%s is %d runs, %v px wide: it came apart", text, len(line), width)
			}
		})
	}
}

func colourful(img *Image) bool {
	r := img.Body.Inset(4)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if c := img.RGBAAt(x, y); max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 60 {
				return true
			}
		}
	}
	return false
}

// A space between emoji is one of the text's, and a selector decides between
// a picture and a letter.
func TestEmojiAmongText(t *testing.T) {
	f := newFonts(t)
	text := "ok ✅ ❤︎"
	load(t, f, text)
	for _, run := range firstLine(f, text) {
		for _, g := range run.Glyphs {
			switch r := prepare(text)[g.TextIndex()]; {
			case r == ' ' && run.Face != f.base:
				t.Error("a space is not of the text's font")
			case r == '❤' && run.Face == f.system.answers[want{tagEmoji, "✅"}]:
				t.Error("the heart with a text selector is an emoji")
			}
		}
	}
}

// Han characters take the forms of the text's language, else the person's.
func TestHanFollowsTheLanguage(t *testing.T) {
	draw := func(lang string) string {
		f := NewFonts(t.TempDir(), lang, silent)
		load(t, f, "骨直")
		return string(drawn(f, "骨直", "", Style{Theme: Light, Scale: 3}).Pix)
	}
	if draw("ja") == draw("zh-CN") {
		lacking(t, "fonts that tell Chinese from Japanese: fonts-noto-cjk")
	}
	f := NewFonts(t.TempDir(), "zh-CN", silent)
	load(t, f, "骨直の")
	if tag := split(prepare("骨直の"), "zh-CN")[0].tag; tag != "ja" {
		t.Errorf("with kana, Han characters are %s", tag)
	}
}

// A script whose letters the built-in font lacks in part is not mixed from two.
func TestOneFaceForAScript(t *testing.T) {
	f := newFonts(t)
	text := "Đang chạy kiểm thử"
	load(t, f, text)
	for _, run := range firstLine(f, text) {
		if run.Face == f.base && strings.TrimSpace(string(prepare(text)[run.Runes.Offset:][:run.Runes.Count])) != "" {
			t.Error("some Vietnamese letters are of the built-in font")
		}
	}
}

func TestBoxes(t *testing.T) {
	f := newFonts(t)
	count := func(text string) (boxes int) {
		for _, run := range firstLine(f, text) {
			for _, g := range run.Glyphs {
				if g.GlyphID == missing {
					boxes++
				}
			}
		}
		return boxes
	}
	for text, want := range map[string]int{
		"plain":                 0,
		"\U000F1234":            1,
		"\u0378\u0379":          2,
		"👩‍👩‍👧‍👦":               1, // nothing loaded yet
		"1️⃣":                   0, // the digit shows what is meant
		"q\u0303\u0325 a\uFE0F": 0, // so does the letter
		"नमस्ते":                3,
	} {
		if got := count(text); got != want {
			t.Errorf("%q has %d boxes, want %d", text, got, want)
		}
	}
}
