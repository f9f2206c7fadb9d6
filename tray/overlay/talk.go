package overlay

import (
	"image"
	"slices"
	"time"
)

// A talk is what a friend says, for at most two sessions at once: the first
// bubble is at its head, the second one beyond that.
type talk struct {
	voices [2]*voice
	// asks are the bubbles that stay until their session says something else,
	// the newest last. One that was spoken over comes back.
	asks []Bubble
}

// bubbleGap is between two bubbles of a friend, in px at 96 dpi.
const bubbleGap = 6

// asksKept is how many sessions' questions a friend keeps in mind.
const asksKept = 8

// A voice is one bubble of a friend and whose it is.
type voice struct {
	session string
	speech  speech
	balloon balloon
	picture picture     // what balloon shows, when it is all there
	look    look        // in which balloon shows it
	corner  image.Point // where
	stale   bool        // balloon shows another picture
	spoke   bool        // balloon shows another sentence: it belongs in front
	stacked bool        // the picture that was asked for last is without a tail
}

// say takes the newest sentence of a session; an empty one closes its bubble.
func (t *talk) say(b Bubble) {
	t.forget(b.Session)
	if b.Stay && b.Text != "" {
		t.asks = append(t.asks, b)
		t.asks = t.asks[max(0, len(t.asks)-asksKept):]
	}
	v := t.voiceOf(b.Session)
	if v == nil && b.Text == "" {
		return
	}
	if v == nil {
		v = t.choose()
		v.session = b.Session
	}
	v.speech.say(b)
}

func (t *talk) forget(session string) {
	t.asks = slices.DeleteFunc(t.asks, func(b Bubble) bool { return b.Session == session })
}

// voiceOf is the voice that speaks for a session; nil for none.
func (t *talk) voiceOf(session string) *voice {
	for _, v := range t.voices {
		if v != nil && v.session == session && v.speech.busy() {
			return v
		}
	}
	return nil
}

// choose is the voice for a session that has none: a free one, or else the one
// that says the least: what stays counts more than what leaves by itself, the
// newer more than the older.
func (t *talk) choose() *voice {
	least := t.voices[0]
	for i, v := range t.voices {
		switch {
		case v == nil:
			t.voices[i] = &voice{}
			return t.voices[i]
		case !v.speech.busy():
			return v
		case least.speech.newest().Stay && !v.speech.newest().Stay,
			least.speech.newest().Stay == v.speech.newest().Stay && v.speech.changed.Before(least.speech.changed):
			least = v
		}
	}
	return least
}

// recall lets a question that was spoken over come back where there is room.
func (t *talk) recall() {
	for _, b := range slices.Backward(t.asks) {
		if t.voiceOf(b.Session) != nil {
			continue
		}
		if v := t.choose(); !v.speech.busy() {
			v.session = b.Session
			v.speech.say(b)
		}
	}
}

// busy reports whether a bubble is there or about to come.
func (t *talk) busy() bool {
	return slices.ContainsFunc(t.voices[:], func(v *voice) bool { return v != nil && v.speech.busy() })
}

// visible reports whether voice i has a bubble.
func (t *talk) visible(i int) bool { return t.voices[i] != nil && t.voices[i].speech.visible() }

// conceal takes the bubbles from sight. What would have been said meanwhile is
// not said later, unless it stays; but what it would have replaced is over.
func (t *talk) conceal() {
	for _, v := range t.voices {
		if v == nil {
			continue
		}
		if v.look != (look{}) {
			v.balloon.hide()
			v.look = look{}
		}
		if w := v.speech.want; w != nil && !w.Stay {
			v.speech = speech{}
		}
	}
}

func (t *talk) close() {
	for _, v := range t.voices {
		if v != nil && v.balloon != nil {
			v.balloon.close()
		}
	}
}

// speak brings f's bubbles up to date.
func (s *stage) speak(f *friend, now time.Time) (next time.Time) {
	f.talk.recall()
	s.sink(f)
	for i, v := range f.talk.voices {
		if v == nil {
			continue
		}
		if b, ok := v.speech.take(now); ok {
			s.drawBubble(f, v, b)
			s.makeRoom()
		} else if b, ok := v.speech.pictured(); ok && v.stacked != (i == 1) {
			s.drawBubble(f, v, b) // with a tail now, or without
		}
		next = earlier(next, s.float(f, i, now))
	}
	return next
}

// sink lets the second bubble take the place of the first one when that has gone,
// or when it is the one that counts: it stays, and the first one leaves by itself.
func (s *stage) sink(f *friend) {
	t := &f.talk
	if t.voices[1] == nil || !t.voices[1].speech.busy() {
		return
	}
	first, second := &t.voices[0].speech, &t.voices[1].speech
	if first.busy() && (first.newest().Stay || !second.newest().Stay) {
		return
	}
	t.voices[0], t.voices[1] = t.voices[1], t.voices[0]
}

// drawBubble has the picture drawn of what v says, or will say.
func (s *stage) drawBubble(f *friend, v *voice, b Bubble) {
	spot := s.spot(f)
	v.stacked = v == f.talk.voices[1]
	spot.stacked = v.stacked
	s.draw(func(d *bubbles) func(time.Time) {
		p := d.draw(b, spot)
		return func(now time.Time) { v.show(b, p, now) }
	})
}

// redrawTalk has the bubbles drawn again that f has.
func (s *stage) redrawTalk(f *friend) {
	for i, v := range f.talk.voices {
		if f.talk.visible(i) {
			s.drawBubble(f, v, v.speech.said)
		}
	}
}

// show takes the picture of what v was asked to say, or says already.
func (v *voice) show(b Bubble, p picture, now time.Time) {
	news := v.speech.show(b, now)
	if news || v.speech.says(b) {
		v.picture, v.stale, v.spoke = p, true, v.spoke || news
	}
}

// float puts voice i's bubble where and as it is to be seen now.
func (s *stage) float(f *friend, i int, now time.Time) time.Time {
	v := f.talk.voices[i]
	l, next := v.speech.look(now)
	if l != (look{}) && s.look.Motion == Reduced {
		l.size = 1
	}
	if l != (look{}) && !s.screen.translucent() {
		l.opacity = 1 // a faint pixel would be none
	}
	corner, fits := s.cornerOf(f, i)
	switch {
	case l == look{} || !fits:
		if v.look != (look{}) {
			v.balloon.hide()
		}
		l = look{}
		if !v.speech.visible() {
			v.picture.img = nil
		}
	case v.look == look{} && s.menuOpen():
		return next // it comes when the menu has gone: nothing covers that
	case l != v.look || v.stale || corner != v.corner:
		if v.balloon == nil {
			v.balloon = s.screen.newBalloon(f.Name)
		}
		v.balloon.put(v.picture.as(l), corner)
		if v.look = l; v.spoke {
			v.spoke = false
			s.front(f)
		}
	}
	v.look, v.corner, v.stale = l, corner, false
	return next
}

// front brings a friend and all that belongs to it before everything else, but
// for an open menu: what is restacked there can lose the pointer.
func (s *stage) front(f *friend) {
	if s.menuOpen() {
		return
	}
	f.figure.raise()
	if f.tag.shown != nil {
		f.tag.balloon.raise()
	}
	for _, v := range f.talk.voices {
		if v != nil && v.balloon != nil && v.look != (look{}) {
			v.balloon.raise()
		}
	}
}

// cornerOf is where the picture of voice i belongs, and whether it fits there.
func (s *stage) cornerOf(f *friend, i int) (at image.Point, fits bool) {
	v := f.talk.voices[i]
	if v.picture.img == nil {
		return at, true
	}
	at = f.at.Add(v.picture.at)
	if i == 0 || !f.talk.visible(0) || f.talk.voices[0].picture.img == nil {
		return at, true
	}
	first := f.talk.voices[0].picture
	gap := round(bubbleGap * s.screen.scale())
	box := first.body.Add(f.at).Add(first.at)
	if first.at.Y < f.strips[rowIdle].body.Min.Y {
		at.Y = box.Min.Y - gap - v.picture.body.Max.Y
	} else {
		at.Y = box.Max.Y + gap - v.picture.body.Min.Y
	}
	return at, v.picture.img.Rect.Add(at).In(s.monitorOf(f).work)
}

// spot is where f's bubble can be. It covers no other friend's head, and leaves
// those who speak the half that is theirs of the way between; but it has the
// width of a cell at size 1, since texts do not get smaller than that.
func (s *stage) spot(f *friend) spot {
	room := s.monitorOf(f).work.Sub(f.at)
	own := f.strips[f.actor.home()]
	area := room
	beside := max(0, round(cellWidth*s.screen.scale())-f.cell.X) / 2
	for _, o := range s.friends {
		if o == f || !s.meets(f, o) {
			continue
		}
		head := o.strips[o.actor.home()].head.Add(o.at.Sub(f.at))
		switch {
		case o.talk.busy():
			head.Min.X = (o.at.X + o.cell.X/2 - f.at.X + f.cell.X/2) / 2
			head.Max.X = head.Min.X
		case head.Min.Y+round(overHead*s.screen.scale()) >= own.body.Min.Y:
			continue // the bubble is above it
		}
		switch {
		case head == image.Rectangle{}:
		case o.at.X > f.at.X:
			area.Max.X = max(f.cell.X+beside, min(area.Max.X, head.Min.X))
		default:
			area.Min.X = min(-beside, max(area.Min.X, head.Max.X))
		}
	}
	return spot{area: area.Intersect(room), body: own.body, head: own.head, shadow: s.screen.translucent()}
}

// overHead is how much higher than a friend's own head another's may be, in px
// at 96 dpi, and still be below its bubble: the length of a tail.
const overHead = 10

// meets reports whether o's head and bubbles are as high as f's can be: who
// stands elsewhere on the screen is not in the way.
func (s *stage) meets(f, o *friend) bool {
	reach := 2 * f.cell.Y
	return o.shown && o.at.Y < f.at.Y+f.cell.Y && f.at.Y-reach < o.at.Y+o.cell.Y
}

// makeRoom has the bubbles drawn again that are not where they can be, since
// somebody else speaks now or the screen is another one.
func (s *stage) makeRoom() {
	for _, f := range s.friends {
		for i, v := range f.talk.voices {
			if !f.talk.visible(i) || v.picture.img == nil {
				continue
			}
			box, area := v.picture.img.Rect.Add(v.picture.at), s.spot(f).area
			if i == 1 {
				area.Min.Y, area.Max.Y = box.Min.Y, box.Max.Y
			}
			if !box.In(area) {
				s.drawBubble(f, v, v.speech.said)
			}
		}
	}
}
