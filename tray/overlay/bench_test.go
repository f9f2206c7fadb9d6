//go:build unix && !darwin

package overlay

import (
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// BenchmarkShowToPixel measures from Show to the first pixel that differs, read
// from the X server: of the friend, and of a bubble that has to be drawn. Run it
// with -benchtime 300x.
func BenchmarkShowToPixel(b *testing.B) {
	b.Run("friend", func(b *testing.B) {
		benchmarkShow(b, Update{State: agents.Working}, image.Pt(xCell.X/2, xCell.Y/2))
	})
	b.Run("bubble", func(b *testing.B) {
		// Its tail ends at the body, an eighth of a cell below the cell's edge.
		benchmarkShow(b, Update{Bubble: &Bubble{Text: "Running the tests", Stay: true}}, image.Pt(xCell.X/2, 0))
	})
}

// benchmarkShow shows u on friends who are idle, each in turn, and reads the
// pixel at spot of their cells.
func benchmarkShow(b *testing.B, u Update, spot image.Point) {
	x := startX(b)
	o := openTest(b, nil)
	var sprites []Sprite
	for i := range 6 {
		sprites = append(sprites, testSprite(fmt.Sprint(i), xCell))
	}
	o.SetFriends(sprites)
	x.until("all friends are there", func() bool { return len(x.ours()) == len(sprites) })
	var taken []time.Duration
	for i := 0; b.Loop(); i++ {
		n := i % len(sprites)
		if n == 0 {
			x.calmDown(o, len(sprites))
		}
		u.Friend = sprites[n].ID
		at := standing(image.Rect(0, 0, 800, 600), xCell, n, len(sprites)).Add(spot)
		before := x.at(at)
		start := time.Now()
		o.Show(u)
		for x.at(at) == before {
			if time.Since(start) > 20*time.Second {
				b.Fatalf("friend %d never changed at %v", n, at)
			}
		}
		taken = append(taken, time.Since(start))
	}
	slices.Sort(taken)
	at := func(share float64) float64 {
		return taken[int(share*float64(len(taken)-1))].Seconds() * 1000
	}
	b.ReportMetric(0, "ns/op") // waiting for friends to calm down is in it
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}

// calmDown has every friend idle and silent.
func (x *xserver) calmDown(o *Overlay, friends int) {
	for i := range friends {
		o.Show(Update{Friend: fmt.Sprint(i), State: agents.Idle, Bubble: &Bubble{}})
	}
	idle := func() bool {
		for i := range friends {
			at := standing(image.Rect(0, 0, 800, 600), xCell, i, friends).Add(xCell.Div(2))
			if c := x.at(at); c != paint(rowIdle, 0) && c != paint(rowIdle, 1) {
				return false
			}
		}
		return len(x.ours()) == friends
	}
	x.until("all friends are idle", idle)
}

// BenchmarkFade measures one step of a bubble's fade.
func BenchmarkFade(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 330, 110))
	for i := range img.Pix {
		img.Pix[i] = uint8(i)
	}
	p := picture{img: img, tip: image.Pt(165, 109)}
	for b.Loop() {
		p.as(look{0.5, 0.96})
	}
}
