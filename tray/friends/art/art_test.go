package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var sheets = map[string]*image.NRGBA{}

// committed is the sheet that is built into the app.
func committed(t *testing.T, c *costume) *image.NRGBA {
	t.Helper()
	if m := sheets[c.id]; m != nil {
		return m
	}
	f, err := os.Open(filepath.Join("..", "builtin", c.id, "spritesheet.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	p := m.(*image.Paletted)
	sheet := image.NewNRGBA(p.Rect)
	for i, index := range p.Pix {
		c := color.NRGBAModel.Convert(p.Palette[index]).(color.NRGBA)
		copy(sheet.Pix[4*i:], []uint8{c.R, c.G, c.B, c.A})
	}
	sheets[c.id] = sheet
	return sheet
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
		if m.Rect != image.Rect(0, 0, 1536, 2288) {
			t.Fatalf("%s: the sheet is %v", c.id, m.Rect)
		}
		for y, row := range rows {
			for x := range columns {
				box := drawn(cell(m, x, y))
				switch {
				case x >= row.cells() && !box.Empty():
					t.Errorf("%s %s %d: unused, but drawn at %v", c.id, row.Name, x, box)
				case x < row.cells() && box.Empty():
					t.Errorf("%s %s %d: empty", c.id, row.Name, x)
				case !box.In(inner):
					t.Errorf("%s %s %d: %v leaves the margin of %d", c.id, row.Name, x, box, margin)
				case x < row.cells() && row.Name != "jumping" && (box.Max.Y < floor-3 || box.Max.Y > floor+2):
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
			p, q := at(a, x, y), at(b, x, y)
			if p.A == 0 && q.A == 0 {
				continue
			}
			either++
			if distance(p, q) > 24 {
				differ++
			}
		}
	}
	return float64(differ) / float64(either)
}

// outline compares what the shapes cover: 0 is the same silhouette, 1 nothing in common.
func outline(a, b *image.NRGBA) float64 {
	either, both := 0, 0
	for y := range cellH {
		for x := range cellW {
			p, q := at(a, x, y).A > 127, at(b, x, y).A > 127
			if p || q {
				either++
			}
			if p && q {
				both++
			}
		}
	}
	return 1 - float64(both)/float64(either)
}

// at counts from the cell's corner.
func at(m *image.NRGBA, x, y int) color.NRGBA { return m.NRGBAAt(m.Rect.Min.X+x, m.Rect.Min.Y+y) }

// distance is the greatest difference of a channel.
func distance(p, q color.NRGBA) int {
	d := 0
	for _, v := range [][2]uint8{{p.R, q.R}, {p.G, q.G}, {p.B, q.B}, {p.A, q.A}} {
		d = max(d, int(v[0])-int(v[1]), int(v[1])-int(v[0]))
	}
	return d
}

// Every two frames that follow one another, the last and the first too, differ, but never
// by so much that a part seems to jump. The bounds are what looks right on the screen.
func TestFramesFlow(t *testing.T) {
	most := map[string]float64{
		"idle": .25, "waiting": .3, "running": .35, "review": .65, "failed": .6,
		"running-right": .75, "running-left": .75, "waving": .75, "jumping": .97,
	}
	for _, c := range friends {
		m := committed(t, c)
		for y, row := range rows {
			for x := range row.Frames {
				next := (x + 1) % row.Frames
				got := apart(cell(m, x, y), cell(m, next, y))
				if got < .05 || got > most[row.Name] {
					t.Errorf("%s %s: frames %d and %d differ in %.2f of their pixels", c.id, row.Name, x, next, got)
				}
			}
		}
	}
}

// Friends are told apart, and their states too, by the silhouette alone.
func TestSilhouettes(t *testing.T) {
	for i, c := range friends {
		m := committed(t, c)
		for _, other := range friends[i+1:] {
			if got := outline(cell(m, 0, 0), cell(committed(t, other), 0, 0)); got < .2 {
				t.Errorf("%s and %s differ in %.2f of their silhouettes", c.id, other.id, got)
			}
		}
		for y, row := range rows[1:] {
			if row.Frames == 0 {
				continue
			}
			most := 0.0
			for x := range row.Frames {
				most = max(most, outline(cell(m, 0, 0), cell(m, x, y+1)))
			}
			if most < .06 {
				t.Errorf("%s %s never leaves the silhouette of idle by more than %.2f", c.id, row.Name, most)
			}
		}
	}
}

// Lines are a darker shade of what they surround, never black.
func TestWarmLines(t *testing.T) {
	for _, c := range friends {
		m := committed(t, c)
		for i := 0; i < len(m.Pix); i += 4 {
			if p := m.Pix[i : i+4]; p[3] == 255 && max(p[0], p[1], p[2]) < 36 {
				x, y := i/4%m.Rect.Dx(), i/4/m.Rect.Dx()
				t.Fatalf("%s: (%d, %d) is all but black: %v", c.id, x, y, p)
			}
		}
	}
}

// every is how many frames apart those are that are drawn again.
var every = len(friends)

// Of each friend a third of the frames is drawn again, another third for the next friend:
// poses are common to all, so every key and every costume in every row is seen.
func TestCommittedIsGenerated(t *testing.T) {
	for i, c := range friends {
		old := committed(t, c)
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := writeManifest(dir, c); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("..", "builtin", c.id, "pet.json"))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "pet.json")); err != nil || string(got) != string(want) {
				t.Errorf("pet.json: %v, %q; committed is %q; run go generate ./tray/friends/art", err, got, want)
			}
			for y, row := range rows {
				for x := i; x < row.cells(); x += every {
					if !same(frame(c, row, x), cell(old, x, y)) {
						t.Fatalf("%s %d is not what is committed; run go generate ./tray/friends/art", row.Name, x)
					}
				}
			}
		})
	}
}

// same allows what reduce takes from a cell. That also covers a channel's last bits: some
// processors fuse a multiplication with the addition after it
// (https://go.dev/ref/spec#Floating_point_operators) and round once less.
func same(a, b *image.NRGBA) bool {
	drawn, off := 0, 0
	for y := range cellH {
		for x := range cellW {
			p, q := at(a, x, y), at(b, x, y)
			d := distance(seen(p), seen(q))
			if d > 40 {
				return false
			}
			if p.A > 0 {
				drawn++
			}
			if d > 8 {
				off++
			}
		}
	}
	return off*50 < drawn
}

// seen is what a colour adds to a black ground: a faint one may be off by more.
func seen(c color.NRGBA) color.NRGBA {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), c.A}
}
