package bridge

import (
	"cmp"
	"context"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	// maxWaiting is how many connections may keep the bridge waiting. Those
	// beyond it are closed, longest first, once they have done so for grace.
	maxWaiting = 128
	// grace keeps a burst of honest clients whole that the machine starts
	// faster than it can run. It is twice as long as a hook tries.
	grace = 500 * time.Millisecond
	// maxCrowd is where grace ends, before open files run out.
	maxCrowd = 1024
	// sweepEvery is how often a crowd is looked over. Without one, never.
	sweepEvery = 100 * time.Millisecond
)

// A door accepts connections and turns out those that keep it waiting: silent,
// slow, or idle between two requests. It lets nobody wait outside: a limit that
// blocks Accept turns a flood of slow connections into an outage of seconds for
// honest ones. Who waits for us is not counted.
type door struct {
	net.Listener

	mu      sync.Mutex // guards what follows, also in the guests
	waiting map[*guest]struct{}
	sweeps  bool // a sweep is due
}

func newDoor(l net.Listener) *door {
	return &door{Listener: l, waiting: map[*guest]struct{}{}}
}

func (d *door) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &guest{Conn: conn, door: d}, nil
}

// A guest is a connection that knows for how long it has kept us waiting since
// it was last answered. Whoever sends a byte now and then does not start anew.
type guest struct {
	net.Conn
	door   *door
	heard  bool          // its request is whole, it waits for us
	waited time.Duration // in earlier reads
	since  time.Time     // in this one
}

func (g *guest) Read(b []byte) (int, error) {
	if longest := g.door.enter(g); longest != nil {
		longest.Close()
	}
	defer g.door.leave(g)
	return g.Conn.Read(b)
}

func (g *guest) Write(b []byte) (int, error) {
	g.door.answers(g, false)
	return g.Conn.Write(b)
}

// CloseWrite lets net/http end an answer before it drops what is still unread.
func (g *guest) CloseWrite() error {
	if c, ok := g.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}

type guestKey struct{}

// introduce is the ConnContext hook of http.Server: requests know their guest.
func introduce(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, guestKey{}, conn)
}

// heard says that the whole request is there. net/http goes on reading, only to
// learn whether the client hangs up; that is no waiting.
func heard(r *http.Request) {
	if g, ok := r.Context().Value(guestKey{}).(*guest); ok {
		g.door.answers(g, true)
	}
}

// answers starts g's account anew: it is being served, or has been.
func (d *door) answers(g *guest, heard bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g.heard, g.waited = heard, 0
	delete(d.waiting, g)
}

// enter counts g as waiting, and returns who must go at once for it, if anybody.
func (d *door) enter(g *guest) (longest *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if g.heard {
		return nil
	}
	g.since = time.Now()
	d.waiting[g] = struct{}{}
	if len(d.waiting) > maxWaiting && !d.sweeps {
		d.sweeps = true
		time.AfterFunc(sweepEvery, d.sweep)
	}
	if len(d.waiting) > maxCrowd {
		// Not by queue: sorting a crowd for each that joins it would take longer
		// than the honest can wait.
		for w := range d.waiting {
			if longest == nil || w.wait(g.since) > longest.wait(g.since) {
				longest = w
			}
		}
		delete(d.waiting, longest)
	}
	return longest
}

func (d *door) leave(g *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.waiting[g]; ok {
		g.waited += time.Since(g.since)
		delete(d.waiting, g)
	}
}

// sweep closes who is beyond maxWaiting and out of grace, and comes again while
// there are too many.
func (d *door) sweep() {
	for _, g := range d.overdue() {
		g.Close()
	}
}

// overdue is who must go now; they no longer count as waiting.
func (d *door) overdue() (gone []*guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	for _, g := range d.queue(now)[:max(0, len(d.waiting)-maxWaiting)] {
		if g.wait(now) < grace {
			break
		}
		gone = append(gone, g)
		delete(d.waiting, g)
	}
	d.sweeps = len(d.waiting) > maxWaiting
	if d.sweeps {
		time.AfterFunc(sweepEvery, d.sweep)
	}
	return gone
}

// queue is who waits, longest first.
func (d *door) queue(now time.Time) []*guest {
	return slices.SortedFunc(maps.Keys(d.waiting), func(a, b *guest) int {
		return cmp.Compare(b.wait(now), a.wait(now))
	})
}

func (g *guest) wait(now time.Time) time.Duration { return g.waited + now.Sub(g.since) }
