package overlay

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// A speaker is a speech whose pictures are there as soon as they are asked for.
type speaker struct {
	speech
	now   time.Time
	drawn []string
}

func (s *speaker) wait(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); s.now = s.now.Add(time.Millisecond) {
		s.settle()
	}
	s.settle()
}

func (s *speaker) settle() look {
	if b, ok := s.take(s.now); ok {
		s.drawn = append(s.drawn, b.Text)
		s.show(b, s.now)
	}
	l, _ := s.look(s.now)
	return l
}

func newSpeaker() *speaker { return &speaker{now: epoch} }

func TestLifetimeDependsOnTheText(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"Hi", ms(2500 + 2*60)},
		{"테스트를 돌리고 있어요", ms(2500 + 12*60)},
		{strings.Repeat("x", 240), 12 * time.Second},
	} {
		s := newSpeaker()
		s.say(Bubble{Text: c.text})
		s.settle()
		s.wait(c.want - 1*time.Millisecond)
		if l := s.settle(); l != (look{1, 1}) {
			t.Errorf("%q: just before %v it looks %+v, want all there", c.text, c.want, l)
		}
		s.wait(fadeOut + 2*time.Millisecond)
		if s.visible() {
			t.Errorf("%q: still there after %v and its fade", c.text, c.want)
		}
		if l, next := s.look(s.now); l != (look{}) || !next.IsZero() {
			t.Errorf("%q: when gone it looks %+v and wants a timer for %v", c.text, l, next)
		}
	}
}

func TestComesGrowingAndGoesFading(t *testing.T) {
	s := newSpeaker()
	s.say(Bubble{Text: "Hi", Stay: true})
	first := s.settle()
	if first.opacity <= 0 || first.opacity >= 1 || first.size < smallest || first.size >= 1 {
		t.Errorf("begins as %+v, want translucent and a little small", first)
	}
	last := first
	for range 6 {
		s.wait(fadeStep)
		if l := s.settle(); l.opacity < last.opacity || l.size < last.size {
			t.Errorf("%+v comes after %+v", l, last)
		} else {
			last = l
		}
	}
	if last != (look{1, 1}) {
		t.Errorf("after %v it looks %+v", fadeIn, last)
	}
	s.say(Bubble{})
	s.wait(pace)
	for s.visible() {
		l := s.settle()
		if l.opacity > last.opacity || l != (look{}) && l.size != 1 {
			t.Errorf("going, %+v comes after %+v", l, last)
		}
		last = l
		s.wait(fadeStep)
	}
}

func TestStormShowsFewTextsAndTheNewestLast(t *testing.T) {
	s := newSpeaker()
	for i := range 100 {
		s.say(Bubble{Text: fmt.Sprint(i)})
		s.settle()
		s.wait(10 * time.Millisecond)
	}
	s.wait(pace)
	if n := len(s.drawn); n < 3 || n > 4 {
		t.Errorf("one second of storm drew %v, want a text every %v", s.drawn, pace)
	}
	if s.drawn[0] != "0" || s.drawn[len(s.drawn)-1] != "99" {
		t.Errorf("drew %v, want the first at once and the newest in the end", s.drawn)
	}
}

func TestSameTextIsNotDrawnAgainButStaysLonger(t *testing.T) {
	s := newSpeaker()
	s.say(Bubble{Text: "Hi"})
	s.wait(2 * time.Second)
	s.say(Bubble{Text: "Hi"})
	s.wait(2 * time.Second)
	if len(s.drawn) != 1 || s.settle() != (look{1, 1}) {
		t.Errorf("drawn %v and looks %+v, want once and still there", s.drawn, s.settle())
	}
}

func TestStayingBubbles(t *testing.T) {
	waiting := Bubble{Text: "May I?", Mark: agents.Waiting, Stay: true}
	for _, c := range []struct {
		name string
		then func(*speaker)
		left bool
	}{
		{"nothing happens", func(*speaker) {}, false},
		{"closed", func(s *speaker) { s.say(Bubble{}) }, true},
		{"another state's sentence", func(s *speaker) { s.say(Bubble{Text: "Thanks", Mark: agents.Working}) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSpeaker()
			s.say(waiting)
			s.wait(time.Minute)
			c.then(s)
			s.wait(20 * time.Second)
			if left := !s.visible(); left != c.left {
				t.Errorf("it has left: %v, want %v", left, c.left)
			}
		})
	}
}

func TestClosedWhileBeingDrawnNeverShows(t *testing.T) {
	s := newSpeaker()
	s.say(Bubble{Text: "Hi"})
	b, ok := s.take(s.now)
	if !ok {
		t.Fatal("nothing to draw")
	}
	s.say(Bubble{})
	if s.show(b, s.now) || s.visible() {
		t.Error("shown although it was closed")
	}
	if s.show(b, s.now) {
		t.Error("a picture nobody asked for is shown")
	}
}
