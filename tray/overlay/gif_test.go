package overlay

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// played is what a viewer of an animation sees after each frame.
func played(t *testing.T, r io.Reader) (pictures []*image.RGBA, g *gif.GIF) {
	t.Helper()
	g, err := gif.DecodeAll(r)
	if err != nil {
		t.Fatal(err)
	}
	seen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, frame := range g.Image {
		draw.Draw(seen, frame.Rect, frame, frame.Rect.Min, draw.Over)
		pictures = append(pictures, clone(seen, seen.Rect))
	}
	return pictures, g
}

func written(t *testing.T, pictures iter.Seq2[*image.RGBA, time.Duration]) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	if err := WriteGIF(&b, pictures); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestGIFIsWhatWasRecorded(t *testing.T) {
	r := newTestRecorder(t, "a", "b")
	for _, s := range agents.States {
		r.Show(Update{Friend: "a", State: s})
		r.Advance(1500 * time.Millisecond)
	}
	all := shots(r)
	pictures, g := played(t, written(t, r.Frames()))
	hundredths, seen := 0, 0
	for i, p := range pictures {
		// Flat art of few colours comes out exact; what is seen for a moment
		// only is left out.
		for seen < len(all) && !bytes.Equal(p.Pix, all[seen].img.Pix) {
			seen++
		}
		if seen == len(all) {
			t.Fatalf("frame %d is none of the pictures that are left", i)
		}
		hundredths += g.Delay[i]
	}
	if len(all)-len(pictures) > 5 {
		t.Errorf("%d pictures became %d frames", len(all), len(pictures))
	}
	if want := 5 * 150; hundredths != want {
		t.Errorf("it lasts %d hundredths of a second, want %d", hundredths, want)
	}
	if g.LoopCount != 0 {
		t.Errorf("it repeats %d times, want for ever", g.LoopCount)
	}
	if whole := g.Image[0].Rect; g.Image[1].Rect.Dx() >= whole.Dx()/2 {
		t.Errorf("the second frame is %v, want only what changed", g.Image[1].Rect)
	}
}

func TestGIFTimes(t *testing.T) {
	picture := func(v uint8) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 4, 4))
		draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{v, v, v, 255}), image.Point{}, draw.Src)
		return img
	}
	frames := func(yield func(*image.RGBA, time.Duration) bool) {
		for _, shot := range []struct{ grey, seen int }{
			{1, 105}, // rounded down
			{1, 105}, // the same picture, with what was left
			{2, 7},   // too short to be seen
			{3, 33},
			{4, 0},
		} {
			yield(picture(uint8(shot.grey)), ms(shot.seen))
		}
	}
	_, g := played(t, written(t, frames))
	if len(g.Delay) != 2 || g.Delay[0] != 21 || g.Delay[1] != 4 {
		t.Errorf("delays are %v, want 21 and 4", g.Delay)
	}
	if err := WriteGIF(io.Discard, func(func(*image.RGBA, time.Duration) bool) {}); err == nil {
		t.Error("nothing is an animation")
	}
}

func TestPaletteKeepsFewColoursAndComesCloseToMany(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	few := map[rgb]int{}
	for i := range 255 {
		few[rgb{uint8(i), uint8(i * 7), uint8(i * 13)}] = 1 + i
	}
	palette, index := choosePalette(few, 255)
	for c := range few {
		if got := palette[index[c]]; got != (color.RGBA{c[0], c[1], c[2], 255}) {
			t.Fatalf("%v becomes %v, want itself", c, got)
		}
	}
	// A soft shade over a wall, and a highlight of three pixels.
	many := map[rgb]int{{255, 0, 200}: 3, {20, 30, 40}: 100_000}
	for range 5000 {
		v := uint8(random.IntN(120))
		many[rgb{100 + v, 90 + v, 80 + v/2 + uint8(random.IntN(8))}]++
	}
	palette, index = choosePalette(many, 255)
	for c, pixels := range many {
		got := palette[index[c]].(color.RGBA)
		for i, v := range []uint8{got.R, got.G, got.B} {
			if d := int(v) - int(c[i]); max(d, -d) > 4 {
				t.Fatalf("%v (%d pixels) becomes %v", c, pixels, got)
			}
		}
	}
}
