package mcpserver

import (
	"fmt"

	"github.com/playpets/playpets/agents"
)

// status is how things are, in the words of OpenPets.
type status struct {
	OK                 bool   `json:"ok"`
	AppRunning         bool   `json:"appRunning"`
	ConfiguredPet      string `json:"configuredPetId,omitempty"`
	ActualPet          string `json:"actualTargetPetId,omitempty"`
	ActualName         string `json:"actualTargetPetName,omitempty"`
	UsingDefault       bool   `json:"usingDefaultPet"`
	RoutingImplemented bool   `json:"routingImplemented"` // what is said goes to the friend that was asked for
	Unavailable        string `json:"unavailableReason,omitempty"`
	Fallback           string `json:"fallbackReason,omitempty"`
	Lease              string `json:"leaseId,omitempty"`
	LeaseActive        *bool  `json:"leaseActive,omitempty"`
	Stale              string `json:"staleReason,omitempty"`
}

// status asks the app which friend is this server's now. That the app is not
// there is an answer too, and no error.
func (t *tools) status(args) (string, any, error) {
	before := t.keeper.last()
	lease, err := t.keeper.ask()
	s := status{ConfiguredPet: t.pet, RoutingImplemented: true}
	if err == nil {
		s.OK, s.AppRunning, s.LeaseActive = true, true, yes
		s.ActualPet, s.ActualName, s.UsingDefault = lease.PetID, lease.PetName, lease.UsingDefault
		s.Fallback, s.Lease = lease.Fallback, lease.ID
		return s.sentence(), s, nil
	}
	s.AppRunning, s.UsingDefault, s.Unavailable = refused(err), true, t.explain(err)
	if before.ID != "" {
		s.Lease, s.LeaseActive, s.Stale = before.ID, no, "unknown_lease"
	}
	return s.Unavailable, s, nil
}

// fallbacks are why another friend came than the one that was asked for.
var fallbacks = map[string]string{
	agents.FallbackInvalid: "no friend can be called that",
	agents.FallbackMissing: "no friend is called that",
	agents.FallbackBroken:  "that one cannot be drawn",
}

// sentence says the same in words.
func (s status) sentence() string {
	friend := fmt.Sprintf("PlayPets runs, and your friend is %s (%s)", s.ActualName, s.ActualPet)
	switch {
	case s.Fallback != "":
		return fmt.Sprintf("%s in place of %q: %s.", friend, s.ConfiguredPet, fallbacks[s.Fallback])
	case s.UsingDefault:
		return friend + ", the default."
	}
	return friend + ", as configured."
}
