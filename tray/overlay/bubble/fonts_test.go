package bubble

import (
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
)

func TestNeeds(t *testing.T) {
	f := newFonts(t)
	for text, want := range map[string]bool{
		"":                      false,
		"Thinking…":             false,
		"Ждёт · Περιμένει → ok": false,
		"확인":                    true,
		"done 🎉":                true,
		"مرحبا":                 true,
		"\U000F1234":            true,
	} {
		if got := f.Needs(text); got != want {
			t.Errorf("before: %q needs fonts: %v", text, got)
		}
		if f.Covers(text) == f.Needs(text) {
			t.Errorf("before: fonts for %q: %t", text, f.Covers(text))
		}
		<-f.Load(text)
		if f.Needs(text) {
			t.Errorf("after: %q still needs fonts", text)
		}
		const nobodys = "\U000F1234"
		if got := f.Covers(text); got != (text != nobodys) {
			t.Errorf("after: fonts for %q: %t", text, got)
		}
	}
}

func TestReleaseGivesTheMemoryBack(t *testing.T) {
	f := newFonts(t)
	const text = "확인"
	load(t, f, text)
	before := drawn(f, text, "", Style{Theme: Light})
	sys := weak.Make(f.system)
	var faces []weak.Pointer[font.Font]
	for _, face := range f.system.answers {
		faces = append(faces, weak.Make(face.Font))
	}
	f.Release()
	if !f.Needs(text) {
		t.Errorf("%q needs no fonts after their release", text)
	}
	runtime.GC()
	runtime.GC()
	if sys.Value() != nil {
		t.Error("what was read of the system is still in memory")
	}
	for _, face := range faces {
		if face.Value() != nil {
			t.Error("a font is still in memory")
		}
	}
	load(t, f, text)
	if after := drawn(f, text, "", Style{Theme: Light}); string(after.Pix) != string(before.Pix) {
		t.Error("the text is another picture after the fonts were read again")
	}
	runtime.KeepAlive(f)
}

// Whatever the disk does, the built-in font draws.
func TestDrawDoesNotWaitForALoad(t *testing.T) {
	f := newFonts(t)
	f.loading.Lock() // as a Load does while it reads
	waiting := f.Load("확인")
	<-f.Load("Latin", "Ждёт · ελληνικά")
	drawn(f, "Latin", "", Style{Theme: Light})
	drawn(f, "확인", "", Style{Theme: Light})
	DrawMenu(f, Menu{"Latin", []string{"확인"}}, 0, Style{Theme: Light})
	DrawPill(f, "2 sessions", Style{Theme: Light})
	select {
	case <-waiting:
		t.Error("the load did not wait for the other one")
	default:
	}
	f.loading.Unlock()
	<-waiting
	if f.Needs("확인") {
		t.Error("the load did nothing")
	}
}

func TestConcurrentUse(t *testing.T) {
	f := newFonts(t)
	texts := []string{"Latin", "확인이 필요합니다", "ファイル", "مرحبا", "👍🏽 ok"}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 4 {
				text := texts[(i+j)%len(texts)]
				<-f.Load(text)
				drawn(f, text, "", Style{Theme: Dark})
				if i == 0 {
					f.Release()
				}
			}
		})
	}
	wg.Wait()
}

// Broken fonts are given up, one by one, without harm.
func TestHostileFonts(t *testing.T) {
	dir := t.TempDir()
	text := []rune("Broken fonts, fi Ж ω…")
	rng := rand.New(rand.NewPCG(1, 2))
	read, drawn := 0, 0
	for i := range 200 {
		data := append([]byte(nil), gomono.TTF...)
		for range 1 + rng.IntN(40) {
			at := rng.IntN(len(data))
			if i%2 == 0 {
				at = rng.IntN(4096) // the directory of tables, and short tables
			}
			data[at] = byte(rng.Uint32())
		}
		if i%5 == 0 {
			data = data[:rng.IntN(len(data))]
		}
		path := filepath.Join(dir, "x.ttf")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f := newFonts(t)
		s := &system{cmaps: map[*installed]font.Cmap{}, faces: map[*installed]*font.Face{}}
		in := &installed{file: path}
		s.has(in, "Broken")
		face := s.face(in, silent)
		if face == nil {
			continue
		}
		read++
		out, err := f.shapeRun(shaping.Input{Text: text, RunEnd: len(text), Face: face, Size: fixed.I(15), Direction: di.DirectionLTR, Script: language.Latin})
		if err != nil {
			continue
		}
		drawn++
		p := paragraph{lines: [][]shaping.Output{{out}}, width: 150, pitch: 20, baseline: 15}
		newCanvas(measuresFor(1), image.Pt(150, 20), middle, Style{}).pen.paragraph(p, image.Point{}, 150, Light.Ink)
	}
	if read < 40 || drawn < 40 {
		t.Errorf("of 200 only %d were read and %d drawn: the test tests little", read, drawn)
	}
}

// A font that stumbles while it shapes is replaced at once.
func TestBannedFont(t *testing.T) {
	f := newFonts(t)
	text := "\U000F1234"
	<-f.Load(text)
	broken := &font.Face{} // its first use is a nil dereference
	for w := range f.system.answers {
		f.system.answers[w] = broken
	}
	img := drawn(f, text, "", Style{Theme: Light})
	if got := f.system.answers[want{"", text}]; got != nil || img == nil {
		t.Errorf("the broken face is still there: %v", got)
	}
}

// Not even a failure of the built-in font ends the app.
func TestDrawSurvivesTheLibraries(t *testing.T) {
	f := newFonts(t)
	f.base = &font.Face{}
	if img := drawn(f, "Latin 확인 👍🏽", "waiting", Style{Theme: Light, Shadow: true}); img.Rect.Empty() {
		t.Error("nothing was drawn")
	}
}

func TestScan(t *testing.T) {
	fonts, cache := t.TempDir(), t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(fonts, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a-empty.ttf", nil)
	write("b-cut.otf", goregular.TTF[:5000])
	write("c-words.ttc", []byte("this is no font"))
	write("d-good.TTF", goregular.TTF)
	write("e-not-asked.txt", goregular.TTF)
	if err := os.Mkdir(filepath.Join(fonts, "f-folder.ttf"), 0o700); err != nil {
		t.Fatal(err)
	}
	os.Symlink("g-itself.ttf", filepath.Join(fonts, "g-itself.ttf")) // not everywhere possible, nor needed
	names := func(dir string) (names []string) {
		for _, in := range scan([]string{fonts, filepath.Join(fonts, "nowhere"), fonts}, dir, silent) {
			names = append(names, filepath.Base(in.file)+" "+in.about.Family)
		}
		return names
	}
	check := func(when, dir string, want string) {
		t.Helper()
		if got := names(dir); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q alone", when, got, want)
		}
	}
	check("first", cache, "d-good.TTF go")
	check("again", cache, "d-good.TTF go")
	check("without a place for the index", filepath.Join(fonts, "a-empty.ttf", "no"), "d-good.TTF go")

	info, err := os.Stat(filepath.Join(fonts, "d-good.TTF"))
	if err != nil {
		t.Fatal(err)
	}
	write("d-good.TTF", make([]byte, info.Size()))
	if err := os.Chtimes(filepath.Join(fonts, "d-good.TTF"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	check("from the index", cache, "d-good.TTF go")
	write("d-good.TTF", gomono.TTF)
	check("a changed file", cache, "d-good.TTF gomono")
	if err := os.WriteFile(filepath.Join(cache, indexName), []byte("not an index"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("with a broken index", cache, "d-good.TTF gomono")
	if left, _ := filepath.Glob(filepath.Join(cache, "*-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRank(t *testing.T) {
	regular := font.Aspect{Style: font.StyleNormal, Weight: font.WeightNormal, Stretch: font.StretchNormal}
	bold, italic := regular, regular
	bold.Weight, italic.Style = font.WeightBold, font.StyleItalic
	in := func(family string, aspect font.Aspect) *installed {
		return &installed{about: font.Description{Family: family, Aspect: aspect}}
	}
	for _, test := range []struct {
		tag           string
		better, worse *installed
	}{
		{"ko", in("notosanscjkkr", regular), in("notosanscjkjp", regular)},
		{"ja", in("notosanscjkjp", regular), in("notosanscjkkr", regular)},
		{"ko", in("notosanscjkkr", regular), in("notosanscjkkr", bold)},
		{"ko", in("notosanscjkkr", bold), in("unbatang", regular)},
		{"ko", in("malgungothic", regular), in("notoserifcjkkr", regular)},
		{"ko", in("notosanscjkjp", regular), in("notosansmonocjkkr", regular)},
		{tagEmoji, in("notocoloremoji", regular), in("notoemoji", regular)},
		{tagEmoji, in("notoemoji", regular), in("dejavusans", regular)},
		{"Arab", in("notosansarabic", regular), in("notokufiarabic", regular)},
		{"Arab", in("notosansarabic", regular), in("notosansarabic", italic)},
		{"", in("dejavusans", regular), in("notocoloremoji", regular)},
		{"", in("dejavusans", regular), in("lastresort", regular)},
	} {
		if rank(test.better, test.tag) >= rank(test.worse, test.tag) {
			t.Errorf("%s: %v is not before %v", test.tag, test.better.about, test.worse.about)
		}
	}
}
