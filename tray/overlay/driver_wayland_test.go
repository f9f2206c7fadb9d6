//go:build unix && !darwin

package overlay

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"log/slog"
	"os"
	"slices"
	"testing"

	"github.com/playpets/playpets/tray/wayland"
	"go.uber.org/goleak"
)

// A wlStage plays a driver as the loop does, without a stage.
type wlStage struct {
	*wl
	t       testing.TB
	inputs  []input
	changes []change
	gone    bool
}

func openStage(t testing.TB) *wlStage {
	t.Helper()
	d, err := openWayland(slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.close)
	return &wlStage{wl: d.(*wl), t: t}
}

// until handles what comes until something is true.
func (s *wlStage) until(what string, true func() bool) {
	s.t.Helper()
	until(s.t, what, func() bool {
		if s.pump(); s.gone {
			s.t.Fatalf("the connection ended before %s", what)
		}
		return true()
	})
}

func (s *wlStage) pump() {
	for {
		select {
		case e, ok := <-s.events():
			if s.gone = !ok; s.gone {
				return
			}
			n := s.handle(e)
			if n.change != nothing {
				s.changes = append(s.changes, n.change)
			}
			if n.input.deed != noDeed {
				s.inputs = append(s.inputs, n.input)
			}
		default:
			return
		}
	}
}

// hears handles what comes until the person did something, which it returns.
func (s *wlStage) hears(what deed) (in input) {
	s.t.Helper()
	s.until("the person is heard", func() bool {
		i := slices.IndexFunc(s.inputs, func(in input) bool { return in.deed == what })
		if i >= 0 {
			in = s.inputs[i]
			s.inputs = slices.Delete(s.inputs, 0, i+1)
		}
		return i >= 0
	})
	return in
}

var (
	red   = color.RGBA{200, 20, 30, 255}
	green = color.RGBA{10, 180, 60, 255}
)

// disc is a picture whose corners are not there.
func disc(size int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			if dx, dy := 2*x-size, 2*y-size; dx*dx+dy*dy < size*size {
				img.SetRGBA(x, y, c)
			}
		}
	}
	return img
}

// solid is a picture of one colour.
func solid(w, h int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = []byte{c.R, c.G, c.B, c.A}[i%4]
	}
	return img
}

// friend shows one friend, red in its first frame and green in its second one.
func (s *wlStage) friend(w *sway, at image.Point) figure {
	f := s.newFigure("Pixel")
	f.load(rowIdle, []*image.RGBA{disc(100, red), disc(100, green)})
	f.paint(rowIdle, 0, at)
	s.until("a friend is seen", func() bool { return w.at(at.Add(image.Pt(50, 50))) == red })
	return f
}

func TestWaylandPixels(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	if m := s.monitors(); len(m) != 1 || m[0].whole != image.Rect(0, 0, 800, 600) || m[0].work != m[0].whole || m[0].name != "HEADLESS-1" {
		t.Errorf("the monitors are %v", m)
	}
	at := image.Pt(300, 200)
	f := s.friend(w, at)
	if !same(w.look(), map[image.Point]*image.RGBA{at: disc(100, red)}, image.Pt(790, 590)) {
		t.Error("there is more on the screen than the friend, or less of it")
	}
	f.paint(rowIdle, 1, at.Add(image.Pt(1, 2)))
	s.until("the next frame is seen elsewhere", func() bool {
		return w.at(at.Add(image.Pt(50, 1))) == behind && w.at(at.Add(image.Pt(51, 101))) == green
	})
	soft := solid(60, 40, color.RGBA{50, 0, 0, 64})
	b := s.newBalloon("Pixel")
	b.put(soft, image.Pt(10, 10))
	want := over(color.NRGBA{199, 0, 0, 64}, behind)
	s.until("a soft bubble shows what is behind", func() bool { return near(w.at(image.Pt(20, 20)), want) })
	b.hide()
	f.hide()
	s.until("nothing is left", func() bool {
		img := w.look()
		return img.RGBAAt(20, 20) == behind && img.RGBAAt(351, 252) == behind
	})
	f.paint(rowIdle, 0, at)
	s.until("the friend is back", func() bool { return w.at(image.Pt(350, 250)) == red })
}

func TestWaylandClicks(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	f := s.friend(w, image.Pt(300, 200))
	all := image.Pt(800, 600)

	w.move(image.Pt(303, 203), all)
	w.button(0x110, true)
	w.button(0x110, false)
	if !w.hand.inside || w.hand.clicks != 1 {
		t.Errorf("a click beside the friend, in its corner, did not reach what is behind")
	}
	w.move(image.Pt(350, 250), all)
	w.button(0x111, true)
	if in := s.hears(pressed); in.on != f || in.at != image.Pt(350, 250) || in.button != rightButton {
		t.Errorf("the friend heard %+v", in)
	}
	w.button(0x111, false)
	if in := s.hears(released); in.on != f || in.button != rightButton {
		t.Errorf("the friend heard %+v", in)
	}
	if w.hand.inside || w.hand.clicks != 1 {
		t.Errorf("a click on the friend went through it")
	}
}

func TestWaylandDrag(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	corner := image.Pt(300, 200)
	f := s.friend(w, corner)
	all := image.Pt(800, 600)
	w.move(image.Pt(340, 250), all)
	w.button(0x110, true)
	grip := s.hears(pressed).at.Sub(corner)
	for _, to := range []image.Point{{341, 250}, {400, 300}, {60, 60}, {500, 420}} {
		w.move(to, all)
		s.until("the friend hears where the pointer is", func() bool {
			n := len(s.inputs)
			return n > 0 && s.inputs[n-1].at == to
		})
		in := s.inputs[len(s.inputs)-1]
		if in.on != f || in.deed != moved {
			t.Fatalf("the friend heard %+v", in)
		}
		f.paint(rowIdle, 1, in.at.Sub(grip))
		s.until("the friend is under the pointer, and there only", func() bool {
			return same(w.look(), map[image.Point]*image.RGBA{to.Sub(grip): disc(100, green)}, to)
		})
	}
	w.button(0x110, false)
	if in := s.hears(released); in.at != image.Pt(500, 420) || in.on != f {
		t.Errorf("the friend heard %+v", in)
	}
	if n := len(s.outputs[0].stack); n != 1 {
		t.Errorf("%d surfaces are left, want the friend's", n)
	}
	w.move(image.Pt(340, 250), all)
	if !w.hand.inside {
		t.Error("something is left where the friend was")
	}
	w.move(image.Pt(500, 420), all)
	w.button(0x110, true)
	if in := s.hears(pressed); in.on != f {
		t.Errorf("the friend heard %+v", in)
	}
}

// same reports whether a screen shows pictures, and nothing else, wherever the
// pointer does not hide it.
func same(screen *image.RGBA, pictures map[image.Point]*image.RGBA, pointer image.Point) bool {
	want := image.NewRGBA(screen.Rect)
	draw.Draw(want, want.Rect, image.NewUniform(behind), image.Point{}, draw.Src)
	for at, p := range pictures {
		draw.Draw(want, p.Rect.Add(at), p, image.Point{}, draw.Over)
	}
	for _, img := range []*image.RGBA{want, screen} {
		draw.Draw(img, image.Rect(0, 0, 40, 40).Add(pointer.Sub(image.Pt(10, 10))), image.Black, image.Point{}, draw.Src)
	}
	return bytes.Equal(want.Pix, screen.Pix)
}

func count(img *image.RGBA, c color.RGBA) (n int) {
	for i := 0; i < len(img.Pix); i += 4 {
		if [4]byte(img.Pix[i:]) == [4]byte{c.R, c.G, c.B, c.A} {
			n++
		}
	}
	return n
}

func TestWaylandMenu(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	f := s.friend(w, image.Pt(300, 200))
	all := image.Pt(800, 600)
	open := func() balloon {
		b := s.newBalloon("Pixel")
		b.put(solid(120, 160, green), image.Pt(350, 100))
		s.grab(b)
		s.until("the menu is seen in front", func() bool { return count(w.look(), green) == 120*160 })
		return b
	}
	menu := open()
	w.key(103)
	s.hears(keyUp)
	w.key(108)
	s.hears(keyDown)
	w.key(28)
	s.hears(keyEnter)
	w.key(1)
	s.hears(keyEscape)
	w.move(image.Pt(400, 150), all)
	if in := s.hears(moved); in.on != menu || in.at != image.Pt(400, 150) {
		t.Errorf("the menu heard %+v", in)
	}
	w.button(0x110, true)
	if in := s.hears(pressed); in.on != menu || in.button != leftButton {
		t.Errorf("the menu heard %+v", in)
	}
	w.button(0x110, false)
	s.hears(released)
	w.move(image.Pt(320, 250), all)
	if in := s.hears(left); in.on != menu {
		t.Errorf("the menu heard %+v", in)
	}
	for name, at := range map[string]image.Point{"the friend": {320, 250}, "nothing of ours": {20, 20}} {
		w.move(at, all)
		w.button(0x110, true)
		s.hears(dismissed)
		w.button(0x110, false)
		menu.close()
		s.until("the menu is gone", func() bool { return count(w.look(), green) == 0 })
		if s.pump(); len(s.inputs) != 0 || w.hand.clicks != 0 {
			t.Errorf("a click on %s while a menu is open did %v", name, s.inputs)
		}
		menu = open()
	}
	s.ungrab()
	menu.close()
	s.until("the menu is gone for good", func() bool { return count(w.look(), green) == 0 })
	w.key(1)
	w.move(image.Pt(20, 20), all)
	w.button(0x110, true)
	w.button(0x110, false)
	if w.hand.clicks != 1 {
		t.Error("after the menu, clicks do not reach what is behind")
	}
	w.move(image.Pt(350, 250), all)
	w.button(0x110, true)
	if in := s.hears(pressed); in.on != f {
		t.Errorf("the friend heard %+v", in)
	}
	w.button(0x110, false)
	s.hears(released)
	if n := len(s.outputs[0].stack); n != 1 {
		t.Errorf("%d surfaces are left, want the friend's", n)
	}
}

func TestWaylandMenuLosesTheKeyboard(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	menu := s.newBalloon("Pixel")
	menu.put(solid(50, 50, green), image.Pt(100, 100))
	s.grab(menu)
	s.until("a menu is seen", func() bool { return w.at(image.Pt(120, 120)) == green })
	w.key(108)
	s.hears(keyDown)
	w.client().lock()
	s.hears(dismissed)
}

func TestWaylandFullScreenCovers(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	s.friend(w, image.Pt(300, 200))
	film := color.RGBA{5, 5, 5, 255}
	c := w.client()
	c.fullScreen(film)
	s.until("a film in full screen is all that is seen", func() bool { return count(w.look(), film) == 800*600 })
	c.conn.Close()
	s.until("the friend is back", func() bool { return w.at(image.Pt(350, 250)) == red })
}

func TestWaylandOrder(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	f := s.friend(w, image.Pt(300, 200))
	b := s.newBalloon("Pixel")
	b.put(solid(100, 100, green), image.Pt(300, 200))
	at := image.Pt(350, 250)
	s.until("who comes last is in front", func() bool { return w.at(at) == green })
	f.raise()
	s.until("who is raised is in front", func() bool { return w.at(at) == red })
	b.raise()
	s.until("the other one is again", func() bool { return w.at(at) == green })
}

func TestWaylandMonitors(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	f := s.friend(w, image.Pt(300, 200))
	w.say("create_output")
	w.say("output HEADLESS-2 resolution 640x480 position 800 0")
	right := image.Rect(800, 0, 1440, 480)
	s.until("there are two monitors", func() bool {
		m := s.monitors()
		return len(m) == 2 && m[1].whole == right && m[1].name == "HEADLESS-2"
	})
	if !slices.Contains(s.changes, rearranged) {
		t.Errorf("nobody was told: %v", s.changes)
	}
	f.paint(rowIdle, 1, image.Pt(1000, 100))
	s.until("the friend is on the other monitor", func() bool {
		img := w.look()
		return img.RGBAAt(1050, 150) == green && img.RGBAAt(350, 250) == behind
	})
	f.paint(rowIdle, 0, image.Pt(300, 200))
	s.until("the friend is back", func() bool {
		img := w.look()
		return img.RGBAAt(350, 250) == red && count(img, green) == 0
	})

	s.changes = nil
	w.say("output HEADLESS-1 scale 2")
	s.until("the monitor is as large as before, in finer pixels", func() bool {
		return s.scale() == 2 && s.monitors()[0].whole == image.Rect(0, 0, 800, 600)
	})
	if !slices.Contains(s.changes, restyled) {
		t.Errorf("it was told %v", s.changes)
	}
	checks := solid(101, 51, green)
	for i := 0; i < len(checks.Pix); i += 8 { // every other pixel is red
		copy(checks.Pix[i:], []byte{red.R, red.G, red.B, 255})
	}
	b := s.newBalloon("Pixel")
	b.put(checks, image.Pt(20, 40))
	s.until("a bubble is as sharp as the monitor", func() bool {
		img := w.look()
		return img.RGBAAt(20, 40) == red && img.RGBAAt(21, 40) == green && img.RGBAAt(120, 90) == red && img.RGBAAt(121, 90) == behind
	})
}

// TestWaylandMonitorLeaves has sway run in windows of another sway, which can be
// closed.
func TestWaylandMonitorLeaves(t *testing.T) {
	outer := runSway(t, "WLR_BACKENDS=headless", "WAYLAND_DISPLAY=")
	w := runSway(t, "WLR_BACKENDS=wayland", "WLR_WL_OUTPUTS=2", "WAYLAND_DISPLAY="+os.Getenv("WAYLAND_DISPLAY"))
	s := openStage(t)
	s.until("there are two monitors", func() bool {
		m := s.monitors()
		return len(m) == 2 && m[0].whole.Dx() == 400 && m[1].whole.Dx() == 400
	})
	m := s.monitors()
	f := s.friend(w, m[1].whole.Min.Add(image.Pt(100, 100)))
	other := s.newFigure("Byte")
	other.load(rowIdle, []*image.RGBA{disc(100, green)})
	other.paint(rowIdle, 0, m[0].whole.Min.Add(image.Pt(100, 100)))
	s.changes = nil
	outer.say(`[title="^wlroots - ` + m[1].name + `$"] kill`)
	s.until("there is one monitor", func() bool { return len(s.monitors()) == 1 })
	if !slices.Contains(s.changes, rearranged) {
		t.Errorf("it was told %v", s.changes)
	}
	left := s.monitors()[0]
	f.paint(rowIdle, 0, left.whole.Min.Add(image.Pt(200, 300)))
	s.until("both friends are on the other one", func() bool {
		img := w.look()
		return count(img, red) == count(disc(100, red), red) && count(img, green) == count(disc(100, green), green)
	})
}

func TestWaylandPanels(t *testing.T) {
	w := startSway(t)
	s := openStage(t)
	c := w.client()
	c.panel(30)
	s.until("friends stand clear of the panel", func() bool { return s.monitors()[0].work == image.Rect(0, 30, 800, 570) })
	if !slices.Contains(s.changes, rearranged) {
		t.Errorf("it was told %v", s.changes)
	}
}

// TestWaylandOverlay has the whole overlay play: a friend is dragged, and its menu
// opened, used and closed.
func TestWaylandOverlay(t *testing.T) {
	w := startSway(t)
	events := make(chan Event, 10)
	o, err := Open(Options{Look: Look{Size: xScale, Motion: Reduced}, CacheDir: t.TempDir(), OnEvent: func(e Event) { events <- e }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	next := func() (e Event) {
		t.Helper()
		until(t, "the overlay says what was done", func() bool {
			select {
			case e = <-events:
				return true
			default:
				return false
			}
		})
		return e
	}
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	middle := standing(image.Rect(0, 0, 800, 600), xCell, 0, 1).Add(xCell.Div(2))
	until(t, "a friend is seen", func() bool { return w.at(middle) == paint(rowIdle, 0) })
	all, to := image.Pt(800, 600), image.Pt(200, 300)
	edge := middle.Add(image.Pt(xCell.X/2-xCell.X/8-4, 0))
	if w.at(edge) == behind {
		t.Fatal("the friend has no right edge")
	}
	w.move(middle, all)
	w.button(0x110, true)
	w.move(middle.Sub(image.Pt(20, 0)), all)
	until(t, "the friend follows", func() bool { return w.at(edge) == behind })
	w.move(to.Add(image.Pt(0, 90)), all)
	w.move(to, all)
	w.button(0x110, false)
	if e := next(); e.Kind != Moved || e.Place.Feet != feetOf(to.Sub(xCell.Div(2)), xCell) {
		t.Errorf("the event is %+v", e)
	}
	until(t, "the friend is where it was put", func() bool { return w.at(to.Add(image.Pt(20, 20))) == paint(rowIdle, 0) && w.at(middle) == behind })

	w.move(to.Add(image.Pt(1, 0)), all) // sway looks only then what is under the pointer now
	w.button(0x111, true)
	w.button(0x111, false)
	if e := next(); e.Kind != MenuWanted || e.Friend != "a" {
		t.Errorf("the event is %+v", e)
	}
	paper := to.Add(image.Pt(60, 12))
	before := w.at(paper)
	open := func() {
		o.OpenMenu("a", Menu{Items: []MenuItem{{"hide", "Hide"}, {"quit", "Quit PlayPets"}}})
		until(t, "a menu is seen", func() bool { return w.at(paper) != before })
	}
	closed := func() bool { return w.at(paper) == before }
	open()
	w.key(1)
	until(t, "Escape closes the menu", closed)
	open()
	w.move(image.Pt(700, 500), all)
	w.button(0x110, true)
	w.button(0x110, false)
	until(t, "a click elsewhere closes the menu", closed)
	open()
	w.key(103)
	w.key(28)
	if e := next(); e.Kind != Chosen || e.Item != "quit" {
		t.Errorf("the event is %+v", e)
	}
	until(t, "the choice closes the menu", closed)
}

func TestWaylandDies(t *testing.T) {
	w := startSway(t)
	before := goleak.IgnoreCurrent()
	var said lockedBuffer
	o := openTest(t, slog.New(slog.NewTextHandler(&said, nil)))
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	at := standing(image.Rect(0, 0, 800, 600), xCell, 0, 1).Add(xCell.Div(2))
	until(t, "a friend is seen", func() bool { return w.at(at) == paint(rowIdle, 0) })
	w.kill()
	<-o.Done()
	o.ShowAll()
	o.Close()
	goleak.VerifyNone(t, before)
}

func TestWaylandKeepsNothing(t *testing.T) {
	startSway(t)
	s := openStage(t)
	b := s.newBalloon("Pixel")
	most := uint32(0)
	for i := range 10_000 {
		b.put(solid(20+i%7, 10, green), image.Pt(100+i%5, 100))
		if i%100 == 99 {
			b.hide()
			most = max(most, s.sync()) // numbers are given again: it is how many there are
		}
	}
	if most > 1000 {
		t.Errorf("after 10000 pictures the numbers of objects are up to %d", most)
	}
}

// sync handles everything that comes from what was done, and returns the number
// of its object.
func (s *wlStage) sync() uint32 {
	done := wayland.Done{Sync: s.conn.Sync()}
	s.flush()
	for e := range s.events() {
		if e == any(done) {
			break
		}
		s.handle(e)
	}
	return done.Sync
}
