package overlay

import (
	"bytes"
	"fmt"
	"image"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
)

// A fakeDriver is a canvas whose window system can hang and go away.
type fakeDriver struct {
	*canvas
	incoming chan any
	answers  chan struct{} // filled while the window system hangs; no mutex, for synctest's clock
	closed   bool
}

func newFakeDriver() *fakeDriver {
	return &fakeDriver{canvas: newCanvas(image.NewRGBA(image.Rect(0, 0, 400, 300))), incoming: make(chan any), answers: make(chan struct{}, 1)}
}

func (d *fakeDriver) monitors() []monitor {
	d.hang()
	defer d.unhang()
	return d.canvas.monitors()
}

func (d *fakeDriver) hang() { d.answers <- struct{}{} }

func (d *fakeDriver) unhang() { <-d.answers }

func (d *fakeDriver) events() <-chan any { return d.incoming }

func (d *fakeDriver) handle(e any) news {
	if look, ok := e.(func()); ok {
		look()
		return news{}
	}
	return e.(news)
}

// onLoop calls look on the goroutine that owns the windows.
func (d *fakeDriver) onLoop(look func()) {
	d.incoming <- look
	synctest.Wait()
}

func (d *fakeDriver) close() { d.closed = true }

func startFake(t *testing.T, log *slog.Logger) (*Overlay, *fakeDriver) {
	d := newFakeDriver()
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return start(d, Options{Look: Look{Size: testScale}, CacheDir: t.TempDir(), Log: log}), d
}

func TestOverlayPlaysAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, d := startFake(t, nil)
		o.SetFriends([]Sprite{testSprite("a", testCell)})
		synctest.Wait()
		o.Show(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Text: "Hi"}})
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		d.onLoop(func() {
			if n := len(d.windows); n != 2 {
				t.Errorf("%d windows, want a friend and its bubble", n)
				return
			}
			if got := d.windows[0].img.RGBAAt(12, 13); got != paint(rowWorking, 1) {
				t.Errorf("the friend shows %v, want the second frame of working %v", got, paint(rowWorking, 1))
			}
			if d.windows[1].img == nil {
				t.Error("the bubble does not show")
			}
		})
		time.Sleep(stayMost)
		d.onLoop(func() {
			if d.windows[1].img != nil {
				t.Error("the bubble has not left")
			}
		})
		o.Close()
		<-o.Done()
		if !d.closed || len(d.windows) != 0 {
			t.Errorf("after Close, the driver is closed: %v, with %d windows", d.closed, len(d.windows))
		}
		o.Close() // and once more
		o.Show(Update{Friend: "a"})
	})
}

func TestNothingMovingIsNoTimer(t *testing.T) {
	canvas := newCanvas(image.NewRGBA(image.Rect(0, 0, 400, 300)))
	s := &stage{screen: canvas, look: Look{Size: testScale, Motion: Reduced}, places: places{},
		draw: func(func(*bubbles) func(time.Time)) { t.Error("someone unseen speaks") }}
	check := func(what string) {
		if next := s.play(epoch); !next.IsZero() {
			t.Errorf("%s, yet it wants to be played at %v", what, next)
		}
	}
	check("nobody is there")
	s.set([]Sprite{{ID: "a"}}, epoch)
	s.apply(Update{Friend: "a", State: agents.Done, Bubble: &Bubble{Text: "Hi"}}, epoch)
	late := strip{frames: []*image.RGBA{image.NewRGBA(image.Rect(0, 0, 24, 26))}, cell: testCell}
	s.load("a", rowReview, late, epoch)
	check("nobody is seen, only a late row of someone who left has come")
	s.apply(Update{Friend: "a", State: agents.Idle, Bubble: &Bubble{}}, epoch)
	s.load("a", rowIdle, late, epoch)
	check("there is one picture only")
}

func TestShowReturnsWhenTheDisplayHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said lockedBuffer
		o, d := startFake(t, slog.New(slog.NewTextHandler(&said, nil)))
		o.SetFriends([]Sprite{testSprite("a", testCell)})
		synctest.Wait()
		d.hang()
		o.ShowAll() // the loop hangs in it
		before := time.Now()
		for i := range 10_000 {
			o.Show(Update{Friend: "a", State: agents.States[i%5], Bubble: &Bubble{Text: fmt.Sprint(i)}})
			o.Show(Update{Friend: fmt.Sprint("nobody", i)})
		}
		waiting := o.inbox.updates["a"]
		if len(o.inbox.updates) != 1 || len(waiting.bubbles) != 1 || waiting.bubbles[0].Text != "9999" || waiting.update.State != agents.States[9999%5] {
			t.Errorf("of %d friends wait %+v, want one that says 9999", len(o.inbox.updates), waiting)
		}
		o.Close()
		if waited := time.Since(before); waited > closeLimit {
			t.Errorf("Close waited %v, want at most %v", waited, closeLimit)
		}
		if !strings.Contains(said.String(), "does not answer") {
			t.Errorf("the log says %q, want that the display hangs", said.String())
		}
		d.unhang()
		<-o.Done()
	})
}

func TestDisplayGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said lockedBuffer
		o, d := startFake(t, slog.New(slog.NewTextHandler(&said, nil)))
		o.SetFriends([]Sprite{testSprite("a", testCell)})
		synctest.Wait()
		close(d.incoming)
		<-o.Done()
		o.Show(Update{Friend: "a", State: agents.Working})
		o.SetFriends(nil)
		o.Close()
		if n := strings.Count(said.String(), "went away"); n != 1 {
			t.Errorf("the log says %d times that the display went away, want once: %q", n, said.String())
		}
	})
}

func TestScreenChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, d := startFake(t, nil)
		defer o.Close()
		decoded := 0
		s := testSprite("a", testCell)
		sheet := s.Sheet
		s.Sheet = func() (image.Image, error) { decoded++; return sheet() }
		o.SetFriends([]Sprite{s})
		o.Show(Update{Friend: "a", Bubble: &Bubble{Text: "Hi", Stay: true}})
		time.Sleep(time.Second)
		var before image.Point
		d.onLoop(func() {
			d.canvas.back = image.NewRGBA(image.Rect(0, 0, 300, 200))
			before = d.windows[1].at
		})
		d.incoming <- news{change: rearranged}
		d.onLoop(func() {
			if want := standing(d.back.Rect, testCell, 0, 1).Add(testBox(testCell).Min); d.windows[0].at != want {
				t.Errorf("after the screen shrank the friend is at %v, want %v", d.windows[0].at, want)
			}
			if d.windows[1].at == before || d.windows[1].img == nil {
				t.Errorf("the bubble did not move with it: %v", d.windows[1].at)
			}
		})
		d.incoming <- news{change: restyled}
		synctest.Wait()
		if decoded != 2 {
			t.Errorf("the sheet was loaded %d times, want again for other pixels", decoded)
		}
	})
}

func TestNewerUpdatesFoldIntoOlder(t *testing.T) {
	two, none := "2 sessions", ""
	for _, c := range []struct {
		name             string
		old, newer, want Update
	}{
		{"all is newer", Update{State: agents.Working, Reaction: agents.Wave, Label: &two}, Update{State: agents.Done, Reaction: agents.Jump, Label: &none}, Update{State: agents.Done, Reaction: agents.Jump, Label: &none}},
		{"only a state", Update{State: agents.Working, Reaction: agents.Wave, Label: &two}, Update{State: agents.Done}, Update{State: agents.Done, Reaction: agents.Wave, Label: &two}},
		{"only a reaction", Update{State: agents.Working}, Update{Reaction: agents.Pet}, Update{State: agents.Working, Reaction: agents.Pet}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.old.then(c.newer); got != c.want {
				t.Errorf("it is %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestNoCloseIsLost: whatever comes at once, the newest of each session counts.
func TestNoCloseIsLost(t *testing.T) {
	for _, sessions := range []int{1, 60, 2 * bubblesKept} {
		t.Run(fmt.Sprint(sessions), func(t *testing.T) {
			p := newPlayhouse(t, Look{}, "a")
			l := &loop{Overlay: &Overlay{}, stage: p.stage}
			post := func(text string, stay bool) {
				in := inbox{updates: map[string]*pending{}}
				for i := range sessions {
					in.put(Update{Friend: "a", Bubble: &Bubble{Session: fmt.Sprint(i), Text: text, Stay: stay}})
				}
				l.open(in)
			}
			post("May I?", true)
			for range 20 {
				l.stage.play(p.now)
				p.now = p.now.Add(time.Second)
			}
			post("", false)
			for range 20 {
				l.stage.play(p.now)
				p.now = p.now.Add(time.Second)
			}
			if f := l.stage.friends[0]; f.talk.busy() || len(f.talk.asks) > 0 {
				t.Errorf("every question is answered, yet it has %v to ask", f.talk.asks)
			}
		})
	}
}

// A lockedBuffer takes what a logger writes from other goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
