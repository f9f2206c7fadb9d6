package mcpserver

import (
	"context"
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
	lastWait = 400 * time.Millisecond // for an attempt under way, at the end
	lastWord = 300 * time.Millisecond // for giving the friend back
)

// keeper keeps the lease of this server, from its start to its end: renewed while
// the app is there, and sought again when it is back.
type keeper struct {
	app  App
	stop context.CancelFunc
	kick chan struct{} // has a token when the lease is to be taken now

	mu      sync.Mutex // guards the rest
	request agents.LeaseRequest
	lease   agents.Lease  // the last one, also when it is lost
	held    bool          // it is not known to be lost
	again   bool          // it is to be taken, not renewed: what is asked for has changed
	attempt *attempt      // the one under way; nil for none
	closed  bool          // nothing is taken any more
	ran     chan struct{} // closed when run has ended
}

// attempt is one try to have the lease; all who need it meanwhile share it.
type attempt struct {
	done  chan struct{} // closed at its end
	lease agents.Lease
	err   error
}

func newKeeper(o Options) *keeper {
	return &keeper{
		app:     o.App,
		kick:    make(chan struct{}, 1),
		ran:     make(chan struct{}),
		request: agents.LeaseRequest{Pet: o.Pet, Project: o.Project, PID: os.Getpid(), Nonce: rand.Text()},
	}
}

// Start takes the lease, and keeps it until Close.
func (k *keeper) Start() {
	ctx, stop := context.WithCancel(context.Background())
	k.stop = stop
	go k.run(ctx)
}

func (k *keeper) run(ctx context.Context) {
	defer close(k.ran)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for pause := agents.LeaseRenew; ; {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-k.kick:
		}
		if _, err := k.try(); err == nil {
			pause = agents.LeaseRenew
			timer.Reset(pause)
		} else {
			timer.Reset(pause)
			pause = min(2*pause, maxPause)
		}
	}
}

// Introduced says whose server this is. The app may give that agent another
// friend than before.
func (k *keeper) Introduced(client string) {
	k.mu.Lock()
	agent := agents.KindOfClient(client)
	k.again = k.again || agent != k.request.Agent
	k.request.Agent = agent
	k.mu.Unlock()
	select {
	case k.kick <- struct{}{}:
	default: // it was told already
	}
}

var errClosing = errors.New("the server ends")

// try renews the lease or takes it, now. Whoever comes while that goes on waits
// for the same end.
func (k *keeper) try() (agents.Lease, error) {
	k.mu.Lock()
	if k.closed {
		k.mu.Unlock()
		return agents.Lease{}, errClosing
	}
	a := k.attempt
	if a == nil {
		a = &attempt{done: make(chan struct{})}
		k.attempt = a
		k.mu.Unlock()
		k.reach(a)
	} else {
		k.mu.Unlock()
	}
	<-a.done
	return a.lease, a.err
}

// reach makes an attempt: the lease that there was is renewed, for the app may
// know it still, and else a new one is taken.
func (k *keeper) reach(a *attempt) {
	k.mu.Lock()
	id, request, again := k.lease.ID, k.request, k.again
	k.again = false
	k.mu.Unlock()
	err := bridge.ErrUnknownLease
	if id != "" && !again {
		a.lease, err = k.app.Renew(id)
	}
	if errors.Is(err, bridge.ErrUnknownLease) && !k.isClosed() {
		a.lease, err = k.app.Lease(request)
	}
	a.err = err
	k.mu.Lock()
	if err == nil {
		k.lease = a.lease
	}
	k.again = k.again || again && err != nil
	k.held = err == nil
	k.attempt = nil
	k.mu.Unlock()
	close(a.done)
}

func (k *keeper) isClosed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.closed
}

// get is the lease, which costs nothing while it is held. An attempt that began
// before the agent was known may have another friend.
func (k *keeper) get() (agents.Lease, error) {
	for {
		k.mu.Lock()
		lease, sure := k.lease, k.held && k.attempt == nil && !k.again
		k.mu.Unlock()
		if sure {
			return lease, nil
		}
		if _, err := k.try(); err != nil {
			return agents.Lease{}, err
		}
	}
}

// with does what needs the lease; once more with a new one if it was lost.
func (k *keeper) with(do func(lease string) error) error {
	for again := false; ; again = true {
		lease, err := k.get()
		if err != nil {
			return err
		}
		err = do(lease.ID)
		if err == nil {
			return nil
		}
		lost := errors.Is(err, bridge.ErrUnknownLease)
		if lost || errors.Is(err, bridge.ErrNotRunning) {
			k.lost(lease.ID)
		}
		if !lost || again {
			return err
		}
	}
}

// lost notes that a lease does not hold any more.
func (k *keeper) lost(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lease.ID == id {
		k.held = false
	}
}

// last is the lease that there was, and whether it is held.
func (k *keeper) last() (l agents.Lease, held bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lease, k.held
}

// Close gives the friend back, once, within lastWait and lastWord. Nothing is
// taken afterwards.
func (k *keeper) Close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.stop()
	within(lastWait, k.ran)
	lease, held := k.last()
	if !held {
		return
	}
	released := make(chan struct{})
	go func() {
		defer close(released)
		_ = k.app.Release(lease.ID) // if nobody hears it, it ends by itself
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
