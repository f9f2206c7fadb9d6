package overlay

import (
	"time"
	"unicode/utf8"
)

// How a bubble comes, stays and goes. Every step of a fade lasts fadeStep.
const (
	fadeIn     = 120 * time.Millisecond
	fadeOut    = 180 * time.Millisecond
	fadeStep   = 20 * time.Millisecond
	smallest   = 0.92 // of its size, when it begins to come
	stayLeast  = 2500 * time.Millisecond
	stayLetter = 60 * time.Millisecond
	stayMost   = 12 * time.Second

	// pace is the least time that a text is shown before the next one replaces
	// it. What is said in between is dropped: newest wins, nothing queues.
	pace = 400 * time.Millisecond
)

// A speech is what one friend says: the life of its bubble, without a picture.
type speech struct {
	said    Bubble    // on the screen, while shown
	shown   time.Time // when the bubble came; zero: there is none
	changed time.Time // when its text came
	leaves  time.Time // when it begins to go; zero: not by itself
	want    *Bubble   // the newest that is not said yet
	drawn   *Bubble   // taken, while its picture is being made
}

// A look is how a bubble is to be painted. The zero look is not at all.
type look struct {
	opacity float64 // 0–1
	size    float64 // of the whole, about the tail's tip
}

// lifetime is how long a text is shown.
func lifetime(text string) time.Duration {
	return min(stayLeast+time.Duration(utf8.RuneCountInString(text))*stayLetter, stayMost)
}

// say takes the newest sentence; an empty one closes the bubble.
func (s *speech) say(b Bubble) { s.want = &b }

// newest is what was asked of it last.
func (s *speech) newest() Bubble {
	switch {
	case s.want != nil:
		return *s.want
	case s.drawn != nil:
		return *s.drawn
	}
	return s.said
}

func (s *speech) visible() bool { return !s.shown.IsZero() }

// busy reports whether a bubble is there or about to come.
func (s *speech) busy() bool {
	return s.visible() || s.drawn != nil || s.want != nil && s.want.Text != ""
}

// pictured is the sentence whose picture is shown, or being made.
func (s *speech) pictured() (b Bubble, ok bool) {
	if s.drawn != nil {
		return *s.drawn, true
	}
	return s.said, s.visible()
}

// says reports whether b is what the bubble says.
func (s *speech) says(b Bubble) bool { return s.visible() && s.said == b }

// take returns the sentence whose picture is needed now, if any. The caller
// answers with show, when it has the picture.
func (s *speech) take(now time.Time) (b Bubble, ok bool) {
	if s.want == nil || s.drawn != nil || s.visible() && now.Before(s.changed.Add(pace)) {
		return Bubble{}, false
	}
	b, s.want = *s.want, nil
	switch {
	case b.Text == "":
		if s.visible() && (s.leaves.IsZero() || s.leaves.After(now)) {
			s.leaves = now
		}
		return Bubble{}, false
	case s.visible() && b == s.said && (s.leaves.IsZero() || s.leaves.After(now)):
		s.begin(b, now)
		return Bubble{}, false
	}
	s.drawn = &b
	return b, true
}

// show says that b's picture is ready. It reports whether to show it: not when
// it was closed meanwhile, or was asked of a friend who left and came again.
func (s *speech) show(b Bubble, now time.Time) bool {
	if s.drawn == nil || *s.drawn != b {
		return false
	}
	s.drawn = nil
	if s.want != nil && s.want.Text == "" && !s.visible() {
		s.want = nil
		return false
	}
	if !s.visible() || s.going(now) {
		s.shown = now
	}
	s.begin(b, now)
	return true
}

func (s *speech) begin(b Bubble, now time.Time) {
	s.said, s.changed, s.leaves = b, now, time.Time{}
	if !b.Stay {
		s.leaves = now.Add(lifetime(b.Text))
	}
}

func (s *speech) going(now time.Time) bool {
	return !s.leaves.IsZero() && !now.Before(s.leaves)
}

// look is how the bubble looks now, and when that changes next: the zero time
// when only something new changes it.
func (s *speech) look(now time.Time) (l look, next time.Time) {
	defer func() {
		if s.want != nil && s.drawn == nil && s.visible() {
			next = earlier(next, s.changed.Add(pace))
		}
	}()
	switch age := now.Sub(s.shown); {
	case !s.visible():
		return look{}, time.Time{}
	case s.going(now):
		gone := now.Sub(s.leaves)
		if gone >= fadeOut {
			s.shown = time.Time{}
			return look{}, time.Time{}
		}
		step := gone/fadeStep + 1
		return look{1 - float64(step)/float64(fadeOut/fadeStep+1), 1}, s.leaves.Add(step * fadeStep)
	case age < fadeIn:
		step := age/fadeStep + 1
		left := 1 - float64(step)/float64(fadeIn/fadeStep)
		eased := 1 - left*left*left
		return look{eased, smallest + (1-smallest)*eased}, s.shown.Add(step * fadeStep)
	}
	return look{1, 1}, s.leaves
}

// earlier is the earlier of two moments, of which zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
