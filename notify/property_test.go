package notify

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A witness sees what happens to a policy and judges what is told. It knows the
// rules by other words: of each session the stage, and what it still owes.
type witness struct {
	*Policy
	now   time.Time
	seen  map[sessionKey]*seenSession
	times []time.Time          // of all notices
	last  map[string]time.Time // of the last notice of each friend
	quiet bool
}

type seenSession struct {
	friend, state string
	owes          Kind // that a notice of this kind, or a more urgent one, comes; -1: nothing
	told          []Kind
	long          time.Time // since when it works without a break; zero: it does not
	asked         time.Time // since when it waits
}

// TestProperties plays at random, with many more sessions than notices a minute
// may have.
func TestProperties(t *testing.T) {
	// The usual hundred times thirty steps seldom fill a minute.
	flag.Set("rapid.checks", "1000")
	flag.Set("rapid.steps", "100")
	rapid.Check(t, func(t *rapid.T) {
		w := &witness{
			Policy: NewPolicy(allRules), now: begin,
			seen: map[sessionKey]*seenSession{}, last: map[string]time.Time{},
		}
		friend := rapid.StringMatching(`[a-d]`)
		t.Repeat(map[string]func(*rapid.T){
			"report": func(t *rapid.T) {
				e := Event{
					Friend: friend.Draw(t, "friend"), Agent: "claude", Session: fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "session")),
					State: rapid.SampledFrom([]string{"idle", "working", "waiting", "done", "error"}).Draw(t, "state"),
				}
				w.Report(e, w.now)
				w.report(e)
				w.due(t)
			},
			"look": func(t *rapid.T) {
				who := rapid.OneOf(friend, rapid.Just("")).Draw(t, "friend")
				w.Seen(who)
				w.look(who)
				w.due(t)
			},
			"quiet": func(t *rapid.T) {
				w.quiet = !w.quiet
				w.Quiet(w.quiet)
				w.due(t)
			},
			"wait": func(t *rapid.T) {
				w.pass(t, time.Duration(rapid.IntRange(1, 15000).Draw(t, "ms"))*time.Millisecond)
			},
		})
		w.quiet = false
		w.Quiet(false)
		w.due(t)
		w.pass(t, time.Hour)
		for key, s := range w.seen {
			if s.owes >= 0 {
				t.Fatalf("%v never told of kind %d", key, s.owes)
			}
		}
	})
}

func (w *witness) report(e Event) {
	key := sessionKey{agent: e.Agent, session: e.Session}
	s := w.seen[key]
	if s == nil {
		s = &seenSession{owes: -1}
		w.seen[key] = s
	}
	s.friend = e.Friend
	if s.owes == Waiting && e.State != "waiting" {
		s.owes = -1
	}
	switch e.State {
	case "working":
		if s.state != "working" {
			s.owes, s.told, s.long = -1, nil, w.now
		}
	case "idle":
		s.long = time.Time{}
	case "waiting":
		if s.state != "waiting" {
			s.asked = w.now
		}
		if s.state != "waiting" || w.now.Sub(s.asked) >= repeats {
			s.owe(Waiting)
		}
	case "error":
		s.owe(Failed)
	case "done":
		if !s.long.IsZero() && w.now.Sub(s.long) >= allRules.MinTask {
			s.owe(Done)
		}
		s.long = time.Time{}
	}
	if e.State == "waiting" || e.State == "error" {
		s.long = time.Time{}
	}
	s.state = e.State
}

func (s *seenSession) owe(k Kind) {
	if s.mayTell(k) && (s.owes < 0 || k.rank() >= s.owes.rank()) {
		s.owes = k
	}
}

// mayTell: nothing of this stage was told that says as much.
func (s *seenSession) mayTell(k Kind) bool {
	for _, told := range s.told {
		if told != Done || k == Done {
			return false
		}
	}
	return true
}

func (w *witness) look(friend string) {
	for _, s := range w.seen {
		if friend == "" || s.friend == friend {
			s.owes, s.told = -1, nil
		}
	}
}

// pass lets time go by as the center does.
func (w *witness) pass(t *rapid.T, d time.Duration) {
	end := w.now.Add(d)
	for at := w.Next(); !at.IsZero() && !at.After(end); at = w.Next() {
		if w.now = later(w.now, at); w.due(t) == 0 {
			t.Fatalf("nothing was due when Next said so")
		}
	}
	w.now = end
	if w.due(t) > 0 {
		t.Fatalf("something was due and Next did not say so")
	}
}

// due judges what is told now.
func (w *witness) due(t *rapid.T) int {
	held := map[sessionKey]Kind{}
	for key, s := range w.sessions {
		if s.held != nil {
			held[key] = s.held.Kind
		}
	}
	all := w.Due(w.now)
	if w.quiet && len(all) > 0 {
		t.Fatalf("told %v while it is quiet", all)
	}
	count, sessions := 0, 0
	for _, n := range all {
		count += n.Count
		if w.times = append(w.times, w.now); len(w.times) > perMinute && w.now.Sub(w.times[len(w.times)-1-perMinute]) < time.Minute {
			t.Fatalf("more than %d notices in a minute", perMinute)
		}
	}
	friends := map[string]bool{}
	for key, kind := range held {
		if w.sessions[key].held != nil {
			continue
		}
		sessions++
		s := w.seen[key]
		if !s.mayTell(kind) {
			t.Fatalf("%v: told of kind %d after %v in one stage", key, kind, s.told)
		}
		if kind == Waiting && s.state != "waiting" {
			t.Fatalf("%v: told of a question that is answered", key)
		}
		s.told = append(s.told, kind)
		if s.owes == kind {
			s.owes = -1
		}
		if at, ok := w.last[s.friend]; ok && w.now.Sub(at) < friendPause {
			t.Fatalf("two notices of %s in %v", s.friend, w.now.Sub(at))
		}
		friends[s.friend] = true
	}
	for f := range friends {
		w.last[f] = w.now
	}
	if count != sessions {
		t.Fatalf("%v count %d sessions, %d were told of", all, count, sessions)
	}
	own := map[string]bool{}
	for _, n := range all {
		if n.Friend != "" && own[n.Friend] {
			t.Fatalf("two notices of %s at once: %v", n.Friend, all)
		}
		own[n.Friend] = true
	}
	return len(all)
}
