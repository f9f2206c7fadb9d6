package friends

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// What a model says of itself, over MCP and so with a lease, it may forget to take
// back. The same agent's hooks forget nothing: they tell when a turn begins and
// ends, though not of a question that is only words. So both are believed, each as
// far as it knows. What is said with a lease holds as long as the hooks of that run
// leave it possible:
//
//   - Work ends with the turn.
//   - A question, a failure and what was done end with the next turn: it began
//     since somebody answered. A question ends also when one that the hooks told
//     later was answered, since the person was there.
//   - All of it ends with the session, or when the person interrupts it.
//
// A run without hooks is believed in all it says, for as long as states last, and
// no lease outlives its program.

// pair finds the hooks of the run that speaks: those of its agent and project that
// are in a turn, and if two are, those heard last, since a call over MCP has its
// own events around it. If none is known to be, it is whoever is heard next.
func (s *Store) pair(se *session, r agents.Report) {
	se.rested = time.Time{}
	if inTurn(s.sessions[se.beside]) {
		return // a program changes its session only between two turns
	}
	var last *session
	for _, o := range s.sessions {
		if !o.leased && o.agent == r.Agent && (r.Project == "" || o.project == r.Project) && inTurn(o) &&
			(last == nil || o.order > last.order) {
			last = o
		}
	}
	se.beside = sessionKey{}
	if last != nil {
		se.beside = last.sessionKey
	}
}

func inTurn(se *session) bool {
	return se != nil && (se.state == agents.Working || se.state == agents.Waiting)
}

// overrule ends what was said with a lease and cannot be true any more, now that the
// same run's hooks say r. hooks is their session before that; nil: it is not known.
func (s *Store) overrule(key sessionKey, hooks *session, r agents.Report, now time.Time) {
	if _, known := agents.KindNamed(r.Agent); !known {
		return
	}
	for _, se := range s.sessions {
		if !se.leased || se.agent != r.Agent || se.state == agents.Idle {
			continue
		}
		if se.beside == (sessionKey{}) && (se.project == "" || se.project == r.Project) {
			se.beside = key
		}
		if se.beside != key {
			continue
		}
		switch {
		case r.State == agents.Idle:
			s.close(se)
		case se.overruled(hooks, r, now):
			s.end(se)
		}
	}
}

// overruled reports whether what se says cannot be true any more, and notes the end
// of the turn. Around that, late events of the turn pass for the next one.
func (se *session) overruled(hooks *session, r agents.Report, now time.Time) bool {
	nextTurn := !se.rested.IsZero() && now.Sub(se.rested) >= straggle
	if endsTurn(r.State) {
		if se.rested.IsZero() {
			se.rested = now
		}
		return se.state == agents.Working || nextTurn
	}
	answered := hooks != nil && hooks.state == agents.Waiting && r.State == agents.Working && se.order < hooks.order
	return nextTurn || answered && se.state == agents.Waiting
}

// told reports whether another session of the same run tells more than that this
// one is done: the model asks or has failed, or its hooks will tell the turn's end.
func (s *Store) told(se *session) bool {
	if se.state != agents.Done {
		return false
	}
	if se.leased {
		return inTurn(s.sessions[se.beside])
	}
	for _, o := range s.sessions {
		if o.leased && o.beside == se.sessionKey && (o.state == agents.Waiting || o.state == agents.Error) {
			return true
		}
	}
	return false
}

// twin is the session of the same run's hooks, if that shows at the same friend.
func (s *Store) twin(se *session) *session {
	if !se.leased {
		return nil
	}
	if o := s.sessions[se.beside]; o != nil && o.friend == se.friend && o.state != agents.Idle {
		return o
	}
	return nil
}

// EndSession ends the session of a lease that is over. As at the end of any other,
// what it has done shows a moment longer.
func (s *Store) EndSession(agent, session string) {
	s.mu.Lock()
	if se := s.sessions[sessionKey{agent: agent, session: session}]; se != nil {
		s.close(se)
	}
	s.mu.Unlock()
	s.deliver()
}

// Follow has the session of a lease go from one friend to another, as the lease did:
// nobody may see the first one any more. One that was sent elsewhere stays there.
func (s *Store) Follow(agent, session, from, to string) {
	s.mu.Lock()
	se := s.sessions[sessionKey{agent: agent, session: session}]
	f, err := s.find(to, agent)
	if se != nil && err == nil && se.friend.ID == from && se.friend != f {
		s.follow(se, f)
	}
	s.mu.Unlock()
	s.deliver()
}

func (s *Store) follow(se *session, f *friend) {
	state, sentence := se.state, ""
	s.move(se, f)
	if state == agents.Idle {
		return
	}
	if state == agents.Waiting || state == agents.Error {
		sentence = se.sentence // all else was said
	}
	se.state = state
	s.settle(f, se, agents.Idle, sentence, false)
}

// close ends a session, or, if it is done, has it end soon.
func (s *Store) close(se *session) {
	if se.state != agents.Done {
		s.end(se)
		return
	}
	se.expires = earlier(se.expires, se.turnEnd.Add(doneShown))
	s.wakeBy(se.expires)
}
