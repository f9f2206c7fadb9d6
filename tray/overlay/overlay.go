// Package overlay is where friends are seen: it animates them on the desktop
// and draws what they say in bubbles.
//
// What moves when, and how it looks, are pure models (rows, actor, speech,
// stage); a driver for each window system puts their pictures on the screen,
// and Recorder puts them into images. It decides nothing about states and
// sentences, takes no focus, reads no package and opens no network connection
// but the one to the display.
package overlay

import (
	"errors"
	"image"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/playpets/playpets/agents"
)

// ErrNoDisplay is why Open fails where no friend can be shown; the error that
// wraps it names the reason.
var ErrNoDisplay = errors.New("no display")

// A Sprite is a friend's looks.
type Sprite struct {
	ID   string // what Update.Friend names
	Name string // what window tools show
	// Smooth is for drawings that may be shown in any size. The others are pixel
	// art, which is enlarged by whole factors only: the size is the nearest one.
	Smooth bool
	// Sheet decodes the spritesheet: eight columns of cells shaped 192:208, rows
	// in the order of the v1 pet package. It is called on a goroutine of the
	// overlay, and again when the pictures are needed again.
	Sheet func() (image.Image, error)
}

// A Bubble is something to say. Without text it closes the session's bubble.
type Bubble struct {
	// Session is who speaks: what it says replaces what it said before, and
	// stands beside what another one says. Empty is a voice of its own.
	Session string
	Text    string       // "\n" begins a paragraph
	Caption string       // a small line below: whose session it is, and where
	Mark    agents.State // the sign beside the text; empty for none
	// Stay keeps it until its session says something else or closes it;
	// otherwise it leaves after a time that depends on the text's length, at
	// most 12 s. The person can close any bubble with a click.
	Stay bool
}

// An Update is what one friend does from now on.
type Update struct {
	Friend   string          // a Sprite's ID; an unknown one is ignored
	State    agents.State    // empty leaves it
	Reaction agents.Reaction // played once; empty for none
	Bubble   *Bubble         // nil leaves it
	Label    *string         // stands at its feet ("2 sessions"); empty takes it away, nil leaves it
}

// When is when friends are to be seen.
type When int

// Friends are always there, or only while their agents are at something, or
// never.
const (
	Always When = iota
	WhenActive
	Never
)

// Motion is how much friends move.
type Motion int

// Lively friends look around and run; calm ones move less; with reduced motion
// each state is a still picture, and bubbles only fade.
const (
	Lively Motion = iota
	Calm
	Reduced
)

// A Look is how friends are shown; it may change while they are.
type Look struct {
	Dark     bool    // bubbles: light text on dark
	Size     float64 // 1, and also 0, is 192×208 at 96 dpi; meant for 0.5 to 3
	Motion   Motion
	When     When
	Language string // of the sentences, BCP 47: decides between Han forms
}

func (l Look) size() float64 {
	if l.Size <= 0 {
		return 1
	}
	return l.Size
}

// A Place is where the person has put a friend, on one set of monitors.
type Place struct {
	Monitors string      // names the set
	Friend   string      // a Sprite's ID
	Feet     image.Point // the middle of the lower edge of its cell
}

// A Menu is what a right click offers.
type Menu struct {
	Title string // a heading; may be empty
	Items []MenuItem
}

// A MenuItem is a line of a menu; without Label it is a dividing line.
type MenuItem struct{ ID, Label string }

// An Event is something that the person did to a friend.
type Event struct {
	Kind   EventKind
	Friend string
	Item   string // of Chosen: the MenuItem's ID
	Place  Place  // of Moved
}

// EventKind is what was done.
type EventKind int

const (
	Clicked       EventKind = iota // once
	DoubleClicked                  // a second time at once; Clicked came before
	MenuWanted                     // by a right click: answer with OpenMenu
	Chosen                         // an item of the menu
	Moved                          // dragged somewhere
)

// Options are what an overlay begins with.
type Options struct {
	Look
	CacheDir string  // for the index of the system's fonts
	Places   []Place // as Moved told them; the last one of a friend counts
	// OnEvent hears what the person does, one event at a time, on a goroutine
	// of its own: it may call the overlay and take its time. nil for nobody.
	OnEvent func(Event)
	Log     *slog.Logger
}

// Overlay shows friends on a display until it is closed or the display goes
// away. Its methods may be called from any goroutine; all but Close return at
// once, even when the display hangs.
type Overlay struct {
	log    *slog.Logger
	wake   chan struct{} // holds one value while inbox has something new
	stop   chan struct{} // closed by Close
	done   chan struct{} // closed when the loop has ended
	closed sync.Once

	mu    sync.Mutex
	inbox inbox
}

// inbox is what the loop does next.
type inbox struct {
	known   map[string]bool // the friends of the last SetFriends
	sprites *[]Sprite
	updates map[string]*pending // of each friend
	raise   int                 // how often; more than twice is no different
	look    *Look
	pause   *bool
	menu    *openMenu
	release bool // the system's fonts are not needed any more
}

// pending is what one friend does next: the newest of everything.
type pending struct {
	update  Update   // without a bubble
	bubbles []Bubble // the newest of each session, the newest last
	lost    bool     // there were too many: nothing that was said before counts
}

// bubblesKept is of how many sessions bubbles wait for a display that hangs:
// twice as many as the app keeps.
const bubblesKept = 512

// openMenu is a menu and whose it is.
type openMenu struct {
	friend string
	menu   Menu
}

// Open shows an empty overlay on the display that the environment names. The
// error wraps ErrNoDisplay when there is none.
func Open(o Options) (*Overlay, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d, err := openDriver(o.Log)
	if err != nil {
		return nil, err
	}
	return start(d, o), nil
}

// closeLimit is how long Close waits for a display that hangs.
const closeLimit = 2 * time.Second

// Close takes every friend off the display and ends the overlay. It waits up to
// 2 s for a display that hangs.
func (o *Overlay) Close() {
	o.closed.Do(func() { close(o.stop) })
	select {
	case <-o.done:
	case <-time.After(closeLimit):
		o.log.Warn("the display does not answer: left without taking the friends off")
	}
}

// Done is closed when nothing is shown any more: after Close, or when the
// display went away.
func (o *Overlay) Done() <-chan struct{} { return o.done }

// SetFriends makes sprites the friends that are shown, the first one rightmost.
// Who was there before stays as it is, with the frames it has.
func (o *Overlay) SetFriends(sprites []Sprite) {
	o.post(func(in *inbox) {
		in.sprites = &sprites
		in.known = make(map[string]bool, len(sprites))
		for _, s := range sprites {
			in.known[s.ID] = true
		}
	})
}

// Show has one friend do what u says. When updates come faster than the display
// takes them, the newest counts.
func (o *Overlay) Show(u Update) {
	o.post(func(in *inbox) {
		if in.known[u.Friend] { // so the inbox cannot outgrow the friends
			in.put(u)
		}
	})
}

// put folds u into what its friend does next.
func (in *inbox) put(u Update) {
	p := in.updates[u.Friend]
	if p == nil {
		p = &pending{}
		in.updates[u.Friend] = p
	}
	if b := u.Bubble; b != nil {
		p.bubbles = slices.DeleteFunc(p.bubbles, func(o Bubble) bool { return o.Session == b.Session })
		p.bubbles = append(p.bubbles, *b)
	}
	if n := len(p.bubbles); n > bubblesKept {
		p.bubbles, p.lost = p.bubbles[n-bubblesKept:], true
	}
	p.update = p.update.then(u)
}

// ShowAll brings every friend to the front, also those that are only seen
// now and then; they wave. Within ten seconds of another call it brings them
// back as well: side by side into the corner of the primary monitor.
func (o *Overlay) ShowAll() {
	o.post(func(in *inbox) { in.raise = min(in.raise+1, 2) })
}

// SetLook changes how friends are shown.
func (o *Overlay) SetLook(l Look) {
	o.post(func(in *inbox) { in.look = &l })
}

// Pause says that nobody can see the screen (it is locked, the machine sleeps),
// or that somebody can again. Paused friends stand still and cost nothing.
func (o *Overlay) Pause(paused bool) {
	o.post(func(in *inbox) { in.pause = &paused })
}

// OpenMenu opens a menu beside a friend, in place of one that is open. It closes
// by itself; Chosen tells what was chosen.
func (o *Overlay) OpenMenu(friend string, m Menu) {
	o.post(func(in *inbox) { in.menu = &openMenu{friend, m} })
}

func (o *Overlay) post(put func(*inbox)) {
	o.mu.Lock()
	put(&o.inbox)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default: // the loop looks into the inbox anyway
	}
}

// expects reports whether a friend is still to be shown.
func (o *Overlay) expects(id string) bool {
	select {
	case <-o.stop:
		return false
	default:
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.inbox.known[id]
}

// take empties the inbox.
func (o *Overlay) take() inbox {
	o.mu.Lock()
	defer o.mu.Unlock()
	in := o.inbox
	o.inbox = inbox{known: in.known, updates: map[string]*pending{}}
	return in
}

// then folds a newer update into u, but for the bubble.
func (u Update) then(newer Update) Update {
	newer.Bubble = nil
	if newer.Label == nil {
		newer.Label = u.Label
	}
	if newer.State == "" {
		newer.State = u.State
	}
	if newer.Reaction == "" {
		newer.Reaction = u.Reaction
	}
	return newer
}
