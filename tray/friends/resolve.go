package friends

import (
	"regexp"
	"slices"

	"github.com/playpets/playpets/agents"
)

// anID is what OpenPets takes for a friend's id.
var anID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// defaults are the ids by which OpenPets asks for the friend that comes to whoever
// asks for none.
var defaults = []string{"default", "builtin"}

// Resolve is the friend that pet names. If none is called so, it is the agent's
// own one, and found is false; reason is why then, one of agents' fallback
// reasons, unless none was asked for. Without friends f is none.
func (s *Store) Resolve(agent, pet string) (f agents.Friend, found bool, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.named(pet); f != nil {
		return f.wire(), true, ""
	}
	if own, err := s.find("", agent); err == nil {
		f = own.wire()
	}
	return f, false, s.notFound(pet)
}

// notFound is why no friend is called pet.
func (s *Store) notFound(pet string) (reason string) {
	switch {
	case pet == "" || slices.ContainsFunc(defaults, func(id string) bool { return same(id, pet) }):
		return ""
	case slices.ContainsFunc(s.broken, func(name string) bool { return same(name, pet) }):
		return agents.FallbackBroken
	case !anID.MatchString(pet):
		return agents.FallbackInvalid
	}
	return agents.FallbackMissing
}
