package overlay

import (
	"runtime/debug"
	"sync"
	"time"
)

// A driver is a screen of a window system that runs beside us.
type driver interface {
	screen
	// events must be handled by handle, on the loop. The channel is closed when
	// the window system goes away.
	events() <-chan any
	handle(event any) news
	close()
}

// A news is what an event means for the stage.
type news struct {
	change change
	input  input
}

// A change is one of the screen.
type change int

const (
	nothing    change = iota
	rearranged        // monitors, their work areas, or what covers them
	restyled          // windows show pixels another way, or in another size: every frame is to be loaded again
	asleep            // nobody can see the screen
	awake             // somebody can again
)

// loop is the one goroutine that owns every window. Decoding sheets and drawing
// bubbles are slow: others do that and send the pictures in.
type loop struct {
	*Overlay
	driver driver
	stage  stage
	cuts   chan cut
	drawn  chan drawn

	cutting sync.Mutex // held by who decodes sheets: one at a time is 12 MB
	bubbles *bubbles
	forget  *time.Timer // releases the fonts when nobody speaks for a while
}

// A cut is one row of one friend's sheet, ready to be shown.
type cut struct {
	friend string
	row    row
	strip  strip
}

// A drawn is the picture of what a friend was asked to say.
type drawn struct {
	friend  string
	bubble  Bubble
	picture picture
}

// fontsKept is how long the system's fonts stay in memory after a bubble.
const fontsKept = time.Minute

// start runs an overlay on d.
func start(d driver, o Options) *Overlay {
	ov := &Overlay{
		log:  o.Log,
		wake: make(chan struct{}, 1),
		stop: make(chan struct{}),
		done: make(chan struct{}),
	}
	ov.inbox.updates = map[string]Update{}
	l := &loop{Overlay: ov, driver: d, cuts: make(chan cut), drawn: make(chan drawn)}
	l.bubbles = newBubbles(o.Dark, o.Size, o.Language, o.CacheDir, o.Log)
	l.forget = time.AfterFunc(fontsKept, l.bubbles.release)
	l.stage = stage{screen: d, size: figureSize(o.Size), ask: l.ask}
	go l.run()
	return ov
}

func (l *loop) run() {
	defer close(l.done)
	defer l.driver.close()
	defer l.forget.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-l.stop:
			l.stage.close()
			return
		case <-l.wake:
			l.open(l.take())
		case c := <-l.cuts:
			l.stage.load(c.friend, c.row, c.strip, time.Now())
		case d := <-l.drawn:
			l.stage.show(d.friend, d.bubble, d.picture, time.Now())
		case e, ok := <-l.driver.events():
			if !ok {
				l.log.Warn("the display went away: no friends on the screen any more")
				l.closed.Do(func() { close(l.stop) })
				return
			}
			l.follow(l.driver.handle(e).change)
		case <-timer.C:
		}
		timer.Stop()
		if next := l.stage.play(time.Now()); !next.IsZero() {
			timer.Reset(time.Until(next))
		}
	}
}

// open does what the inbox says.
func (l *loop) open(in inbox) {
	now := time.Now()
	if in.sprites != nil {
		l.load(l.stage.set(*in.sprites, now))
	}
	if in.raise {
		l.stage.raise(now)
	}
	for _, u := range in.updates {
		l.stage.apply(u, now)
	}
}

// follow does what a change of the screen asks for.
func (l *loop) follow(c change) {
	switch c {
	case rearranged:
		l.stage.arrange()
	case restyled:
		var all []Sprite
		for _, f := range l.stage.friends {
			all = append(all, f.Sprite)
			f.stale = true
		}
		l.load(all)
	}
}

// ask has a bubble drawn. Speech asks for one at a time, so that these goroutines
// are few.
func (l *loop) ask(id string, b Bubble, s spot) {
	l.forget.Reset(fontsKept)
	go func() {
		d := drawn{id, b, l.bubbles.draw(b, s)}
		select {
		case l.drawn <- d:
		case <-l.stop:
		}
	}()
}

// load has the sheets of sprites decoded and cut, the rows sent to the loop.
func (l *loop) load(sprites []Sprite) {
	if len(sprites) == 0 {
		return
	}
	go func() {
		l.cutting.Lock()
		defer l.cutting.Unlock()
		for _, s := range sprites {
			if !l.expects(s.ID) {
				continue
			}
			err := cutSheet(s, l.stage.size, func(r row, out strip) bool {
				select {
				case l.cuts <- cut{s.ID, r, out}:
					return true
				case <-l.stop:
					return false
				}
			})
			if err != nil {
				l.log.Warn("a friend cannot be shown", "friend", s.ID, "error", err)
			}
		}
		// Nothing needs the sheets any more: the frames live on the display.
		debug.FreeOSMemory()
	}()
}
