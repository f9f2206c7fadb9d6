// Package notify tells the person what agents did while they looked elsewhere:
// a policy that decides what is worth a notice, and when, and the desktop's own
// notifications to show it.
//
// It writes no sentence: its owner has the words and the language. It runs only
// in the app that stays, since some desktops take a notice back when its sender
// goes. Nothing here waits for the person, and no notice can be answered.
package notify

import "time"

// Kind is what a notice is about.
type Kind int

// The kinds, the more urgent the higher.
const (
	Done    Kind = iota // a task is done
	Failed              // something went wrong
	Waiting             // an agent needs the person
	kinds
)

// rank orders what may be told of one stage of a session: nothing after
// something of the same rank or a higher one.
func (k Kind) rank() int {
	if k == Done {
		return 1
	}
	return 2
}

// Event is one thing that happened to a session: one run of an agent. What
// sub-agents do is no event.
type Event struct {
	Friend  string // whose session it is, by id
	Agent   string
	Session string // empty: the one session that this agent has with this friend
	Project string // a folder's last name
	State   string // of that session now: idle, working, waiting, done or error
	Text    string // what the friend says; may be empty
	Begins  bool   // the person asked for something new, whatever became of what was asked before
}

// Rules are what the person wants to be told. The zero value is nothing.
type Rules struct {
	Done, Failed, Waiting bool
	MinTask               time.Duration // Done only of tasks that took as long; 0 or less: of all
}

func (r Rules) allow(k Kind) bool {
	switch k {
	case Done:
		return r.Done
	case Failed:
		return r.Failed
	}
	return r.Waiting
}

// Notice is one thing to tell: of one session, or of several folded into one.
// What these do not have in common is empty.
type Notice struct {
	Kind    Kind // of several the most urgent
	Friend  string
	Agent   string
	Project string
	Text    string        // empty for several
	Took    time.Duration // how long the task ran; 0: not known, or several
	Count   int           // how many sessions, 1 or more
	Kinds   [kinds]int    // how many of each Kind; only a summary mixes them
	Missed  bool          // a summary of what happened while it was quiet

	key string // takes the place of what was told with it before: of one session
}

// Message is what a person reads of a notice: plain text, no markup.
type Message struct {
	Key   string // the same key replaces the message that was shown before, where the desktop can do that; empty: none. A notice has its own
	Title string // one line
	Body  string
	Sound bool // with the desktop's own sound for messages; else silent
}
