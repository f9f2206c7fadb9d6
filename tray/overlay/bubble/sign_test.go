package bubble

import (
	"image"
	"image/color"
	"path/filepath"
	"testing"

	"github.com/go-text/typesetting/font"
)

// breakBase leaves f with a font whose first use is a nil dereference.
func breakBase(f *Fonts) { f.base = &font.Face{} }

func TestSignGolden(t *testing.T) {
	for name, s := range map[string]Style{
		"light": {Theme: Light, Shadow: true},
		"dark":  {Theme: Dark, Scale: 1.5},
	} {
		compare(t, filepath.Join("testdata", "pill-"+name+".png"), DrawPill(newFonts(t), "2 sessions", s).RGBA)
		compare(t, filepath.Join("testdata", "doze-"+name+".png"), DrawDoze(s).RGBA)
	}
}

func TestPill(t *testing.T) {
	f := newFonts(t)
	for _, scale := range []float64{1, 1.5, 2} {
		var widths []int
		for _, text := range []string{"", "2", "2 sessions", "a label that goes on for longer than there is any room on a line, even on a wide one"} {
			img := DrawPill(f, text, Style{Theme: Light, Scale: scale, Shadow: true})
			if img.Body != img.Rect {
				t.Errorf("scale %v: body %v of image %v: something stands around it", scale, img.Body, img.Rect)
			}
			if img.Rect.Dx() < img.Rect.Dy() || float64(img.Rect.Dx()) > (usualWidth*15+30)*scale || float64(img.Rect.Dy()) > 24*scale {
				t.Errorf("scale %v: %.12q is %v", scale, text, img.Rect)
			}
			if corner := img.RGBAAt(0, 0).A; corner > 20 {
				t.Errorf("scale %v: the corner is %d opaque", scale, corner)
			}
			widths = append(widths, img.Rect.Dx())
		}
		if widths[1] >= widths[2] || widths[2] >= widths[3] {
			t.Errorf("scale %v: widths %v do not follow the texts", scale, widths)
		}
	}
}

// The letters stand off from whatever is behind them, since their halo does.
func TestDozeReadsOnAnything(t *testing.T) {
	for name, theme := range map[string]Theme{"light": Light, "dark": Dark} {
		for _, scale := range []float64{1, 1.5, 2} {
			for _, soft := range []bool{false, true} {
				img := DrawDoze(Style{Theme: theme, Scale: scale, Shadow: soft})
				letters, halo := 0, 0
				for y := range img.Rect.Max.Y {
					for x := range img.Rect.Max.X {
						switch c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA); {
						case near(c, theme.Working):
							letters++
						case c.A > 128 && near(color.NRGBA{c.R, c.G, c.B, 255}, theme.Fill):
							halo++
						}
					}
				}
				if letters < int(40*scale*scale) || halo < letters {
					t.Errorf("%s at %v, soft %v: %d px of letters, %d of halo", name, scale, soft, letters, halo)
				}
				edge := image.Rectangle{Max: img.Rect.Max}.Inset(1)
				for y := range img.Rect.Max.Y {
					for x := range img.Rect.Max.X {
						if !image.Pt(x, y).In(edge) && img.RGBAAt(x, y).A > 16 {
							t.Fatalf("%s at %v, soft %v: cut off at %d,%d", name, scale, soft, x, y)
						}
					}
				}
			}
		}
	}
}

func near(a, b color.NRGBA) bool {
	return differ(a.R, b.R) < 12 && differ(a.G, b.G) < 12 && differ(a.B, b.B) < 12 && differ(a.A, b.A) < 12
}
