package tray

import "github.com/playpets/playpets/agents"

// resolve is the friend that a lease is for.
func (a *app) resolve(r agents.LeaseRequest) agents.Lease {
	meant := a.meant(r.Agent, r.Pet)
	f, reason := a.Resolve(r.Agent, meant)
	return agents.Lease{
		Requested: r.Pet, PetID: f.ID, PetName: f.Name,
		UsingDefault: meant == "" || reason != "", Fallback: reason,
	}
}
