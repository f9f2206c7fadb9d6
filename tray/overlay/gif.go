package overlay

import (
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"iter"
	"time"
)

// shortest is the least time of a GIF's frame: browsers show anything shorter
// for 100 ms.
const shortest = 20 * time.Millisecond

// WriteGIF writes pictures, which must be opaque and of one size, as an
// animation that repeats for ever. Each frame has only what changed, in colours
// of its own. It writes nothing before it has seen every picture.
func WriteGIF(w io.Writer, pictures iter.Seq2[*image.RGBA, time.Duration]) error {
	var g gif.GIF
	var before *image.RGBA
	var due time.Duration // time that no frame shows yet
	for picture, seen := range pictures {
		due += seen
		if due < shortest {
			continue // the next one comes this much earlier
		}
		hundredths := due / (10 * time.Millisecond)
		due -= hundredths * 10 * time.Millisecond
		frame, same := changes(before, picture)
		if same {
			g.Delay[len(g.Delay)-1] += int(hundredths)
			continue
		}
		g.Image = append(g.Image, frame)
		g.Delay = append(g.Delay, int(hundredths))
		g.Disposal = append(g.Disposal, gif.DisposalNone)
		before = clone(picture, picture.Rect)
	}
	if before == nil {
		return fmt.Errorf("write the animation: there is no picture of %v or longer", shortest)
	}
	g.Config = image.Config{Width: before.Rect.Dx(), Height: before.Rect.Dy()}
	if err := gif.EncodeAll(w, &g); err != nil {
		return fmt.Errorf("write the animation: %w", err)
	}
	return nil
}

// changes is what now has that before has not, clear where they are the same.
// Pixels that did not change keep the colour they were given: nothing flickers.
func changes(before, now *image.RGBA) (frame *image.Paletted, same bool) {
	area := now.Rect
	if before != nil {
		if area = difference(before, now); area.Empty() {
			return nil, true
		}
	}
	counts := map[rgb]int{}
	changed := func(x, y int) (c rgb, ok bool) {
		i := now.PixOffset(x, y)
		c = rgb{now.Pix[i], now.Pix[i+1], now.Pix[i+2]}
		return c, before == nil || c != rgb{before.Pix[i], before.Pix[i+1], before.Pix[i+2]}
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if c, ok := changed(x, y); ok {
				counts[c]++
			}
		}
	}
	palette, index := choosePalette(counts, 255)
	frame = image.NewPaletted(area, append(palette, color.RGBA{}))
	clear := uint8(len(palette))
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i := clear
			if c, ok := changed(x, y); ok {
				i = index[c]
			}
			frame.SetColorIndex(x, y, i)
		}
	}
	return frame, false
}
