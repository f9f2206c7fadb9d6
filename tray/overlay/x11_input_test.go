//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// blockFigure is a friend of two frames at 100,100: a block at its left, then one
// at its right, and nothing between.
func blockFigure(d *playedX11) figure {
	size := image.Pt(60, 40)
	f := d.newFigure("Block")
	f.load(rowIdle, []*image.RGBA{block(size, image.Rect(4, 4, 20, 36)), block(size, image.Rect(40, 4, 56, 36))})
	f.paint(rowIdle, 0, image.Pt(100, 100))
	return f
}

func TestOnlyOpaquePixelsTakeClicks(t *testing.T) {
	for _, composited := range []bool{true, false} {
		t.Run(map[bool]string{true: "with a compositor", false: "without a compositor"}[composited], func(t *testing.T) {
			x := startX(t)
			if composited {
				x.compositor()
			}
			d := x.play(nil)
			f := blockFigure(d)
			d.until("it is seen", func() bool { return x.at(image.Pt(110, 120)) == blockColor })

			x.click(image.Pt(130, 120)) // between
			x.click(image.Pt(102, 120)) // the shadow
			x.click(image.Pt(110, 102))
			if got, want := x.clicks(), []string{"130,120", "102,120", "110,102"}; !slices.Equal(got, want) {
				t.Errorf("the window behind was clicked at %v, want %v", got, want)
			}
			x.click(image.Pt(110, 120))
			d.wants("a click", input{deed: pressed, on: f, at: image.Pt(110, 120), button: leftButton},
				input{deed: released, on: f, at: image.Pt(110, 120), button: leftButton})

			f.paint(rowIdle, 1, image.Pt(200, 200))
			d.until("the other frame is seen", func() bool { return x.at(image.Pt(250, 220)) == blockColor })
			x.click(image.Pt(250, 220))
			d.wants("a click", input{deed: pressed, on: f, at: image.Pt(250, 220), button: leftButton},
				input{deed: released, on: f, at: image.Pt(250, 220), button: leftButton})
			if got := x.clicks(); len(got) > 0 {
				t.Errorf("the window behind was clicked at %v", got)
			}
		})
	}
}

func TestDragOverTheWholeScreen(t *testing.T) {
	x := startX(t)
	d := x.play(nil)
	f := blockFigure(d)
	d.until("it is seen", func() bool { return x.at(image.Pt(110, 120)) == blockColor })
	x.point(image.Pt(110, 120))
	x.press(leftButton)
	d.wants("a press", input{deed: pressed, on: f, at: image.Pt(110, 120), button: leftButton})
	for _, at := range []image.Point{{130, 125}, {799, 599}, {0, 0}, {400, 300}} {
		x.point(at)
		d.wants("a motion", input{deed: moved, on: f, at: at})
		f.paint(rowIdle, 0, at.Sub(image.Pt(10, 20)))
		d.until("the friend is there", func() bool { return x.at(at) == blockColor })
		if got := x.ours()[0].rect.Min; got != at.Sub(image.Pt(10, 20)) {
			t.Errorf("the friend is at %v, want the pointer at its spot %v", got, at)
		}
	}
	x.release(leftButton)
	d.wants("letting go", input{deed: released, on: f, at: image.Pt(400, 300), button: leftButton})
	x.point(image.Pt(405, 300))
	for wheel := byte(4); wheel <= 7; wheel++ {
		x.press(wheel)
		x.release(wheel)
	}
	x.press(rightButton)
	d.wants("the wheel and then the right button", input{deed: pressed, on: f, at: image.Pt(405, 300), button: rightButton})
	x.release(rightButton)
	d.take(1)
}

func TestMotionsPileUpToOne(t *testing.T) {
	x := startX(t)
	d := x.play(nil)
	f := blockFigure(d)
	d.until("it is seen", func() bool { return x.at(image.Pt(110, 120)) == blockColor })
	x.point(image.Pt(110, 120))
	x.press(leftButton)
	for i := range 300 {
		x.point(image.Pt(111+i, 121+i))
	}
	x.release(leftButton)
	x.focus() // all of it has been sent to the driver
	d.until("it is let go", func() bool { return len(d.inputs) > 0 && d.inputs[len(d.inputs)-1].deed == released })
	n := len(d.inputs)
	if want := (input{deed: moved, on: f, at: image.Pt(410, 420)}); n > 100 || d.inputs[n-2] != want {
		t.Errorf("the loop was told %d inputs, the last before the end %+v; want few, the last %+v", n, d.inputs[n-2], want)
	}
}

// showMenu is a menu at 300,200 with the grab, and the grab there.
func showMenu(x *xserver, d *playedX11) balloon {
	b := d.newBalloon("Menu")
	b.put(block(image.Pt(80, 60), image.Rect(5, 5, 75, 55)), image.Pt(300, 200))
	d.grab(b)
	d.until("it is seen", func() bool { return x.at(image.Pt(340, 230)) == blockColor })
	if !d.menu.pointer || !d.menu.keys {
		x.t.Fatal("the menu has no grab")
	}
	return b
}

func TestMenuHasPointerAndKeys(t *testing.T) {
	x := startX(t)
	work := x.windowManager(image.Rect(0, 0, 200, 200))
	x.activate(work)
	d := x.play(nil)
	f := blockFigure(d)
	d.until("it is seen", func() bool { return x.at(image.Pt(110, 120)) == blockColor })
	x.point(image.Pt(250, 150))
	b := showMenu(x, d)

	x.point(image.Pt(340, 230))
	d.wants("a motion into the menu", input{deed: moved, on: b, at: image.Pt(340, 230)})
	x.point(image.Pt(342, 231))
	d.wants("a motion over the menu", input{deed: moved, on: b, at: image.Pt(342, 231)})
	x.press(leftButton)
	x.release(leftButton)
	d.wants("a click on it", input{deed: pressed, on: b, at: image.Pt(342, 231), button: leftButton},
		input{deed: released, on: b, at: image.Pt(342, 231), button: leftButton})
	x.point(image.Pt(250, 150))
	d.wants("a motion out of the menu", input{deed: left, on: b, at: image.Pt(250, 150)})

	for _, k := range []struct {
		sym  xproto.Keysym
		want deed
	}{{0xff52, keyUp}, {0xff54, keyDown}, {0xff99, keyDown}, {0xff0d, keyEnter}, {0xff8d, keyEnter}, {0xff1b, keyEscape}} {
		x.key('a')
		x.key(k.sym)
		d.wants("a key", input{deed: k.want})
	}
	if got := x.focus(); got != work {
		t.Errorf("the focus went to window %d", got)
	}

	x.click(image.Pt(110, 120)) // our own friend is elsewhere, too
	d.wants("a press elsewhere", input{deed: dismissed})
	if d.menu != nil {
		t.Error("after a press elsewhere there is still a grab")
	}
	d.conn.Sync()
	d.inputs = nil
	x.click(image.Pt(110, 121))
	d.until("the friend is clicked again", func() bool {
		return slices.Contains(d.inputs, input{deed: released, on: f, at: image.Pt(110, 121), button: leftButton})
	})
}

func TestMenuIsDismissed(t *testing.T) {
	for name, away := range map[string]func(*xserver){
		"a press elsewhere": func(x *xserver) { x.click(image.Pt(600, 500)) },
		"another window becomes active": func(x *xserver) {
			xproto.ChangeProperty(x.conn, xproto.PropModeReplace, x.root, x.atom("_NET_ACTIVE_WINDOW"), xproto.AtomWindow, 32, 1, []byte{1, 2, 3, 0})
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := startX(t)
			d := x.play(nil)
			b := showMenu(x, d)
			away(x)
			d.wants(name, input{deed: dismissed})
			if got := x.clicks(); len(got) > 0 {
				t.Errorf("the press that closed the menu reached the window behind: %v", got)
			}
			b.close()
			d.conn.Sync()
			x.click(image.Pt(600, 500))
			if got := x.clicks(); len(got) != 1 {
				t.Errorf("without a menu the window behind was clicked %d times, want once", len(got))
			}
			x.free("the menu is closed")
		})
	}
}

func TestGrabEndsWithTheMenu(t *testing.T) {
	for name, end := range map[string]func(*playedX11, balloon){
		"ungrab": func(d *playedX11, b balloon) { d.ungrab() },
		"hide":   func(d *playedX11, b balloon) { b.hide() },
		"close":  func(d *playedX11, b balloon) { b.close() },
	} {
		t.Run(name, func(t *testing.T) {
			x := startX(t)
			d := x.play(nil)
			b := showMenu(x, d)
			end(d, b)
			if d.menu != nil {
				t.Error("there still is a menu")
			}
			x.free("it ended")
			d.ungrab() // once more is nothing
		})
	}
}

func TestMenuWithoutAGrab(t *testing.T) {
	x := startX(t)
	if s := x.grabPointer(); s != xproto.GrabStatusSuccess {
		t.Fatalf("the test's grab was refused: %d", s)
	}
	d := x.play(nil)
	b := d.newBalloon("Menu")
	b.put(block(image.Pt(80, 60), image.Rect(5, 5, 75, 55)), image.Pt(300, 200))
	d.grab(b)
	if d.menu == nil || d.menu.pointer {
		t.Fatalf("the menu is %+v, want one that waits for the pointer", d.menu)
	}
	xproto.UngrabPointer(x.conn, xproto.TimeCurrentTime)
	x.point(image.Pt(340, 230))
	d.wants("a motion over the menu", input{deed: moved, on: b, at: image.Pt(340, 230)})
	if !d.menu.pointer {
		t.Error("the pointer is free, but the menu has not taken it")
	}
}

func TestMenuWithoutAGrabClosesWhenThePointerLeaves(t *testing.T) {
	x := startX(t)
	x.point(image.Pt(340, 230))
	d := x.play(nil)
	b := d.newBalloon("Menu")
	b.put(block(image.Pt(80, 60), image.Rect(5, 5, 75, 55)), image.Pt(300, 200))
	d.until("it is seen", func() bool { return x.at(image.Pt(340, 230)) == blockColor })
	x.grabPointer()
	d.grab(b)
	xproto.UngrabPointer(x.conn, xproto.TimeCurrentTime)
	x.point(image.Pt(600, 500)) // before it could take the pointer
	d.wants("the pointer's leaving", input{deed: dismissed})
	if d.menu != nil {
		t.Error("there still is a menu")
	}
}
