package tray

import (
	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/openpets"
)

// stranger is the app as OpenPets' clients see it.
type stranger struct{ backend }

// Pets lists the friends, with why nobody can see one.
func (s stranger) Pets() []openpets.Pet {
	builtin := map[string]bool{}
	for _, p := range s.Packages() {
		builtin[p.ID] = p.Builtin
	}
	var all []openpets.Pet
	for _, f := range s.Status() {
		all = append(all, openpets.Pet{ID: f.ID, Name: f.Name, Builtin: builtin[f.ID], Unseen: f.Unseen})
	}
	return all
}

// Held is a lease that lives.
func (s stranger) Held(lease string) (agents.Lease, bool) {
	held, ok := s.leases.Get(lease)
	return held.Lease, ok
}
