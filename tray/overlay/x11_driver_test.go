//go:build unix && !darwin

package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"
)

// A playedX11 is the driver with a loop that keeps what comes.
type playedX11 struct {
	*x11
	t       testing.TB
	inputs  []input
	changes []change
}

// play opens the driver on the server.
func (x *xserver) play(log *slog.Logger) *playedX11 {
	x.t.Helper()
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	d, err := openX11(os.Getenv("DISPLAY"), log)
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(d.close)
	return &playedX11{x11: d, t: x.t}
}

// until plays until something is true; it fails when that takes far too long.
func (d *playedX11) until(what string, true func() bool) {
	d.t.Helper()
	for late := time.After(20 * time.Second); !true(); {
		select {
		case e, ok := <-d.events():
			if !ok {
				d.t.Fatal("the display went away")
			}
			n := d.handle(e)
			if n.change != nothing {
				d.changes = append(d.changes, n.change)
			}
			if n.input.deed != noDeed {
				d.inputs = append(d.inputs, n.input)
			}
		case <-time.After(5 * time.Millisecond): // what is true may be true of the server
		case <-late:
			d.t.Fatalf("it never came that %s; the inputs are %v, the changes %v", what, d.inputs, d.changes)
		}
	}
}

// take waits for n inputs and returns them.
func (d *playedX11) take(n int) []input {
	d.t.Helper()
	d.until("the inputs are there", func() bool { return len(d.inputs) >= n })
	all := d.inputs
	d.inputs = nil
	return all
}

// wants checks the inputs that have come.
func (d *playedX11) wants(what string, want ...input) {
	d.t.Helper()
	if got := d.take(len(want)); !slices.Equal(got, want) {
		d.t.Errorf("%s is told as %+v, want %+v", what, got, want)
	}
}

// block is a picture with an opaque rectangle, and a shadow that is not.
func block(size image.Point, solid image.Rectangle) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(img, solid.Inset(-3), image.NewUniform(color.RGBA{0, 0, 0, 20}), image.Point{}, draw.Src)
	draw.Draw(img, solid, image.NewUniform(color.RGBA{0xC0, 0x40, 0x20, 0xFF}), image.Point{}, draw.Src)
	return img
}

var blockColor = color.RGBA{0xC0, 0x40, 0x20, 0xFF}
