package main

import (
	"image"
	"image/color"
	"testing"
)

// Up to 256 colours nothing is lost; what is nothing stays nothing.
func TestReduceKeepsFewColours(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 17, 15))
	for i := range 255 {
		if i > 0 {
			m.SetNRGBA(i%17, i/17, color.NRGBA{uint8(i), uint8(i * 7), uint8(255 - i), 255})
		}
	}
	m.SetNRGBA(3, 3, color.NRGBA{200, 100, 0, 128})
	got := reduce(m)
	for y := range 15 {
		for x := range 17 {
			if want := m.NRGBAAt(x, y); got.At(x, y) != want {
				t.Errorf("(%d, %d) is %v, not %v", x, y, got.At(x, y), want)
			}
		}
	}
}

// 16,000 colours in a soft shade come out so near that no band is seen, body colours opaque.
func TestReduceIsNear(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	for y := range 128 {
		for x := range 128 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(128 + x), uint8(100 + y/2), uint8(120 + (x+y)/4), 255})
		}
	}
	got := reduce(m)
	if len(got.Palette) != 256 {
		t.Errorf("the palette has %d colours", len(got.Palette))
	}
	for y := range 128 {
		for x := range 128 {
			c := got.At(x, y).(color.NRGBA)
			if d := distance(c, m.NRGBAAt(x, y)); d > 8 || c.A != 255 {
				t.Fatalf("(%d, %d) is %v, not %v", x, y, c, m.NRGBAAt(x, y))
			}
		}
	}
}
