//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/playpets/playpets/agents"
)

// openTold opens an overlay with one friend on x, and what the person does to it.
func openTold(t *testing.T, l Look) (*Overlay, <-chan Event) {
	t.Helper()
	told := make(chan Event, 100)
	if l.Size == 0 {
		l.Size = xScale
	}
	o, err := Open(Options{Look: l, CacheDir: t.TempDir(), OnEvent: func(e Event) { told <- e }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	return o, told
}

// next waits for the next event, of the given kind.
func next(t *testing.T, told <-chan Event, want EventKind) Event {
	t.Helper()
	select {
	case e := <-told:
		if e.Kind != want || e.Friend != "a" {
			t.Fatalf("told %+v, want kind %d of a", e, want)
		}
		return e
	case <-time.After(20 * time.Second):
		t.Fatalf("never told of kind %d", want)
		return Event{}
	}
}

// TestPersonAndFriend is what a person does with a mouse, on a desktop with a
// window manager and a compositor.
func TestPersonAndFriend(t *testing.T) {
	x := startX(t)
	x.compositor()
	work := x.windowManager(image.Rect(100, 100, 500, 400))
	x.activate(work)
	o, told := openTold(t, Look{})
	at := x.friendAt()
	middle := at.Add(xCell.Div(2))
	x.clicks()

	x.click(at.Add(image.Pt(2, 2))) // of the cell, where nothing is drawn
	if got := x.clicks(); len(got) != 1 {
		t.Errorf("the window behind the friend was clicked at %v, want once", got)
	}
	x.click(middle)
	next(t, told, Clicked)
	x.click(middle)
	next(t, told, DoubleClicked)

	x.point(middle)
	x.press(leftButton)
	way := image.Pt(-317, -222)
	for _, part := range []image.Point{way.Div(3), way.Div(2), way} {
		x.point(middle.Add(part))
	}
	box := testBox(xCell).Add(at).Add(way)
	x.until("the friend has gone the pointer's way", func() bool { return x.ours()[0].rect == box })
	x.release(leftButton)
	if e := next(t, told, Moved); e.Place.Feet != feetOf(at.Add(way), xCell) {
		t.Errorf("told that its feet are at %v, want %v", e.Place.Feet, feetOf(at.Add(way), xCell))
	}
	if got := x.clicks(); len(got) > 0 || x.focus() != work {
		t.Errorf("clicked behind: %v, the focus moved: %v", got, x.focus() != work)
	}

	o.Show(Update{Friend: "a", State: agents.Waiting, Bubble: &Bubble{Session: "s", Text: "May I?", Stay: true}})
	x.until("a bubble is on the screen", func() bool { return len(x.ours()) == 2 })
	bubble := x.ours()[1].rect
	x.until("it takes a click and leaves", func() bool {
		x.click(bubble.Min.Add(bubble.Size().Div(2)))
		return len(x.ours()) == 1
	})
}

func TestMenuOnTheScreen(t *testing.T) {
	x := startX(t)
	work := x.windowManager(image.Rect(100, 100, 500, 400))
	x.activate(work)
	o, told := openTold(t, Look{})
	middle := x.friendAt().Add(xCell.Div(2))
	open := func() image.Rectangle {
		t.Helper()
		x.point(middle)
		x.press(rightButton)
		x.release(rightButton)
		next(t, told, MenuWanted)
		o.OpenMenu("a", testMenu)
		x.until("the menu is on the screen", func() bool { return len(x.ours()) == 2 })
		return x.ours()[1].rect
	}
	gone := func() bool { return len(x.ours()) == 1 }

	escape := x.keycode(0xff1b)
	open()
	x.until("Escape closes it", func() bool {
		x.fake(xproto.KeyPress, escape, image.Point{})
		x.fake(xproto.KeyRelease, escape, image.Point{})
		return gone()
	})

	open()
	x.until("a click elsewhere closes it", func() bool { x.click(image.Pt(50, 50)); return gone() })

	box := open()
	item := image.Pt((box.Min.X+box.Max.X)/2, box.Max.Y-30) // the last one
	x.until("a click chooses", func() bool { x.click(item); return gone() })
	if e := next(t, told, Chosen); e.Item != "quit" {
		t.Errorf("chosen is %q, want what was clicked", e.Item)
	}
	if x.focus() != work {
		t.Error("the focus moved")
	}
}

// keycode is the key that has a symbol, without modifiers.
func (x *xserver) keycode(symbol xproto.Keysym) byte {
	setup := xproto.Setup(x.conn)
	first, n := setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)
	keys, err := xproto.GetKeyboardMapping(x.conn, first, n).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	i := slices.Index(keys.Keysyms, symbol)
	if i < 0 {
		x.t.Fatalf("no key has the symbol %#x", symbol)
	}
	return byte(first) + byte(i/int(keys.KeysymsPerKeycode))
}

// TestLooksChangeOnTheScreen: size, motion and when, while friends are there.
func TestLooksChangeOnTheScreen(t *testing.T) {
	x := startX(t)
	o, _ := openTold(t, Look{})
	x.friendAt()
	for _, size := range []float64{1, 0.5, 2, 0.5} {
		o.SetLook(Look{Size: size})
		want := testBox(figureSize(size)).Size()
		x.until("the friend has another size", func() bool {
			ours := x.ours()
			return len(ours) == 1 && ours[0].rect.Size() == want && ours[0].rect.Max.Y <= 600
		})
	}
	o.SetLook(Look{Size: xScale, When: WhenActive})
	x.until("a friend with nothing to do has left", func() bool { return len(x.ours()) == 0 })
	o.Show(Update{Friend: "a", State: agents.Working})
	x.until("one that works is there", func() bool { return len(x.ours()) == 1 })
	o.SetLook(Look{Size: xScale, When: Never})
	x.until("nobody is there", func() bool { return len(x.ours()) == 0 })
	o.ShowAll()
	x.until("who is called comes", func() bool { return len(x.ours()) == 1 })
}
