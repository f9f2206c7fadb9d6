package overlay

import (
	"image"
	"slices"
)

const (
	// opaqueAlpha is from where on a pixel is there, where it can only be opaque
	// or not.
	opaqueAlpha = 128
	// touchAlpha is from where on a pixel takes clicks: more than most shadows.
	touchAlpha = 32
)

// outline covers the pixels of img that have at least this alpha with few
// rectangles: rows that have the same runs share theirs.
func outline(img *image.RGBA, alpha uint8) []image.Rectangle {
	var done, open []image.Rectangle // open: the runs of the rows right above
	for y := range img.Rect.Dy() {
		runs := runsOf(img, y, alpha)
		if !slices.EqualFunc(runs, open, func(a, b image.Rectangle) bool { return a.Min.X == b.Min.X && a.Max.X == b.Max.X }) {
			done = append(done, open...)
			open = runs
			continue
		}
		for i := range open {
			open[i].Max.Y = y + 1
		}
	}
	return append(done, open...)
}

// runsOf is one row of img as rectangles one pixel high.
func runsOf(img *image.RGBA, y int, alpha uint8) (runs []image.Rectangle) {
	line := img.Pix[y*img.Stride:]
	for x := 0; x < img.Rect.Dx(); x++ {
		if line[4*x+3] < alpha {
			continue
		}
		from := x
		for x < img.Rect.Dx() && line[4*x+3] >= alpha {
			x++
		}
		runs = append(runs, image.Rect(from, y, x, y+1))
	}
	return runs
}

// opaque makes every pixel of img opaque or clear. Without it a soft edge, which
// is premultiplied, would be dark.
func opaque(img *image.RGBA) *image.RGBA {
	out := image.NewRGBA(img.Rect)
	for i := 0; i < len(img.Pix); i += 4 {
		a := uint32(img.Pix[i+3])
		if a < opaqueAlpha {
			continue
		}
		for c := range 3 {
			out.Pix[i+c] = uint8((uint32(img.Pix[i+c])*255 + a/2) / a)
		}
		out.Pix[i+3] = 255
	}
	return out
}

// union has the highest alpha of all frames, which are of one size.
func union(frames []*image.RGBA) *image.RGBA {
	out := image.NewRGBA(frames[0].Rect)
	for _, f := range frames {
		for i := 3; i < len(out.Pix); i += 4 {
			out.Pix[i] = max(out.Pix[i], f.Pix[i])
		}
	}
	return out
}

// faintest is alpha as much fainter as img is as a whole: a picture that fades
// has the same outline all the way.
func faintest(img *image.RGBA, alpha uint8) uint8 {
	most := uint8(0)
	for i := 3; i < len(img.Pix); i += 4 {
		most = max(most, img.Pix[i])
	}
	return uint8(max(1, (int(alpha)*int(most)+127)/255))
}
