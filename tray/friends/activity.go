package friends

import (
	"slices"
	"time"

	"github.com/playpets/playpets/agents"
)

// memory is the newest activities of each friend, by its id, oldest first.
// Friends that were sent away keep theirs: they may come back.
type memory map[string][]entry

// entry is an activity and what else counts while the program runs.
type entry struct {
	agents.Activity
	by   sessionKey // zero if it was read from disk
	code bool
}

// add remembers e and forgets the oldest beyond agents.MaxActivities.
//
// Hooks send a code for every tool call, dozens a turn. They would leave
// nothing else in eight places, so the work of a session takes the place of
// what that session was working at before. Sentences that somebody wrote stay.
func (m memory) add(id string, e entry) {
	list := m[id]
	if e.isWork() {
		i := lastOf(list, e.by)
		if i >= 0 && list[i].isWork() {
			list = slices.Delete(list, i, i+1)
		}
	}
	list = append(list, e)
	m[id] = list[max(0, len(list)-agents.MaxActivities):]
}

func (e entry) isWork() bool {
	return e.code && e.State == agents.Working && e.by.session != ""
}

func lastOf(list []entry, by sessionKey) int {
	for i, e := range slices.Backward(list) {
		if e.by == by {
			return i
		}
	}
	return -1
}

// activities copies out what the friend with this id did.
func (m memory) activities(id string) []agents.Activity {
	all := make([]agents.Activity, len(m[id]))
	for i, e := range m[id] {
		all[i] = e.Activity
	}
	return all
}

// saveDelay is how long Run gathers activities before it writes them.
const saveDelay = 3 * time.Second

// remember keeps what a friend was told, as the person could read it.
func (s *Store) remember(f *friend, se *session, r agents.Report, sentence string, now time.Time) {
	s.memory.add(f.ID, entry{
		Activity: agents.Activity{Time: now.Round(0), Agent: r.Agent, State: r.State, Sentence: sentence},
		by:       se.sessionKey,
		code:     isCode(r.Message),
	})
	s.unsaved = true
	if s.saveAt.IsZero() && s.path != "" {
		s.saveAt = now.Add(saveDelay)
		s.wakeBy(s.saveAt)
	}
}
