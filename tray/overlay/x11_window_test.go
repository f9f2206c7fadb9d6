//go:build unix && !darwin

package overlay

import (
	"image"
	"image/color"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/res"
	"github.com/jezek/xgb/xproto"
)

func TestWhatWasCoveredIsRepaired(t *testing.T) {
	x := startX(t)
	d := x.play(nil)
	f := blockFigure(d)
	b := d.newBalloon("Bubble")
	b.put(block(image.Pt(80, 60), image.Rect(5, 5, 75, 55)), image.Pt(300, 200))
	friend, bubble := image.Pt(110, 120), image.Pt(340, 230)
	both := func() bool { return x.at(friend) == blockColor && x.at(bubble) == blockColor }
	d.until("both are seen", both)
	over := x.window(image.Rect(90, 110, 320, 240), true)
	d.until("a menu of another program is over them", func() bool { return x.at(friend) == behind })
	xproto.DestroyWindow(x.conn, over)
	d.until("both are there again", both)

	f.hide()
	d.until("the friend is hidden", func() bool { return x.at(friend) == behind })
	f.paint(rowIdle, 0, image.Pt(100, 100))
	d.until("the friend is back", both)
}

func TestAPictureThatWasPutIsOnlyMoved(t *testing.T) {
	x := startX(t)
	x.compositor()
	d := x.play(nil)
	b := d.newBalloon("Bubble")
	img := block(image.Pt(80, 60), image.Rect(5, 5, 75, 55))
	b.put(img, image.Pt(300, 200))
	d.until("it is seen", func() bool { return x.at(image.Pt(340, 230)) == blockColor })
	clear(img.Pix)
	b.put(img, image.Pt(400, 300))
	d.until("it moved", func() bool { return x.at(image.Pt(440, 330)) == blockColor && x.at(image.Pt(340, 230)) == behind })

	// A fainter one of the same size takes its place, and the same clicks.
	faint := block(image.Pt(80, 60), image.Rect(5, 5, 75, 55))
	for i := range faint.Pix {
		faint.Pix[i] /= 16
	}
	before := b.(*x11Balloon).input
	b.put(faint, image.Pt(400, 300))
	d.until("it fades", func() bool {
		return near(x.at(image.Pt(440, 330)), over(color.NRGBA{blockColor.R, blockColor.G, blockColor.B, 15}, behind))
	})
	if after := b.(*x11Balloon).input; len(before) != 1 || &before[0] != &after[0] {
		t.Errorf("fading, it takes clicks in %v, want as before in %v, not set again", after, before)
	}
}

// inServer counts what the server keeps of each kind for a client.
func (x *xserver) inServer(of xproto.Window) map[string]uint32 {
	x.t.Helper()
	reply, err := res.QueryClientResources(x.conn, uint32(of)).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	all := map[string]uint32{}
	for _, kind := range reply.Types {
		name, err := xproto.GetAtomName(x.conn, kind.ResourceType).Reply()
		if err != nil {
			x.t.Fatal(err)
		}
		all[name.Name] = kind.Count
	}
	return all
}

func TestNothingLeaksInTheServer(t *testing.T) {
	x := startX(t)
	d := x.play(nil)
	f := blockFigure(d).(*x11Figure)
	b := d.newBalloon("Bubble")
	random := rand.New(rand.NewPCG(1, 2))
	some := func() image.Point { return image.Pt(20+random.IntN(40), 20+random.IntN(40)) }
	put := func() {
		size := some()
		b.put(block(size, image.Rect(5, 5, size.X-5, size.Y-5)), size)
	}
	grow := func() {
		size := some()
		frame := block(size, image.Rectangle{Max: size})
		f.load(rowIdle, []*image.RGBA{frame, frame})
		f.paint(rowIdle, 1, size)
	}
	put()
	grow()
	d.conn.Sync()
	before, number := x.inServer(f.id), d.newPixmap(onePixel)
	d.freePixmap(number)
	for range 1_000 {
		put()
		grow()
		d.until("it is drawn", func() bool { return true })
	}
	d.conn.Sync()
	after := x.inServer(f.id)
	for kind, n := range after {
		if n != before[kind] {
			t.Errorf("the server keeps %d of %s for us, before there were %d", n, kind, before[kind])
		}
	}
	if before["PIXMAP"] == 0 || before["WINDOW"] != 2 {
		t.Errorf("the test counts %v, want pixmaps and two windows", before)
	}
	fresh, err := xproto.NewPixmapId(d.conn)
	if err != nil || fresh-number > 100 {
		t.Errorf("numbers of pixmaps went from %d to %d (%v), want few new ones", number, fresh, err)
	}
	b.close()
	f.close()
	if len(d.windows) != 0 {
		t.Errorf("the driver knows %d windows after all are closed", len(d.windows))
	}
}

func TestPoorServers(t *testing.T) {
	for _, c := range []struct {
		options []string
		say     string // in the log
		refuse  string // in the error
	}{
		{options: []string{"-extension", "XFIXES"}, say: "XFIXES"},
		{options: []string{"-extension", "RANDR"}, say: "RandR"},
		{options: []string{"-extension", "RANDR", "+xinerama"}, say: "RandR"},
		{options: []string{"-extension", "COMPOSITE"}},
		{options: []string{"-extension", "MIT-SCREEN-SAVER"}},
		{options: []string{"-extension", "RANDR", "-extension", "XINERAMA", "-extension", "XFIXES", "-extension", "COMPOSITE"}, say: "XFIXES"},
		{options: []string{"-screen", "0", "800x600x16", "-extension", "COMPOSITE"}, refuse: "no visual with 8 bits a colour"},
		{options: []string{"-screen", "0", "800x600x8"}, refuse: "no visual with 8 bits a colour"},
	} {
		t.Run(strings.Join(c.options, " "), func(t *testing.T) {
			x := startX(t, c.options...)
			var said lockedBuffer
			log := slog.New(slog.NewTextHandler(&said, nil))
			if c.refuse != "" {
				d, err := openX11(os.Getenv("DISPLAY"), log)
				if d != nil || err == nil || !strings.Contains(err.Error(), c.refuse) {
					t.Errorf("it opened with %v, want %q", err, c.refuse)
				}
				return
			}
			d := x.play(log)
			blockFigure(d)
			d.until("a friend is seen", func() bool { return x.at(image.Pt(110, 120)) == blockColor && x.at(image.Pt(102, 120)) == behind })
			if all := d.monitors(); len(all) != 1 || all[0].work != image.Rect(0, 0, 800, 600) || all[0].name == "" {
				t.Errorf("the monitors are %+v, want the screen", all)
			}
			x.click(image.Pt(102, 120))
			x.click(image.Pt(110, 120))
			d.until("it takes the click", func() bool { return len(d.inputs) == 2 })
			if got := x.clicks(); len(got) != 1 {
				t.Errorf("the window behind was clicked at %v, want once", got)
			}
			if got := said.String(); !strings.Contains(got, c.say) || strings.Contains(got, "refused") || c.say == "" && got != "" {
				t.Errorf("the log says %q, want a line about %q", got, c.say)
			}
		})
	}
}

func TestScreenSaver(t *testing.T) {
	x := startX(t)
	d := x.play(nil)
	for _, c := range []struct {
		mode byte
		want change
	}{{xproto.ScreenSaverActive, asleep}, {xproto.ScreenSaverReset, awake}} {
		d.changes = nil
		xproto.ForceScreenSaver(x.conn, c.mode)
		d.until("the driver tells of it", func() bool { return len(d.changes) > 0 && d.changes[0] == c.want })
	}
}

// Another connection of the process, as the clipboard has one, reads what comes while
// the display is opened again: for the race detector.
func TestOpenedBesideAnother(t *testing.T) {
	x := startX(t)
	x.play(nil)
	other, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	root := xproto.Setup(other).DefaultScreen(other).Root
	xproto.ChangeWindowAttributes(other, root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
	for range 5 {
		for range 20 {
			xproto.ChangeProperty(other, xproto.PropModeReplace, root, xproto.AtomWmName, xproto.AtomString, 8, 1, []byte("x"))
		}
		x.play(nil)
	}
	for range 5 * 20 {
		if e, err := other.WaitForEvent(); err != nil {
			t.Fatalf("the other connection hears %v, %v", e, err)
		}
	}
}

func TestFewRequests(t *testing.T) {
	x := startX(t)
	x.compositor()
	d := x.play(nil)
	f := blockFigure(d)
	f.load(rowWave, []*image.RGBA{block(image.Pt(60, 40), image.Rect(0, 0, 60, 40))})
	for _, c := range []struct {
		what string
		do   func()
		want uint16
	}{
		{"the next frame", func() { f.paint(rowIdle, 1, image.Pt(100, 100)) }, 1},
		{"the same frame", func() { f.paint(rowIdle, 1, image.Pt(100, 100)) }, 0},
		{"a move", func() { f.paint(rowIdle, 1, image.Pt(101, 100)) }, 1},
		{"another row", func() { f.paint(rowWave, 0, image.Pt(101, 100)) }, 2},
	} {
		before := sent(d.conn)
		c.do()
		if n := sent(d.conn) - before - 1; n != c.want {
			t.Errorf("%s takes %d requests, want %d", c.what, n, c.want)
		}
	}
}

// sent is how many requests a connection has made, with the one that it makes.
func sent(conn *xgb.Conn) uint16 { return xproto.NoOperation(conn).Sequence }

func TestTouchedPixels(t *testing.T) {
	size := image.Pt(60, 40)
	both := union([]*image.RGBA{block(size, image.Rect(4, 4, 20, 36)), block(size, image.Rect(40, 8, 56, 36))})
	want := []image.Rectangle{image.Rect(4, 4, 20, 8), image.Rect(4, 8, 20, 36), image.Rect(40, 8, 56, 36)}
	if got := outline(both, touchAlpha); !slices.Equal(got, want) {
		t.Errorf("two frames take clicks in %v, want %v", got, want)
	}
	img := block(size, image.Rect(4, 4, 20, 36))
	for _, c := range []struct{ share, want uint8 }{{255, 32}, {128, 16}, {8, 1}, {0, 1}} {
		faded := image.NewRGBA(img.Rect)
		for i, v := range img.Pix {
			faded.Pix[i] = uint8(int(v) * int(c.share) / 255)
		}
		if got := faintest(faded, touchAlpha); got != c.want {
			t.Errorf("at %d of 255 a pixel takes clicks from %d on, want %d", c.share, got, c.want)
		}
	}
}
