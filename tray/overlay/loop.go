package overlay

import (
	"image"
	"runtime/debug"
	"sync"
	"sync/atomic"
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
	later  chan func(now time.Time) // what painters bring
	told   chan Event

	cutting sync.Mutex   // held by who decodes sheets: one at a time is 12 MB
	style   atomic.Int64 // how often every frame was to be loaded: who cuts for an older one stops
	bubbles *bubbles
	options Options
	forget  *time.Timer // releases the fonts when nobody speaks for a while
	size    image.Point // in which friends were loaded last
	locked  bool        // Pause said so
	dark    bool        // the driver said so
}

// fontsKept is how long the system's fonts stay in memory after a bubble.
const fontsKept = time.Minute

// toldAhead is how many events may wait for who hears them. A hand is slower.
const toldAhead = 16

// start runs an overlay on d.
func start(d driver, o Options) *Overlay {
	ov := &Overlay{
		log:  o.Log,
		wake: make(chan struct{}, 1),
		stop: make(chan struct{}),
		done: make(chan struct{}),
	}
	ov.inbox.updates = map[string]*pending{}
	l := &loop{Overlay: ov, driver: d, options: o, later: make(chan func(time.Time)), told: make(chan Event, toldAhead)}
	l.forget = time.AfterFunc(fontsKept, func() { l.post(func(in *inbox) { in.release = true }) })
	l.forget.Stop() // there is nothing to forget yet
	l.stage = stage{screen: d, look: o.Look, draw: l.draw, tell: l.tell, places: newPlaces(o.Places)}
	l.bubbles = newBubbles(o.Look, d.scale(), o.CacheDir, o.Log)
	if o.OnEvent != nil {
		go l.report()
	}
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
		case done := <-l.later:
			done(time.Now())
		case e, ok := <-l.driver.events():
			if !ok {
				l.log.Warn("the display went away: no friends on the screen any more")
				l.closed.Do(func() { close(l.stop) })
				return
			}
			l.follow(l.driver.handle(e))
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
	if in.release {
		go l.bubbles.release()
	}
	if in.pause != nil {
		l.locked = *in.pause
		l.stage.pause(l.locked || l.dark, now)
	}
	if in.look != nil {
		l.restyle(*in.look)
		l.resize()
	}
	if in.sprites != nil {
		l.load(l.stage.set(*in.sprites, now))
	}
	for range in.raise {
		l.stage.raise(now)
	}
	for id, p := range in.updates {
		if p.lost {
			l.stage.forget(id)
		}
		l.stage.apply(p.update, now)
		for _, b := range p.bubbles {
			l.stage.apply(Update{Friend: id, Bubble: &b}, now)
		}
	}
	if in.menu != nil {
		l.stage.openMenu(*in.menu, now)
	}
}

// follow does what an event of the driver asks for.
func (l *loop) follow(n news) {
	switch n.change {
	case rearranged:
		l.stage.arrange()
		l.resize() // there is more room, or less
	case restyled:
		l.restyle(l.stage.look)
		l.reload()
	case asleep, awake:
		l.dark = n.change == asleep
		l.stage.pause(l.locked || l.dark, time.Now())
	}
	if n.input.deed != noDeed {
		n.input.now = time.Now()
		l.stage.touch(n.input)
	}
}

// restyle takes a look, new or for another screen.
func (l *loop) restyle(look Look) {
	old := l.bubbles
	l.bubbles = newBubbles(look, l.driver.scale(), l.options.CacheDir, l.log)
	if look.Language == l.stage.look.Language {
		l.bubbles.fonts = old.fonts
	} else {
		go old.release()
	}
	l.stage.restyle(look, time.Now())
	l.stage.redraw()
}

// resize has every frame loaded again if friends have another size now.
func (l *loop) resize() {
	if l.stage.size() != l.size {
		l.reload()
	}
}

// reload has every frame loaded again.
func (l *loop) reload() {
	l.style.Add(1)
	var all []Sprite
	for _, f := range l.stage.friends {
		all = append(all, f.Sprite)
	}
	l.load(all)
}

// draw is the stage's painter: each work on a goroutine of its own. A friend asks
// for one bubble at a time, so that these are few.
func (l *loop) draw(work func(*bubbles) func(time.Time)) {
	l.forget.Reset(fontsKept)
	b := l.bubbles
	go func() { l.bring(work(b)) }()
}

// tell hands an event on. Who does not hear sixteen of them hears no more.
func (l *loop) tell(e Event) {
	select {
	case l.told <- e:
	default:
		l.log.Warn("nobody listens to what the person does")
	}
}

func (l *loop) report() {
	for {
		select {
		case e := <-l.told:
			l.options.OnEvent(e)
		case <-l.stop:
			return
		}
	}
}

// load has the sheets of sprites decoded and cut, the rows sent to the loop.
func (l *loop) load(sprites []Sprite) {
	if len(sprites) == 0 {
		return
	}
	style, size := l.style.Load(), l.stage.size()
	l.size = size
	go func() {
		l.cutting.Lock()
		defer l.cutting.Unlock()
		for _, s := range sprites {
			if l.style.Load() != style || !l.expects(s.ID) {
				continue
			}
			err := cutSheet(s, size, func(r row, out strip) bool {
				return l.style.Load() == style && l.bring(func(now time.Time) {
					if l.style.Load() == style {
						l.stage.load(s.ID, r, out, now)
					}
				})
			})
			if err != nil {
				l.log.Warn("a friend cannot be shown", "friend", s.ID, "error", err)
				l.bring(func(now time.Time) { l.stage.unload(s.ID) })
			}
		}
		// Nothing needs the sheets any more: the frames live on the display.
		debug.FreeOSMemory()
	}()
}

// bring has done called on the loop. It reports whether there still is one.
func (l *loop) bring(done func(now time.Time)) bool {
	select {
	case l.later <- done:
		return true
	case <-l.stop:
		return false
	}
}
