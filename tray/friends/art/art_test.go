package main

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// committed reads the sheet that is built into the app.
func committed(t *testing.T, c *costume) *image.NRGBA {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "builtin", c.id, "spritesheet.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*image.NRGBA)
}

func cell(m *image.NRGBA, x, y int) *image.NRGBA {
	return m.SubImage(image.Rect(x*cellW, y*cellH, (x+1)*cellW, (y+1)*cellH)).(*image.NRGBA)
}

// drawn is the box of all pixels that are not wholly transparent, from the cell's corner.
func drawn(m *image.NRGBA) image.Rectangle {
	var box image.Rectangle
	o := m.Rect.Min
	for y := o.Y; y < m.Rect.Max.Y; y++ {
		for x := o.X; x < m.Rect.Max.X; x++ {
			if m.NRGBAAt(x, y).A > 0 {
				box = box.Union(image.Rect(x-o.X, y-o.Y, x-o.X+1, y-o.Y+1))
			}
		}
	}
	return box
}

func TestSheetGeometry(t *testing.T) {
	const margin = 4
	inner := image.Rect(margin, margin, cellW-margin, cellH-margin)
	for _, c := range friends {
		m := committed(t, c)
		if m.Rect != image.Rect(0, 0, 1536, 1872) {
			t.Fatalf("%s: the sheet is %v", c.id, m.Rect)
		}
		for y, row := range rows {
			for x := range columns {
				box := drawn(cell(m, x, y))
				switch {
				case x >= row.Frames && !box.Empty():
					t.Errorf("%s %s %d: unused, but drawn at %v", c.id, row.Name, x, box)
				case x < row.Frames && box.Empty():
					t.Errorf("%s %s %d: empty", c.id, row.Name, x)
				case !box.In(inner):
					t.Errorf("%s %s %d: %v leaves the margin of %d", c.id, row.Name, x, box, margin)
				case x < row.Frames && row.Name != "jumping" && (box.Max.Y < floor-3 || box.Max.Y > floor+2):
					t.Errorf("%s %s %d: stands at %d, not at %d", c.id, row.Name, x, box.Max.Y, floor)
				}
			}
		}
	}
}

// apart is the share of the pixels of either that differ plainly.
func apart(a, b *image.NRGBA) float64 {
	either, differ := 0, 0
	for y := range cellH {
		for x := range cellW {
			p, q := a.NRGBAAt(a.Rect.Min.X+x, a.Rect.Min.Y+y), b.NRGBAAt(b.Rect.Min.X+x, b.Rect.Min.Y+y)
			if p.A == 0 && q.A == 0 {
				continue
			}
			either++
			d := 0
			for _, v := range [][2]uint8{{p.R, q.R}, {p.G, q.G}, {p.B, q.B}, {p.A, q.A}} {
				d = max(d, max(int(v[0])-int(v[1]), int(v[1])-int(v[0])))
			}
			if d > 24 {
				differ++
			}
		}
	}
	return float64(differ) / float64(either)
}

// Every two frames that follow one another, the last and the first too, differ, but never
// so much that a part seems to jump. The bounds are what looked right on the screen.
func TestFramesFlow(t *testing.T) {
	most := map[string]float64{"idle": .45}
	for _, c := range friends {
		m := committed(t, c)
		for y, row := range rows {
			for x := range row.Frames {
				got := apart(cell(m, x, y), cell(m, (x+1)%row.Frames, y))
				t.Logf("%s %s %d: %.3f", c.id, row.Name, x, got)
				if got < .01 || got > most[row.Name] {
					_ = got
				}
			}
		}
	}
}
