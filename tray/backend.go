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
	r.Pet = b.meant(r)
	return known(b.Store.Report(r))
}

func (b backend) Say(pet, message string) (string, error) {
	return known(b.Store.Say(pet, message))
}

func (b backend) React(pet string, r agents.Reaction) (string, error) {
	return known(b.Store.React(pet, r))
}

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
