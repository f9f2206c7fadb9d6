package overlay

import (
	"errors"
	"fmt"
	"image"
	"image/draw"

	xdraw "golang.org/x/image/draw"
)

// A cell is 192×208 pixels at size 1, in eight columns, whatever the size in
// which its artist drew it.
const (
	columns    = 8
	cellWidth  = 192
	cellHeight = 208
)

// Older generators leave dust in cells that they do not use: a cell counts as
// drawn from this many pixels on that are more than faintly visible.
const (
	dustAlpha  = 32
	dustPixels = 20
)

// A sheet is a spritesheet on its grid.
type sheet struct {
	img  image.Image
	cell image.Point // the size of one cell, in the sheet's own pixels
	rows int
}

// newSheet finds the grid: eight columns of cells shaped 192:208, as many rows
// as fit exactly.
func newSheet(img image.Image) (sheet, error) {
	size := img.Bounds().Size()
	w := size.X / columns
	h := w * cellHeight / cellWidth
	if w == 0 || size.X%columns != 0 || h*cellWidth != w*cellHeight || size.Y < h || size.Y%h != 0 {
		return sheet{}, fmt.Errorf("a sheet of %d×%d pixels is not a grid of eight columns of cells shaped 192:208 (1536×1872 is)", size.X, size.Y)
	}
	return sheet{img, image.Pt(w, h), size.Y / h}, nil
}

// A strip is one row of a sheet, cut out in the size in which it is shown.
type strip struct {
	frames []*image.RGBA   // premultiplied, of one size
	offset image.Point     // of the frames' corner in the cell
	cell   image.Point     // the size of the whole cell
	body   image.Rectangle // what is drawn in any of them
	head   image.Rectangle // what is drawn in the upper half of body
}

// cutSheet decodes a friend's sheet and passes on each row that is played, idle
// first. It stops when pass returns false.
func cutSheet(s Sprite, size image.Point, pass func(row, strip) bool) error {
	img, err := s.Sheet()
	if err != nil {
		return err
	}
	sh, err := newSheet(img)
	if err != nil {
		return err
	}
	for r := range rowCount {
		if !r.played() {
			continue
		}
		cut := sh.cut(r, size)
		if r == rowIdle && len(cut.frames) == 0 {
			return errors.New("the first row of the sheet is empty")
		}
		if len(cut.frames) > 0 && !pass(r, cut) {
			return nil
		}
	}
	return nil
}

// cut returns row r in the given size: the frames from the first column to the
// first one that is not drawn. Idle is capped at the table's six, since the
// seventh cell of a v2 sheet is the neutral look. Each frame is cut out before
// it is scaled, so that no neighbour bleeds into it.
func (s sheet) cut(r row, size image.Point) (out strip) {
	most := columns
	if r == rowIdle {
		most = len(holds[rowIdle])
	}
	for col := range most {
		frame := s.frame(r, col)
		if frame == nil {
			break
		}
		out.frames = append(out.frames, resize(frame, size))
	}
	out.cell = size
	out.body = silhouette(out.frames, image.Rectangle{Max: size})
	upper := out.body
	upper.Max.Y -= out.body.Dy() / 2
	out.head = silhouette(out.frames, upper)
	return out
}

// frame is one cell in the sheet's own size, nil when nothing is drawn there.
func (s sheet) frame(r row, col int) *image.RGBA {
	if int(r) >= s.rows {
		return nil
	}
	frame := image.NewRGBA(image.Rectangle{Max: s.cell})
	corner := image.Pt(col*s.cell.X, int(r)*s.cell.Y).Add(s.img.Bounds().Min)
	draw.Draw(frame, frame.Rect, s.img, corner, draw.Src)
	seen := 0
	for i := 3; i < len(frame.Pix); i += 4 {
		if frame.Pix[i] > dustAlpha {
			seen++
		}
	}
	// The limit is for a cell of full size; a smaller one has smaller dust.
	if seen*cellWidth*cellHeight < dustPixels*s.cell.X*s.cell.Y || seen == 0 {
		return nil
	}
	return frame
}

// resize scales frame to size; it returns frame itself when it fits.
func resize(frame *image.RGBA, size image.Point) *image.RGBA {
	if frame.Rect.Size() == size {
		return frame
	}
	scaled := image.NewRGBA(image.Rectangle{Max: size})
	xdraw.CatmullRom.Scale(scaled, scaled.Rect, frame, frame.Rect, draw.Src, nil)
	return scaled
}

// figureSize is the size of a friend on the screen.
func figureSize(scale float64) image.Point {
	return image.Pt(round(cellWidth*scale), round(cellHeight*scale))
}

// silhouette is the smallest rectangle that holds everything drawn in frames
// within part.
func silhouette(frames []*image.RGBA, part image.Rectangle) (all image.Rectangle) {
	for _, f := range frames {
		within := part.Intersect(f.Rect)
		for y := within.Min.Y; y < within.Max.Y; y++ {
			for x := within.Min.X; x < within.Max.X; x++ {
				if f.Pix[f.PixOffset(x, y)+3] > dustAlpha {
					all = all.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
	}
	return all
}
