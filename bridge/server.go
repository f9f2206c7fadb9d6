// Package bridge is the loopback HTTP door between agents and the app: both
// ends of it. It holds no state but its token.
package bridge

import (
	"errors"

	"github.com/playpets/playpets/agents"
)

// ErrNoFriend is what a Backend returns when no friend has that id or name.
var ErrNoFriend = errors.New("no such friend")

// Backend is what the bridge speaks to: the app. Every method may be called
// from many goroutines at once. pet is an id, a name in any case, or empty;
// the string returned is the id of the friend that took it. Messages arrive
// cleaned: valid UTF-8, one line, no control or bidi characters, at most
// agents.MaxMessage code points.
type Backend interface {
	Friends() []agents.Friend
	Status() []agents.Status
	Report(r agents.Report) (petID string, err error)
	Say(pet, message string) (petID string, err error)
	React(pet string, r agents.Reaction) (petID string, err error)
	Open(link string) error
}
