package notify

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// callLimit is how long the desktop may take to answer. None of the libraries
// below has a limit of its own, and a notification daemon that hangs has been
// seen to hold its callers for good.
const callLimit = 2 * time.Second

var errClosed = errors.New("show a notification: the app ends")

// Options say what a Center works with.
type Options struct {
	Rules Rules
	Icon  []byte // a PNG beside each message, 64 to 256 pixels wide; nil: none

	// Write puts a notice into words, without a Key. Clicked hears of a click on one,
	// with its friend; "" if it was of several, or came from Send. Only Linux and other
	// systems with D-Bus tell of clicks. Both run on the center's goroutine:
	// notices wait for them, and they must not call Send or Close.
	Write   func(Notice) Message
	Clicked func(friend string) // nil: nobody wants to know

	Log *slog.Logger // nil: none. No text of a message goes there.
}

// A Center hears what agents do and tells the person. Its methods may be called
// from many goroutines.
type Center struct {
	write   func(Notice) Message
	clicked func(friend string)
	log     *slog.Logger
	desk    desk
	ends    context.CancelFunc
	gone    chan struct{} // closed when the goroutine has ended

	wake   chan struct{} // has a token when next is not what it was
	sends  chan send
	silent bool // the last message could not be shown; the goroutine's alone

	mu     sync.Mutex // guards the rest
	policy *Policy
	next   time.Time // when the goroutine wakes by itself; zero: never
}

// A desk hands messages to the desktop. Only the center's goroutine calls it.
type desk interface {
	// show shows m and returns who does. A click on it is friend's.
	show(ctx context.Context, m Message, friend string) (server string, err error)
	// withdraw takes the message with that key off the screen, where that can be done.
	withdraw(ctx context.Context, key string)
	// signals is where the desktop tells what became of messages; nil if nowhere.
	signals() <-chan *signal
	// heard takes a signal in, and says whose message was clicked if one was.
	heard(s *signal) (friend string, clicked bool)
	close()
}

// send is a message that somebody waits for.
type send struct {
	ctx    context.Context
	m      Message
	answer chan<- answer
}

type answer struct {
	server string
	err    error
}

// Open starts a center. It reaches for the desktop when there is something to
// show and not before, each time anew if it must. Close it in the end.
func Open(o Options) *Center {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clicked == nil {
		o.Clicked = func(string) {}
	}
	return open(o, newDesk(o.Icon, o.Log))
}

func open(o Options, d desk) *Center {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Center{
		write:   o.Write,
		clicked: o.Clicked,
		log:     o.Log,
		desk:    d,
		ends:    cancel,
		gone:    make(chan struct{}),
		wake:    make(chan struct{}, 1),
		sends:   make(chan send),
		policy:  NewPolicy(o.Rules),
	}
	go c.run(ctx)
	return c
}

// Report takes in what happened. It never waits: whatever cannot be told yet is
// held back, of each session the newest.
func (c *Center) Report(e Event) {
	c.change(func(now time.Time) { c.policy.Report(e, now) })
}

// Seen says that the person looked at this friend, at all for "": what happened
// until now is told no more.
func (c *Center) Seen(friend string) {
	c.change(func(time.Time) { c.policy.Seen(friend) })
}

// Quiet holds notices back until it is off again; then one tells what was missed.
func (c *Center) Quiet(on bool) {
	c.change(func(time.Time) { c.policy.Quiet(on) })
}

// SetRules changes what is told from now on.
func (c *Center) SetRules(r Rules) {
	c.change(func(time.Time) { c.policy.SetRules(r) })
}

// change lets the goroutine know only if it has to get up earlier or later.
func (c *Center) change(do func(now time.Time)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do(time.Now())
	next := c.policy.Next()
	if next.Equal(c.next) && len(c.policy.over) == 0 {
		return
	}
	c.next = next
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Send shows m at once, whatever the policy says, and returns who shows it, such
// as "dunst 1.9.0". The error says why nobody does: no session bus, no
// notification daemon, no answer in time.
func (c *Center) Send(ctx context.Context, m Message) (server string, err error) {
	got := make(chan answer, 1)
	select {
	case c.sends <- send{ctx, m, got}:
		a := <-got // show has its limits
		return a.server, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	case <-c.gone:
		return "", errClosed
	}
}

// Close ends the center. Messages that are on the screen stay there; what is
// held back is dropped. It waits for a desktop that hangs.
func (c *Center) Close() {
	c.ends()
	<-c.gone
}

func (c *Center) run(ctx context.Context) {
	defer close(c.gone)
	defer c.desk.close()
	for {
		due := c.tell(ctx)
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-due:
		case s := <-c.sends:
			server, err := c.desk.show(s.ctx, s.m, "")
			s.answer <- answer{server, err}
		case s := <-c.desk.signals():
			if friend, clicked := c.desk.heard(s); clicked {
				c.clicked(friend)
			}
		}
	}
}

// tell takes back what is over, shows what is due and returns what fires when there is
// more; nil for never.
func (c *Center) tell(ctx context.Context) <-chan time.Time {
	c.mu.Lock()
	over, due := c.policy.Over(), c.policy.Due(time.Now())
	c.mu.Unlock()
	for _, key := range over {
		c.desk.withdraw(ctx, key)
	}
	for _, n := range due {
		c.show(ctx, n)
	}
	c.mu.Lock()
	next := c.policy.Next()
	c.next = next
	c.mu.Unlock()
	if next.IsZero() {
		return nil
	}
	return time.After(time.Until(next))
}

func (c *Center) show(ctx context.Context, n Notice) {
	m := c.write(n)
	m.Key = n.key
	_, err := c.desk.show(ctx, m, n.Friend)
	if err != nil {
		if !c.silent {
			c.log.Info("nobody shows notifications", "reason", err)
		}
		c.change(func(now time.Time) { c.policy.Failed(n, now) })
	}
	c.silent = err != nil
}
