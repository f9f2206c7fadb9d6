package overlay

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
)

// A cell is 192×208 pixels at size 1, in eight columns, whatever the size in
// which its artist drew it.
const (
	columns    = 8
	cellWidth  = 192
	cellHeight = 208
)

// leastCell is the width of the smallest cells that there are, in pixels: with
// still smaller ones, heights no longer tell how many rows a sheet has.
const leastCell = 12

// lookRows is the first row with look directions, in sheets that have them.
const lookRows = 9

// Older generators leave dust in cells that they do not use: a cell counts as
// drawn from this many pixels on that are more than faintly visible.
const (
	dustAlpha  = 32
	dustPixels = 20
)

// hazeAlpha is what nobody sees: it needs no room on the screen.
const hazeAlpha = 4

// A sheet is a spritesheet on its grid.
type sheet struct {
	img  image.Image
	cell image.Point // the size of a cell in the sheet's own pixels; the height may be rounded up
	rows int
}

// newSheet finds the grid: eight columns of cells shaped 192:208, as many rows as
// fit. Who scales a whole sheet rounds its height, so that cells may begin
// between two pixels.
func newSheet(img image.Image) (sheet, error) {
	size := img.Bounds().Size()
	cell := image.Pt(size.X/columns, (size.X/columns*cellHeight+cellWidth-1)/cellWidth)
	perRow := cell.X * cellHeight // in pixels/cellWidth
	if size.X%columns == 0 && cell.X >= leastCell {
		rows := (size.Y*cellWidth + perRow/2) / perRow
		if off := size.Y*cellWidth - rows*perRow; rows > 0 && -cellWidth < off && off < cellWidth {
			return sheet{img, cell, rows}, nil
		}
	}
	return sheet{}, fmt.Errorf("a sheet of %d×%d pixels is not a grid of eight columns of cells shaped 192:208 (1536×1872 is)", size.X, size.Y)
}

// at is where a cell is in the image.
func (s sheet) at(r, col int) image.Rectangle {
	b := s.img.Bounds()
	top, bottom := r*b.Dy()/s.rows, (r+1)*b.Dy()/s.rows
	return image.Rect(col*s.cell.X, top, (col+1)*s.cell.X, bottom).Add(b.Min)
}

// candidates are the cells that may be frames of r, in their order. Idle has at
// most the table's six, since the seventh cell of a v2 sheet is the neutral look.
func (s sheet) candidates(r row) (cells []image.Rectangle) {
	switch {
	case r == rowLook && s.rows >= lookRows+2:
		for _, direction := range gazes {
			cells = append(cells, s.at(lookRows+direction/columns, direction%columns))
		}
	case r < rowLook && int(r) < s.rows:
		for col := range columns {
			cells = append(cells, s.at(int(r), col))
		}
	}
	if r == rowIdle {
		cells = cells[:len(holds[rowIdle])]
	}
	return cells
}

// A survey is what is drawn on a sheet.
type survey struct {
	frames [rowCount][]image.Rectangle // the cells from the first column to the first one that is not drawn
	box    image.Rectangle             // in a cell: all that is seen in any frame
}

func (s sheet) survey() (found survey, err error) {
	scratch := image.NewRGBA(image.Rectangle{Max: s.cell})
	for r := range rowCount {
		for _, cell := range s.candidates(r) {
			draw.Draw(scratch, scratch.Rect, image.Transparent, image.Point{}, draw.Src)
			draw.Draw(scratch, image.Rectangle{Max: cell.Size()}, s.img, cell.Min, draw.Src)
			if !isDrawn(scratch) {
				break
			}
			found.frames[r] = append(found.frames[r], cell)
			found.box = found.box.Union(visible(scratch, scratch.Rect, hazeAlpha))
		}
	}
	if len(found.frames[rowIdle]) == 0 {
		return survey{}, errors.New("the first row of the sheet is empty")
	}
	if len(found.frames[rowLook]) < len(gazes) {
		found.frames[rowLook] = nil
	}
	return found, nil
}

// isDrawn reports whether there is more than dust in a cell. The limit is for a
// cell of full size; a smaller one has smaller dust.
func isDrawn(cell *image.RGBA) bool {
	seen := 0
	for i := 3; i < len(cell.Pix); i += 4 {
		if cell.Pix[i] > dustAlpha {
			seen++
		}
	}
	return seen > 0 && seen*cellWidth*cellHeight >= dustPixels*cell.Rect.Dx()*cell.Rect.Dy()
}

// visible is the smallest rectangle within part that holds every pixel of img
// with more than the given alpha.
func visible(img *image.RGBA, part image.Rectangle, alpha uint8) (all image.Rectangle) {
	part = part.Intersect(img.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		line := img.Pix[img.PixOffset(part.Min.X, y):][:4*part.Dx()]
		first, last := -1, 0
		for x := range part.Dx() {
			if line[4*x+3] > alpha {
				last = x
				if first < 0 {
					first = x
				}
			}
		}
		if first >= 0 {
			all = all.Union(image.Rect(part.Min.X+first, y, part.Min.X+last+1, y+1))
		}
	}
	return all
}
