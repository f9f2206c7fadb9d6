package icon

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	ico "github.com/sergeymakinen/go-ico"
)

var sizes = []int{16, 22, 24, 32, 64}

// TestBadgesByShape: without any colour the icons still differ, by more than
// the odd pixel, at every size.
func TestBadgesByShape(t *testing.T) {
	if len(Badges) != len(signs)+1 {
		t.Fatalf("%d badges, %d signs", len(Badges), len(signs))
	}
	for _, a := range Badges {
		for _, b := range Badges {
			if a >= b {
				continue
			}
			one, other := decode(t, Template(a)), decode(t, Template(b))
			different := 0
			for i := 3; i < len(one.Pix); i += 4 {
				if d := int(one.Pix[i]) - int(other.Pix[i]); d > 100 || d < -100 {
					different++
				}
			}
			if different < 40 { // of 32×32
				t.Errorf("badges %d and %d differ in %d pixels", a, b, different)
			}
		}
	}
}

// TestOnAnyPanel: at every size most of the paw is far from white and from
// black, and a light rim stands around everything.
func TestOnAnyPanel(t *testing.T) {
	for _, b := range Badges {
		for _, size := range sizes {
			m := Draw(b, size)
			if m.Rect != image.Rect(0, 0, size, size) {
				t.Fatalf("%v", m.Rect)
			}
			coloured, rim := 0, 0
			for i := 0; i < len(m.Pix); i += 4 {
				r, g, b, a := int(m.Pix[i]), int(m.Pix[i+1]), int(m.Pix[i+2]), m.Pix[i+3]
				switch luma := (299*r + 587*g + 114*b) / 1000; {
				case a > 200 && luma > 40 && luma < 200:
					coloured++
				case a > 60 && luma >= 200:
					rim++
				}
			}
			if area := size * size; coloured < area/5 || rim < area/16 {
				t.Errorf("badge %d at %d: %d pixels with colour, %d of the rim, of %d", b, size, coloured, rim, area)
			}
			for _, corner := range []image.Point{{0, 0}, {size - 1, 0}, {0, size - 1}} {
				if a := m.NRGBAAt(corner.X, corner.Y).A; a > 0 {
					t.Errorf("badge %d at %d: alpha %d in the corner %v", b, size, a, corner)
				}
			}
		}
	}
}

func TestTemplate(t *testing.T) {
	for _, b := range Badges {
		m := decode(t, Template(b))
		solid := 0
		for i := 0; i < len(m.Pix); i += 4 {
			if m.Pix[i+3] > 0 && (m.Pix[i] != 0 || m.Pix[i+1] != 0 || m.Pix[i+2] != 0) {
				t.Fatalf("badge %d: a pixel is not black", b)
			}
			if m.Pix[i+3] == 0xFF {
				solid++
			}
		}
		if m.Rect.Dx() != 32 || solid < 150 {
			t.Errorf("badge %d: %v, %d solid pixels", b, m.Rect, solid)
		}
	}
}

// TestFiles: the files hold the pictures that were drawn.
func TestFiles(t *testing.T) {
	for _, b := range Badges {
		if got := decode(t, PNG(b, 64)); !bytes.Equal(got.Pix, Draw(b, 64).Pix) {
			t.Errorf("badge %d: the PNG is another picture", b)
		}
		all, err := ico.DecodeAll(bytes.NewReader(ICO(b)))
		if err != nil || len(all) != 5 {
			t.Fatalf("badge %d: %d pictures, %v", b, len(all), err)
		}
		for _, m := range all {
			want := Draw(b, m.Bounds().Dx())
			for i := range want.Pix[:len(want.Pix)/4] {
				x, y := i%want.Rect.Dx(), i/want.Rect.Dx()
				if w := want.NRGBAAt(x, y); w.A == 0xFF && color.NRGBAModel.Convert(m.At(x, y)) != w {
					t.Fatalf("badge %d at %v: %v at %d,%d, want %v", b, m.Bounds(), m.At(x, y), x, y, w)
				}
			}
		}
	}
}

func decode(t *testing.T, file []byte) *image.NRGBA {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*image.NRGBA)
}
