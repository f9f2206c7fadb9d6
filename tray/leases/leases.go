// Package leases is which programs hold a friend, for as long as they live: MCP
// servers, and clients of OpenPets. It knows no friend, and shows none: it asks
// which one is meant, and says what became of each lease.
package leases

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/playpets/playpets/agents"
)

// maxLeases are held at once; beyond, the one that was renewed longest ago ends.
const maxLeases = 1024

// Options says what Leases work with. Resolve must be set.
type Options struct {
	// Resolve is the friend that is meant now. It is called with no lock held.
	Resolve func(agents.LeaseRequest) agents.Lease
	// OnChange hears of each lease that is taken (before has no ID then), that
	// ends (after has none; once for each), and that is somebody else's or another
	// friend's than before. It is called with no lock held, so what happens at the
	// same time may come in any order.
	OnChange func(before, after Held)
	Now      func() time.Time   // nil for time.Now
	Alive    func(pid int) bool // nil for the system's answer
}

// Held is a lease with what its holder asked for. The zero Held is none.
type Held struct {
	agents.Lease
	agents.LeaseRequest
	watched bool // its process was seen
}

// Session is what is said with the lease belongs to. Who takes a lease for each
// thing to say, as the hooks of OpenPets do, gives no nonce: all of that together
// is the one session without a name.
func (h Held) Session() string {
	if h.Nonce == "" {
		return ""
	}
	return h.ID
}

// Leases are those that are held. All methods may be called from many goroutines.
type Leases struct {
	o    Options
	wake chan struct{} // has a token when there may be a first lease to sweep

	mu     sync.Mutex // guards the rest
	held   map[string]Held
	sweeps time.Time // when Run looks next; zero: it waits for a lease
}

// New returns Leases that nobody holds yet.
func New(o Options) *Leases {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Alive == nil {
		o.Alive = alive
	}
	return &Leases{o: o, wake: make(chan struct{}, 1), held: map[string]Held{}}
}

// Take gives a lease, or renews the one that the same run of the same program
// holds already, which may ask for another friend now.
func (l *Leases) Take(r agents.LeaseRequest) agents.Lease {
	found := l.o.Resolve(r)
	// A process that cannot be seen from the first lives in a container: whoever
	// has its number here is a stranger, and only its silence tells of its end.
	watched := r.PID > 0 && l.o.Alive(r.PID)
	l.mu.Lock()
	before := l.of(r)
	after := Held{found, r, watched}
	if before.ID != "" {
		after.ID, after.watched = before.ID, before.watched
	} else {
		after.ID = rand.Text()
	}
	after.Expires = l.now().Add(agents.LeaseTTL)
	l.held[after.ID] = after
	tooMuch := l.beyond()
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // it was told already
	}
	l.tell(before, after)
	l.tell(tooMuch, Held{})
	return after.Lease
}

// of is the lease that the same run of the same program has.
func (l *Leases) of(r agents.LeaseRequest) Held {
	for _, h := range l.held {
		if r.Nonce != "" && h.Nonce == r.Nonce && h.PID == r.PID {
			return h
		}
	}
	return Held{}
}

// beyond ends the lease that is one too many.
func (l *Leases) beyond() (longest Held) {
	if len(l.held) <= maxLeases {
		return Held{}
	}
	for _, h := range l.held {
		if longest.ID == "" || h.Expires.Before(longest.Expires) {
			longest = h
		}
	}
	delete(l.held, longest.ID)
	return longest
}

// Renew has a lease live on, and finds its friend anew.
func (l *Leases) Renew(id string) (agents.Lease, bool) {
	h, ok := l.look(id, true)
	return h.Lease, ok
}

// Get is a lease that is held, with the friend that it means now.
func (l *Leases) Get(id string) (Held, bool) { return l.look(id, false) }

func (l *Leases) look(id string, renew bool) (after Held, ok bool) {
	l.mu.Lock()
	asked, ok := l.live(id)
	l.mu.Unlock()
	if !ok {
		return Held{}, false
	}
	found := l.o.Resolve(asked.LeaseRequest)
	l.mu.Lock()
	before, ok := l.live(id)
	if !ok {
		l.mu.Unlock()
		return Held{}, false
	}
	after = before
	if before.LeaseRequest == asked.LeaseRequest { // else it was taken anew meanwhile
		found.ID, found.Expires = before.ID, before.Expires
		after.Lease = found
	}
	if renew {
		after.Expires = l.now().Add(agents.LeaseTTL)
	}
	l.held[id] = after
	l.mu.Unlock()
	l.tell(before, after)
	return after, true
}

// live is a lease whose time is not up.
func (l *Leases) live(id string) (Held, bool) {
	now := l.now()
	h, ok := l.held[id]
	if !ok || !h.Expires.After(now) {
		return Held{}, false
	}
	return h, true
}

// now is the time. If Run is long overdue the app stood still, for the machine slept
// or somebody stopped it: nobody could renew, so that every lease has as much left as
// it had then.
func (l *Leases) now() time.Time {
	now := l.o.Now()
	late := now.Sub(l.sweeps)
	if l.sweeps.IsZero() || late < agents.LeaseSweep {
		return now
	}
	l.sweeps = now
	for id, h := range l.held {
		h.Expires = h.Expires.Add(late)
		l.held[id] = h
	}
	return now
}

// Release ends a lease and reports whether it was held.
func (l *Leases) Release(id string) bool {
	l.mu.Lock()
	h, ok := l.held[id]
	delete(l.held, id)
	l.mu.Unlock()
	l.tell(h, Held{})
	return ok
}

// All lists the leases that are held, in any order.
func (l *Leases) All() (all []Held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.held {
		if h, ok := l.live(id); ok {
			all = append(all, h)
		}
	}
	return all
}

// Run ends the leases whose time is up or whose process is gone, until ctx ends.
// Without leases it has no timer.
func (l *Leases) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	sweeping := true // the timer runs
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-l.wake:
			if sweeping {
				continue // it comes early enough for every lease
			}
		}
		next := l.sweep()
		if sweeping = next > 0; sweeping {
			timer.Reset(next)
		}
		l.expect(next)
	}
}

// expect notes in how long Run looks again; zero: it waits for a lease.
func (l *Leases) expect(next time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweeps = time.Time{}
	if next > 0 {
		l.sweeps = l.o.Now().Add(next)
	}
}

// sweep returns when it is to be done next; zero: there is no lease.
func (l *Leases) sweep() (next time.Duration) {
	gone := l.gone()
	l.mu.Lock()
	now := l.now()
	var ended []Held
	for id, h := range l.held {
		left := h.Expires.Sub(now)
		switch {
		case left <= 0 || h.watched && gone[h.PID]:
			delete(l.held, id)
			ended = append(ended, h)
		case next == 0 || left < next:
			next = left
		}
	}
	l.mu.Unlock()
	for _, h := range ended {
		l.tell(h, Held{})
	}
	return min(next, agents.LeaseSweep)
}

// gone is which of the holders' processes are. The system is asked with no lock
// held.
func (l *Leases) gone() map[int]bool {
	gone := map[int]bool{}
	l.mu.Lock()
	for _, h := range l.held {
		if h.watched {
			gone[h.PID] = false
		}
	}
	l.mu.Unlock()
	for pid := range gone {
		gone[pid] = !l.o.Alive(pid)
	}
	return gone
}

// tell says what became of a lease, if anything did.
func (l *Leases) tell(before, after Held) {
	as := after
	as.Expires = before.Expires
	if as != before && l.o.OnChange != nil {
		l.o.OnChange(before, after)
	}
}
