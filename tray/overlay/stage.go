package overlay

import (
	"image"
	"time"

	"github.com/playpets/playpets/agents"
)

// A stage is every friend that is shown, and what is on the screen of it now.
// It has no clock and no goroutine: the loop and the recorder play it.
type stage struct {
	screen screen
	size   image.Point // of one friend
	// ask wants the picture of what a friend says next; picture is the answer.
	ask     func(id string, b Bubble, s spot)
	friends []*friend
}

// A friend is one friend on the stage.
type friend struct {
	Sprite
	actor  *actor
	speech speech
	at     image.Point     // its cell's corner on the screen
	body   image.Rectangle // what is drawn of it when idle, within the cell
	head   image.Rectangle // the upper half of that

	figure  figure // nil until there is a frame to show
	row     row    // what figure shows
	col     int
	balloon balloon
	picture picture // what balloon shows, when it is all there
	look    look    // in which balloon shows it
	stale   bool    // balloon shows another picture, or in another place
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
			f = &friend{Sprite: sprite, actor: newActor(now)}
			added = append(added, sprite)
		}
		s.friends = append(s.friends, f)
	}
	for _, f := range before {
		if find(s.friends, f.ID) == nil {
			f.close()
		}
	}
	s.arrange()
	return added
}

// load takes one row's frames of a friend.
func (s *stage) load(id string, r row, frames []*image.RGBA, now time.Time) {
	f := find(s.friends, id)
	if f == nil || len(frames) == 0 {
		return
	}
	if f.figure == nil {
		f.figure = s.screen.newFigure(f.Name, s.size)
		f.figure.move(f.at)
	}
	if r == rowIdle {
		f.body = silhouette(frames, frames[0].Rect)
		upper := f.body
		upper.Max.Y -= f.body.Dy() / 2
		f.head = silhouette(frames, upper)
	}
	f.figure.load(r, frames)
	f.actor.load(r, len(frames), now)
	f.row = -1 // whatever is painted may be of the old frames
}

// apply takes one update.
func (s *stage) apply(u Update, now time.Time) {
	f := find(s.friends, u.Friend)
	if f == nil {
		return
	}
	switch {
	case u.Bubble != nil:
		f.speech.say(*u.Bubble)
	case u.State != "" && u.State != f.actor.state:
		f.speech.release()
	}
	f.actor.apply(u, now)
}

// show takes the picture of what a friend was asked to say.
func (s *stage) show(id string, b Bubble, p picture, now time.Time) {
	if f := find(s.friends, id); f != nil && f.speech.show(b, now) {
		f.picture, f.stale = p, true
	}
}

// play brings the screen up to date and returns when that is needed again: the
// zero time when only something new changes it.
func (s *stage) play(now time.Time) (next time.Time) {
	for _, f := range s.friends {
		if f.figure == nil {
			continue // its bubble waits too: it would speak from nowhere
		}
		next = earlier(next, f.act(now))
		next = earlier(next, s.speak(f, now))
	}
	return next
}

func (f *friend) act(now time.Time) time.Time {
	row, col, next := f.actor.frame(now)
	if row != f.row || col != f.col {
		f.figure.paint(row, col)
		f.row, f.col = row, col
	}
	return next
}

func (s *stage) speak(f *friend, now time.Time) time.Time {
	if b, ok := f.speech.take(now); ok {
		s.ask(f.ID, b, spot{s.screen.workArea().Sub(f.at), f.body, f.head, s.screen.translucent()})
	}
	l, next := f.speech.look(now)
	switch {
	case l == f.look && !f.stale:
	case l == look{}:
		if f.balloon != nil {
			f.balloon.hide()
		}
		f.picture.img = nil
	default:
		if f.balloon == nil {
			f.balloon = s.screen.newBalloon(f.Name)
		}
		if f.look == (look{}) {
			f.figure.raise()
		}
		f.balloon.put(f.picture.as(l), f.at.Add(f.picture.at))
	}
	f.look, f.stale = l, false
	return next
}

// arrange puts every friend in its place within the work area.
func (s *stage) arrange() {
	area := s.screen.workArea()
	for i, f := range s.friends {
		f.at = standing(area, s.size, i, len(s.friends))
		if f.figure != nil {
			f.figure.move(f.at)
		}
		f.stale = true
	}
}

// raise brings every friend to the front and where it can be reached; they wave
// to be found.
func (s *stage) raise(now time.Time) {
	s.arrange()
	for _, f := range s.friends {
		if f.figure != nil {
			f.figure.raise()
			f.actor.apply(Update{Reaction: agents.Wave}, now)
		}
	}
}

func (s *stage) close() {
	for _, f := range s.friends {
		f.close()
	}
	s.friends = nil
}

func (f *friend) close() {
	if f.figure != nil {
		f.figure.close()
	}
	if f.balloon != nil {
		f.balloon.close()
	}
}

func find(friends []*friend, id string) *friend {
	for _, f := range friends {
		if f.ID == id {
			return f
		}
	}
	return nil
}
