// Package leases is which programs hold a friend, for as long as they live: MCP
// servers, and clients of OpenPets. It knows no friend, and shows none: it asks
// which one is meant, and says whose lease has ended.
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
	// Resolve is the friend that is meant. It is called with no lock held.
	Resolve func(agents.LeaseRequest) agents.Lease
	// OnEnd hears of each lease that ended, once, with no lock held.
	OnEnd func(Held)
	Now   func() time.Time   // nil for time.Now
	Alive func(pid int) bool // nil for the system's answer
}

// Held is a lease with what its holder asked for.
type Held struct {
	agents.Lease
	agents.LeaseRequest
	watched bool // its process was seen
}

// Leases are those that are held. All methods may be called from many goroutines.
type Leases struct {
	o    Options
	wake chan struct{} // has a token when there may be a lease to sweep

	mu   sync.Mutex // guards held
	held map[string]*Held
}

// New returns Leases that nobody holds yet.
func New(o Options) *Leases {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Alive == nil {
		o.Alive = alive
	}
	return &Leases{o: o, wake: make(chan struct{}, 1), held: map[string]*Held{}}
}

// Take gives a lease, or renews the one that the same run of the same program
// holds already.
func (l *Leases) Take(r agents.LeaseRequest) agents.Lease {
	lease := l.o.Resolve(r)
	// A process that cannot be seen from the first lives in a container: only its
	// silence tells of its end.
	watched := r.PID > 0 && l.o.Alive(r.PID)
	l.mu.Lock()
	lease.ID = l.idOf(r)
	lease.Expires = l.o.Now().Add(agents.LeaseTTL)
	l.held[lease.ID] = &Held{lease, r, watched}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // it was told already
	}
	return lease
}

// idOf is the id that the holder has, or a new one.
func (l *Leases) idOf(r agents.LeaseRequest) string {
	for id, h := range l.held {
		if r.Nonce != "" && h.Nonce == r.Nonce && h.PID == r.PID {
			return id
		}
	}
	return rand.Text()
}

// Renew has a lease live on, and finds its friend anew.
func (l *Leases) Renew(id string) (agents.Lease, bool) {
	held, ok := l.Get(id)
	if !ok {
		return agents.Lease{}, false
	}
	lease := l.o.Resolve(held.LeaseRequest)
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.held[id]
	if h == nil {
		return agents.Lease{}, false
	}
	lease.ID, lease.Expires = id, l.o.Now().Add(agents.LeaseTTL)
	h.Lease = lease
	return lease, true
}

// Get is a lease that is held.
func (l *Leases) Get(id string) (Held, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.held[id]
	if h == nil || !h.Expires.After(l.o.Now()) {
		return Held{}, false
	}
	return *h, true
}

// Release ends a lease and reports whether it was held.
func (l *Leases) Release(id string) bool {
	l.mu.Lock()
	h := l.held[id]
	delete(l.held, id)
	l.mu.Unlock()
	if h == nil {
		return false
	}
	l.end(*h)
	return true
}

// Run ends the leases whose time is up or whose process is gone, until ctx ends.
// Without leases it has no timer.
func (l *Leases) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-l.wake:
		}
		if l.sweep() {
			timer.Reset(agents.LeaseSweep)
		}
	}
}

// sweep reports whether a lease is left.
func (l *Leases) sweep() (left bool) {
	l.mu.Lock()
	now := l.o.Now()
	var ended []Held
	for id, h := range l.held {
		if !h.Expires.After(now) || h.watched && !l.o.Alive(h.PID) {
			delete(l.held, id)
			ended = append(ended, *h)
		}
	}
	left = len(l.held) > 0
	l.mu.Unlock()
	for _, h := range ended {
		l.end(h)
	}
	return left
}

func (l *Leases) end(h Held) {
	if l.o.OnEnd != nil {
		l.o.OnEnd(h)
	}
}
