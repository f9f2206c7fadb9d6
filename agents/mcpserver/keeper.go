package mcpserver

import (
	"crypto/rand"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

const (
	maxPause = time.Minute            // between two attempts to reach the app
	lastWait = 250 * time.Millisecond // for an attempt under way, at the end
	lastWord = 300 * time.Millisecond // for giving the friend back
)

// keeper keeps the lease of this server, from its start to its end: renewed while
// the app is there, and sought again when it is back. The end of each attempt sets
// when the next one is due; nothing runs between them.
//
// It holds one lease at a time, since the app gives the same run of the same
// program the same one: another id means that the app forgot the last.
type keeper struct {
	app App

	mu      sync.Mutex // guards the rest
	request agents.LeaseRequest
	lease   agents.Lease  // the last one, also when it may be lost
	held    bool          // the app knew it when it was last asked
	anew    bool          // it is to be taken, not renewed: what is asked for has changed, or the app forgot it
	attempt *attempt      // the one under way; nil for none
	due     *time.Timer   // the next one by itself; nil before Start
	pause   time.Duration // until then, if this one is in vain
	closed  bool          // nothing is taken any more
}

// attempt is one try to have the lease; all who need it meanwhile share it.
type attempt struct {
	done  chan struct{} // closed at its end
	lease agents.Lease
	err   error
}

func newKeeper(o Options) *keeper {
	return &keeper{
		app:   o.App,
		pause: agents.LeaseRenew,
		request: agents.LeaseRequest{
			Pet: o.Pet, Agent: agents.KindOfClient(""), Project: o.Project, PID: os.Getpid(), Nonce: rand.Text(),
		},
	}
}

// Start takes the lease, and keeps it until Close. It does not wait for the app.
func (k *keeper) Start() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.due = time.AfterFunc(0, k.again)
}

// again is the attempt that is due. In vain, the next comes later each time.
func (k *keeper) again() {
	if _, err := k.try(); err == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.schedule(k.pause)
	k.pause = min(2*k.pause, maxPause)
}

// schedule sets when the next attempt is due.
func (k *keeper) schedule(in time.Duration) {
	if k.due != nil && !k.closed {
		k.due.Reset(in)
	}
}

// Introduced says whose server this is. The app may give that agent another
// friend than before.
func (k *keeper) Introduced(client string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	agent := agents.KindOfClient(client)
	if agent == k.request.Agent {
		return
	}
	k.request.Agent, k.anew = agent, true
	k.pause = agents.LeaseRenew
	k.schedule(0)
}

var errClosing = errors.New("the server ends")

// try renews the lease or takes it, now. Whoever comes while that goes on waits
// for the same end.
func (k *keeper) try() (agents.Lease, error) {
	k.mu.Lock()
	a, closed := k.attempt, k.closed
	mine := a == nil && !closed
	if mine {
		a = &attempt{done: make(chan struct{})}
		k.attempt = a
	}
	k.mu.Unlock()
	switch {
	case mine:
		k.reach(a)
	case closed:
		return agents.Lease{}, errClosing
	}
	<-a.done
	return a.lease, a.err
}

// reach makes an attempt: the lease that there was is renewed, for the app may
// know it still, and else a new one is taken.
func (k *keeper) reach(a *attempt) {
	k.mu.Lock()
	id, anew := k.lease.ID, k.anew
	k.mu.Unlock()
	a.err = bridge.ErrUnknownLease
	if id != "" && !anew {
		a.lease, a.err = k.app.Renew(id)
	}
	k.mu.Lock()
	request, take := k.request, errors.Is(a.err, bridge.ErrUnknownLease) && !k.closed
	k.mu.Unlock()
	if take {
		a.lease, a.err = k.app.Lease(request)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	defer close(a.done)
	k.attempt = nil
	if k.held = a.err == nil; !k.held {
		return
	}
	k.lease, k.pause = a.lease, agents.LeaseRenew
	// A renewed one is not for an agent that was introduced meanwhile.
	if k.anew = k.anew && (!take || request != k.request); k.anew {
		k.schedule(0)
	} else {
		k.schedule(agents.LeaseRenew)
	}
}

// get is the lease, which costs nothing while it is held.
func (k *keeper) get() (agents.Lease, error) {
	k.mu.Lock()
	lease, sure := k.lease, k.held && !k.anew
	k.mu.Unlock()
	if sure {
		return lease, nil
	}
	return k.ask()
}

// ask has the app say which lease it is. An attempt that was under way may not
// have known yet whose server this is.
func (k *keeper) ask() (agents.Lease, error) {
	for {
		lease, err := k.try()
		k.mu.Lock()
		anew := k.anew
		k.mu.Unlock()
		if err != nil || !anew {
			return lease, err
		}
	}
}

// with does what needs the lease; once more with a new one if it was lost.
func (k *keeper) with(do func(agents.Lease) error) error {
	for again := false; ; again = true {
		lease, err := k.get()
		if err != nil {
			return err
		}
		if err = do(lease); err == nil {
			return nil
		}
		lost := errors.Is(err, bridge.ErrUnknownLease)
		if lost || errors.Is(err, bridge.ErrNotRunning) {
			k.lost(lease.ID, lost)
		}
		if !lost || again {
			return err
		}
	}
}

// lost notes that a lease does not hold any more: the app forgot it, or it is
// not there.
func (k *keeper) lost(id string, forgotten bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lease.ID == id { // else another call has noticed that before
		k.held, k.anew = false, k.anew || forgotten
	}
}

// last is the lease that there was, be it held or lost.
func (k *keeper) last() agents.Lease {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lease
}

// Close gives the friend back, once, within lastWait and lastWord. Nothing is
// taken afterwards. If nobody hears it, the lease ends by itself.
func (k *keeper) Close() {
	k.mu.Lock()
	closed, a := k.closed, k.attempt
	k.closed = true
	if k.due != nil {
		k.due.Stop()
	}
	k.mu.Unlock()
	if closed {
		return
	}
	if a != nil {
		within(lastWait, a.done)
	}
	id := k.last().ID
	if id == "" {
		return
	}
	released := make(chan struct{})
	go func() {
		defer close(released)
		_ = k.app.Release(id)
	}()
	within(lastWord, released)
}

// within waits for done, at most so long.
func within(d time.Duration, done <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
