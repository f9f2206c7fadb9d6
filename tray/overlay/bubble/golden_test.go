package bubble

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestScriptsGolden compares a bubble of every script with what was looked at,
// light and dark in turn. Where the fonts are other versions of the same files,
// letters may differ; the bubble still looks about the same.
func TestScriptsGolden(t *testing.T) {
	const list = "testdata/scripts/fonts.json"
	known := readFonts(t, list)
	f := newFonts(t)
	for i, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			if !sample.boxes {
				load(t, f, sample.text)
			}
			s := Style{Theme: []Theme{Light, Dark}[i%2], Scale: 1.5, Shadow: true}
			l := Lay(f, Content{Text: sample.text, Mark: sample.mark}, s)
			fonts, img := fontsOf(l), l.Paint(middle)
			name := filepath.Join("testdata/scripts", strings.ReplaceAll(sample.name, " ", "-")+".png")
			switch {
			case *update:
				known[sample.name] = fonts
				compare(t, name, img.RGBA)
			case slices.Equal(fonts, known[sample.name]):
				compare(t, name, img.RGBA)
			case slices.Equal(names(fonts), names(known[sample.name])):
				resembles(t, name, img.RGBA)
			default:
				lacking(t, fmt.Sprintf("the Debian fonts %v: it has %v", known[sample.name], fonts))
			}
		})
	}
	if *update {
		writeFonts(t, list, known)
	}
}

// fontsOf is the files of the system whose glyphs a bubble shows, and their
// sizes.
func fontsOf(l *Laid) (files []string) {
	if l.fonts.system == nil {
		return nil
	}
	for in, face := range l.fonts.system.faces {
		for _, p := range l.paragraphs {
			for _, line := range p.lines {
				for _, run := range line {
					if run.Face == face {
						info, err := os.Stat(in.file)
						if err != nil {
							return nil
						}
						files = append(files, fmt.Sprint(filepath.Base(in.file), " ", info.Size()))
					}
				}
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func names(files []string) (names []string) {
	for _, file := range files {
		name, _, _ := strings.Cut(file, " ")
		names = append(names, name)
	}
	return names
}

// resembles compares with a golden image by eye: about as large, and about as
// much ink in each half.
func resembles(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	want := readPNG(t, name)
	if w, g := want.Bounds().Max, got.Rect.Max; differs(w.X, g.X, 0.08) || differs(w.Y, g.Y, 0.12) {
		t.Errorf("%s is %v, drawn %v", name, w, g)
	}
	for half := range 2 {
		if w, g := inkIn(want, half), inkIn(got, half); differs(w, g, 0.25) {
			t.Errorf("%s has %d of ink in half %d, drawn %d", name, w, half, g)
		}
	}
}

func differs(a, b int, part float64) bool {
	return float64(max(a, b)-min(a, b)) > part*float64(max(a, b))
}

// inkIn is how much brightness changes from pixel to pixel, in the left or the
// right half: what letters do, light or dark.
func inkIn(img image.Image, half int) (sum int) {
	r := img.Bounds()
	r.Max.X /= 2
	r = r.Add(image.Pt(half*r.Max.X, 0))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X + 1; x < r.Max.X; x++ {
			_, a, _, _ := img.At(x-1, y).RGBA()
			_, b, _, _ := img.At(x, y).RGBA()
			sum += differ(uint8(a>>8), uint8(b>>8))
		}
	}
	return sum
}

func readFonts(t *testing.T, name string) (known map[string][]string) {
	known = map[string][]string{}
	data, err := os.ReadFile(name)
	if *update && os.IsNotExist(err) {
		return known
	}
	if err == nil {
		err = json.Unmarshal(data, &known)
	}
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func writeFonts(t *testing.T, name string, known map[string][]string) {
	data, err := json.MarshalIndent(known, "", "\t")
	if err == nil {
		err = os.WriteFile(name, append(data, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
