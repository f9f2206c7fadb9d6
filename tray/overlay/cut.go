package overlay

import (
	"image"
	"image/draw"
	"math"

	xdraw "golang.org/x/image/draw"
)

// A strip is one row of a friend, cut out in the size in which it is shown. Its
// frames are trimmed to what any frame of any row shows, so that they all have
// one size and place.
type strip struct {
	frames []*image.RGBA   // premultiplied
	offset image.Point     // of the frames' corner in the cell
	cell   image.Point     // the size of the whole cell
	body   image.Rectangle // in the cell: what is drawn in any of the frames
	head   image.Rectangle // what is drawn in the upper half of body
}

// cutSheet decodes a friend's sheet and passes on each row that it has, idle
// first, in about the given size. It stops when pass returns false.
func cutSheet(s Sprite, size image.Point, pass func(row, strip) bool) error {
	img, err := s.Sheet()
	if err != nil {
		return err
	}
	sh, err := newSheet(img)
	if err != nil {
		return err
	}
	found, err := sh.survey()
	if err != nil {
		return err
	}
	k := newKnife(sh, found.box, size, s.Smooth)
	for r, frames := range found.frames {
		if len(frames) > 0 && !pass(row(r), k.cut(frames)) {
			return nil
		}
	}
	return nil
}

// A knife cuts frames out of a sheet and brings them to their size.
type knife struct {
	sheet
	scaler xdraw.Scaler
	shown  image.Point     // the size of a cell on the screen
	box    image.Rectangle // what is kept of it
}

// newKnife scales pixel art by the whole factor that comes next to size. It can
// only be enlarged so: smaller than it was drawn it loses pixels, and is scaled
// like everything that is smooth.
func newKnife(s sheet, box image.Rectangle, size image.Point, smooth bool) knife {
	if smooth && size != s.cell || size.X < s.cell.X {
		scaler := xdraw.CatmullRom.NewScaler(size.X, size.Y, s.cell.X, s.cell.Y)
		return knife{s, scaler, size, spread(box, size, s.cell)}
	}
	factor := round(float64(size.X) / float64(s.cell.X))
	box = image.Rectangle{box.Min.Mul(factor), box.Max.Mul(factor)}
	return knife{s, xdraw.NearestNeighbor, s.cell.Mul(factor), box}
}

// cut cuts the given cells out. A cell is scaled alone, so that no neighbour
// bleeds into it, and as a whole, so that trimming moves no pixel.
func (k knife) cut(cells []image.Rectangle) strip {
	out := strip{offset: k.box.Min, cell: k.shown}
	for _, cell := range cells {
		frame := image.NewRGBA(k.box)
		bottom := cell.Dy() * k.shown.Y / k.cell.Y // a cell may lack the last line
		k.scaler.Scale(frame, image.Rect(0, 0, k.shown.X, bottom), k.img, cell, draw.Src, nil)
		out.frames = append(out.frames, frame)
		out.body = out.body.Union(visible(frame, frame.Rect, dustAlpha))
	}
	upper := out.body
	upper.Max.Y -= out.body.Dy() / 2
	for _, frame := range out.frames {
		out.head = out.head.Union(visible(frame, upper, dustAlpha))
		frame.Rect = frame.Rect.Sub(frame.Rect.Min)
	}
	return out
}

// spread is where the pixels in box are seen when a cell of size from is smoothly
// scaled to size to: a kernel carries each as far as one pixel of the larger of
// the two sizes. What it carries farther is less than nothing.
func spread(box image.Rectangle, to, from image.Point) image.Rectangle {
	x0, x1 := spreadSide(box.Min.X, box.Max.X, to.X, from.X)
	y0, y1 := spreadSide(box.Min.Y, box.Max.Y, to.Y, from.Y)
	return image.Rect(x0, y0, x1, y1)
}

func spreadSide(first, end, to, from int) (int, int) {
	scale := float64(from) / float64(to)
	reach := max(1, scale)
	// Pixel i is centred at (i+½)·scale and sees what is nearer than reach to it.
	lo := math.Floor((float64(first)+0.5-reach)/scale-0.5) + 1
	hi := math.Ceil((float64(end)-0.5+reach)/scale - 0.5)
	return max(0, int(lo)), min(to, int(hi))
}

// figureSize is the size of a friend on the screen, when its pixels need no
// whole factor.
func figureSize(scale float64) image.Point {
	return image.Pt(round(cellWidth*scale), round(cellHeight*scale))
}
