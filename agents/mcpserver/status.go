package mcpserver

import "fmt"

// status is how things are, in the words of OpenPets.
type status struct {
	OK                 bool   `json:"ok"`
	AppRunning         bool   `json:"appRunning"`
	ConfiguredPet      string `json:"configuredPetId,omitempty"`
	ActualPet          string `json:"actualTargetPetId,omitempty"`
	ActualName         string `json:"actualTargetPetName,omitempty"`
	UsingDefault       bool   `json:"usingDefaultPet"`
	RoutingImplemented bool   `json:"routingImplemented"` // reports go to the friend that was asked for
	Unavailable        string `json:"unavailableReason,omitempty"`
	Fallback           string `json:"fallbackReason,omitempty"`
	Lease              string `json:"leaseId,omitempty"`
	LeaseActive        *bool  `json:"leaseActive,omitempty"`
	Stale              string `json:"staleReason,omitempty"`
}

// status asks the app which friend is this server's now.
func (t *tools) status(args) (string, any, error) {
	before, _ := t.keeper.last()
	s := status{ConfiguredPet: t.pet, RoutingImplemented: true, UsingDefault: true}
	lease, err := t.keeper.try()
	if err != nil {
		s.Unavailable = explain(err)
		if s.Lease = before.ID; before.ID != "" {
			s.LeaseActive, s.Stale = no, "unknown_lease"
		}
		return s.Unavailable, s, nil
	}
	s.OK, s.AppRunning, s.LeaseActive = true, true, yes
	s.ActualPet, s.ActualName, s.UsingDefault = lease.PetID, lease.PetName, lease.UsingDefault
	s.Fallback, s.Lease = lease.Fallback, lease.ID
	return s.sentence(), s, nil
}

// sentence says the same in words.
func (s status) sentence() string {
	text := fmt.Sprintf("PlayPets runs. Your friend is %s (%s)", s.ActualName, s.ActualPet)
	switch {
	case s.Fallback != "":
		return fmt.Sprintf("%s, in place of %s (%s).", text, s.ConfiguredPet, s.Fallback)
	case s.UsingDefault:
		return text + ", the default."
	}
	return text + ", as configured."
}
