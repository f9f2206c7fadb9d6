package overlay

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	xdraw "golang.org/x/image/draw"
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
	for r := range min(row(rows), rowLook) {
		for col := range holds[r] {
			drawCell(img, cell, r, col, paint(r, col))
		}
	}
	if rows >= lookRows+2 {
		for col, direction := range gazes {
			drawCell(img, cell, row(lookRows+direction/columns), direction%columns, paint(rowLook, col))
		}
	}
	return img
}

// testBox is what a testSheet fills of a cell.
func testBox(cell image.Point) image.Rectangle { return image.Rectangle{Max: cell}.Inset(cell.X / 8) }

func drawCell(img draw.Image, cell image.Point, r row, col int, c color.RGBA) {
	box := testBox(cell).Add(image.Pt(col*cell.X, int(r)*cell.Y))
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
		{"cells of 100×108⅓", 800, 975, 9},
		{"scaled and rounded up", 1000, 1219, 9},
		{"scaled and rounded down", 1000, 1218, 9},
		{"v2, rounded", 1000, 1490, 11},
		{"cells of 64 pixels", 512, 624, 9},
		{"smallest", 96, 117, 9},
		{"too far off", 1000, 1220, 0},
		{"square", 1024, 1024, 0},
		{"a row and a half", 1536, 312, 0},
		{"less than a row", 1536, 100, 0},
		{"seven columns", 1344, 1872, 0},
		{"six columns of squares", 384, 576, 0},
		{"cells too small to count", 64, 78, 0},
		{"nothing", 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := newSheet(image.NewAlpha(image.Rect(0, 0, c.width, c.height)))
			if (err == nil) != (c.rows > 0) || s.rows != c.rows {
				t.Fatalf("%d×%d has %d rows (%v), want %d", c.width, c.height, s.rows, err, c.rows)
			}
			y := 0
			for r := range s.rows {
				at := s.at(r, 7)
				if at.Min.Y != y || at.Max.X != c.width || at.Dx() != s.cell.X || at.Dy() > s.cell.Y || at.Dy() < s.cell.Y-1 {
					t.Errorf("the last cell of row %d is at %v, want it of about %v from %d on", r, at, s.cell, y)
				}
				y = at.Max.Y
			}
			if s.rows > 0 && y != c.height {
				t.Errorf("the rows end at %d of %d", y, c.height)
			}
		})
	}
}

// testCut cuts a sheet for the given size.
func testCut(t *testing.T, img image.Image, size image.Point, smooth bool) map[row]strip {
	t.Helper()
	rows := map[row]strip{}
	err := cutSheet(Sprite{Smooth: smooth, Sheet: func() (image.Image, error) { return img, nil }}, size, func(r row, s strip) bool {
		rows[r] = s
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func clearCell(img draw.Image, cell image.Point, r, col int) {
	draw.Draw(img, image.Rectangle{Max: cell}.Add(image.Pt(col*cell.X, r*cell.Y)), image.Transparent, image.Point{}, draw.Src)
}

func TestFramesEndAtTheFirstEmptyCell(t *testing.T) {
	cell := image.Pt(24, 26)
	for _, c := range []struct {
		name  string
		rows  int
		edit  func(*image.NRGBA)
		row   row
		count int
	}{
		{"as in the table", 9, func(*image.NRGBA) {}, rowJump, 5},
		{"a hole", 9, func(img *image.NRGBA) { clearCell(img, cell, 0, 2) }, rowIdle, 2},
		{"the neutral look of v2", 11, func(img *image.NRGBA) { drawCell(img, cell, rowIdle, 6, color.RGBA{A: 255}) }, rowIdle, 6},
		{"more than the table", 9, func(img *image.NRGBA) {
			drawCell(img, cell, rowWorking, 6, color.RGBA{A: 255})
			drawCell(img, cell, rowWorking, 7, color.RGBA{A: 255})
		}, rowWorking, 8},
		{"faint dust", 9, func(img *image.NRGBA) {
			draw.Draw(img, image.Rect(4*24, 3*26, 5*24, 4*26), image.NewUniform(color.NRGBA{255, 0, 0, dustAlpha}), image.Point{}, draw.Src)
		}, rowWave, 4},
		{"no such row", 4, func(*image.NRGBA) {}, rowWorking, 0},
		{"runs", 9, func(*image.NRGBA) {}, rowRunLeft, 8},
		{"no looks in v1", 9, func(*image.NRGBA) {}, rowLook, 0},
		{"looks of v2", 11, func(*image.NRGBA) {}, rowLook, len(gazes)},
		{"a look is missing", 11, func(img *image.NRGBA) { clearCell(img, cell, 10, 6) }, rowLook, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			img := testSheet(cell, c.rows)
			c.edit(img)
			if got := len(testCut(t, img, cell, false)[c.row].frames); got != c.count {
				t.Errorf("%d frames, want %d", got, c.count)
			}
		})
	}
}

// TestGazes: row 9 begins with up, row 10 with down, each goes on clockwise.
func TestGazes(t *testing.T) {
	cell := image.Pt(24, 26)
	img := testSheet(cell, 11)
	for gaze, at := range map[int]image.Point{gazeRight: {4, 9}, gazeUpRight: {2, 9}, gazeLeft: {4, 10}, gazeUpLeft: {6, 10}} {
		c := color.RGBA{uint8(gaze), 1, 2, 255}
		drawCell(img, cell, row(at.Y), at.X, c)
		frame := testCut(t, img, cell, false)[rowLook].frames[gaze]
		if got := frame.RGBAAt(frame.Rect.Dx()/2, 5); got != c {
			t.Errorf("gaze %d is not the cell in column %d of row %d", gaze, at.X, at.Y)
		}
	}
}

func TestDustInFullSizeCells(t *testing.T) {
	for dots, want := range map[int]int{dustPixels - 1: 1, dustPixels: 2} {
		img := image.NewNRGBA(image.Rect(0, 0, 1536, 1872))
		drawCell(img, image.Pt(cellWidth, cellHeight), rowIdle, 0, color.RGBA{A: 255})
		for i := range dots {
			img.SetNRGBA(cellWidth+3*i, 50, color.NRGBA{0, 0, 0, 255})
		}
		if got := len(testCut(t, img, figureSize(1), false)[rowIdle].frames); got != want {
			t.Errorf("a cell with %d dots makes it %d frames, want %d", dots, got, want)
		}
	}
}

func TestCutIsPremultipliedAndExact(t *testing.T) {
	cell := image.Pt(24, 26)
	for _, smooth := range []bool{false, true} {
		cut := testCut(t, testSheet(cell, 9), cell, smooth)[rowWave]
		frame, c := cut.frames[2], paint(rowWave, 2)
		if box := image.Rect(3, 3, 21, 23); cut.offset != box.Min || frame.Rect != box.Sub(box.Min) || cut.body != box || cut.cell != cell {
			t.Errorf("it is %v at %v of a cell of %v, with its body at %v; want all of %v", frame.Rect, cut.offset, cut.cell, cut.body, box)
		}
		if got := frame.RGBAAt(9, 10); got != c {
			t.Errorf("its middle is %v, want %v", got, c)
		}
		if got := frame.RGBAAt(1, 10); got.A != 64 || got.B > 64 || got.B < 49 {
			t.Errorf("its translucent part is %v, want a quarter of %v", got, c)
		}
	}
}

// Whatever kind of picture a decoder makes, the frames are the same.
func TestKindsOfPictures(t *testing.T) {
	cell := image.Pt(24, 26)
	sheet := testSheet(cell, 9)
	rgba := image.NewRGBA(sheet.Rect)
	paletted := image.NewPaletted(sheet.Rect, color.Palette{color.NRGBA{}})
	for r := range rowLook {
		for col := range holds[r] {
			c := paint(r, col)
			paletted.Palette = append(paletted.Palette, c, color.NRGBA{c.R, c.G, c.B, 64})
		}
	}
	shifted := image.NewNRGBA(sheet.Rect.Add(image.Pt(-7, 1000)))
	draw.Draw(rgba, rgba.Rect, sheet, image.Point{}, draw.Src)
	draw.Draw(paletted, paletted.Rect, sheet, image.Point{}, draw.Src)
	draw.Draw(shifted, shifted.Rect, sheet, image.Point{}, draw.Src)
	for _, size := range []image.Point{{24, 26}, {48, 52}, {31, 34}} {
		want := testCut(t, sheet, size, true)[rowJump].frames[3]
		for _, img := range []image.Image{rgba, paletted, shifted} {
			got := testCut(t, img, size, true)[rowJump].frames[3]
			for i, v := range want.Pix {
				if d := int(v) - int(got.Pix[i]); d < -2 || d > 2 {
					t.Fatalf("in size %v byte %d of a %T's frame is %d, want %d", size, i, img, got.Pix[i], v)
				}
			}
		}
	}
}

// allSizes are those from 50 to 300 % of a cell of 24 by 26, as figureSize has them.
func allSizes(yield func(image.Point) bool) {
	for percent := 50; percent <= 300; percent += 5 {
		if !yield(figureSize(float64(percent) / 100 / 8)) {
			return
		}
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
	for _, smooth := range []bool{false, true} {
		for size := range allSizes {
			frame := testCut(t, img, size, smooth)[rowIdle].frames[2]
			for i := 0; i < len(frame.Pix); i += 4 {
				if !bytes.Equal(frame.Pix[i:i+4], []byte{0, 255, 0, 255}) {
					t.Fatalf("scaled to %v (smooth: %v) a pixel is %v, want only green", size, smooth, frame.Pix[i:i+4])
				}
			}
		}
	}
}

// Cells of a rounded sheet begin between pixels, and still show no neighbour.
func TestRoundedSheetsShowNoNeighbour(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 800, 975)) // cells of 100×108⅓
	sh, err := newSheet(img)
	if err != nil {
		t.Fatal(err)
	}
	for r := range 9 {
		c := color.NRGBA{uint8(25 * r), 0, 0, 255}
		draw.Draw(img, image.Rectangle{sh.at(r, 0).Min, sh.at(r, 7).Max}, image.NewUniform(c), image.Point{}, draw.Src)
	}
	for _, size := range []image.Point{{100, 108}, {200, 217}, {60, 65}} {
		for r, cut := range testCut(t, img, size, false) {
			for _, frame := range cut.frames {
				for i := 0; i < len(frame.Pix); i += 4 {
					if a := frame.Pix[i+3]; int(frame.Pix[i]) > 25*int(r)+1 || a == 255 && int(frame.Pix[i]) < 25*int(r)-1 {
						t.Fatalf("in size %v row %d shows %v", size, r, frame.Pix[i:i+4])
					}
				}
			}
		}
	}
}

// A cell that lacks a line is not stretched: its pixels stay where they are.
func TestRoundedSheetsKeepTheirPixels(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 800, 975))
	for y := range 975 {
		draw.Draw(img, image.Rect(0, y, 800, y+1), image.NewUniform(color.NRGBA{uint8(y), uint8(y >> 8), 0, 255}), image.Point{}, draw.Src)
	}
	sh, err := newSheet(img)
	if err != nil {
		t.Fatal(err)
	}
	for factor := 1; factor <= 3; factor++ {
		rows := testCut(t, img, sh.cell.Mul(factor), false)
		for r := range rowLook {
			cell, frame := sh.at(int(r), 0), rows[r].frames[0]
			for y := range cell.Dy() * factor {
				if got, want := frame.RGBAAt(5, y-rows[r].offset.Y), img.At(5, cell.Min.Y+y/factor); got != color.RGBAModel.Convert(want) {
					t.Fatalf("enlarged by %d line %d of row %d is %v, want %v", factor, y, r, got, want)
				}
			}
		}
	}
}

func TestPixelArtGrowsByWholeFactors(t *testing.T) {
	for _, c := range []struct {
		cell, wish image.Point
		smooth     bool
		want       image.Point
	}{
		{image.Pt(192, 208), image.Pt(192, 208), false, image.Pt(192, 208)},
		{image.Pt(192, 208), image.Pt(240, 260), false, image.Pt(192, 208)},
		{image.Pt(192, 208), image.Pt(288, 312), false, image.Pt(384, 416)},
		{image.Pt(192, 208), image.Pt(576, 624), false, image.Pt(576, 624)},
		{image.Pt(192, 208), image.Pt(173, 187), false, image.Pt(173, 187)},
		{image.Pt(192, 208), image.Pt(96, 104), false, image.Pt(96, 104)},
		{image.Pt(48, 52), image.Pt(192, 208), false, image.Pt(192, 208)},
		{image.Pt(48, 52), image.Pt(96, 104), false, image.Pt(96, 104)},
		{image.Pt(48, 52), image.Pt(120, 130), false, image.Pt(144, 156)},
		{image.Pt(192, 208), image.Pt(240, 260), true, image.Pt(240, 260)},
		{image.Pt(48, 52), image.Pt(240, 260), true, image.Pt(240, 260)},
	} {
		img := testSheet(c.cell, 9)
		if got := testCut(t, img, c.wish, c.smooth)[rowIdle].cell; got != c.want {
			t.Errorf("cells of %v wished as %v (smooth: %v) are shown as %v, want %v", c.cell, c.wish, c.smooth, got, c.want)
		}
	}
}

func TestPixelsStaySquare(t *testing.T) {
	cell := image.Pt(24, 26)
	img := testSheet(cell, 9)
	for i := range 40 { // a pattern of single pixels
		img.SetNRGBA(4+i%16, 4+i/16*3, color.NRGBA{uint8(5 * i), 255, 0, 255})
	}
	small, large := testCut(t, img, cell, false)[rowIdle], testCut(t, img, cell.Mul(3), false)[rowIdle]
	if large.offset != small.offset.Mul(3) || large.frames[0].Rect.Size() != small.frames[0].Rect.Size().Mul(3) {
		t.Fatalf("three times as large it is %v at %v", large.frames[0].Rect, large.offset)
	}
	for y := range large.frames[0].Rect.Dy() {
		for x := range large.frames[0].Rect.Dx() {
			if got, want := large.frames[0].RGBAAt(x, y), small.frames[0].RGBAAt(x/3, y/3); got != want {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// Clear pixels have some colour, mostly black: none of it may be seen at the
// edges of a white friend.
func TestNoFringes(t *testing.T) {
	for _, clear := range []color.NRGBA{{0, 0, 0, 0}, {255, 0, 255, 0}} {
		img := image.NewNRGBA(image.Rect(0, 0, 192, 234))
		draw.Draw(img, img.Rect, image.NewUniform(clear), image.Point{}, draw.Src)
		for i := 0; i < len(img.Pix); i += 4 { // Draw has no colour for clear pixels
			copy(img.Pix[i:], []byte{clear.R, clear.G, clear.B, clear.A})
		}
		for y := 5; y < 20; y++ {
			for x := 5; x < 19; x++ {
				img.SetNRGBA(x, y, color.NRGBA{255, 255, 255, uint8(255 - 90*((x+y)%2))})
			}
		}
		for size := range allSizes {
			frame := testCut(t, img, size, true)[rowIdle].frames[0]
			for i := 0; i < len(frame.Pix); i += 4 {
				p := frame.Pix[i : i+4]
				if p[0] != p[3] || p[1] != p[3] || p[2] != p[3] {
					t.Fatalf("in size %v beside %v a white pixel became %v", size, clear, p)
				}
			}
		}
	}
}

// TestTrim has frames that reach out in different rows: all are trimmed alike, to
// exactly what is drawn, and every pixel stays where it is in the whole cell.
func TestTrim(t *testing.T) {
	cell := image.Pt(24, 26)
	img := image.NewNRGBA(image.Rect(0, 0, 192, 234))
	dab := func(r, col int, box image.Rectangle) {
		draw.Draw(img, box.Add(image.Pt(col*cell.X, r*cell.Y)), image.NewUniform(color.NRGBA{200, 100, 50, 255}), image.Point{}, draw.Src)
	}
	dab(0, 0, image.Rect(8, 9, 14, 22))  // idle stands
	dab(0, 1, image.Rect(8, 10, 14, 22)) // and breathes
	dab(1, 0, image.Rect(6, 11, 12, 22)) // reaches to the left
	dab(3, 0, image.Rect(8, 9, 19, 22))  // to the right
	dab(4, 0, image.Rect(8, 4, 14, 16))  // jumps
	dab(5, 1, image.Rect(0, 0, 24, 26))  // behind an empty cell: nobody sees it
	for _, smooth := range []bool{true, false} {
		for size := range allSizes {
			rows := testCut(t, img, size, smooth)
			if len(rows) != 4 {
				t.Fatalf("%d rows", len(rows))
			}
			box := rows[rowIdle].frames[0].Rect.Add(rows[rowIdle].offset)
			var seen image.Rectangle
			for r, cut := range rows {
				for col, frame := range cut.frames {
					if got := frame.Rect.Add(cut.offset); got != box || cut.cell != rows[rowIdle].cell {
						t.Fatalf("in size %v row %d fills %v of %v, want %v as the others", size, r, got, cut.cell, box)
					}
					seen = seen.Union(visible(frame, frame.Rect, 0))
					comparePlaces(t, img, cell, cut, int(r), col, smooth || size.X < cell.X)
				}
			}
			if waste := box.Size().Sub(seen.Size()); waste.X > 2 || waste.Y > 2 || waste.X < 0 || waste.Y < 0 {
				t.Errorf("in size %v (smooth: %v) the box of %v has %v more than is drawn", size, smooth, box, waste)
			}
			idle := rows[rowIdle]
			want := image.Rect(8*idle.cell.X/24, 9*idle.cell.Y/26, 14*idle.cell.X/24, 22*idle.cell.Y/26)
			if !idle.body.In(want.Inset(-2)) || !want.Inset(2).In(idle.body) {
				t.Errorf("in size %v idle's body is at %v, want about %v", size, idle.body, want)
			}
			if !idle.head.In(idle.body) || idle.head.Min.Y != idle.body.Min.Y || idle.head.Max.Y > idle.body.Max.Y-idle.body.Dy()/2 {
				t.Errorf("in size %v idle's head is at %v of its body at %v", size, idle.head, idle.body)
			}
		}
	}
}

// comparePlaces scales the whole cell alone and compares it with what was cut.
func comparePlaces(t *testing.T, img image.Image, cell image.Point, cut strip, r, col int, smooth bool) {
	t.Helper()
	alone := image.NewRGBA(image.Rectangle{Max: cell})
	draw.Draw(alone, alone.Rect, img, image.Pt(col*cell.X, r*cell.Y), draw.Src)
	whole := image.NewRGBA(image.Rectangle{Max: cut.cell})
	scaler := xdraw.Interpolator(xdraw.NearestNeighbor)
	if smooth && cut.cell != cell {
		scaler = xdraw.CatmullRom
	}
	scaler.Scale(whole, whole.Rect, alone, alone.Rect, draw.Src, nil)
	frame := cut.frames[col]
	for y := range cut.cell.Y {
		for x := range cut.cell.X {
			want, got := whole.RGBAAt(x, y), frame.RGBAAt(x-cut.offset.X, y-cut.offset.Y)
			if d := int(want.A) - int(got.A); d < -2 || d > 2 {
				t.Fatalf("in size %v pixel %d,%d of row %d is %v, want %v", cut.cell, x, y, r, got, want)
			}
		}
	}
}

// TestSpread: trimming takes nothing away that can be seen, and keeps at most a
// pixel more.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.IntRange(12, 400).Draw(t, "from"), rapid.IntRange(6, 600).Draw(t, "to")
		first := rapid.IntRange(0, from-1).Draw(t, "first")
		end := rapid.IntRange(first+1, from).Draw(t, "end")
		lo, hi := spreadSide(first, end, to, from)
		line := image.NewRGBA(image.Rect(0, 0, from, 1))
		for x := first; x < end; x++ {
			line.SetRGBA(x, 0, color.RGBA{255, 255, 255, 255})
		}
		scaled := image.NewRGBA(image.Rect(0, 0, to, 1))
		xdraw.CatmullRom.Scale(scaled, scaled.Rect, line, line.Rect, draw.Src, nil)
		seen := visible(scaled, scaled.Rect, 0)
		if seen.Min.X < lo || seen.Max.X > hi || seen.Min.X > lo+1 || seen.Max.X < hi-1 {
			t.Fatalf("pixels %d to %d of %d are seen at %v of %d, not from %d to %d", first, end, from, seen, to, lo, hi)
		}
	})
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
				t.Errorf("it says %v, want %q in it", err, c.says)
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
