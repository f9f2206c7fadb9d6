package notify

import (
	"cmp"
	"time"
)

const (
	perMinute   = 6               // notices at most, over all friends
	friendPause = 5 * time.Second // between two notices of one friend
	maxSessions = 1024            // remembered; beyond, the one that was silent longest is forgotten
)

// Policy decides what is told, and when. Every new prompt, and every look of the
// person, begins a new stage of a session. Of a stage, a question and a failure
// are told at once, and the end of a task if the task was long; nothing is told
// twice. What comes too often, or while it is quiet, is held back and folded,
// unless it is no news any more when its time comes.
//
// It has no clock: the now of its methods must not go back. It is not for several
// goroutines at once.
type Policy struct {
	rules    Rules
	sessions map[sessionKey]*session
	told     map[string]time.Time // when friends were told of last, while that matters
	recent   [perMinute]time.Time // when the last notices were told, the oldest first
	quiet    bool
	summary  bool // it was quiet: what is held now comes as one
}

// sessionKey names one run of one agent.
type sessionKey struct {
	agent, session string
	friend         string // only if session is empty
}

type session struct {
	friend  string
	state   string
	heard   time.Time // when it reported last
	started time.Time // the task, by its prompt; zero: none, or not known
	broken  bool      // it was given up in between: how long the task took is not known
	told    int       // the highest rank that was told of this stage; 0: nothing
	held    *Notice   // not told yet
	since   time.Time // when held was
}

// NewPolicy returns a policy that has heard nothing yet.
func NewPolicy(r Rules) *Policy {
	return &Policy{rules: r, sessions: map[sessionKey]*session{}, told: map[string]time.Time{}}
}

// Report takes in what happened. An Event of no known state is nothing.
func (p *Policy) Report(e Event, now time.Time) {
	kind := Kind(-1)
	switch e.State {
	case "done":
		kind = Done
	case "error":
		kind = Failed
	case "waiting":
		kind = Waiting
	case "working", "idle":
	default:
		return
	}
	s := p.session(e, now)
	if s.held != nil && s.held.Kind == Waiting && kind != Waiting {
		s.held = nil // answered, or nobody asks any more
	}
	switch before := s.state; {
	case kind >= 0:
		p.hold(s, Notice{Kind: kind, Friend: e.Friend, Agent: e.Agent, Project: e.Project, Text: e.Text}, now)
	case e.State == "working" && before != "working":
		s.stage()
		if s.started.IsZero() { // else an answer, and the task goes on
			s.started, s.broken = now, false
		}
	case e.State == "idle" && (before == "working" || before == "waiting"):
		s.broken = true
	}
	s.state = e.State
}

// session is whose event e is, a new one if need be.
func (p *Policy) session(e Event, now time.Time) *session {
	key := sessionKey{agent: e.Agent, session: e.Session}
	if e.Session == "" {
		key.friend = e.Friend
	}
	s := p.sessions[key]
	if s == nil {
		p.makeRoom()
		s = &session{}
		p.sessions[key] = s
	}
	s.friend, s.heard = e.Friend, now
	return s
}

func (p *Policy) makeRoom() {
	if len(p.sessions) < maxSessions {
		return
	}
	var oldest sessionKey
	for key, s := range p.sessions {
		if o := p.sessions[oldest]; o == nil || s.lessThan(o) {
			oldest = key
		}
	}
	delete(p.sessions, oldest)
}

// lessThan says which of two is the smaller loss: who has nothing to tell, and
// then who was silent longer.
func (s *session) lessThan(o *session) bool {
	if (s.held == nil) != (o.held == nil) {
		return s.held == nil
	}
	return s.heard.Before(o.heard)
}

// stage begins a new one: all that was held back is no news any more.
func (s *session) stage() { s.told, s.held = 0, nil }

// hold keeps n to be told, if it is worth that.
func (p *Policy) hold(s *session, n Notice, now time.Time) {
	known := !s.started.IsZero()
	took := now.Sub(s.started)
	if known && !s.broken {
		n.Took = took
	}
	if n.Kind != Waiting {
		s.started = time.Time{} // the task is over
	}
	if s.held != nil && s.held.Kind == n.Kind { // said again
		n.Took, n.Text = s.held.Took, cmp.Or(n.Text, s.held.Text)
		s.held = &n
		return
	}
	short := n.Kind == Done && p.rules.MinTask > 0 && (!known || took < p.rules.MinTask)
	higher := s.held != nil && s.held.Kind.rank() > n.Kind.rank()
	if short || higher || n.Kind.rank() <= s.told || !p.rules.allow(n.Kind) {
		return
	}
	// What comes when all that was missed is told or over is not one more of it.
	p.summary = p.summary && p.holds()
	s.held, s.since = &n, now
}

// Seen says that the person looked at this friend, at all for "": nothing that
// happened until now is news, and whatever comes is.
func (p *Policy) Seen(friend string) {
	for _, s := range p.sessions {
		if friend == "" || s.friend == friend {
			s.stage()
		}
	}
}

// Quiet holds everything back until it is off again. What was missed by then
// comes as one notice.
func (p *Policy) Quiet(on bool) {
	p.summary = p.summary || p.quiet && !on
	p.quiet = on
}

// holds reports whether something is held back.
func (p *Policy) holds() bool {
	for _, s := range p.sessions {
		if s.held != nil {
			return true
		}
	}
	return false
}

// SetRules changes what is told from now on, also of what is held back; only
// MinTask is for tasks that end later.
func (p *Policy) SetRules(r Rules) {
	p.rules = r
	for _, s := range p.sessions {
		if s.held != nil && !r.allow(s.held.Kind) {
			s.held = nil
		}
	}
}
