package main

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// A tint is a colour of the sheet and how much it counts. It is premultiplied: two tints
// that are near each other look alike on any ground.
type tint struct {
	at     [4]float64
	weight float64
}

func (a tint) distance(b tint) float64 {
	sum := 0.0
	for k := range a.at {
		d := a.at[k] - b.at[k]
		sum += d * d
	}
	return sum
}

// reduce paints m with 256 colours, the first of them nothing at all: a sheet is a quarter
// as large then, in the program and in memory, and the eye finds no difference.
func reduce(m *image.NRGBA) *image.Paletted {
	tints := tintsOf(m)
	chosen := spread(tints, 255)
	for range 5 { // more move nothing that is seen
		settle(tints, chosen)
	}
	out := image.NewPaletted(m.Rect, color.Palette{color.NRGBA{}})
	for _, t := range chosen {
		out.Palette = append(out.Palette, t.color())
	}
	paintWith(out, m)
	return out
}

// tintsOf lists what is not nothing in m. A colour that is often seen counts more, but
// less than in proportion: a gold bell has few pixels, and is looked at.
func tintsOf(m *image.NRGBA) []tint {
	seen := map[color.NRGBA]float64{}
	for i := 0; i < len(m.Pix); i += 4 {
		if c := (color.NRGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3]}); c.A > 0 {
			seen[c]++
		}
	}
	tints := make([]tint, 0, len(seen))
	for c, n := range seen {
		t := tintOf(c)
		t.weight = math.Sqrt(n)
		tints = append(tints, t)
	}
	// Maps have no order, and the sheet shall come out the same every time.
	slices.SortFunc(tints, func(a, b tint) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), slices.Compare(a.at[:], b.at[:]))
	})
	return tints
}

func tintOf(c color.NRGBA) tint {
	a := float64(c.A) / 255
	return tint{at: [4]float64{float64(c.R) * a, float64(c.G) * a, float64(c.B) * a, float64(c.A)}}
}

func (t tint) color() color.NRGBA {
	a := math.Round(t.at[3])
	if a > 250 { // the body is not to shine through
		a = 255
	}
	channel := func(v float64) uint8 { return uint8(min(math.Round(v*255/max(a, 1)), 255)) }
	return color.NRGBA{channel(t.at[0]), channel(t.at[1]), channel(t.at[2]), uint8(a)}
}

// spread chooses n tints, the heaviest first and then always the one that is worst off
// with those chosen before it.
func spread(tints []tint, n int) []tint {
	chosen := tints[:1:1]
	off := make([]float64, len(tints))
	for i := range off {
		off[i] = math.Inf(1)
	}
	for len(chosen) < min(n, len(tints)) {
		worst := 0
		for i, t := range tints {
			off[i] = min(off[i], t.weight*t.distance(chosen[len(chosen)-1]))
			if off[i] > off[worst] {
				worst = i
			}
		}
		chosen = append(chosen, tints[worst])
	}
	return chosen
}

// settle moves each chosen tint to the middle of those that it stands for (Lloyd's way to
// the k means).
func settle(tints, chosen []tint) {
	sums := make([]tint, len(chosen))
	for _, t := range tints {
		s := &sums[nearest(chosen, t)]
		for k, v := range t.at {
			s.at[k] += v * t.weight
		}
		s.weight += t.weight
	}
	for i, s := range sums {
		for k := range s.at {
			if s.weight > 0 {
				chosen[i].at[k] = s.at[k] / s.weight
			}
		}
	}
}

func nearest(chosen []tint, t tint) int {
	best, least := 0, math.Inf(1)
	for i, c := range chosen {
		if d := c.distance(t); d < least {
			best, least = i, d
		}
	}
	return best
}

// paintWith gives every pixel of out the colour of its palette that is nearest to m's.
func paintWith(out *image.Paletted, m *image.NRGBA) {
	chosen := make([]tint, len(out.Palette))
	for i, c := range out.Palette {
		chosen[i] = tintOf(c.(color.NRGBA))
	}
	known := map[color.NRGBA]uint8{}
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			c := m.NRGBAAt(x, y)
			i, ok := known[c]
			if !ok {
				i = uint8(nearest(chosen, tintOf(c)))
				known[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
}
