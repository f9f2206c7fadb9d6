package tray

import (
	"context"
	"errors"
	"net/http"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/tray/friends"
)

// backend is the app as the bridge sees it.
type backend struct{ *app }

func (b backend) Report(r agents.Report) (string, error) {
	if r.Lease == "" {
		r.Pet = b.meant(r.Agent, r.Pet)
		return known(b.Store.Report(r))
	}
	held, ok := b.leases.Get(r.Lease)
	if !ok {
		return "", bridge.ErrUnknownLease
	}
	if r.Pet == "" {
		r.Pet = held.PetID
	}
	r.Agent, r.Project, r.Session, r.Part = held.Agent, held.Project, held.Session(), ""
	if r.Message = agents.Words(r.Message); r.Session == "" {
		r.Lease = "" // it does not end with the lease
		return known(b.Store.Report(r))
	}
	id, err := known(b.Store.Report(r))
	if now, _ := b.leases.Get(r.Lease); now.Agent != held.Agent || now.ID == "" { // meanwhile
		b.EndSession(r.Agent, r.Session)
	}
	return id, err
}

func (b backend) Say(to agents.Target, message string) (string, error) {
	pet, err := b.whom(to)
	if err != nil {
		return "", err
	}
	return known(b.Store.Say(pet, message))
}

func (b backend) React(to agents.Target, r agents.Reaction) (string, error) {
	pet, err := b.whom(to)
	if err != nil {
		return "", err
	}
	return known(b.Store.React(pet, r))
}

// whom is the friend that is meant, by id or name; empty is the first one.
func (b backend) whom(to agents.Target) (pet string, err error) {
	if to.Lease == "" {
		return to.Pet, nil
	}
	held, ok := b.leases.Get(to.Lease)
	switch {
	case !ok:
		return "", bridge.ErrUnknownLease
	case to.Pet != "":
		return to.Pet, nil
	}
	return held.PetID, nil
}

func (b backend) Lease(r agents.LeaseRequest) agents.Lease { return b.leases.Take(r) }

func (b backend) Renew(id string) (agents.Lease, error) {
	l, ok := b.leases.Renew(id)
	if !ok {
		return l, bridge.ErrUnknownLease
	}
	return l, nil
}

func (b backend) Release(id string) bool { return b.leases.Release(id) }

// Open shows every friend: a second start of the program asks for it.
func (b backend) Open(string) error {
	if err := b.bringBack(); err != nil {
		return &bridge.Error{Status: http.StatusConflict, Code: "no_display", Message: err.Error()}
	}
	return nil
}

// Copy answers in English: a command asked.
func (b backend) Copy(agent, name string) (string, error) {
	said, err := b.copySnippet(i18n.New("en"), agent, name)
	if errors.Is(err, errNoSnippet) {
		return "", &bridge.Error{Status: http.StatusNotFound, Code: "no_such_snippet", Message: "There are no such settings to copy."}
	}
	return said, err
}

func (b backend) Notify() (string, error) {
	server, err := b.test()
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("what shows notifications here does not answer")
	}
	if err != nil {
		return "", &bridge.Error{Status: http.StatusConflict, Code: "no_notifications", Message: err.Error()}
	}
	return server + " shows it.", nil
}

func (b backend) Version() string { return installer.Version() }

// known gives the store's error the bridge's name; the two rooms do not know
// each other.
func known(petID string, err error) (string, error) {
	if errors.Is(err, friends.ErrNoFriend) {
		return "", bridge.ErrNoFriend
	}
	return petID, err
}
