package bubble

import (
	"encoding/json"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-text/typesetting/shaping"

	"github.com/playpets/playpets/agents"
)

var update = flag.Bool("update", false, "write the golden images anew; then look at them")

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// newFonts are fonts that have looked at nothing of the system yet.
func newFonts(t testing.TB) *Fonts { return NewFonts(t.TempDir(), "en", silent) }

// texts are what bubbles have been known to stumble over.
func texts(t testing.TB) (texts []string) {
	data, err := os.ReadFile("testdata/texts.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// middle is the usual tail.
var middle = Tail{X: -1}

func drawn(f *Fonts, text string, mark agents.State, s Style) *Image {
	return Lay(f, Content{Text: text, Mark: mark}, s).Paint(middle)
}

func firstLine(f *Fonts, text string) []shaping.Output {
	return f.layout(Content{Text: text}, measuresFor(1), Style{}).paragraphs[0].lines[0]
}

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name  string
		text  string
		mark  agents.State
		style Style
		tail  Tail
	}{
		{"speech", "Hello! Привет! Γειά!", agents.Idle, Style{Theme: Light, Shadow: true}, middle},
		{"short", "Hi", "", Style{Theme: Light, Shadow: true}, middle},
		{"blank", " \t", "", Style{Theme: Light, Shadow: true}, middle},
		{"wrapped", sentence, agents.Done, Style{Theme: Light, Shadow: true}, middle},
		{"wrapped-dark-2x", sentence, agents.Done, Style{Theme: Dark, Scale: 2, Shadow: true}, middle},
		{"long-word", "https://example.test/" + strings.Repeat("unbroken", 12), "", Style{Theme: Light, Shadow: true}, middle},
		{"five-lines", strings.Repeat(sentence+" ", 3), agents.Waiting, Style{Theme: Dark, Shadow: true}, middle},
		{"ellipsis", strings.Repeat(sentence+" ", 3), agents.Waiting, Style{Theme: Light, MaxWidth: 260, MaxHeight: 110}, middle},
		{"working", "Thinking…", agents.Working, Style{Theme: Light, Shadow: true}, middle},
		{"working-dark", "Thinking…", agents.Working, Style{Theme: Dark, Shadow: true}, middle},
		{"waiting", "May I run Bash?", agents.Waiting, Style{Theme: Light, Shadow: true}, middle},
		{"waiting-dark", "May I run Bash?", agents.Waiting, Style{Theme: Dark, Shadow: true}, middle},
		{"error", "It failed with 2", agents.Error, Style{Theme: Light, Shadow: true}, middle},
		{"error-dark-2x", "It failed with 2", agents.Error, Style{Theme: Dark, Scale: 2, Shadow: true}, middle},
		{"above", "From below", "", Style{Theme: Light, Shadow: true}, Tail{Above, -1}},
		{"tail-left", "At the left edge", "", Style{Theme: Light, Shadow: true}, Tail{Below, 0}},
		{"tail-right", "At the right edge", "", Style{Theme: Dark, Shadow: true}, Tail{Above, 9999}},
		{"no-shadow", "Nothing behind me", "", Style{Theme: Light, Scale: 1.25}, middle},
		{"scale-1.5", "One and a half", agents.Done, Style{Theme: Light, Scale: 1.5, Shadow: true}, middle},
	} {
		t.Run(test.name, func(t *testing.T) {
			compare(t, filepath.Join("testdata", test.name+".png"), Lay(newFonts(t), Content{Text: test.text, Mark: test.mark}, test.style).Paint(test.tail).RGBA)
		})
	}
}

// compare compares with a golden image. A difference of one level is that of
// processors that multiply and add in one step.
func compare(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	if *update {
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := png.Encode(file, got); err != nil {
			t.Fatal(err)
		}
	}
	want := readPNG(t, name)
	if want.Bounds() != got.Rect {
		t.Fatalf("%s is %v, drawn %v", name, want.Bounds(), got.Rect)
	}
	for y := range got.Rect.Max.Y {
		for x := range got.Rect.Max.X {
			w, g := color.NRGBAModel.Convert(want.At(x, y)), color.NRGBAModel.Convert(got.At(x, y))
			if !alike(w.(color.NRGBA), g.(color.NRGBA)) {
				t.Fatalf("%s at %d,%d: %v, drawn %v; look at it and, if it is right, run with -update", name, x, y, w, g)
			}
		}
	}
}

func readPNG(t *testing.T, name string) image.Image {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func alike(a, b color.NRGBA) bool {
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 1 }
	return near(a.A, b.A) && (a.A < 8 || near(a.R, b.R) && near(a.G, b.G) && near(a.B, b.B))
}

func TestContrast(t *testing.T) {
	for name, theme := range map[string]Theme{"light": Light, "dark": Dark} {
		for what, ink := range map[string]color.NRGBA{"text": theme.Ink, "a caption": theme.Dim, "the hot item": theme.Working} {
			if c := contrast(ink, theme.Fill); c < 4.5 {
				t.Errorf("%s: %s has a contrast of %.2f", name, what, c)
			}
		}
		for state, mark := range marks {
			if c := contrast(mark.color(theme), theme.Fill); c < 3 {
				t.Errorf("%s: the mark of %s has a contrast of %.2f", name, state, c)
			}
		}
	}
}

// contrast is that of WCAG 2.2.
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		linear := func(v uint8) float64 {
			if f := float64(v) / 255; f > 0.04045 {
				return math.Pow((f+0.055)/1.055, 2.4)
			} else {
				return f / 12.92
			}
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func TestEveryStateButIdleHasAMarkOfItsOwnShape(t *testing.T) {
	plain := Light
	plain.Working, plain.Waiting, plain.Done, plain.Error = plain.Ink, plain.Ink, plain.Ink, plain.Ink
	seen := map[string]agents.State{}
	for _, state := range agents.States {
		img := drawn(newFonts(t), "x", state, Style{Theme: plain})
		mark := string(img.Pix)
		if other, ok := seen[mark]; ok {
			t.Errorf("without colour %s looks like %s", state, other)
		}
		seen[mark] = state
		if hasMark(state) == (state == agents.Idle) {
			t.Errorf("%s has a mark: %v", state, hasMark(state))
		}
	}
}

func TestTail(t *testing.T) {
	f := newFonts(t)
	for _, scale := range []float64{1, 1.25, 1.5, 2} {
		for _, side := range []Side{Below, Above} {
			for _, x := range []int{-1, 0, 30, 60, 9999} {
				img := Lay(f, Content{Text: "Somewhere over there", Mark: agents.Working}, Style{Theme: Light, Scale: scale, Shadow: true}).Paint(Tail{side, x})
				if a := img.RGBAAt(img.TailTip.X, img.TailTip.Y).A; a < 100 {
					t.Errorf("%v %v %d: the tip at %v is %d opaque", scale, side, x, img.TailTip, a)
				}
				if side == Below != (img.TailTip.Y > img.Body.Max.Y) || side == Above != (img.TailTip.Y < img.Body.Min.Y) {
					t.Errorf("%v %v %d: the tip at %v is on the wrong side of %v", scale, side, x, img.TailTip, img.Body)
				}
				if x == 60 && img.TailTip.X != 60 {
					t.Errorf("%v %v: the tip is at %d in %v, wanted 60", scale, side, img.TailTip.X, img.Body)
				}
				if img.TailTip.X < img.Body.Min.X || img.TailTip.X >= img.Body.Max.X {
					t.Errorf("%v %v %d: the tip at %v leaves the body %v", scale, side, x, img.TailTip, img.Body)
				}
			}
		}
	}
}

// Where the tail leaves the body, the body's own outline must be open.
func TestTailJoinsWithoutSeam(t *testing.T) {
	img := drawn(newFonts(t), "Joined", "", Style{Theme: Light})
	x := img.TailTip.X
	for y := img.Body.Max.Y - 4; y < img.Body.Max.Y+3; y++ {
		if got := img.RGBAAt(x, y); got != (color.RGBA{255, 255, 255, 255}) {
			t.Errorf("at %d,%d, in the root of the tail, is %v", x, y, got)
		}
	}
}

// Straight edges stand on whole pixels at every scale.
func TestCrisp(t *testing.T) {
	f := newFonts(t)
	for _, scale := range []float64{1, 1.25, 1.5, 1.75, 2, 3} {
		img := drawn(f, "A longer sentence to have edges", "", Style{Theme: Light, Scale: scale})
		y := img.Body.Min.Y + img.Body.Dy()/2
		if got := img.RGBAAt(img.Body.Min.X, y); got != (color.RGBA{0x2B, 0x2B, 0x33, 255}) {
			t.Errorf("scale %v: the left edge is %v", scale, got)
		}
		x := img.Body.Min.X + int(25*scale)
		if got := img.RGBAAt(x, img.Body.Min.Y); got != (color.RGBA{0x2B, 0x2B, 0x33, 255}) {
			t.Errorf("scale %v: the top edge is %v", scale, got)
		}
	}
}

func TestPixelsArePremultipliedAndEndAtTheImage(t *testing.T) {
	f := newFonts(t)
	for _, theme := range []Theme{Light, Dark} {
		img := drawn(f, "Soft", agents.Done, Style{Theme: theme, Scale: 1.5, Shadow: true})
		for i := 0; i < len(img.Pix); i += 4 {
			if p := img.Pix[i:][:4]; max(p[0], p[1], p[2]) > p[3] {
				t.Fatalf("pixel %v is not premultiplied", p)
			}
		}
		w, h := img.Rect.Dx(), img.Rect.Dy()
		for _, p := range []image.Point{{0, h / 2}, {w - 1, h / 2}, {w / 3, 0}, {w / 3, h - 1}} {
			if a := img.RGBAAt(p.X, p.Y).A; a > 2 {
				t.Errorf("the shadow is cut off at %v, where it is %d", p, a)
			}
		}
	}
}

func TestWithoutShadowTheImageIsTheBubble(t *testing.T) {
	img := drawn(newFonts(t), "Tight", "", Style{Theme: Light})
	if want := img.Body.Union(image.Rectangle{img.TailTip, img.TailTip.Add(image.Pt(1, 1))}); img.Rect != want {
		t.Errorf("image %v, bubble %v", img.Rect, want)
	}
}

// What a person or an agent may say fits on a small screen, whole, above a
// friend and a panel.
func TestMostTextFitsASmallScreen(t *testing.T) {
	f := newFonts(t)
	const caption = "playpets · Claude"
	for _, text := range append(texts(t),
		strings.Repeat("W", agents.MaxMessage),
		strings.Repeat("漢", agents.MaxMessage),
		strings.Repeat("한 ", agents.MaxMessage/2),
		strings.Repeat("Wait ", agents.MaxMessage/5),
		strings.Repeat("👍", agents.MaxMessage),
	) {
		<-f.Load(text)
		for _, screen := range []struct {
			scale         float64
			width, height int
		}{{1, 640, 360}, {2, 1280, 720}, {1, 800, 600 - 40 - 178}, {1.5, 1280, 720 - 40 - 267}} {
			s := Style{Theme: Light, Scale: screen.scale, MaxWidth: screen.width, MaxHeight: screen.height, Shadow: true}
			l := Lay(f, Content{text, caption, agents.Waiting}, s)
			if size := l.Size(Below); size.X > screen.width || size.Y > screen.height {
				t.Errorf("%.20q is %v on a screen of %d×%d", text, size, screen.width, screen.height)
			}
			if len([]rune(text)) <= agents.MaxMessage && isCut(l, text) {
				t.Errorf("%.20q is cut on a screen of %d×%d", text, screen.width, screen.height)
			}
		}
		for _, width := range []int{160, 320} {
			if img := drawn(f, text, agents.Error, Style{Theme: Dark, MaxWidth: width, MaxHeight: 200, Shadow: true}); img.Rect.Dx() > width || img.Rect.Dy() > 200 {
				t.Errorf("%.20q is %v, the limits are %d×200", text, img.Rect.Max, width)
			}
		}
	}
}

// isCut reports whether text ends with our ellipsis, which stands for what comes
// after its last rune.
func isCut(l *Laid, text string) bool {
	lines := l.paragraphs[0].lines
	return slices.ContainsFunc(lines[len(lines)-1], func(run shaping.Output) bool {
		return run.Runes.Offset == len(prepare(text))
	})
}
