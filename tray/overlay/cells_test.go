package overlay

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// paint is the colour of a cell of a testSheet.
func paint(r row, col int) color.RGBA {
	return color.RGBA{uint8(40 + 24*int(r)), uint8(30 * col), 200, 255}
}

// testSheet draws, in cells of cell pixels, as many frames of each row as the
// table has: a box that leaves an eighth of the cell clear, in the cell's
// colour, its left third half transparent.
func testSheet(cell image.Point, rows int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, columns*cell.X, rows*cell.Y))
	for r := range min(row(rows), rowCount) {
		for col := range holds[r] {
			drawCell(img, cell, r, col, paint(r, col))
		}
	}
	return img
}

func drawCell(img draw.Image, cell image.Point, r row, col int, c color.RGBA) {
	box := image.Rectangle{Max: cell}.Inset(cell.X / 8).Add(image.Pt(col*cell.X, int(r)*cell.Y))
	draw.Draw(img, box, image.NewUniform(c), image.Point{}, draw.Src)
	box.Max.X = box.Min.X + box.Dx()/3
	draw.Draw(img, box, image.NewUniform(color.NRGBA{c.R, c.G, c.B, 64}), image.Point{}, draw.Src)
}

// testSprite is a friend that looks like a testSheet.
func testSprite(id string, cell image.Point) Sprite {
	return Sprite{ID: id, Name: "Test " + id, Sheet: func() (image.Image, error) { return testSheet(cell, 9), nil }}
}

func TestGrids(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		rows          int // 0: refused
	}{
		{"v1", 1536, 1872, 9},
		{"v2", 1536, 2288, 11},
		{"half", 768, 936, 9},
		{"double v2", 3072, 4576, 11},
		{"sixteen rows", 1536, 3328, 16},
		{"square", 1024, 1024, 0},
		{"a row and a half", 1536, 312, 0},
		{"seven columns", 1344, 1872, 0},
		{"nothing", 0, 0, 0},
		{"tiny", 7, 9, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := newSheet(image.NewAlpha(image.Rect(0, 0, c.width, c.height)))
			if (err == nil) != (c.rows > 0) || s.rows != c.rows {
				t.Errorf("%d×%d has %d rows (%v), want %d", c.width, c.height, s.rows, err, c.rows)
			}
		})
	}
}

func TestFramesEndAtTheFirstEmptyCell(t *testing.T) {
	cell := image.Pt(24, 26)
	size := figureSize(0.125)
	for _, c := range []struct {
		name  string
		rows  int
		edit  func(*image.NRGBA)
		row   row
		count int
	}{
		{"as in the table", 9, func(*image.NRGBA) {}, rowJump, 5},
		{"a hole", 9, func(img *image.NRGBA) {
			draw.Draw(img, image.Rect(48, 0, 72, 26), image.Transparent, image.Point{}, draw.Src)
		}, rowIdle, 2},
		{"the neutral look of v2", 11, func(img *image.NRGBA) { drawCell(img, cell, rowIdle, 6, color.RGBA{A: 255}) }, rowIdle, 6},
		{"more than the table", 9, func(img *image.NRGBA) {
			drawCell(img, cell, rowWorking, 6, color.RGBA{A: 255})
			drawCell(img, cell, rowWorking, 7, color.RGBA{A: 255})
		}, rowWorking, 8},
		{"faint dust", 9, func(img *image.NRGBA) {
			draw.Draw(img, image.Rect(4*24, 3*26, 5*24, 4*26), image.NewUniform(color.NRGBA{255, 0, 0, dustAlpha}), image.Point{}, draw.Src)
		}, rowWave, 4},
		{"no such row", 4, func(*image.NRGBA) {}, rowWorking, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			img := testSheet(cell, c.rows)
			c.edit(img)
			s, err := newSheet(img)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(s.cut(c.row, size).frames); got != c.count {
				t.Errorf("%d frames, want %d", got, c.count)
			}
		})
	}
}

func TestDustInFullSizeCells(t *testing.T) {
	for dots, want := range map[int]int{dustPixels - 1: 0, dustPixels: 1} {
		img := image.NewNRGBA(image.Rect(0, 0, 1536, 1872))
		for i := range dots {
			img.SetNRGBA(3*i, 50, color.NRGBA{0, 0, 0, 255})
		}
		s, _ := newSheet(img)
		if got := len(s.cut(rowIdle, figureSize(1)).frames); got != want {
			t.Errorf("%d dots are %d frames, want %d", dots, got, want)
		}
	}
}

func TestCutIsPremultipliedAndExact(t *testing.T) {
	cell := image.Pt(24, 26)
	img := testSheet(cell, 9)
	s, _ := newSheet(img)
	frame := s.cut(rowWave, cell).frames[2]
	c := paint(rowWave, 2)
	if got := frame.RGBAAt(12, 13); got != c {
		t.Errorf("its middle is %v, want %v", got, c)
	}
	if got := frame.RGBAAt(4, 13); got.A != 64 || got.B > 64 || got.B < 49 {
		t.Errorf("its translucent part is %v, want a quarter of %v", got, c)
	}
	if got := frame.RGBAAt(0, 0); got != (color.RGBA{}) {
		t.Errorf("its corner is %v, want clear", got)
	}
}

// A sheet whose every second cell is red, up to the edges: scaling a green one
// must not take anything red in.
func TestScalingTakesNothingFromNeighbours(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 192, 234))
	for r := range 9 {
		for col := range columns {
			c := color.NRGBA{255, 0, 0, 255}
			if (r+col)%2 == 0 {
				c = color.NRGBA{0, 255, 0, 255}
			}
			draw.Draw(img, image.Rect(col*24, r*26, col*24+24, r*26+26), image.NewUniform(c), image.Point{}, draw.Src)
		}
	}
	s, _ := newSheet(img)
	for _, size := range []image.Point{{37, 40}, {12, 13}, {48, 52}} {
		frame := s.cut(rowIdle, size).frames[0]
		for i := 0; i < len(frame.Pix); i += 4 {
			if frame.Pix[i] != 0 || frame.Pix[i+3] != 255 {
				t.Fatalf("scaled to %v a pixel is %v, want only green", size, frame.Pix[i:i+4])
			}
		}
	}
}

func TestSheetsThatCannotBeShown(t *testing.T) {
	for _, c := range []struct {
		name string
		img  image.Image
		says string
	}{
		{"wrong grid", image.NewNRGBA(image.Rect(0, 0, 1024, 1024)), "1024×1024"},
		{"nothing drawn", image.NewNRGBA(image.Rect(0, 0, 192, 234)), "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Sprite{Sheet: func() (image.Image, error) { return c.img, nil }}
			err := cutSheet(s, figureSize(1), func(r row, _ strip) bool {
				t.Errorf("row %d is passed on", r)
				return true
			})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestOutlineCoversExactlyWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		img := image.NewRGBA(image.Rect(0, 0, rapid.IntRange(1, 20).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")))
		alphas := rapid.SliceOfN(rapid.SampledFrom([]uint8{0, 127, 128, 255}), len(img.Pix)/4, len(img.Pix)/4).Draw(t, "alpha")
		for i, a := range alphas {
			img.Pix[4*i+3] = a
		}
		covered := make([]byte, len(alphas))
		for _, r := range outline(img, opaqueAlpha) {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					covered[y*img.Rect.Dx()+x]++
				}
			}
		}
		want := make([]byte, len(alphas))
		for i, a := range alphas {
			if a >= opaqueAlpha {
				want[i] = 1
			}
		}
		if !bytes.Equal(covered, want) {
			t.Fatalf("covers %v, want each of %v once", covered, want)
		}
	})
}

func TestOpaqueKeepsColoursOfSoftEdges(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 1))
	copy(img.Pix, []byte{100, 50, 0, 128, 60, 60, 60, 127})
	got := opaque(img).Pix
	if want := []byte{199, 100, 0, 255, 0, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("opaque pixels are %v, want %v", got, want)
	}
}
