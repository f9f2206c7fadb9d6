// Package installer is where PlayPets is on this machine: the path that other
// programs should start it by, and whether it starts at login.
//
// It writes only for this user, only when asked, and only what is its own. It
// installs nothing and asks for no rights.
package installer

// Status is how a Check went.
type Status string

// The three of them. Only Fail means that something does not work.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// A Check is one thing that `playpets doctor` looked at.
type Check struct {
	ID     string `json:"id"` // one word, the same in every run
	Status Status `json:"status"`
	Detail string `json:"detail"` // what was found, without a path outside the home
	Fix    string `json:"fix"`    // a sentence that says what mends it; empty where nothing must be
}
