package friends

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/playpets/playpets/agents"
)

// Packages lists the friends, in their order.
func (s *Store) Packages() []Package {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Package, len(s.friends))
	for i, f := range s.friends {
		all[i] = f.Package
	}
	return all
}

// Friends lists every friend with its state.
func (s *Store) Friends() []agents.Friend {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]agents.Friend, len(s.friends))
	for i, f := range s.friends {
		all[i] = f.wire()
	}
	return all
}

// Status lists every friend with its live runs, the latest heard first,
// and its activities, the latest last.
func (s *Store) Status() []agents.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]agents.Status, len(s.friends))
	for i, f := range s.friends {
		all[i] = agents.Status{
			Friend:     f.wire(),
			Sentence:   f.sentence,
			Sessions:   s.liveSessions(f),
			Activities: s.memory.activities(f.ID),
		}
	}
	return all
}

// Heard is when each agent was heard last, of those that name themselves: by its
// hooks, if it has some. From before the start only what is remembered of it counts.
func (s *Store) Heard() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := maps.Clone(s.heard)
	for _, f := range s.friends {
		for _, a := range s.memory.activities(f.ID) {
			if counts(a.Agent, a.Leased) && a.Time.After(all[a.Agent]) {
				all[a.Agent] = a.Time
			}
		}
	}
	return all
}

// maxHeard is of how many agents that is remembered: there are a few, and a flood of
// names is none.
const maxHeard = 64

// note remembers that an agent reported.
func (s *Store) note(r agents.Report, now time.Time) {
	_, known := s.heard[r.Agent]
	if counts(r.Agent, r.Lease != "") && (known || len(s.heard) < maxHeard) {
		s.heard[r.Agent] = now.Round(0)
	}
}

// counts reports whether an agent is heard by a report: what it says with a lease
// tells nothing of its hooks.
func counts(agent string, leased bool) bool {
	_, hooks := agents.KindNamed(agent)
	return agent != "" && !(leased && hooks)
}

func (s *Store) liveSessions(f *friend) []agents.Session {
	live := s.runs(f)
	slices.SortFunc(live, func(a, b *session) int { return cmp.Compare(b.order, a.order) })
	all := make([]agents.Session, len(live))
	for i, se := range live {
		all[i] = agents.Session{Agent: se.agent, Session: se.session, Project: se.project, State: se.state}
	}
	return all
}

// live is the sessions of f that are at something or were just now, in any order.
func (s *Store) live(f *friend) []*session {
	var live []*session
	for _, se := range s.sessions {
		if se.friend == f && se.state != agents.Idle {
			live = append(live, se)
		}
	}
	return live
}

// runs is the same with two sessions of one run as one: the more urgent, or that of
// the hooks.
func (s *Store) runs(f *friend) []*session {
	live := s.live(f)
	var hidden []*session
	for _, se := range live {
		switch twin := s.twin(se); {
		case twin == nil:
		case se.state.Rank() > twin.state.Rank():
			hidden = append(hidden, twin)
		default:
			hidden = append(hidden, se)
		}
	}
	return slices.DeleteFunc(live, func(se *session) bool { return slices.Contains(hidden, se) })
}

// atWork counts the runs of f that work, wait or failed.
func (s *Store) atWork(f *friend) (n int) {
	for _, se := range s.sessions {
		if se.friend != f || se.state.Rank() < agents.Working.Rank() {
			continue
		}
		if twin := s.twin(se); twin == nil || twin.state.Rank() < agents.Working.Rank() {
			n++
		}
	}
	return n
}
