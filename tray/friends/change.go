package friends

import (
	"cmp"
	"slices"

	"github.com/playpets/playpets/agents"
)

// Change is one thing that happened to a friend.
type Change struct {
	Friend   agents.Friend // with the state it has now, over all its sessions
	Previous agents.State  // the state it had before

	// Sentence is what the friend says now; empty is nothing new. If the state
	// changed and there is no sentence, what it said before is out of date.
	Sentence string

	// Who reported, and the state of that session alone. A session that ended
	// or was not renewed is idle. No state: no session has to do with this.
	Agent, Session, Project string
	State                   agents.State

	Begins   bool            // the session was asked for something new
	Sessions int             // how many of the friend's work, wait or failed
	Again    bool            // the session reported nothing: this was said, or shown, before
	Said     bool            // somebody made it say this: the states mean nothing
	Told     bool            // another session of the same run tells this, or more, so it is no news
	Reaction agents.Reaction // a gesture to make once, alone or not at all
}

// again queues what f shows, as a Change for each of its live sessions, the most
// urgent last; one without a session if it has none. before is the state that
// it had. Only what waits for the person or failed is said again.
func (s *Store) again(f *friend, before agents.State) {
	shown := Change{Friend: f.wire(), Previous: before, Sessions: s.atWork(f), Again: true}
	live := s.live(f)
	if len(live) == 0 {
		s.changes = append(s.changes, shown)
	}
	slices.SortFunc(live, func(a, b *session) int {
		return cmp.Or(cmp.Compare(a.state.Rank(), b.state.Rank()), cmp.Compare(a.order, b.order))
	})
	for _, se := range live {
		c := shown
		c.Agent, c.Session, c.Project, c.State = se.agent, se.session, se.project, se.state
		if se.state == agents.Waiting || se.state == agents.Error {
			c.Sentence = se.sentence
			f.sentence, f.speaker = se.sentence, se
		}
		s.changes = append(s.changes, c)
	}
}

// deliver hands over what is queued. Whoever queues a change does this once
// the lock is free. One goroutine at a time hands over, and only in the order
// of the queue; others leave theirs to it and go on.
func (s *Store) deliver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.delivering {
		return
	}
	s.delivering = true
	defer func() { s.delivering = false }()
	for len(s.changes) > 0 {
		c := s.changes[0]
		s.changes = s.changes[1:]
		s.hand(c)
	}
}

// hand calls OnChange without the lock. The lock comes back even if OnChange
// panics under an HTTP handler, which would survive that.
func (s *Store) hand(c Change) {
	s.mu.Unlock()
	defer s.mu.Lock()
	if s.OnChange != nil {
		s.OnChange(c)
	}
}
