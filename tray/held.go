package tray

import (
	"strings"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/leases"
)

// maxMissed is of how many friends it is said that they are not here.
const maxMissed = 64

// resolve is the friend that a lease is for now. Whoever was chosen for an agent since
// its settings were pasted counts as asked for, too.
func (a *app) resolve(r agents.LeaseRequest) agents.Lease {
	pet := a.meant(r.Agent, r.Pet)
	if pet != r.Pet {
		pet = a.settings().AgentPets[r.Agent]
	}
	f, found, reason := a.Resolve(r.Agent, pet)
	return agents.Lease{
		Requested: agents.Plain(r.Pet), PetID: f.ID, PetName: f.Name, UsingDefault: !found, Fallback: reason,
	}
}

// leased is told what became of a lease: what was said with it goes where it goes, and
// ends with it.
func (a *app) leased(before, after leases.Held) {
	switch {
	case before.Session() == "":
	case after.ID == "" || after.Agent != before.Agent:
		a.EndSession(before.Agent, before.Session())
	case after.PetID != before.PetID:
		a.Follow(before.Agent, before.Session(), before.PetID, after.PetID)
	}
	a.receive()
	if after.Fallback != "" {
		a.standIn(after)
	}
}

// standIn has a friend say, once, for whom it came. That is no news that anybody would
// want to have after a quiet; who asks for the status hears it as well.
func (a *app) standIn(h leases.Held) {
	name, by := short(h.Requested), a.speaker()
	if by == "" || !a.quietUntil().IsZero() || !a.miss(strings.ToLower(name)) {
		return
	}
	if indexOf(a.shown(), h.PetID) >= 0 {
		by = h.PetID
	}
	key := "tell.lease_missing"
	if h.Fallback == agents.FallbackBroken {
		key = "tell.lease_broken"
	}
	a.answer(by, a.words().Label(key, map[string]any{"Name": name}))
}

// miss notes that a friend is not here, and reports whether that is new.
func (a *app) miss(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.missed[name] || len(a.missed) == maxMissed {
		return false
	}
	if a.missed == nil {
		a.missed = map[string]bool{}
	}
	a.missed[name] = true
	return true
}
