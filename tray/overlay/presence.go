package overlay

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// How long a friend that is shown only while its agents are at something stays
// after that.
const (
	lingerDone  = 8 * time.Second  // to be seen, and to be glad
	lingerIdle  = 3 * time.Second  // an agent between two events is not gone
	lingerAsked = 10 * time.Second // somebody looked for it
)

// linger has a friend stay for a while after u.
func (f *friend) linger(u Update, now time.Time) {
	stay := time.Duration(0)
	switch {
	case u.State == agents.Done && f.actor.state != agents.Done:
		stay = lingerDone
	case u.State == agents.Idle && f.actor.state != agents.Idle && f.actor.state != agents.Done, u.Reaction != "":
		stay = lingerIdle
	}
	if until := now.Add(stay); stay > 0 && until.After(f.lingers) {
		f.lingers = until
	}
}

// visible reports whether f is to be seen, and when that changes by itself.
func (s *stage) visible(f *friend, now time.Time) (seen bool, until time.Time) {
	if s.hand.on != f && s.monitorOf(f).covered {
		return false, time.Time{}
	}
	if s.look.When == Always || s.look.When == WhenActive && f.active() {
		return true, time.Time{}
	}
	if s.hand.on == f || s.menu != nil && s.menu.friend == f {
		return true, time.Time{}
	}
	if now.Before(f.lingers) {
		return true, f.lingers
	}
	return false, time.Time{}
}

// active reports whether something goes on at f that is to be seen.
func (f *friend) active() bool {
	switch f.actor.state {
	case agents.Working, agents.Waiting, agents.Error:
		return true
	}
	return f.talk.busy()
}
