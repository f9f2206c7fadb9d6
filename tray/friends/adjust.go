package friends

import (
	"maps"
	"slices"

	"github.com/playpets/playpets/agents"
)

// Configure changes how long states last, for what is reported from now on, and
// which friend works for which agent: a session goes there with its next report.
func (s *Store) Configure(l Lifetimes, agentPets map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lifetimes = l
	if !maps.Equal(s.agentPets, agentPets) {
		s.agentPets = maps.Clone(agentPets)
		s.checkAgentPets()
	}
}

// MakeFirst puts a friend before all others: the agents that have no friend of
// their own work with it from their next report on. The error is ErrNoFriend.
func (s *Store) MakeFirst(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.friends, func(f *friend) bool { return f.ID == id })
	if i < 0 {
		return ErrNoFriend
	}
	s.friends = slices.Concat(s.friends[i:i+1], s.friends[:i], s.friends[i+1:])
	return nil
}

// Respeak translates anew what is said now, for the language has changed. What
// needs the person is said again, and all else is said no more.
func (s *Store) Respeak() {
	s.mu.Lock()
	for _, f := range s.friends {
		for _, se := range s.live(f) {
			se.sentence = s.translate(se.state, se.message)
		}
		if f.speaker != nil {
			f.sentence = f.speaker.sentence
		}
		from := len(s.changes)
		s.again(f, f.state)
		for i := range s.changes[from:] {
			c := &s.changes[from+i]
			c.Again = c.State == "" || c.State == agents.Waiting || c.State == agents.Error
		}
	}
	s.mu.Unlock()
	s.deliver()
}
