package overlay

import (
	"image"
	"log/slog"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

func TestFriendsStandInTheArea(t *testing.T) {
	size := figureSize(1)
	for _, area := range []image.Rectangle{
		image.Rect(0, 0, 1280, 800),
		image.Rect(1920, -300, 4480, 1140),
		image.Rect(0, 30, 800, 600),
		image.Rect(0, 0, 100, 100), // smaller than a friend
	} {
		for _, n := range []int{1, 2, 3, 5, 12} {
			last := area.Max.X
			for i := range n {
				at := standing(area, size, i, n)
				if !(image.Rectangle{at, at.Add(size)}).In(area) && area.Dx() > size.X {
					t.Errorf("friend %d of %d stands at %v, outside %v", i, n, at, area)
				}
				if area.Dx() > size.X && at.X >= last {
					t.Errorf("friend %d of %d stands at %v, not left of the one before", i, n, at)
				}
				last = at.X
			}
		}
	}
	first, second := standing(image.Rect(0, 0, 1280, 800), size, 0, 2), standing(image.Rect(0, 0, 1280, 800), size, 1, 2)
	if first.X-second.X < size.X || first.Y != 800-size.Y {
		t.Errorf("two friends stand at %v and %v, want side by side at the bottom", first, second)
	}
}

// A bubble is inside the area and its tail ends at the friend, wherever the
// friend is.
func TestBubblesStayOnTheScreen(t *testing.T) {
	screen := image.Rect(0, 0, 800, 600)
	body := image.Rect(30, 40, 160, 198)
	head := image.Rect(40, 40, 140, 110)
	b := newBubbles(Look{Language: "en"}, 1, t.TempDir(), slog.New(slog.DiscardHandler))
	for _, c := range []struct {
		name  string
		at    image.Point
		text  string
		below bool
	}{
		{"bottom right", image.Pt(608, 392), "Running the tests of the whole project", false},
		{"bottom left", image.Pt(0, 392), "Running the tests of the whole project", false},
		{"middle", image.Pt(300, 200), "Hi", false},
		{"top", image.Pt(300, -30), "Hi", true},
		{"top right corner", image.Pt(608, 0), "Running the tests of the whole project", true},
		{"long text", image.Pt(608, 392), strings.Repeat("word ", 48), false},
		{"no blanks", image.Pt(608, 392), strings.Repeat("x", 240), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := b.draw(Bubble{Text: c.text, Mark: agents.Working}, spot{area: screen.Sub(c.at), body: body, head: head, shadow: true})
			if box := p.img.Rect.Add(p.at).Add(c.at); !box.In(screen) {
				t.Errorf("the bubble is at %v, outside the screen", box)
			}
			tip, want := p.at.Add(p.tip), image.Pt(90, body.Min.Y)
			if c.below {
				want.Y = body.Max.Y
			}
			if d := tip.Sub(want); max(d.X, -d.X) > 1 || max(d.Y, -d.Y) > 1 {
				t.Errorf("the tail ends at %v of the friend's cell, want %v", tip, want)
			}
		})
	}
}

func TestPictureFadesAndGrowsAboutItsTail(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 101, 51))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	p := picture{img: img, tip: image.Pt(50, 50)}
	if p.as(look{1, 1}) != img {
		t.Error("a picture that is all there is made anew")
	}
	if got := p.as(look{0.5, 1}).RGBAAt(3, 3); got.R != 127 || got.A != 127 {
		t.Errorf("at half opacity a white pixel is %v, want it premultiplied by a half", got)
	}
	small := p.as(look{1, 0.8})
	if small.RGBAAt(50, 49).A != 255 || small.RGBAAt(50, 5).A != 0 || small.RGBAAt(5, 49).A != 0 {
		t.Error("a smaller picture does not keep its tail in place")
	}
}
