package friends

import "github.com/playpets/playpets/agents"

// Change is one thing that happened to a friend.
type Change struct {
	Friend   agents.Friend // with the state it has now, over all its sessions
	Previous agents.State  // the state it had before

	// Sentence is what the friend says now; empty is nothing new. If the state
	// changed and there is no sentence, what it said before is out of date.
	Sentence string

	// Who reported, and the state of that session alone. A session that ended
	// or was not renewed is idle.
	Agent, Session, Project string
	State                   agents.State

	Again    bool            // the session reported nothing: the friend is back at what it said before
	Said     bool            // somebody made it say this: the states mean nothing
	Reaction agents.Reaction // a gesture to make once, alone or not at all
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
