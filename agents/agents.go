// Package agents is what a coding agent can say: its events in, a Report out.
//
// It is pure: bytes in, values out, no I/O and no clock. Since the fast door
// (agents/hook) imports it, it keeps to small standard packages: no fmt, no
// reflect, no encoding/json, no third-party package, and bytes in place of
// strings (agents/hook says why).
package agents

// MaxMessage is the longest sentence anyone may send, in code points.
// The bridge cuts longer ones on a grapheme border.
const MaxMessage = 240

// MaxField is the longest agent, session or project name, in bytes.
// The bridge refuses longer ones.
const MaxField = 128

// MaxActivities is how many activities of one friend are remembered.
const MaxActivities = 8

// State is what an agent is doing, as a friend shows it.
type State string

// The five states, in the order in which `status` lists them.
const (
	Idle    State = "idle"
	Working State = "working"
	Waiting State = "waiting"
	Done    State = "done"
	Error   State = "error"
)

// States lists every state.
var States = []State{Idle, Working, Waiting, Done, Error}

// Valid reports whether s is one of States.
func (s State) Valid() bool { return s.Rank() >= 0 }

// Rank orders states by how much they need the person: a friend with several
// sessions shows the highest. -1 is no state at all.
func (s State) Rank() int {
	switch s {
	case Idle:
		return 0
	case Done:
		return 1
	case Working:
		return 2
	case Waiting:
		return 3
	case Error:
		return 4
	}
	return -1
}

// Reaction is a short gesture that a friend makes once, whatever its state.
type Reaction string

// The three reactions.
const (
	Wave Reaction = "wave"
	Jump Reaction = "jump"
	Pet  Reaction = "pet"
)

// Reactions lists every reaction.
var Reactions = []Reaction{Wave, Jump, Pet}

// Valid reports whether r is one of Reactions.
func (r Reaction) Valid() bool { return r == Wave || r == Jump || r == Pet }

// Report is one thing an agent said. Message is a sentence or a code
// ("@thinking", "@tool Bash"). Pet is a friend's id or name, empty for the
// agent's own friend. Project is a folder's last name, never a path. What comes
// with a lease belongs to the lease's session, and its Message is no code.
//
// Part is who of the session speaks: MainPart, or a subagent's id. What a part asks
// the person is answered when that part goes on; an empty Part is the session as a
// whole, which goes on after every question.
//
// Begins says that the person asked for something new, whatever became of what was
// asked before: agents do not tell when they are interrupted.
type Report struct {
	Pet     string `json:"pet,omitempty"`
	State   State  `json:"state"`
	Message string `json:"message,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Project string `json:"project,omitempty"`
	Part    string `json:"part,omitempty"`
	Begins  bool   `json:"begins,omitempty"`
	Lease   string `json:"leaseId,omitempty"`
}

// MainPart is the agent that the person speaks to, as a Report's Part.
const MainPart = "main"

// Friend is one friend as GET /pets lists it.
type Friend struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	State State  `json:"state"`
}

// Status is one friend with everything that GET /status tells of it. Sentence
// is what its bubble said last, in the person's language. Unseen is why nobody sees
// what it says now, in English; empty if people do.
type Status struct {
	Friend
	Sentence   string     `json:"sentence"`
	Unseen     string     `json:"unseen,omitempty"`
	Sessions   []Session  `json:"sessions"`
	Activities []Activity `json:"activities"`
}

// Session is one live run of one agent.
type Session struct {
	Agent   string `json:"agent"`
	Session string `json:"session"`
	Project string `json:"project"`
	State   State  `json:"state"`
}
