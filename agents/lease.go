package agents

import "time"

// How long a lease lives, how often its holder renews it, and how often the app
// looks for those whose holder is gone.
const (
	LeaseTTL   = 15 * time.Second
	LeaseRenew = 5 * time.Second
	LeaseSweep = 5 * time.Second
)

// LeaseRequest asks that a friend stays while a program lives: an MCP server, or
// a client of OpenPets. The same PID and Nonce are the same lease.
type LeaseRequest struct {
	Pet     string `json:"pet,omitempty"`     // id or name; empty: the agent's own friend
	Agent   string `json:"agent,omitempty"`   // whose server it is, as far as that is known
	Project string `json:"project,omitempty"` // a folder's last name
	PID     int    `json:"pid,omitempty"`     // of the program; 0: not known
	Nonce   string `json:"nonce,omitempty"`   // of this run of it; empty: each request is a lease of its own
}

// Lease is a friend that stays while somebody renews it, and the session of what
// is said with it.
type Lease struct {
	ID           string    `json:"leaseId"`
	Requested    string    `json:"requestedPetId,omitempty"`
	PetID        string    `json:"petId"`
	PetName      string    `json:"petName"`
	UsingDefault bool      `json:"usingDefault"`             // it is not the one that was asked for, or none was
	Fallback     string    `json:"fallbackReason,omitempty"` // why it is not: one of the constants below
	Expires      time.Time `json:"expiresAt"`
}

// Why a friend that was asked for is not the one of a lease. They are OpenPets'
// words.
const (
	FallbackInvalid = "invalid_pet_id"    // nothing can be called so
	FallbackMissing = "pet_not_installed" // no friend is called so
	FallbackBroken  = "pet_broken"        // it is here and cannot be drawn
)

// Target is whom something is said to: the friend of a lease, unless Pet (an id
// or a name) names another; without either the first friend.
type Target struct {
	Pet   string `json:"pet,omitempty"`
	Lease string `json:"leaseId,omitempty"`
}
