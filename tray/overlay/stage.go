package overlay

import (
	"image"
	"slices"
	"time"

	"github.com/playpets/playpets/agents"
)

// A stage is every friend that is shown, and what is on the screen of it now.
// It has no clock and no goroutine: the loop and the recorder play it.
type stage struct {
	screen  screen
	look    Look
	draw    painter
	tell    func(Event) // what the person does
	friends []*friend
	row     int // how many of them stand in the row
	places  places
	hand    hand
	menu    *menu
	paused  bool      // nobody can see the screen
	raised  time.Time // when the person called the friends last
}

// A painter has something drawn away from the stage, since that is slow. What
// work returns is called later, where the stage is played.
type painter func(work func(*bubbles) (done func(now time.Time)))

// A friend is one friend on the stage.
type friend struct {
	Sprite
	actor   *actor
	talk    talk
	tag     tag
	lingers time.Time // until when it is to be seen, whatever else

	feet   image.Point // the middle of the lower edge of its cell
	moved  bool        // the person has put it there
	order  int         // in the row, from the right, where it stands if nobody has put it elsewhere
	at     image.Point // its cell's corner on the screen
	cell   image.Point // the size of that
	strips [rowCount]strip

	figure figure // nil until there is a frame to show
	shown  bool
	row    row // what figure shows
	col    int
}

// mostOfScreen is how much of a work area's width and height a friend may have,
// whatever size was asked for.
const mostOfScreen = 0.8

// size is the size of a friend as the person wants it, if there is room.
func (s *stage) size() image.Point {
	room := s.screen.monitors()[0].work.Size()
	factor := s.look.size() * s.screen.scale()
	return figureSize(min(factor, mostOfScreen*float64(room.X)/cellWidth, mostOfScreen*float64(room.Y)/cellHeight))
}

// set makes sprites the friends on the stage, the first one rightmost. It
// returns those that are new: their frames are to be loaded. Who stays keeps
// frames, animation and bubble.
func (s *stage) set(sprites []Sprite, now time.Time) (added []Sprite) {
	before := s.friends
	s.friends = nil
	for _, sprite := range sprites {
		f := find(before, sprite.ID)
		if f == nil {
			f = &friend{Sprite: sprite, actor: newActor(now), cell: s.size()}
			f.actor.setMotion(s.look.Motion, now)
			added = append(added, sprite)
		}
		s.friends = append(s.friends, f)
	}
	for _, f := range before {
		if find(s.friends, f.ID) == nil {
			s.dismiss(f)
		}
	}
	already := len(before)
	if already > len(s.friends) || !slices.Equal(before, s.friends[:already]) {
		already = 0 // somebody left, or they stand in another order
	}
	s.lineUp(already)
	s.arrange()
	return added
}

// dismiss takes a friend off the stage.
func (s *stage) dismiss(f *friend) {
	if s.hand.on == f {
		s.hand = hand{}
	}
	if s.menu != nil && s.menu.friend == f {
		s.closeMenu()
	}
	if f.figure != nil {
		f.figure.close()
	}
	f.talk.close()
	f.tag.close()
}

// load takes one row of a friend. Idle comes first: another one was cut for a
// friend of that name who has left since, and its own will come. Idle in
// another size begins anew.
func (s *stage) load(id string, r row, cut strip, now time.Time) {
	f := find(s.friends, id)
	if f == nil || f.figure == nil && r != rowIdle {
		return
	}
	if f.figure == nil {
		f.figure = s.screen.newFigure(f.Name)
	}
	if r == rowIdle && cut.cell != f.cell {
		for other := rowIdle + 1; other < rowCount; other++ {
			f.actor.load(other, 0, now)
		}
		f.cell = cut.cell
	}
	if cut.cell != f.cell {
		return // of the size before
	}
	f.figure.load(r, cut.frames)
	f.actor.load(r, len(cut.frames), now)
	f.strips[r] = cut
	f.strips[r].frames = nil // the figure has them
	f.row = -1               // whatever is painted may be of the old frames
	if r == rowIdle {
		s.arrange()
	}
	if r == rowIdle || r == f.actor.home() {
		s.redrawTalk(f) // it has another head now
	}
}

// apply takes one update.
func (s *stage) apply(u Update, now time.Time) {
	f := find(s.friends, u.Friend)
	if f == nil {
		return
	}
	f.linger(u, now)
	f.actor.apply(u, now)
	if u.Bubble != nil {
		f.talk.say(*u.Bubble)
	}
	if u.Label != nil {
		f.tag.set(*u.Label, now)
	}
}

// forget closes whatever a friend says.
func (s *stage) forget(id string) {
	f := find(s.friends, id)
	if f == nil {
		return
	}
	f.talk.asks = nil
	for _, v := range f.talk.voices {
		if v != nil {
			v.speech.say(Bubble{Session: v.session})
		}
	}
}

// unload takes the frames of a friend: they are of another size or screen, and
// there are no others.
func (s *stage) unload(id string) {
	f := find(s.friends, id)
	if f == nil || f.figure == nil {
		return
	}
	s.dismiss(f)
	f.figure, f.shown, f.talk, f.tag = nil, false, talk{asks: f.talk.asks}, tag{label: f.tag.label, since: f.tag.since}
}

// restyle takes a new look. In another size, frames are to be loaded again.
func (s *stage) restyle(l Look, now time.Time) {
	s.look = l
	for _, f := range s.friends {
		f.actor.setMotion(l.Motion, now)
	}
}

// redraw has everything drawn again that is on the screen, but for the friends.
func (s *stage) redraw() {
	s.closeMenu()
	for _, f := range s.friends {
		f.tag.sign = "" // so that it is wanted again
		s.redrawTalk(f)
	}
}

// play brings the screen up to date and returns when that is needed again: the
// zero time when only something new changes it.
func (s *stage) play(now time.Time) (next time.Time) {
	if s.paused {
		return time.Time{}
	}
	for _, f := range s.friends {
		if f.figure == nil {
			continue // its bubble waits too: it would speak from nowhere
		}
		seen, until := s.visible(f, now)
		next = earlier(next, until)
		if !seen {
			s.conceal(f)
			continue
		}
		next = earlier(next, f.act(now))
		next = earlier(next, s.speak(f, now))
		next = earlier(next, s.wear(f, now))
	}
	return earlier(next, s.playMenu(now))
}

func (f *friend) act(now time.Time) time.Time {
	row, col, next := f.actor.frame(now)
	if row != f.row || col != f.col || !f.shown {
		f.figure.paint(row, col, f.at.Add(f.strips[row].offset))
		f.row, f.col, f.shown = row, col, true
	}
	return next
}

// conceal takes a friend from sight. Nobody holds it: who is held is seen.
func (s *stage) conceal(f *friend) {
	f.talk.conceal()
	f.tag.conceal()
	if !f.shown {
		return
	}
	f.figure.hide()
	f.shown = false
	if s.menu != nil && s.menu.friend == f {
		s.closeMenu()
	}
}

// raise brings every friend to the front; they wave to be found. Who calls twice
// has not found them: then they come to where new ones stand.
func (s *stage) raise(now time.Time) {
	again := now.Before(s.raised.Add(lingerAsked))
	s.raised = now
	for _, f := range s.friends {
		f.moved = f.moved && (!again || s.holds(f))
		f.lingers = now.Add(lingerAsked)
		f.actor.apply(Update{Reaction: agents.Wave}, now)
		if f.shown {
			s.front(f)
		}
	}
	if again {
		s.settle()
	} else {
		s.arrange()
	}
}

// pause stops everything, or goes on.
func (s *stage) pause(paused bool, now time.Time) {
	if s.paused = paused; paused {
		s.closeMenu()
		s.letGo(now)
		return
	}
	s.arrange()
}

func (s *stage) close() {
	s.closeMenu()
	for _, f := range s.friends {
		s.dismiss(f)
	}
	s.friends = nil
}

func find(friends []*friend, id string) *friend {
	for _, f := range friends {
		if f.ID == id {
			return f
		}
	}
	return nil
}
