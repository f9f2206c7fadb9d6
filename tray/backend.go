package tray

import (
	"errors"
	"net/http"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/tray/friends"
)

// backend is the app as the bridge sees it.
type backend struct{ *app }

func (b backend) Report(r agents.Report) (string, error) {
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

func (b backend) Copy(agent, name string) (string, error) { return "", errLater }

func (b backend) Notify() (string, error) { return "", errLater }

func (b backend) Version() string { return installer.Version() }

var errLater = &bridge.Error{Status: http.StatusNotImplemented, Code: "not_yet", Message: "This PlayPets cannot do that yet."}

// known gives the store's error the bridge's name; the two rooms do not know
// each other.
func known(petID string, err error) (string, error) {
	if errors.Is(err, friends.ErrNoFriend) {
		return "", bridge.ErrNoFriend
	}
	return petID, err
}
