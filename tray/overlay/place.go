package overlay

import (
	"image"
	"math"
)

// standing is the corner of friend i of n: side by side along the bottom of the
// area, the first one at the right. Friends that are too many stand closer.
func standing(area image.Rectangle, size image.Point, i, n int) image.Point {
	margin := size.X / 8
	pitch := size.X + margin/2
	if room := area.Dx() - 2*margin - size.X; n > 1 {
		pitch = max(0, min(pitch, room/(n-1)))
	}
	return within(area, image.Pt(area.Max.X-margin-size.X-i*pitch, area.Max.Y-size.Y), size)
}

// within is the corner next to at with which a box of the given size is inside
// area. What is larger than the area begins at its top left.
func within(area image.Rectangle, at, size image.Point) image.Point {
	at.X = max(area.Min.X, min(at.X, area.Max.X-size.X))
	at.Y = max(area.Min.Y, min(at.Y, area.Max.Y-size.Y))
	return at
}

func round(v float64) int { return int(math.Round(v)) }
