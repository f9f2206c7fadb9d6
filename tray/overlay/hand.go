package overlay

import (
	"image"
	"time"
)

const (
	// slack is how far a pointer may slip in a click, in px at 96 dpi.
	slack = 4
	// twice is how soon a second click makes a double click; most desktops have
	// about this.
	twice = 400 * time.Millisecond
)

// A hand is what the person's pointer is doing to a friend.
type hand struct {
	on    *friend     // pressed; nil for nobody
	from  image.Point // where the pointer pressed
	last  image.Point // where it was last
	grip  image.Point // from the corner of the friend's cell to the pointer
	drags bool        // on has been dragged

	clicked   *friend // last
	clickedAt time.Time
	called    image.Point // where the right button was pressed last
}

// touch takes what the person does.
func (s *stage) touch(in input) {
	if s.menu != nil && s.menu.holds(in) {
		s.touchMenu(in)
		return
	}
	switch in.deed {
	case pressed:
		s.press(in)
	case moved:
		s.drag(in)
	case released:
		if in.button == leftButton {
			s.release(in)
		}
	}
}

func (s *stage) press(in input) {
	if s.hand.drags && in.button != leftButton {
		return // one thing at a time
	}
	s.letGo(in.now) // if it still holds somebody, the release went elsewhere
	f, v := s.under(in.on)
	switch {
	case f == nil:
	case in.button == rightButton:
		s.hand.called = in.at
		s.tell(Event{Kind: MenuWanted, Friend: f.ID})
	case in.button != leftButton:
	case v != nil:
		f.talk.forget(v.session)
		v.speech.say(Bubble{Session: v.session})
	default:
		f.actor.wake(in.now)
		s.hand.on, s.hand.drags = f, false
		s.hand.from, s.hand.last, s.hand.grip = in.at, in.at, in.at.Sub(f.at)
	}
}

// under is the friend whose window it is, and the voice if it is a bubble's.
func (s *stage) under(window any) (*friend, *voice) {
	if window == nil {
		return nil, nil
	}
	for _, f := range s.friends {
		if f.figure == window || f.tag.balloon == window {
			return f, nil
		}
		for _, v := range f.talk.voices {
			if v != nil && v.balloon == window {
				return f, v
			}
		}
	}
	return nil, nil
}

// drag moves the friend so that the pointer keeps its spot on it. Where the
// pointer is there is a screen, so the friend can always be let go.
func (s *stage) drag(in input) {
	h := &s.hand
	if h.on == nil {
		return
	}
	if way := in.at.Sub(h.from); !h.drags {
		far := round(slack * s.screen.scale())
		if way.X*way.X+way.Y*way.Y <= far*far {
			return
		}
		h.drags = true
		s.front(h.on)
	}
	h.on.actor.carry(in.at.X-h.last.X, in.now)
	h.last = in.at
	s.stand(h.on, in.at.Sub(h.grip))
	s.makeRoom()
}

// release ends a drag or a click.
func (s *stage) release(in input) {
	h := &s.hand
	f := h.on
	switch {
	case f == nil:
	case h.drags:
		s.stand(f, in.at.Sub(h.grip))
		s.letGo(in.now)
	case h.clicked == f && in.now.Sub(h.clickedAt) < twice:
		h.on, h.clicked = nil, nil // a third click begins anew
		s.tell(Event{Kind: DoubleClicked, Friend: f.ID})
	default:
		h.on, h.clicked, h.clickedAt = nil, f, in.now
		s.tell(Event{Kind: Clicked, Friend: f.ID})
	}
}

// letGo puts down whoever is dragged, where it is, and forgets a click that has
// not ended.
func (s *stage) letGo(now time.Time) {
	f := s.hand.on
	if s.hand.on = nil; f == nil || !s.hand.drags {
		return
	}
	s.hand.drags = false
	s.place(f, feetOf(f.at, f.cell))
	s.remember(f)
	f.actor.drop(now)
	for _, f := range s.friends {
		s.redrawTalk(f) // there may be more room now, or less
	}
}

// holds reports whether f is being dragged.
func (s *stage) holds(f *friend) bool { return s.hand.on == f && s.hand.drags }
