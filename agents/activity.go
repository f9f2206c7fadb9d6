package agents

import "time"

// Activity is a remembered report: when, who, what, as the person saw it.
type Activity struct {
	Time     time.Time `json:"time"`
	Agent    string    `json:"agent"`
	State    State     `json:"state"`
	Sentence string    `json:"sentence"`
	Leased   bool      `json:"leased,omitempty"` // said with a lease, not by the agent's hooks
}
