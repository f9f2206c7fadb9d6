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
	// ask wants the picture of what a friend says; show takes the answer.
	ask     func(id string, b Bubble, s spot)
	friends []*friend
}

// A friend is one friend on the stage.
type friend struct {
	Sprite
	actor  *actor
	speech speech
	at     image.Point     // its cell's corner on the screen
	strips [rowCount]strip // without frames, which figure has

	figure  figure // nil until there is a frame to show
	row     row    // what figure shows
	col     int
	balloon balloon
	picture picture // what balloon shows, when it is all there
	look    look    // in which balloon shows it
	stale   bool    // balloon shows another picture, or in another place
	spoke   bool    // balloon shows another sentence: it belongs in front
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

// load takes one row of a friend. Idle comes first: another one was cut for a
// friend of that name who has left since, and its own will come.
func (s *stage) load(id string, r row, cut strip, now time.Time) {
	f := find(s.friends, id)
	if f == nil || f.figure == nil && r != rowIdle {
		return
	}
	if f.figure == nil {
		f.figure = s.screen.newFigure(f.Name)
	}
	f.figure.load(r, cut.frames)
	f.actor.load(r, len(cut.frames), now)
	f.strips[r] = strip{body: cut.body, head: cut.head, offset: cut.offset, cell: cut.cell}
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

// show takes the picture of what a friend was asked to say, or says already.
func (s *stage) show(id string, b Bubble, p picture, now time.Time) {
	f := find(s.friends, id)
	if f == nil {
		return
	}
	news := f.speech.show(b, now)
	if news || f.speech.says(b) {
		f.picture, f.stale, f.spoke = p, true, f.spoke || news
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
		f.figure.paint(row, col, f.at)
		f.row, f.col = row, col
	}
	return next
}

func (s *stage) speak(f *friend, now time.Time) time.Time {
	if b, ok := f.speech.take(now); ok {
		s.ask(f.ID, b, s.spot(f))
		s.makeRoom()
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
		if f.spoke {
			f.figure.raise()
			f.balloon.raise()
			f.spoke = false
		}
		f.balloon.put(f.picture.as(l), f.at.Add(f.picture.at))
	}
	f.look, f.stale = l, false
	return next
}

// spot is where f's bubble can be. It covers no other friend's head, and leaves
// those who speak the half that is theirs of the way between; but it has the
// width of a cell at size 1, since texts do not get smaller than that.
func (s *stage) spot(f *friend) spot {
	room := s.screen.monitors()[0].work.Sub(f.at)
	area := room
	beside := max(0, cellWidth-s.size.X) / 2
	for _, o := range s.friends {
		head := o.strips[o.actor.home()].head.Add(o.at.Sub(f.at))
		if o.speech.busy() {
			head.Min.X = (o.at.X - f.at.X + s.size.X) / 2
			head.Max.X = head.Min.X
		}
		switch {
		case o == f || head == image.Rectangle{}:
		case o.at.X > f.at.X:
			area.Max.X = max(s.size.X+beside, min(area.Max.X, head.Min.X))
		default:
			area.Min.X = min(-beside, max(area.Min.X, head.Max.X))
		}
	}
	own := f.strips[f.actor.home()]
	return spot{area.Intersect(room), own.body, own.head, s.screen.translucent()}
}

// makeRoom has the bubbles drawn again that are not where they can be, since
// somebody else speaks now or the screen is another one.
func (s *stage) makeRoom() {
	for _, f := range s.friends {
		if !f.speech.visible() {
			continue
		}
		spot := s.spot(f)
		if box := f.picture.img.Rect.Add(f.picture.at); !box.In(spot.area) {
			s.ask(f.ID, f.speech.said, spot)
		}
	}
}

// arrange puts every friend in its place within the work area.
func (s *stage) arrange() {
	area := s.screen.monitors()[0].work
	for i, f := range s.friends {
		f.at = standing(area, s.size, i, len(s.friends))
		f.row = -1 // painted elsewhere
		f.stale = true
	}
	s.makeRoom()
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
