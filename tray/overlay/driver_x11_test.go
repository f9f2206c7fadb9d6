//go:build unix && !darwin

package overlay

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
	"github.com/playpets/playpets/agents"
	"go.uber.org/goleak"
)

const xScale = 0.5

// xCell is a friend's size in these tests; its sheet needs no scaling.
var xCell = figureSize(xScale)

func openTest(t testing.TB, log *slog.Logger) *Overlay {
	t.Helper()
	o, err := Open(Options{Look: Look{Size: xScale}, CacheDir: t.TempDir(), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

// friendAt waits for the one friend and returns its cell's corner.
func (x *xserver) friendAt() image.Point {
	x.t.Helper()
	var at image.Point
	x.until("a friend is on the screen", func() bool {
		ours := x.ours()
		if len(ours) != 1 || ours[0].rect.Size() != testBox(xCell).Size() {
			return false
		}
		at = ours[0].rect.Min.Sub(testBox(xCell).Min)
		return true
	})
	return at
}

func TestFriendOnTheScreen(t *testing.T) {
	for _, composited := range []bool{true, false} {
		name := map[bool]string{true: "with a compositor", false: "without a compositor"}[composited]
		t.Run(name, func(t *testing.T) {
			x := startX(t)
			if composited {
				x.compositor()
			}
			o := openTest(t, nil)
			o.SetFriends([]Sprite{testSprite("a", xCell)})
			at := x.friendAt()
			if want := standing(image.Rect(0, 0, 800, 600), xCell, 0, 1); at != want {
				t.Errorf("it stands at %v, want %v", at, want)
			}
			middle, soft, corner := at.Add(xCell.Div(2)), at.Add(image.Pt(20, 50)), at.Add(image.Pt(3, 3))
			x.until("its first frame is seen", func() bool { return x.at(middle) == paint(rowIdle, 0) })
			x.until("its corner shows what is behind", func() bool { return x.at(corner) == behind })
			want := behind // a quarter of the friend is not there without a compositor
			if composited {
				want = over(color.NRGBA{paint(rowIdle, 0).R, paint(rowIdle, 0).G, paint(rowIdle, 0).B, 64}, behind)
			}
			x.until("its soft part shows some of both", func() bool { return near(x.at(soft), want) })

			o.Show(Update{Friend: "a", State: agents.Working})
			for col := range holds[rowWorking] {
				x.until("every frame of working is seen", func() bool { return x.at(middle) == paint(rowWorking, col) })
			}
		})
	}
}

func TestBubbleOnTheScreen(t *testing.T) {
	x := startX(t)
	x.compositor()
	o := openTest(t, nil)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	friend := x.ours
	x.friendAt()
	o.Show(Update{Friend: "a", State: agents.Waiting, Bubble: &Bubble{Text: "May I run this?", Mark: agents.Waiting, Stay: true}})
	x.until("a bubble is on the screen", func() bool { return len(friend()) == 2 })
	ours := x.ours()
	body, bubble := ours[0].rect, ours[1].rect
	if bubble.Max.Y > body.Max.Y-body.Dy()/2 || !bubble.In(image.Rect(0, 0, 800, 600)) {
		t.Errorf("the bubble is at %v, want it above the friend at %v and on the screen", bubble, body)
	}
	white := color.RGBA{255, 255, 255, 255}
	paper := image.Pt(bubble.Max.X-20, bubble.Min.Y+16)
	x.until("its paper is all there", func() bool { return x.at(paper) == white })
	o.Show(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{}})
	x.until("the bubble has left", func() bool { return len(x.ours()) == 1 && x.at(paper) == behind })
}

func TestNobodyIsDisturbed(t *testing.T) {
	x := startX(t)
	work := x.windowManager(image.Rect(100, 100, 700, 590))
	x.activate(work)

	o := openTest(t, nil)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	middle := x.friendAt().Add(xCell.Div(2))
	o.Show(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Text: "Hi", Stay: true}})
	x.until("a bubble is on the screen", func() bool { return len(x.ours()) == 2 })
	o.ShowAll()
	x.until("the friend waves", func() bool { return x.at(middle) == paint(rowWave, 1) })

	if got := x.focus(); got != work {
		t.Errorf("the focus went to window %d", got)
	}
	if got := x.clients(); !slices.Equal(got, []xproto.Window{work}) {
		t.Errorf("the window manager lists %v, want only %d", got, work)
	}
	x.click(middle)
	corner := middle.Sub(xCell.Div(2)).Add(image.Pt(3, 3))
	x.click(corner)
	if got, want := x.clicks(), []string{fmt.Sprintf("%d,%d", corner.X, corner.Y)}; !slices.Equal(got, want) {
		t.Errorf("the window behind was clicked at %v, want only where the friend is clear, at %v", got, want)
	}
	for _, w := range x.ours() {
		if got := x.text(w.id, "_NET_WM_NAME"); got != "Test a" {
			t.Errorf("its window is named %q", got)
		}
	}
}

func TestFriendsStayOnTop(t *testing.T) {
	x := startX(t)
	x.windowManager(image.Rect(0, 0, 10, 10))
	o := openTest(t, nil)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	middle := x.friendAt().Add(xCell.Div(2))
	x.until("it is seen", func() bool { return x.at(middle) == paint(rowIdle, 0) })
	over := x.window(image.Rect(300, 200, 800, 600), false)
	x.until("another window is managed", func() bool { return slices.Contains(x.clients(), over) })
	xproto.ConfigureWindow(x.conn, over, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
	for col := range holds[rowIdle][:3] {
		x.until("the friend is above it", func() bool { return x.at(middle) == paint(rowIdle, col) })
	}
}

func TestCompositorComesAndGoes(t *testing.T) {
	x := startX(t)
	o := openTest(t, nil)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	at := x.friendAt()
	soft, corner := at.Add(image.Pt(20, 50)), at.Add(image.Pt(3, 3))
	seen := over(color.NRGBA{paint(rowIdle, 0).R, paint(rowIdle, 0).G, paint(rowIdle, 0).B, 64}, behind)
	x.until("it is seen", func() bool { return x.at(at.Add(xCell.Div(2))) == paint(rowIdle, 0) })
	for range 2 {
		if x.at(soft) != behind || x.at(corner) != behind {
			t.Errorf("without a compositor there is %v and %v, want %v", x.at(soft), x.at(corner), behind)
		}
		end := x.compositor()
		x.until("soft parts are translucent", func() bool { return near(x.at(soft), seen) && x.at(corner) == behind })
		end()
		x.until("soft parts are cut off", func() bool { return x.at(soft) == behind && x.at(corner) == behind })
	}
}

func TestFriendsFollowTheWorkArea(t *testing.T) {
	x := startX(t)
	o := openTest(t, nil)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	x.friendAt()
	panel := image.Rect(0, 24, 760, 500)
	data := []byte{0, 0, 0, 0, 24, 0, 0, 0, 0xF8, 2, 0, 0, 0xDC, 1, 0, 0}
	xproto.ChangeProperty(x.conn, xproto.PropModeReplace, x.root, x.atom("_NET_WORKAREA"), xproto.AtomCardinal, 32, 4, data)
	want := standing(panel, xCell, 0, 1)
	x.until("the friend stands clear of the panels", func() bool { return x.friendAt() == want })
}

func TestFriendsFollowThePrimaryMonitor(t *testing.T) {
	x := startX(t)
	randr.QueryVersion(x.conn, 1, 5).Reply()
	o := openTest(t, nil)
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	whole := x.friendAt()
	monitor := randr.MonitorInfo{Name: x.atom("PRIMARY"), Primary: true, X: 100, Y: 50, Width: 400, Height: 500}
	if err := randr.SetMonitorChecked(x.conn, x.root, monitor).Check(); err != nil {
		t.Fatal(err)
	}
	want := standing(box(100, 50, 400, 500), xCell, 0, 1)
	x.until("the friend stands on the primary monitor", func() bool { return x.friendAt() == want })
	randr.DeleteMonitor(x.conn, x.root, monitor.Name)
	x.until("the friend is back where it was", func() bool { return x.friendAt() == whole })
}

func TestServerDies(t *testing.T) {
	x := startX(t)
	before := goleak.IgnoreCurrent()
	var said lockedBuffer
	o := openTest(t, slog.New(slog.NewTextHandler(&said, nil)))
	o.SetFriends([]Sprite{testSprite("a", xCell)})
	x.friendAt()
	o.Show(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Text: "Hi", Stay: true}})
	x.kill()
	<-o.Done()
	o.Show(Update{Friend: "a", State: agents.Error})
	o.SetFriends(nil)
	o.ShowAll()
	o.Close()
	goleak.VerifyNone(t, before)
	if n := strings.Count(said.String(), "went away"); n != 1 {
		t.Errorf("the log says %d times that the display went away, want once: %q", n, said.String())
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	x := startX(t)
	before := goleak.IgnoreCurrent()
	for range 3 {
		o := openTest(t, nil)
		o.SetFriends([]Sprite{testSprite("a", xCell), testSprite("b", xCell)})
		x.until("both friends are there", func() bool { return len(x.ours()) == 2 })
		o.Show(Update{Friend: "b", Bubble: &Bubble{Text: "Hi"}})
		o.Close()
		x.until("nothing is left on the screen", func() bool { return len(x.ours()) == 0 })
	}
	goleak.VerifyNone(t, before)
}

func TestNoDisplay(t *testing.T) {
	for name, display := range map[string]string{"none": "", "no server": ":61234", "nonsense": "nonsense"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DISPLAY", display)
			t.Setenv("WAYLAND_DISPLAY", "")
			o, err := Open(Options{})
			if o != nil || !errors.Is(err, ErrNoDisplay) {
				t.Fatalf("opened %v with error %v, want ErrNoDisplay", o, err)
			}
			if display != "" && !strings.Contains(err.Error(), display) {
				t.Errorf("the error %q does not name the display", err)
			}
		})
	}
}

// over is what is seen of c in front of an opaque colour.
func over(c color.NRGBA, back color.RGBA) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A))) / 255) }
	return color.RGBA{mix(c.R, back.R), mix(c.G, back.G), mix(c.B, back.B), 255}
}

// near allows for rounding on the way to the screen.
func near(a, b color.RGBA) bool {
	close := func(x, y uint8) bool { d := int(x) - int(y); return -3 <= d && d <= 3 }
	return close(a.R, b.R) && close(a.G, b.G) && close(a.B, b.B)
}
