package notify

import (
	"cmp"
	"time"
)

const (
	perMinute   = 6               // notices at most, over all friends
	friendPause = 5 * time.Second // between two notices of one friend
	maxSessions = 1024            // remembered; beyond, the one that was silent longest is forgotten

	// repeats is how long after a question the agent may ask it again, in other
	// words: Claude Code does after six seconds.
	repeats = 30 * time.Second

	// retryPause is how long after a notice that nobody was shown it is told once
	// more: what shows them may start later than the agents.
	retryPause = 15 * time.Second
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
	summary  bool     // it was quiet: what is held now comes as one
	over     []string // the keys of notices that only told of what is answered now
	folds    int      // how many notices of several there were
}

// sessionKey names one run of one agent.
type sessionKey struct {
	agent, session string
	friend         string // only if session is empty
}

type session struct {
	key     string // of the notices of it alone
	friend  string
	state   string
	heard   time.Time // when it reported last
	asked   time.Time // since when it waits
	started time.Time // the task, by its prompt; zero: none, or not known
	broken  bool      // it was given up in between: how long the task took is not known
	told    int       // the highest rank that was told of this stage; 0: nothing
	held    *Notice   // not told yet
	since   time.Time // when held may be told
	again   bool      // held was told before, and nobody was shown it
	last    Notice    // that told of it; no Count: none
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
	before := s.state
	if kind != Waiting {
		p.answered(s) // or nobody asks any more
	} else if before != "waiting" {
		s.asked = now
	}
	switch {
	case kind == Waiting && before == "waiting" && s.held == nil && now.Sub(s.asked) < repeats:
		// The same question. Who has seen it need not be told.
	case kind >= 0:
		p.hold(s, Notice{Kind: kind, Friend: e.Friend, Agent: e.Agent, Project: e.Project, Text: e.Text}, now)
	case e.State == "working" && (before != "working" || e.Begins):
		s.stage()
		if s.started.IsZero() || e.Begins { // else an answer, and the task goes on
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
		s = &session{key: key.agent + "\x00" + key.session + "\x00" + key.friend}
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
	s.held, s.since, s.again = &n, now, false
}

// answered drops the question of a session, told or not.
func (p *Policy) answered(s *session) {
	if s.held != nil && s.held.Kind == Waiting {
		s.held = nil
	}
	n := s.last
	s.last = Notice{}
	if n.Count == 0 || n.Kinds[Waiting] < n.Count {
		return
	}
	for _, o := range p.sessions {
		if o.last.key == n.key {
			return // it still asks
		}
	}
	p.over = append(p.over, n.key)
}

// Over returns the keys of the notices that told of questions, all of which were
// answered since it was called last.
func (p *Policy) Over() (keys []string) {
	keys, p.over = p.over, nil
	return keys
}

// Failed says that nobody was shown n. If it is of one session, that is told once
// more after a while, unless it is no news by then.
func (p *Policy) Failed(n Notice, now time.Time) {
	for _, s := range p.sessions {
		if s.key == n.key && s.held == nil && !s.again && s.told == n.Kind.rank() {
			n.Count, n.Kinds = 0, [kinds]int{}
			s.held, s.since, s.again, s.told = &n, now.Add(retryPause), true, 0
			return
		}
	}
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
