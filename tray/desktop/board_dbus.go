//go:build unix && !darwin

package desktop

import (
	"sync"

	"github.com/godbus/dbus/v5"
)

// A board has what is known of the facts. Its mutex also keeps in order what is
// told.
type board struct {
	mu   sync.Mutex
	tell func(State)
	news map[*fact]news
	last State
}

// news is what was heard of a fact, and when among the messages of its bus.
type news struct {
	known, on bool
	at        dbus.Sequence
}

// put notes what f is. News older than what is known is dropped: answers and
// signals come on their own goroutines.
func (b *board) put(f *fact, on bool, at dbus.Sequence) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at < b.news[f].at {
		return
	}
	b.news[f] = news{known: true, on: on, at: at}
	b.settle(f.kind == asleep && !on)
}

// gone forgets what was said of right now by programs that are gone since at.
// What the person likes stays so until somebody else says otherwise.
func (b *board) gone(facts []*fact, at dbus.Sequence) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range facts {
		n := b.news[f]
		n.at = at
		if f.kind == unseen || f.kind == asleep {
			n = news{at: at}
		}
		b.news[f] = n
	}
	b.settle(false)
}

// settle tells the State if it changed, or in any case. The mutex is held.
func (b *board) settle(anyway bool) {
	if s := b.state(); s != b.last || anyway {
		b.last = s
		b.tell(s)
	}
}

func (b *board) state() (s State) {
	var less, still news
	for f, n := range b.news {
		switch f.kind {
		case lessMotion:
			less = n
		case noAnimations:
			still = n
		case darkColours:
			s.Dark = n.on
		case unseen, asleep:
			s.Away = s.Away || n.on
		}
	}
	s.ReducedMotion = less.on || !less.known && still.on
	return s
}
