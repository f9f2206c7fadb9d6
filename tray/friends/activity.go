package friends

import (
	"slices"
	"time"

	"github.com/playpets/playpets/agents"
)

// memory is the newest activities of each friend, by its id, oldest first.
// Friends that were sent away keep theirs: they may come back.
type memory map[string][]entry

// entry is an activity and whose it is; the zero key if it was read from disk.
type entry struct {
	agents.Activity
	by sessionKey
}

// add remembers e and forgets the oldest beyond agents.MaxActivities. What a
// session says again takes the place of what it said last.
func (m memory) add(id string, e entry) {
	list := m[id]
	if n := len(list); n > 0 && list[n-1].by == e.by && list[n-1].Agent == e.Agent && list[n-1].State == e.State && list[n-1].Sentence == e.Sentence {
		list = list[:n-1]
	}
	list = append(list, e)
	m[id] = slices.Clone(list[max(0, len(list)-agents.MaxActivities):])
}

// activities copies out what the friend with this id did.
func (m memory) activities(id string) []agents.Activity {
	all := make([]agents.Activity, len(m[id]))
	for i, e := range m[id] {
		all[i] = e.Activity
	}
	return all
}

// saveDelay is how long Run gathers activities after it has written some. The
// first is written at once: a crash loses at most a burst.
const saveDelay = 3 * time.Second

// remember keeps what a friend was told, as the person could read it.
func (s *Store) remember(f *friend, se *session, r agents.Report, sentence string, now time.Time) {
	s.memory.add(f.ID, entry{
		Activity: agents.Activity{Time: now.Round(0), Agent: r.Agent, State: r.State, Sentence: sentence, Leased: r.Lease != ""},
		by:       se.sessionKey,
	})
	s.unsaved = true
	if s.saveAt.IsZero() && s.path != "" {
		if s.saveAt = s.savedAt.Add(saveDelay); s.saveAt.Before(now) {
			s.saveAt = now
		}
		s.wakeBy(s.saveAt)
	}
}
