//go:build unix && !darwin

package overlay

import (
	"encoding/binary"
	"fmt"
	"image"
	"slices"
	"testing"

	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
)

// setMonitor adds a monitor as xrandr --setmonitor does, or changes it.
func (x *xserver) setMonitor(name string, r image.Rectangle, primary bool) (remove func()) {
	x.t.Helper()
	randr.QueryVersion(x.conn, 1, 5).Reply()
	m := randr.MonitorInfo{
		Name: x.atom(name), Primary: primary,
		X: int16(r.Min.X), Y: int16(r.Min.Y), Width: uint16(r.Dx()), Height: uint16(r.Dy()),
	}
	if err := randr.SetMonitorChecked(x.conn, x.root, m).Check(); err != nil {
		x.t.Fatal(err)
	}
	return func() { randr.DeleteMonitor(x.conn, x.root, m.Name) }
}

// set changes a property of 32-bit numbers.
func (x *xserver) set(id xproto.Window, property string, kind xproto.Atom, numbers ...int) {
	var data []byte
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint32(data, uint32(n))
	}
	xproto.ChangeProperty(x.conn, xproto.PropModeReplace, id, x.atom(property), kind, 32, uint32(len(numbers)), data)
}

// ask sends a request to the window manager.
func (x *xserver) ask(id xproto.Window, request string, numbers ...uint32) {
	data := append(numbers, make([]uint32, 5-len(numbers))...)
	message := xproto.ClientMessageEvent{Format: 32, Window: id, Type: x.atom(request), Data: xproto.ClientMessageDataUnionData32New(data)}
	xproto.SendEvent(x.conn, false, x.root, xproto.EventMaskSubstructureRedirect|xproto.EventMaskSubstructureNotify, string(message.Bytes()))
}

// fullScreen has the window manager make a window full-screen, or not.
func (x *xserver) fullScreen(id xproto.Window, on bool) {
	add := uint32(0)
	if on {
		add = 1
	}
	x.ask(id, "_NET_WM_STATE", add, uint32(x.atom("_NET_WM_STATE_FULLSCREEN")))
}

func TestMonitorsComeAndGo(t *testing.T) {
	x := startX(t)
	d := x.play(nil)
	left := x.setMonitor("Left", image.Rect(0, 0, 500, 600), false)
	right := x.setMonitor("Right", image.Rect(500, 100, 800, 400), true)
	copied := x.setMonitor("Copy", image.Rect(500, 100, 800, 400), false)
	want := []monitor{
		{name: "Right", whole: image.Rect(500, 100, 800, 400), work: image.Rect(500, 100, 800, 400)},
		{name: "Left", whole: image.Rect(0, 0, 500, 600), work: image.Rect(0, 0, 500, 600)},
	}
	// Xvfb's own monitor is there as well, over both.
	both := func() []monitor {
		return slices.DeleteFunc(slices.Clone(d.monitors()), func(m monitor) bool { return m.whole == image.Rect(0, 0, 800, 600) })
	}
	d.until("there are two monitors", func() bool { return slices.Equal(both(), want) })
	if !slices.Contains(d.changes, rearranged) || slices.Contains(d.changes, restyled) {
		t.Errorf("the changes are %v, want only rearranged", d.changes)
	}
	copied()
	right()
	d.until("one is taken away", func() bool { return slices.Equal(both(), want[1:]) })
	left()
	d.until("the screen is one again", func() bool { return len(d.monitors()) == 1 && d.monitors()[0].whole == image.Rect(0, 0, 800, 600) })
}

func TestFullScreenWindows(t *testing.T) {
	x := startX(t)
	x.setMonitor("Left", image.Rect(0, 0, 400, 600), true)
	x.setMonitor("Right", image.Rect(400, 0, 800, 600), false)
	work := x.windowManager(image.Rect(50, 100, 250, 300))
	d := x.play(nil)
	covered := func() (all []string) {
		for _, m := range d.monitors() {
			if m.covered {
				all = append(all, m.name)
			}
		}
		return all
	}
	is := func(names ...string) func() bool { return func() bool { return slices.Equal(covered(), names) } }
	if !is()() {
		t.Fatalf("at first %v is covered", covered())
	}
	x.fullScreen(work, true)
	d.until("it is full-screen", is("Left"))

	other := x.window(image.Rect(100, 100, 300, 300), false)
	d.until("another window is above it", is())
	x.ask(other, "_NET_CLOSE_WINDOW")
	xproto.DestroyWindow(x.conn, other)
	d.until("the other window is gone", is("Left"))

	popup := x.window(image.Rect(0, 0, 400, 600), true)
	note := x.kindOfWindow(image.Rect(20, 20, 120, 80), "_NET_WM_WINDOW_TYPE_NOTIFICATION")
	d.until("it is managed", func() bool { return slices.Contains(x.clients(), note) })
	d.hasLooked(x)
	if !is("Left")() {
		t.Errorf("under a pop-up of the shell and a notification %v is covered, want Left", covered())
	}
	xproto.UnmapWindow(x.conn, popup)

	x.fullScreen(work, false)
	d.until("it is full-screen no more", is())
	x.fullScreen(work, true)
	d.until("it is again", is("Left"))
	x.ask(work, "WM_CHANGE_STATE", 3) // iconic
	d.until("it is iconified", is())
}

// hasLooked waits until the driver has looked at the screen as it is now: it sees
// a resource that was changed last.
func (d *playedX11) hasLooked(x *xserver) {
	d.t.Helper()
	scale := 5 - d.scale()
	s := fmt.Sprintf("Xft.dpi: %v\n", 96*scale)
	xproto.ChangeProperty(x.conn, xproto.PropModeReplace, x.root, xproto.AtomResourceManager, xproto.AtomString, 8, uint32(len(s)), []byte(s))
	d.until("the driver has looked", func() bool { return d.scale() == scale })
}

// kindOfWindow maps a managed window of a type.
func (x *xserver) kindOfWindow(r image.Rectangle, kind string) xproto.Window {
	id := x.window(r, true)
	xproto.UnmapWindow(x.conn, id)
	xproto.ChangeWindowAttributes(x.conn, id, xproto.CwOverrideRedirect, []uint32{0})
	x.set(id, "_NET_WM_WINDOW_TYPE", xproto.AtomAtom, int(x.atom(kind)))
	xproto.MapWindow(x.conn, id)
	return id
}

func TestPanelsOfAWindowManager(t *testing.T) {
	x := startX(t)
	x.setMonitor("Left", image.Rect(0, 0, 400, 500), true)
	x.setMonitor("Right", image.Rect(400, 0, 800, 600), false)
	x.windowManager(image.Rect(50, 100, 250, 300))
	d := x.play(nil)
	dock := x.kindOfWindow(image.Rect(0, 470, 400, 500), "_NET_WM_WINDOW_TYPE_DOCK")
	x.set(dock, "_NET_WM_STRUT_PARTIAL", xproto.AtomCardinal, 0, 0, 0, 130, 0, 0, 0, 0, 0, 0, 0, 399)
	work := func(name string) image.Rectangle {
		for _, m := range d.monitors() {
			if m.name == name {
				return m.work
			}
		}
		return image.Rectangle{}
	}
	d.until("the left monitor has a panel, the right one none", func() bool {
		return work("Left") == image.Rect(0, 0, 400, 470) && work("Right") == image.Rect(400, 0, 800, 600)
	})
	xproto.DestroyWindow(x.conn, dock)
	d.until("the panel is gone", func() bool { return work("Left") == image.Rect(0, 0, 400, 500) })
}

func TestScaleFollowsTheDesktop(t *testing.T) {
	t.Setenv("GDK_SCALE", "")
	x := startX(t)
	d := x.play(nil)
	if d.scale() != 1 {
		t.Errorf("at first the scale is %v, want 1", d.scale())
	}
	resources := func(s string) {
		xproto.ChangeProperty(x.conn, xproto.PropModeReplace, x.root, xproto.AtomResourceManager, xproto.AtomString, 8, uint32(len(s)), []byte(s))
	}
	resources("*color: blue\nXft.dpi:\t192\nXft.hinting:\t1\n")
	d.until("the scale is 2", func() bool { return d.scale() == 2 })
	if !slices.Equal(d.changes, []change{restyled}) {
		t.Errorf("the changes are %v, want restyled once", d.changes)
	}
	resources("Xft.dpi: 120\n")
	d.until("the scale is 1.25", func() bool { return d.scale() == 1.25 })
}

func TestSystemScale(t *testing.T) {
	hd, fourK := image.Pt(1920, 1080), image.Pt(3840, 2160)
	for _, c := range []struct {
		name      string
		gdk       string
		resources string
		px, mm    image.Point
		want      float64
	}{
		{"nothing is known", "", "", hd, image.Point{}, 1},
		{"a monitor of 24 inches", "", "", hd, image.Pt(531, 299), 1},
		{"a laptop of 14 inches", "", "", hd, image.Pt(309, 174), 1.5},
		{"4K of 27 inches", "", "", fourK, image.Pt(597, 336), 1.5},
		{"4K of 15 inches", "", "", fourK, image.Pt(344, 194), 2},
		{"4K of 13 inches", "", "", fourK, image.Pt(286, 161), 3},
		{"only its aspect", "", "", hd, image.Pt(160, 90), 1},
		{"a projector's nonsense", "", "", hd, image.Pt(16, 9), 1},
		{"a television's", "", "", hd, image.Pt(1600, 900), 1},
		{"absurdly fine", "", "", hd, image.Pt(100, 56), 1},
		{"the desktop says so", "", "Xft.dpi:\t144\n", fourK, image.Pt(344, 194), 1.5},
		{"the desktop says less than there is", "", "Xft.dpi: 72", hd, image.Pt(309, 174), 1},
		{"the desktop says a lot", "", "Xft.dpi: 900", hd, image.Point{}, 4},
		{"the desktop says nonsense", "", "Xft.dpi: NaN\n", hd, image.Pt(309, 174), 1.5},
		{"another resource", "", "XftX.dpi: 192\nemacs.Xft.dpi: 192\n", hd, image.Pt(531, 299), 1},
		{"GTK's scale", "2", "Xft.dpi: 96", hd, image.Pt(531, 299), 2},
		{"GTK's scale is 1", "1", "Xft.dpi: 192", hd, image.Point{}, 2},
		{"GTK's scale is nonsense", "two", "Xft.dpi: 192", hd, image.Point{}, 2},
		{"GTK's scale is huge", "9", "", hd, image.Point{}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := systemScale(c.gdk, c.resources, c.px, c.mm); got != c.want {
				t.Errorf("the scale is %v, want %v", got, c.want)
			}
		})
	}
}

func TestPanelsLeave(t *testing.T) {
	left, right := image.Rect(0, 0, 1920, 1080), image.Rect(1920, 0, 3200, 1024)
	screen := image.Pt(3200, 1080)
	bottomOfLeft := strutsOf([]int{0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 1919}, screen)
	for _, c := range []struct {
		name        string
		p           panels
		left, right image.Rectangle
	}{
		{"nothing known", panels{}, left, right},
		{"a panel below the left one", panels{struts: bottomOfLeft}, image.Rect(0, 0, 1920, 1040), right},
		{"struts are better than areas", panels{struts: bottomOfLeft, areas: []image.Rectangle{image.Rect(100, 100, 3000, 900)}},
			image.Rect(0, 0, 1920, 1040), right},
		{"a panel at the inner edge of the right one", panels{struts: strutsOf([]int{1980, 0, 0, 0, 0, 1023, 0, 0, 0, 0, 0, 0}, screen)},
			left, image.Rect(1980, 0, 3200, 1024)},
		{"an old strut, above", panels{struts: strutsOf([]int{0, 0, 30, 0}, screen)},
			image.Rect(0, 30, 1920, 1080), image.Rect(1920, 30, 3200, 1024)},
		{"a panel below the right one, whose edge is not the screen's", panels{struts: strutsOf([]int{0, 0, 0, 86, 0, 0, 0, 0, 0, 0, 1920, 3199}, screen)},
			left, image.Rect(1920, 0, 3200, 994)},
		{"two at the right", panels{struts: append(strutsOf([]int{0, 30, 0, 0, 0, 0, 0, 1079, 0, 0, 0, 0}, screen), strutsOf([]int{0, 60, 0, 0, 0, 0, 0, 1079, 0, 0, 0, 0}, screen)...)},
			left, image.Rect(1920, 0, 3140, 1024)},
		{"a broken strut", panels{struts: strutsOf([]int{0, 0, 0, 900, 0, 0, 0, 0, 0, 0, 0, 3199}, screen)}, left, right},
		{"areas of two desktops", panels{areas: []image.Rectangle{image.Rect(0, 24, 3200, 1080), image.Rect(0, 0, 3200, 1000)}},
			image.Rect(0, 24, 1920, 1000), image.Rect(1920, 24, 3200, 1000)},
		{"an absurd area", panels{areas: []image.Rectangle{image.Rect(0, 0, 100, 1080)}}, left, right},
		{"an area of the left one only", panels{areas: []image.Rectangle{image.Rect(0, 0, 1920, 1040)}}, image.Rect(0, 0, 1920, 1040), right},
		{"Mutter's", panels{perMonitor: []image.Rectangle{image.Rect(0, 32, 1920, 1080), right}, areas: []image.Rectangle{image.Rect(0, 32, 3200, 1080)}},
			image.Rect(0, 32, 1920, 1080), right},
		{"Mutter's of older monitors", panels{perMonitor: []image.Rectangle{image.Rect(0, 0, 5000, 4000)}}, left, right},
	} {
		t.Run(c.name, func(t *testing.T) {
			if l, r := c.p.free(left), c.p.free(right); l != c.left || r != c.right {
				t.Errorf("what is left is %v and %v, want %v and %v", l, r, c.left, c.right)
			}
		})
	}
	if free := (panels{areas: []image.Rectangle{image.Rect(0, 0, 10, 10)}}).free(image.Rect(0, 0, 100, 100)); free != image.Rect(0, 0, 100, 100) {
		t.Errorf("of a tiny monitor %v is left, want all", free)
	}
}

func TestCover(t *testing.T) {
	left, right := image.Rect(0, 0, 400, 300), image.Rect(400, 0, 800, 300)
	full := func(r image.Rectangle) client { return client{rect: r, fullScreen: true} }
	window := func(r image.Rectangle) client { return client{rect: r} }
	for _, c := range []struct {
		name        string
		clients     []client // from the top
		left, right bool
	}{
		{"nothing", nil, false, false},
		{"full-screen on the left", []client{full(left)}, true, false},
		{"over both", []client{full(left.Union(right))}, true, true},
		{"a window is above", []client{window(image.Rect(10, 10, 90, 90)), full(left)}, false, false},
		{"a window is below", []client{full(left), window(image.Rect(10, 10, 90, 90))}, true, false},
		{"the shadow of one beside reaches over", []client{window(image.Rect(390, 10, 700, 200)), full(left)}, true, false},
		{"as large, but not full-screen", []client{window(left)}, false, false},
		{"full-screen by its own word, but smaller", []client{full(image.Rect(0, 0, 399, 300))}, false, false},
		{"one on each", []client{window(image.Rect(10, 10, 90, 90)), full(right), full(left)}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := []monitor{{whole: left}, {whole: right}}
			cover(m, slices.Values(c.clients))
			if m[0].covered != c.left || m[1].covered != c.right {
				t.Errorf("covered: %v and %v, want %v and %v", m[0].covered, m[1].covered, c.left, c.right)
			}
		})
	}
}

func TestOrderOfWindows(t *testing.T) {
	listed, stacking, active := []xproto.Window{1, 2, 3}, []xproto.Window{3, 1, 2}, []xproto.Window{1}
	if got := inOrder(listed, stacking, active); !slices.Equal(got, stacking) {
		t.Errorf("the order is %v, want the window manager's", got)
	}
	if got := inOrder(listed, nil, active); got[len(got)-1] != 1 || !slices.Equal(listed, []xproto.Window{1, 2, 3}) {
		t.Errorf("the order is %v, want the active one on top", got)
	}
}

func TestCoverChanges(t *testing.T) {
	a, b := monitor{name: "A", whole: image.Rect(0, 0, 9, 9)}, monitor{name: "B", whole: image.Rect(9, 0, 18, 9)}
	hidden := a
	hidden.covered = true
	for _, c := range []struct {
		name        string
		before, now []monitor
		want        bool
	}{
		{"nothing", []monitor{a, b}, []monitor{a, b}, false},
		{"covered", []monitor{a, b}, []monitor{hidden, b}, true},
		{"covered no more", []monitor{hidden}, []monitor{a}, true},
		{"one more monitor", []monitor{a}, []monitor{a, b}, false},
	} {
		if got := coverChanged(view{monitors: c.before}, view{monitors: c.now}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWhatIsCoveredForAMomentIsNot(t *testing.T) {
	whole := image.Rect(0, 0, 9, 9)
	for _, c := range []struct {
		name  string
		seen  bool   // covered before
		looks []bool // covered at each look
		want  bool
	}{
		{"all is as before", false, []bool{false}, false},
		{"a window that stays", false, []bool{true, true}, true},
		{"a switcher", false, []bool{true, false}, false},
		{"another desktop for a moment", true, []bool{false, true}, true},
		{"the end of a film", true, []bool{false, false}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			looks, waits := 0, 0
			look := func() view {
				looks++
				return view{monitors: []monitor{{whole: whole, covered: c.looks[looks-1]}}}
			}
			seen := view{monitors: []monitor{{whole: whole, covered: c.seen}}}
			now, ok := settle(seen, look, func() bool { waits++; return true })
			if !ok || now.monitors[0].covered != c.want || looks != len(c.looks) || waits != looks-1 {
				t.Errorf("covered: %v after %d looks and %d waits, want %v after %d", now.monitors[0].covered, looks, waits, c.want, len(c.looks))
			}
		})
	}
	covered := func() view { return view{monitors: []monitor{{covered: true}}} }
	if _, ok := settle(view{monitors: []monitor{{}}}, covered, func() bool { return false }); ok {
		t.Error("it went on after the display was gone")
	}
}
