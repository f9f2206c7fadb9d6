package tray

import (
	"slices"
	"time"
)

// farewell is how long a guest stays once nobody holds it: what its program has done
// shows so long, and programs that are started twice in a row have one guest.
const farewell = 5 * time.Second

// guests are the friends that the person has hidden and a program has asked for by
// name: they are on the screen while one holds them. A guest whom the person hides
// leaves, and comes again once it was held by nobody; of whom the person shows,
// nobody is a guest. All of it is forgotten with the app.
type guests struct {
	held  map[string]bool      // by id: friends that programs hold, hidden or not
	here  map[string]time.Time // by id: guests, with when they were held last; zero: they are
	timer *time.Timer          // for the first one that leaves; nil for none
}

// without is hidden without the guests.
func (g *guests) without(hidden []string) []string {
	return slices.DeleteFunc(slices.Clone(hidden), func(id string) bool {
		_, here := g.here[id]
		return here
	})
}

// update takes in whom programs hold now, and returns who came and whether somebody
// left.
func (g *guests) update(held map[string]bool, hidden []string, now time.Time) (came []string, left bool) {
	if g.here == nil {
		g.here = map[string]time.Time{}
	}
	for id := range held {
		_, here := g.here[id]
		if !here && !g.held[id] && slices.Contains(hidden, id) {
			came = append(came, id)
			here = true
		}
		if here {
			g.here[id] = time.Time{}
		}
	}
	for id, last := range g.here {
		switch {
		case held[id]:
		case last.IsZero():
			g.here[id] = now
		case now.Sub(last) >= farewell:
			delete(g.here, id)
			left = true
		}
	}
	g.held = held
	return came, left
}

// next is in how long the first of those leaves whom nobody holds; zero: nobody does.
func (g *guests) next(now time.Time) (soonest time.Duration) {
	for _, last := range g.here {
		if left := farewell - now.Sub(last); !last.IsZero() && (soonest == 0 || left < soonest) {
			soonest = left
		}
	}
	return soonest
}

// receive has those on the screen whom programs hold.
func (a *app) receive() {
	came, changed := a.place()
	for _, id := range came {
		a.AgainOf(id)
	}
	if changed {
		a.refreshSoon()
	}
}

// place puts guests on the screen and takes them away, and returns who came.
func (a *app) place() (came []string, changed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, false
	}
	held := map[string]bool{}
	for _, h := range a.leases.All() {
		if !h.UsingDefault {
			held[h.PetID] = true
		}
	}
	now := time.Now()
	came, left := a.guests.update(held, a.notebook.get().Hidden, now)
	a.guests.wake(a.guests.next(now), a.receive)
	if changed = left || came != nil; changed {
		a.put()
	}
	return came, changed
}

// wake sets the one timer; zero stops it.
func (g *guests) wake(in time.Duration, do func()) {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
	if in > 0 {
		g.timer = time.AfterFunc(in, do)
	}
}

// dismiss makes a friend whom the person hides no guest any more; "" is all of them.
func (a *app) dismiss(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if id == "" {
		clear(a.guests.here)
		return
	}
	delete(a.guests.here, id)
}
