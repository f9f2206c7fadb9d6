//go:build unix && !darwin

package overlay

import (
	"image"
	"image/color"
)

// wlArrow is the pointer over our surfaces where the compositor does not lend us
// its own: every surface must bring one.
var wlArrow = []string{
	"#",
	"##",
	"#.#",
	"#..#",
	"#...#",
	"#....#",
	"#.....#",
	"#......#",
	"#.......#",
	"#........#",
	"#.....#####",
	"#..#..#",
	"#.# #..#",
	"##  #..#",
	"#    #..#",
	"     #..#",
	"      ##",
}

// point gives the pointer that came onto a surface of ours its picture.
func (d *wl) point(serial uint32) {
	h := &d.hand
	if h.shapes.Exists() {
		h.shapes.SetArrow(serial)
		return
	}
	if !h.arrow.Exists() {
		h.arrow = d.compositor.NewSurface()
		if b, err := d.shm.Store([]*image.RGBA{arrow(d.factor)}, d.factor); err == nil {
			h.arrow.Attach(b[0])
		}
		h.arrow.Commit()
	}
	h.pointer.SetCursor(serial, h.arrow, 0, 0)
}

// arrow draws wlArrow in pixels of the given size.
func arrow(size int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 12*size, len(wlArrow)*size))
	for y := range img.Rect.Dy() {
		line := wlArrow[y/size]
		for x := range len(line) * size {
			switch line[x/size] {
			case '#':
				img.Set(x, y, color.Black)
			case '.':
				img.Set(x, y, color.White)
			}
		}
	}
	return img
}
