package overlay

import (
	"image"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// A playhouse is a stage on canvas with a clock of its own. What is drawn for it
// is drawn at once.
type playhouse struct {
	stage
	t       *testing.T
	canvas  *canvas
	bubbles *bubbles
	now     time.Time
	told    []Event
}

// newPlayhouse is a stage on monitors side by side, of one friend for each id.
func newPlayhouse(t *testing.T, l Look, ids ...string) *playhouse {
	t.Helper()
	p := &playhouse{t: t, now: epoch, canvas: newCanvas(image.NewRGBA(image.Rect(0, 0, 800, 600)))}
	if l.Size == 0 {
		l.Size = testScale
	}
	p.bubbles = newBubbles(l, 1, t.TempDir(), slog.New(slog.DiscardHandler))
	t.Cleanup(p.bubbles.release)
	p.stage = stage{
		screen: p.canvas, look: l, places: places{},
		draw: func(work func(*bubbles) func(time.Time)) { work(p.bubbles)(p.now) },
		tell: func(e Event) { p.told = append(p.told, e) },
	}
	var all []Sprite
	for _, id := range ids {
		all = append(all, testSprite(id, testCell))
	}
	p.load(all)
	p.play()
	return p
}

// load sets the friends and loads those that are new.
func (p *playhouse) load(all []Sprite) {
	p.t.Helper()
	for _, s := range p.set(all, p.now) {
		if err := cutSheet(s, p.size(), func(r row, c strip) bool {
			p.stage.load(s.ID, r, c, p.now)
			return true
		}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// wait lets time pass.
func (p *playhouse) wait(d time.Duration) {
	p.t.Helper()
	end := p.now.Add(d)
	for {
		next := p.play()
		if next.IsZero() || next.After(end) {
			p.now = end
			p.play()
			return
		}
		if !next.After(p.now) {
			p.t.Fatalf("at %v it wants to be played at %v", p.now, next)
		}
		p.now = next
	}
}

func (p *playhouse) play() time.Time { return p.stage.play(p.now) }

func (p *playhouse) apply(u Update) { p.stage.apply(u, p.now) }

func (p *playhouse) do(d deed, on any, x, y int, button int) {
	p.touch(input{deed: d, on: on, at: image.Pt(x, y), button: button, now: p.now})
	p.play()
}

// click presses and releases a button in the middle of a friend.
func (p *playhouse) click(f *friend, button int) {
	at := f.at.Add(f.cell.Div(2))
	p.do(pressed, f.figure, at.X, at.Y, button)
	p.do(released, f.figure, at.X, at.Y, button)
}

// dragTo drags a friend by its cell's corner.
func (p *playhouse) dragTo(f *friend, x, y int) {
	p.do(pressed, f.figure, f.at.X, f.at.Y, leftButton)
	p.do(moved, f.figure, x, y, 0)
	p.do(released, f.figure, x, y, leftButton)
}

// kinds are the events that were told since the last call.
func (p *playhouse) kinds() (all []EventKind) {
	for _, e := range p.told {
		all = append(all, e.Kind)
	}
	p.told = nil
	return all
}

// bubble is what stands in a voice's bubble, and where, without tail and shadow;
// nothing if there is none.
func (p *playhouse) bubble(f *friend, i int) (text string, box image.Rectangle) {
	v := f.talk.voices[i]
	if v == nil || v.balloon == nil {
		return "", box
	}
	w := v.balloon.(*canvasWindow)
	if w.img == nil {
		return "", box
	}
	return v.speech.said.Text, v.picture.body.Add(w.at)
}

var twoMonitors = []monitor{
	{name: "A", whole: image.Rect(0, 0, 800, 600), work: image.Rect(0, 0, 800, 570)},
	{name: "B", whole: image.Rect(800, 100, 1424, 480), work: image.Rect(800, 100, 1424, 480)},
}

func TestDragMovesByThePointersWay(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	p.canvas.all = twoMonitors
	p.arrange()
	f := p.friends[0]
	begin := f.at
	p.do(pressed, f.figure, begin.X+5, begin.Y+20, leftButton)
	p.do(moved, f.figure, begin.X+7, begin.Y+20, 0)
	if f.at != begin {
		t.Errorf("a pointer that slips by two pixels moved it to %v", f.at)
	}
	for _, way := range []image.Point{{-100, -200}, {-300, -400}, {200, -250}, {-400, -300}} {
		p.do(moved, f.figure, begin.X+5+way.X, begin.Y+20+way.Y, 0)
		if got := f.at.Sub(begin); got != way {
			t.Errorf("the pointer went %v, the friend %v", way, got)
		}
	}
	p.do(released, f.figure, begin.X+5-400, begin.Y+20-300, leftButton)
	want := Place{Monitors: setOf(twoMonitors), Friend: "a", Feet: feetOf(begin.Add(image.Pt(-400, -300)), f.cell)}
	if len(p.told) != 1 || p.told[0] != (Event{Kind: Moved, Friend: "a", Place: want}) {
		t.Errorf("told %+v, want that it moved to %+v", p.told, want)
	}
}

func TestDragEndsInAWorkArea(t *testing.T) {
	for _, c := range []struct {
		name     string
		to, want image.Point // of the cell's corner
	}{
		{"over the panel", image.Pt(300, 590), image.Pt(300, 570-testCell.Y)},
		{"on the other monitor", image.Pt(1000, 300), image.Pt(1000, 300)},
		{"above the other monitor", image.Pt(1000, 20), image.Pt(1000, 100)},
		{"between both", image.Pt(792, 300), image.Pt(800, 300)},
		{"far out", image.Pt(-50, -60), image.Pt(0, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayhouse(t, Look{}, "a")
			p.canvas.all = twoMonitors
			p.arrange()
			f := p.friends[0]
			from := f.at
			p.do(pressed, f.figure, from.X+1, from.Y+1, leftButton)
			p.do(moved, f.figure, c.to.X+1, c.to.Y+1, 0)
			p.do(released, f.figure, c.to.X+1, c.to.Y+1, leftButton)
			if f.at != c.want {
				t.Errorf("it is at %v, want %v", f.at, c.want)
			}
		})
	}
}

func TestClicks(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b")
	a, b := p.friends[0], p.friends[1]
	for _, c := range []struct {
		name string
		do   func()
		want []EventKind
	}{
		{"once", func() { p.click(a, leftButton) }, []EventKind{Clicked}},
		{"twice", func() { p.click(a, leftButton); p.click(a, leftButton) }, []EventKind{Clicked, DoubleClicked}},
		{"three times", func() { p.click(a, leftButton); p.click(a, leftButton); p.click(a, leftButton) }, []EventKind{Clicked, DoubleClicked, Clicked}},
		{"twice, slowly", func() { p.click(a, leftButton); p.now = p.now.Add(twice); p.click(a, leftButton) }, []EventKind{Clicked, Clicked}},
		{"one after the other", func() { p.click(a, leftButton); p.click(b, leftButton) }, []EventKind{Clicked, Clicked}},
		{"right", func() { p.click(a, rightButton) }, []EventKind{MenuWanted}},
		{"middle", func() { p.click(a, 2) }, nil},
		{"nobody", func() { p.do(pressed, nil, 3, 3, leftButton); p.do(released, nil, 3, 3, leftButton) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.now = p.now.Add(time.Minute)
			c.do()
			if got := p.kinds(); !slices.Equal(got, c.want) {
				t.Errorf("told %v, want %v", got, c.want)
			}
		})
	}
}

func TestClickClosesABubble(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	f := p.friends[0]
	p.apply(Update{Friend: "a", State: agents.Waiting, Bubble: &Bubble{Session: "s", Text: "May I?", Stay: true}})
	p.wait(time.Second)
	p.do(pressed, f.talk.voices[0].balloon, 0, 0, leftButton)
	p.do(released, f.talk.voices[0].balloon, 0, 0, leftButton)
	p.wait(time.Minute)
	if text, _ := p.bubble(f, 0); text != "" {
		t.Errorf("a minute after the click it still says %q", text)
	}
	if got := p.kinds(); got != nil {
		t.Errorf("told %v: a bubble is not the friend", got)
	}
}

func TestFriendLeavesWhileItIsDragged(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b")
	f := p.friends[0]
	p.do(pressed, f.figure, f.at.X+1, f.at.Y+1, leftButton)
	p.do(moved, f.figure, 100, 100, 0)
	p.load([]Sprite{testSprite("b", testCell)})
	p.do(moved, f.figure, 120, 100, 0)
	p.do(released, f.figure, 120, 100, leftButton)
	if len(p.told) != 0 {
		t.Errorf("told %v of a friend that has left", p.told)
	}
}

func TestPlacesAreRememberedForEachSetOfMonitors(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b")
	p.canvas.all = twoMonitors
	p.arrange()
	a, b := p.friends[0], p.friends[1]
	slot := b.at
	p.dragTo(a, 1000, 300)
	put := a.at

	p.canvas.all = twoMonitors[:1]
	p.arrange()
	if want := image.Pt(800-testCell.X, 300); a.at != want {
		t.Errorf("its monitor was taken away: it is at %v, want %v", a.at, want)
	}
	if b.at != slot {
		t.Errorf("the other one moved as well: %v, before %v", b.at, slot)
	}
	p.canvas.all = twoMonitors
	p.arrange()
	if a.at != put {
		t.Errorf("its monitor is back: it is at %v, want %v", a.at, put)
	}
	remembered := []Place{p.told[0].Place}
	again := newPlayhouse(t, Look{}, "b", "a") // another start, in another order
	again.canvas.all = []monitor{twoMonitors[1], twoMonitors[0]}
	again.places = newPlaces(remembered)
	again.arrange()
	if at := again.friends[1].at; at != put {
		t.Errorf("at the next start it is at %v, want %v", at, put)
	}
}

func TestNewFriendStandsOnNobody(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b", "c")
	a, b := p.friends[0], p.friends[1]
	to := standing(p.canvas.back.Rect, testCell, 3, 4) // where the fourth would stand
	p.dragTo(a, to.X, to.Y)
	slot := b.at
	p.load([]Sprite{testSprite("a", testCell), testSprite("b", testCell), testSprite("c", testCell), testSprite("d", testCell)})
	box := func(f *friend) image.Rectangle { return image.Rectangle{Max: f.cell}.Add(f.at) }
	for i, f := range p.friends {
		for _, o := range p.friends[i+1:] {
			if box(f).Overlaps(box(o)) {
				t.Errorf("%s stands on %s: %v and %v", f.ID, o.ID, box(f), box(o))
			}
		}
	}
	if b.at != slot {
		t.Errorf("one who had a place moved to %v", b.at)
	}
}

// Who stands elsewhere has no place in the row, whichever friend it is.
func TestRowHasNoHole(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b", "c")
	set := func(ids ...string) {
		t.Helper()
		var all []Sprite
		for _, id := range ids {
			all = append(all, testSprite(id, testCell))
		}
		p.load(all)
	}
	stand := func(what string, row int, ids ...string) {
		t.Helper()
		for i, id := range ids {
			if at, want := find(p.friends, id).at, standing(p.canvas.back.Rect, testCell, i, row); at != want {
				t.Errorf("%s, %s is at %v, want %v", what, id, at, want)
			}
		}
	}
	stand("at first", 3, "a", "b", "c")
	p.dragTo(find(p.friends, "b"), 20, 20)
	put := find(p.friends, "b").at
	p.arrange()
	stand("when one was dragged away", 3, "a")
	if at, want := find(p.friends, "c").at, standing(p.canvas.back.Rect, testCell, 2, 3); at != want {
		t.Errorf("when one was dragged away, c walked to %v from %v", at, want)
	}
	set("b", "a", "c") // it is made the first
	stand("behind a first one elsewhere", 2, "a", "c")
	set("c", "b", "a")
	stand("in another order", 2, "c", "a")
	set("b", "a")
	stand("when one left", 1, "a")
	set("b", "a", "d")
	stand("when one came", 2, "a", "d")
	if at := find(p.friends, "b").at; at != put {
		t.Errorf("the one elsewhere is at %v, want %v", at, put)
	}
	p.raise(p.now)
	p.raise(p.now)
	stand("called back", 3, "b", "a", "d")
}

func TestFriendsCanBeBroughtBack(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b")
	a := p.friends[0]
	slot := a.at
	p.dragTo(a, 10, 10)
	put := a.at
	p.raise(p.now)
	if a.at != put {
		t.Errorf("called once it went to %v", a.at)
	}
	p.now = p.now.Add(lingerAsked - 1)
	p.raise(p.now)
	if a.at != slot {
		t.Errorf("called again it is at %v, want %v", a.at, slot)
	}
	if last := p.told[len(p.told)-1]; last.Kind != Moved || last.Place.Feet != feetOf(slot, a.cell) {
		t.Errorf("told %+v, want where it is now", last)
	}
	p.arrange()
	if a.at != slot {
		t.Errorf("it went back to %v", a.at)
	}
}

func TestAnotherSizeKeepsTheFeet(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	a := p.friends[0]
	p.dragTo(a, 300, 200)
	feet := feetOf(a.at, a.cell)
	l := p.look
	l.Size *= 2
	before := p.size()
	p.restyle(l, p.now)
	if p.size() == before {
		t.Fatal("the frames are not to be loaded again")
	}
	for range 2 { // idle may come in any order with the others
		if err := cutSheet(a.Sprite, p.size(), func(r row, c strip) bool { p.stage.load("a", r, c, p.now); return true }); err != nil {
			t.Fatal(err)
		}
	}
	if got := feetOf(a.at, a.cell); got != feet || a.cell != testCell.Mul(2) {
		t.Errorf("its feet are at %v in a cell of %v, before at %v", got, a.cell, feet)
	}
}

func TestWhenFriendsAreSeen(t *testing.T) {
	working, idle := Update{Friend: "a", State: agents.Working}, Update{Friend: "a", State: agents.Idle}
	done := Update{Friend: "a", State: agents.Done}
	speaks := Update{Friend: "a", Bubble: &Bubble{Text: "Hi"}}
	for _, c := range []struct {
		name  string
		when  When
		do    func(*playhouse)
		after time.Duration
		seen  bool
	}{
		{"always, with nothing to do", Always, func(*playhouse) {}, time.Hour, true},
		{"active, with nothing to do", WhenActive, func(*playhouse) {}, 0, false},
		{"active, at work", WhenActive, func(p *playhouse) { p.apply(working) }, time.Hour, true},
		{"active, waiting", WhenActive, func(p *playhouse) { p.apply(Update{Friend: "a", State: agents.Waiting}) }, time.Hour, true},
		{"active, failed", WhenActive, func(p *playhouse) { p.apply(Update{Friend: "a", State: agents.Error}) }, time.Hour, true},
		{"active, done just now", WhenActive, func(p *playhouse) { p.apply(working); p.apply(done) }, lingerDone - 1, true},
		{"active, done", WhenActive, func(p *playhouse) { p.apply(working); p.apply(done) }, lingerDone, false},
		{"active, stopped just now", WhenActive, func(p *playhouse) { p.apply(working); p.apply(idle) }, lingerIdle - 1, true},
		{"active, stopped", WhenActive, func(p *playhouse) { p.apply(working); p.apply(idle) }, lingerIdle, false},
		{"active, done is over while it lingers", WhenActive, func(p *playhouse) { p.apply(working); p.apply(done); p.apply(idle) }, lingerDone - 1, true},
		{"active, speaking", WhenActive, func(p *playhouse) { p.apply(speaks) }, time.Second, true},
		{"active, has spoken", WhenActive, func(p *playhouse) { p.apply(speaks) }, time.Minute, false},
		{"active, waves", WhenActive, func(p *playhouse) { p.apply(Update{Friend: "a", Reaction: agents.Wave}) }, time.Second, true},
		{"active, called", WhenActive, func(p *playhouse) { p.raise(p.now) }, lingerAsked - 1, true},
		{"never, at work", Never, func(p *playhouse) { p.apply(working) }, time.Second, false},
		{"never, called", Never, func(p *playhouse) { p.raise(p.now) }, time.Second, true},
		{"never, called long ago", Never, func(p *playhouse) { p.raise(p.now) }, lingerAsked, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayhouse(t, Look{When: c.when}, "a")
			c.do(p)
			p.wait(c.after)
			if f := p.friends[0]; f.shown != c.seen {
				t.Errorf("it is seen: %v, want %v", f.shown, c.seen)
			}
			if next := p.play(); !c.seen && !next.IsZero() {
				t.Errorf("nobody is seen, yet it wants to be played at %v", next)
			}
		})
	}
}

func TestFullScreenWindowHidesWhoIsBehind(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b")
	p.canvas.all = slices.Clone(twoMonitors)
	p.arrange()
	a, b := p.friends[0], p.friends[1]
	p.dragTo(b, 1000, 300)
	p.apply(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Session: "s", Text: "Hi"}})
	p.wait(time.Second)

	p.canvas.all[0].covered = true
	p.arrange()
	p.play()
	if text, _ := p.bubble(a, 0); a.shown || !b.shown || text != "" {
		t.Errorf("seen: %v and %v, with the bubble %q; want only who stands on the other monitor", a.shown, b.shown, text)
	}
	p.apply(Update{Friend: "a", Bubble: &Bubble{Session: "s", Text: "missed"}})
	p.apply(Update{Friend: "a", State: agents.Waiting, Bubble: &Bubble{Session: "t", Text: "May I?", Stay: true}})
	p.wait(time.Hour)
	p.canvas.all[0].covered = false
	p.arrange()
	p.wait(time.Second)
	first, _ := p.bubble(a, 0)
	second, _ := p.bubble(a, 1)
	if !a.shown || first+second != "May I?" {
		t.Errorf("later it is seen: %v, and says %q and %q; want only what still waits", a.shown, first, second)
	}
}

func TestQuestionAnsweredUnseenDoesNotComeBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer Update
	}{
		{"closed", line("s", "", false)},
		{"another sentence", line("s", "On it", false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayhouse(t, Look{}, "a")
			p.apply(line("s", "May I?", true))
			p.wait(time.Second)
			p.canvas.all = []monitor{{name: "A", whole: p.canvas.back.Rect, work: p.canvas.back.Rect, covered: true}}
			p.wait(time.Second)
			p.apply(c.answer)
			p.wait(time.Minute)
			p.canvas.all = nil
			p.wait(time.Second)
			if text, _ := p.bubble(p.friends[0], 0); text != "" {
				t.Errorf("it says %q, want nothing", text)
			}
		})
	}
}

func TestRightClickWhileDragging(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	f := p.friends[0]
	p.do(pressed, f.figure, f.at.X, f.at.Y, leftButton)
	p.do(moved, f.figure, 300, 200, 0)
	p.do(pressed, f.figure, 300, 200, rightButton)
	p.stage.openMenu(openMenu{"a", testMenu}, p.now)
	p.do(released, f.figure, 300, 200, rightButton)
	p.do(released, f.figure, 300, 200, leftButton)
	if got := p.kinds(); !slices.Equal(got, []EventKind{Moved}) || p.menu != nil || p.hand.on != nil {
		t.Errorf("told %v, a menu is open: %v, it is held: %v; want only a drag", got, p.menu != nil, p.hand.on != nil)
	}
}

// TestFriendInTheHandStaysThere: whatever happens to monitors or is called.
func TestFriendInTheHandStaysThere(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a", "b")
	f := p.friends[0]
	p.do(pressed, f.figure, f.at.X, f.at.Y, leftButton)
	p.do(moved, f.figure, 300, 200, 0)
	p.canvas.all = twoMonitors
	p.arrange()
	p.raise(p.now)
	p.raise(p.now)
	if want := image.Pt(300, 200); f.at != want {
		t.Errorf("it is at %v, want %v", f.at, want)
	}
}

// TestReleaseThatNobodySaw: a screen that is locked takes the pointer away.
func TestReleaseThatNobodySaw(t *testing.T) {
	for name, next := range map[string]func(*playhouse, *friend){
		"a press": func(p *playhouse, f *friend) { p.do(pressed, f.figure, f.at.X, f.at.Y, leftButton) },
		"a lock":  func(p *playhouse, f *friend) { p.pause(true, p.now); p.pause(false, p.now) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlayhouse(t, Look{}, "a")
			f := p.friends[0]
			p.do(pressed, f.figure, f.at.X, f.at.Y, leftButton)
			p.do(moved, f.figure, 300, 200, 0)
			next(p, f)
			if got := p.kinds(); !slices.Equal(got, []EventKind{Moved}) {
				t.Errorf("told %v, want where it was put down", got)
			}
			p.do(released, f.figure, f.at.X, f.at.Y, leftButton)
			p.click(f, rightButton)
			if p.hand.on != nil || p.hand.drags {
				t.Error("it is still held")
			}
		})
	}
}

func TestFriendsAreNoLargerThanTheScreen(t *testing.T) {
	p := newPlayhouse(t, Look{Size: 3}, "a")
	if got, most := p.size(), image.Pt(640, 480); got.X > most.X || got.Y > most.Y || got.Y < most.Y-1 {
		t.Errorf("on 800×600 at three times the size a friend has %v, want as large as %v allows", got, most)
	}
	p.canvas.all = []monitor{{name: "A", whole: image.Rect(0, 0, 3840, 2160), work: image.Rect(0, 0, 3840, 2160)}}
	if got, want := p.size(), figureSize(3); got != want {
		t.Errorf("where there is room it has %v, want %v", got, want)
	}
}

// TestFriendWhoseSheetIsGone is not seen in the pixels of another screen.
func TestFriendWhoseSheetIsGone(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	p.apply(line("s", "May I?", true))
	p.wait(time.Second)
	p.unload("a")
	p.wait(time.Second)
	if n := len(p.canvas.windows); n != 0 {
		t.Errorf("%d windows are left", n)
	}
	if err := cutSheet(p.friends[0].Sprite, p.size(), func(r row, c strip) bool { p.stage.load("a", r, c, p.now); return true }); err != nil {
		t.Fatal(err)
	}
	p.wait(time.Second)
	if text, _ := p.bubble(p.friends[0], 0); text != "May I?" {
		t.Errorf("back again it says %q, want what still waits", text)
	}
}

func TestPausedIsNoTimer(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	p.apply(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Text: "Hi"}})
	p.wait(time.Second)
	p.pause(true, p.now)
	p.apply(Update{Friend: "a", State: agents.Done})
	if next := p.play(); !next.IsZero() {
		t.Errorf("paused, it wants to be played at %v", next)
	}
	p.now = p.now.Add(time.Hour)
	p.pause(false, p.now)
	if next := p.play(); next.IsZero() || p.friends[0].row == rowWorking {
		t.Errorf("later it is at row %d and to be played at %v, want it to go on", p.friends[0].row, next)
	}
}
