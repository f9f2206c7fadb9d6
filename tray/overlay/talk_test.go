package overlay

import (
	"fmt"
	"image"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// A line is what a session says, in the tests of talks.
func line(session, text string, stay bool) Update {
	return Update{Friend: "a", Bubble: &Bubble{Session: session, Text: text, Stay: stay}}
}

func TestTwoSessionsSpeakSideBySide(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []Update
		want  [2]string
	}{
		{"one", []Update{line("s", "one", false)}, [2]string{"one", ""}},
		{"one session twice", []Update{line("s", "one", false), line("s", "two", false)}, [2]string{"two", ""}},
		{"two", []Update{line("s", "one", false), line("t", "two", false)}, [2]string{"one", "two"}},
		{"two, the first again", []Update{line("s", "one", false), line("t", "two", false), line("s", "three", false)}, [2]string{"three", "two"}},
		{"a question comes to the head", []Update{line("s", "one", false), line("t", "May I?", true)}, [2]string{"May I?", "one"}},
		{"three: the oldest gives way", []Update{line("s", "one", false), line("t", "two", false), line("u", "three", false)}, [2]string{"three", "two"}},
		{"three: not a question", []Update{line("s", "May I?", true), line("t", "two", false), line("u", "three", false)}, [2]string{"May I?", "three"}},
		{"the first closes", []Update{line("s", "one", false), line("t", "two", false), line("s", "", false)}, [2]string{"two", ""}},
		{"the second closes", []Update{line("s", "one", false), line("t", "two", false), line("t", "", false)}, [2]string{"one", ""}},
		{"one that never spoke closes", []Update{line("s", "one", false), line("t", "", false)}, [2]string{"one", ""}},
		{"a voice of nobody", []Update{line("s", "May I?", true), line("", "Hi", false)}, [2]string{"May I?", "Hi"}},
		{"two questions and a word: the older one waits", []Update{line("s", "May I?", true), line("t", "And I?", true), line("u", "three", false)}, [2]string{"And I?", "three"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayhouse(t, Look{}, "a")
			for _, u := range c.lines {
				p.apply(u)
				p.wait(pace + fadeOut)
			}
			f := p.friends[0]
			for i, want := range c.want {
				if got, _ := p.bubble(f, i); got != want {
					t.Errorf("bubble %d says %q, want %q", i, got, want)
				}
			}
		})
	}
}

func TestQuestionThatWasSpokenOverComesBack(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	for _, s := range []string{"s", "t"} {
		p.apply(line(s, "May I? "+s, true))
		p.wait(time.Second)
	}
	p.apply(line("u", "lunch?", false))
	p.wait(time.Minute)
	f := p.friends[0]
	first, _ := p.bubble(f, 0)
	second, _ := p.bubble(f, 1)
	if (first != "May I? s" || second != "May I? t") && (first != "May I? t" || second != "May I? s") {
		t.Errorf("a minute later it says %q and %q, want both questions", first, second)
	}
	p.apply(line("s", "", false))
	p.wait(time.Minute)
	if first, _ = p.bubble(f, 0); first != "May I? t" {
		t.Errorf("it says %q, want the question that is left, at its head", first)
	}
	p.apply(line("t", "On it", false))
	p.wait(time.Minute)
	if f.talk.busy() || len(f.talk.asks) != 0 {
		t.Errorf("all is answered, yet it still has %v to say", f.talk.asks)
	}
}

func TestBubblesOfOneFriendDoNotOverlap(t *testing.T) {
	for _, at := range []image.Point{{400, 560}, {400, 2}, {2, 300}, {770, 300}} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			p := newPlayhouse(t, Look{}, "a")
			f := p.friends[0]
			p.dragTo(f, at.X, at.Y)
			p.apply(line("s", "Running the tests of the whole project", false))
			p.apply(line("t", "May I run this command, which is a long one?", true))
			p.wait(2 * time.Second)
			_, first := p.bubble(f, 0)
			_, second := p.bubble(f, 1)
			if first.Empty() || second.Empty() {
				t.Fatalf("bubbles at %v and %v, want two", first, second)
			}
			screen := p.canvas.back.Rect
			if !first.In(screen) || !second.In(screen) || first.Overlaps(second) {
				t.Errorf("bubbles at %v and %v, want both on the screen, apart", first, second)
			}
		})
	}
}

func TestStormOfSessionsLeavesNothingBehind(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	for i := range 300 {
		p.apply(line(fmt.Sprint("s", i%30), fmt.Sprint("text ", i), i%3 == 0))
		p.wait(20 * time.Millisecond)
	}
	for i := range 30 {
		p.apply(line(fmt.Sprint("s", i), "", false))
	}
	p.wait(time.Minute)
	if f := p.friends[0]; f.talk.busy() || len(f.talk.asks) != 0 {
		t.Errorf("every session has closed its bubble, yet it says %+v, and keeps %v", f.talk.voices[0].speech, f.talk.asks)
	}
	if n := len(p.canvas.windows); n > 3 {
		t.Errorf("%d windows, want a friend and two bubbles", n)
	}
}

func TestReducedMotionOnlyFades(t *testing.T) {
	p := newPlayhouse(t, Look{Motion: Reduced}, "a")
	p.apply(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Text: "Hi"}})
	p.play()
	if l := p.friends[0].talk.voices[0].look; l.size != 1 || l.opacity >= 1 {
		t.Errorf("the bubble begins as %+v, want it in full size and translucent", l)
	}
}

func TestLabelsAreSteady(t *testing.T) {
	p := newPlayhouse(t, Look{}, "a")
	f := p.friends[0]
	label := func(s string) { p.apply(Update{Friend: "a", Label: &s}); p.play() }
	shown := func() bool { return f.tag.shown != nil }
	for range 20 { // sessions that come and go
		label("2 sessions")
		p.wait(steady / 2)
		label("")
		p.wait(steady / 2)
		if shown() {
			t.Fatal("a label that did not hold is shown")
		}
	}
	label("2 sessions")
	p.wait(steady)
	if !shown() {
		t.Fatal("a label that holds is not shown")
	}
	at := f.tag.corner
	if box := f.tag.picture.Rect.Add(at); !box.In(p.canvas.back.Rect) {
		t.Errorf("it is at %v, outside the screen", box)
	}
	for range 20 {
		label("")
		p.wait(steady / 2)
		label("2 sessions")
		p.wait(steady / 2)
		if !shown() {
			t.Fatal("a label that is missing for a moment flickers")
		}
	}
	label("")
	p.wait(steady)
	if shown() {
		t.Error("a label that was taken away stays")
	}
}
