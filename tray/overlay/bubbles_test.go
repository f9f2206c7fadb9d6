package overlay

import (
	"image"
	"log/slog"
	"testing"

	"github.com/playpets/playpets/agents"
)

// A bubble stays where there is room, and its tail with the friend.
func TestBubblePlaces(t *testing.T) {
	const long = "Claude asks whether it may run the tests in the folder playpets and push the branch when they are green."
	for _, pixels := range []float64{1, 1.5} {
		d := newBubbles(Look{}, pixels, t.TempDir(), slog.New(slog.DiscardHandler))
		screen := image.Rect(0, 0, int(800*pixels), int(600*pixels))
		cell := image.Pt(int(192*pixels), int(208*pixels))
		for _, corner := range []image.Point{{0, 400}, {300, 392}, {608, 392}, {650, 392}, {-90, 300}, {300, 0}, {608, 10}, {300, 190}} {
			at := image.Pt(int(float64(corner.X)*pixels), int(float64(corner.Y)*pixels))
			body := image.Rectangle{Max: cell}.Inset(cell.X / 8)
			head := body
			head.Max.Y = body.Min.Y + body.Dy()/2
			for _, text := range []string{"Hi", long} {
				for _, shadow := range []bool{false, true} {
					s := spot{area: screen.Sub(at), body: body, head: head, shadow: shadow}
					p := d.draw(Bubble{Text: text, Caption: "playpets", Mark: agents.Waiting}, s)
					box := p.img.Rect.Add(p.at)
					tip := p.tip.Add(p.at)
					middle := (head.Min.X + head.Max.X) / 2
					lowest, highest := body.Min.Y, body.Max.Y
					if !box.In(s.area) {
						t.Errorf("%v at %v: the bubble %v leaves %v", pixels, corner, box, s.area)
					}
					if shown := body.Intersect(s.area); middle >= shown.Min.X && middle < shown.Max.X && tip.X != middle && box.Min.X > s.area.Min.X && box.Max.X < s.area.Max.X {
						t.Errorf("%v at %v: the tail points to %d, the head is at %d", pixels, corner, tip.X, middle)
					}
					if tip.Y != lowest && tip.Y != highest {
						t.Errorf("%v at %v: the tail ends at %d, the friend has %d to %d", pixels, corner, tip.Y, lowest, highest)
					}
					if p.img.RGBAAt(p.tip.X, p.tip.Y).A < 100 {
						t.Errorf("%v at %v: there is no tail at %v", pixels, corner, p.tip)
					}
				}
			}
		}
	}
}

func TestBubbleBelowWhereThereIsMoreRoom(t *testing.T) {
	d := newBubbles(Look{}, 1, t.TempDir(), slog.New(slog.DiscardHandler))
	body := image.Rect(20, 20, 170, 200)
	for _, test := range []struct {
		above, below int
		want         bool
	}{{400, 0, false}, {0, 400, true}, {20, 60, true}, {60, 20, false}, {200, 400, false}} {
		s := spot{area: image.Rect(-200, body.Min.Y-test.above, 400, body.Max.Y+test.below), body: body, head: body}
		p := d.draw(Bubble{Text: "Hello"}, s)
		if got := p.at.Y > body.Min.Y; got != test.want {
			t.Errorf("%d above and %d below: below the friend: %v", test.above, test.below, got)
		}
	}
}

// A bubble beyond another one is the same without a tail.
func TestStackedBubbleHasNoTail(t *testing.T) {
	d := newBubbles(Look{}, 1, t.TempDir(), slog.New(slog.DiscardHandler))
	s := spot{area: image.Rect(-300, -400, 500, 300), body: image.Rect(20, 20, 170, 200), head: image.Rect(20, 20, 170, 90)}
	first := d.draw(Bubble{Text: "Hello"}, s)
	s.stacked = true
	second := d.draw(Bubble{Text: "Hello"}, s)
	if a, b := first.img.Rect.Dy(), second.img.Rect.Dy(); b >= a || b < a-20 {
		t.Errorf("it is %d px high, the one with a tail %d", b, a)
	}
	if y := second.img.Rect.Max.Y - 1; second.tip.Y != y {
		t.Errorf("its tip is at %v, its lower edge at %d", second.tip, y)
	}
}

// Many friends speak at once, in several scripts, while fonts are released.
func TestBubblesAreSafeForConcurrentUse(t *testing.T) {
	d := newBubbles(Look{Dark: true}, 1, t.TempDir(), slog.New(slog.DiscardHandler))
	s := spot{area: image.Rect(-300, -400, 500, 300), body: image.Rect(20, 20, 170, 200), head: image.Rect(20, 20, 170, 90)}
	done := make(chan picture)
	texts := []string{"Hello", "확인이 필요합니다", "مرحبا", "done 🎉"}
	for i := range 12 {
		go func() {
			if i%5 == 4 {
				d.release()
			}
			done <- d.draw(Bubble{Text: texts[i%len(texts)]}, s)
		}()
	}
	for range 12 {
		if p := <-done; p.img.Rect.Empty() {
			t.Error("nothing was drawn")
		}
	}
}
