package overlay

import (
	"cmp"
	"image/color"
	"math"
	"slices"
)

// rgb is an opaque colour.
type rgb [3]uint8

// A shade is a colour and how much it counts.
type shade struct {
	rgb
	pixels int
	weight float64
}

// A shadeBox is colours that will become one, and the best way to divide them.
type shadeBox struct {
	shades  []shade
	channel int     // in which they differ most
	middle  float64 // their mean there
	spread  float64 // what is lost when they become one
}

// choosePalette finds at most n colours for those that are counted, and says
// which of them each becomes. When there are no more than n, all are kept.
//
// It divides the colours again and again where most would be lost. The standard
// library quantises only to fixed palettes with dithering, which looks dirty on
// flat art, and neither it nor x/image has a quantiser of its own.
func choosePalette(counts map[rgb]int, n int) (color.Palette, map[rgb]uint8) {
	all := make([]shade, 0, len(counts))
	for c, pixels := range counts {
		// The root lets an eye's highlight count beside a wall of background.
		all = append(all, shade{c, pixels, math.Sqrt(float64(pixels))})
	}
	slices.SortFunc(all, func(a, b shade) int { return slices.Compare(a.rgb[:], b.rgb[:]) })
	boxes := []shadeBox{measureBox(all)}
	for len(boxes) < n {
		worst := 0
		for i, b := range boxes {
			if b.spread > boxes[worst].spread {
				worst = i
			}
		}
		if boxes[worst].spread == 0 {
			break
		}
		low, high := boxes[worst].divide()
		boxes[worst] = low
		boxes = append(boxes, high)
	}
	palette := make(color.Palette, len(boxes))
	index := make(map[rgb]uint8, len(counts))
	for i, b := range boxes {
		palette[i] = b.mean()
		for _, s := range b.shades {
			index[s.rgb] = uint8(i)
		}
	}
	return palette, index
}

func measureBox(shades []shade) shadeBox {
	b := shadeBox{shades: shades}
	for channel := range 3 {
		var weight, sum, squares float64
		for _, s := range shades {
			v := float64(s.rgb[channel])
			weight += s.weight
			sum += s.weight * v
			squares += s.weight * v * v
		}
		if spread := squares - sum*sum/weight; spread > b.spread+1e-6 {
			b.channel, b.middle, b.spread = channel, sum/weight, spread
		}
	}
	return b
}

// divide splits b at its middle; neither half is empty while b has a spread.
func (b shadeBox) divide() (low, high shadeBox) {
	slices.SortFunc(b.shades, func(x, y shade) int { return cmp.Compare(x.rgb[b.channel], y.rgb[b.channel]) })
	i := slices.IndexFunc(b.shades, func(s shade) bool { return float64(s.rgb[b.channel]) > b.middle })
	return measureBox(b.shades[:i]), measureBox(b.shades[i:])
}

// mean is the colour that stands for the box.
func (b shadeBox) mean() color.RGBA {
	var sum [3]int
	pixels := 0
	for _, s := range b.shades {
		for c := range 3 {
			sum[c] += int(s.rgb[c]) * s.pixels
		}
		pixels += s.pixels
	}
	if pixels == 0 {
		return color.RGBA{A: 255}
	}
	at := func(c int) uint8 { return uint8((sum[c] + pixels/2) / pixels) }
	return color.RGBA{at(0), at(1), at(2), 255}
}
