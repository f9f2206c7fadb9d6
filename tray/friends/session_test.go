package friends

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// step is one report, wait seconds after the one before.
type step struct {
	wait    time.Duration
	session string
	state   agents.State
	message string
}

// TestTurns walks through what agents send: the friend's state at the end, at
// once and a while later.
func TestTurns(t *testing.T) {
	const ms = time.Millisecond
	prompt := step{0, "s", agents.Working, "@thinking"}
	tool := step{time.Second, "s", agents.Working, "@tool Bash"}
	toolEnd := step{time.Second, "s", agents.Working, "@thinking"}
	done := step{time.Second, "s", agents.Done, "@done"}
	end := func(wait time.Duration) step { return step{wait, "s", agents.Idle, ""} }
	late := func(wait time.Duration, state agents.State, message string) step {
		return step{wait, "s", state, message}
	}
	for _, tt := range []struct {
		name  string
		steps []step
		now   agents.State
		wait  time.Duration
		then  agents.State
	}{
		{"a turn", []step{prompt, tool, toolEnd, done}, agents.Done, time.Minute, agents.Idle},
		{"a long silent build", []step{prompt, tool}, agents.Working, 14 * time.Minute, agents.Working},
		{"an interrupted turn", []step{prompt, tool}, agents.Working, 15 * time.Minute, agents.Idle},
		{"a question", []step{prompt, tool, late(0, agents.Waiting, "@confirm")}, agents.Waiting, 23 * time.Hour, agents.Waiting},
		{"a forgotten question", []step{prompt, late(0, agents.Waiting, "@confirm")}, agents.Waiting, 24 * time.Hour, agents.Idle},
		{"an approved question", []step{prompt, tool, late(0, agents.Waiting, "@confirm"), toolEnd}, agents.Working, 0, agents.Working},
		{"a failed turn", []step{prompt, late(0, agents.Error, "")}, agents.Error, 59 * time.Minute, agents.Error},
		{"a failed turn, an hour ago", []step{prompt, late(0, agents.Error, "")}, agents.Error, time.Hour, agents.Idle},

		// The end of the session.
		{"a closed session", []step{prompt, tool, end(time.Second)}, agents.Idle, 0, agents.Idle},
		{"a headless run", []step{prompt, tool, toolEnd, done, end(200 * ms)}, agents.Done, 4 * time.Second, agents.Done},
		{"a headless run, looked at late", []step{prompt, toolEnd, done, end(200 * ms)}, agents.Done, 5 * time.Second, agents.Idle},
		{"an end told three times", []step{prompt, done, end(200 * ms), end(0), end(0)}, agents.Done, 5 * time.Second, agents.Idle},
		{"a session closed after its last turn", []step{prompt, done, end(30 * time.Second)}, agents.Idle, 0, agents.Idle},
		{"an end that nobody knew the beginning of", []step{end(0)}, agents.Idle, time.Hour, agents.Idle},
		{"a tool's end after the session's", []step{prompt, tool, end(ms), late(ms, agents.Working, "@thinking")}, agents.Idle, 0, agents.Idle},

		// Late events of a turn that is over.
		{"the tool's end comes late", []step{prompt, tool, done, late(300*ms, agents.Working, "@thinking")}, agents.Done, time.Minute, agents.Idle},
		{"the tool's beginning comes late", []step{prompt, tool, toolEnd, done, late(300*ms, agents.Working, "@tool Bash")}, agents.Done, time.Minute, agents.Idle},
		{"an edit is told late", []step{prompt, done, late(ms, agents.Working, "@editing")}, agents.Done, time.Minute, agents.Idle},
		{"a reminder", []step{prompt, done, late(200*ms, agents.Waiting, "Claude is waiting")}, agents.Done, time.Minute, agents.Idle},
		{"a late tool after a failure", []step{prompt, tool, late(0, agents.Error, ""), toolEnd}, agents.Error, 0, agents.Error},
		{"several of them", []step{prompt, tool, tool, done, late(ms, agents.Working, "@thinking"), late(ms, agents.Working, "@tool Read"), late(ms, agents.Waiting, "")},
			agents.Done, time.Minute, agents.Idle},
		{"a late end of a parallel tool looks like a prompt, and does not last",
			[]step{prompt, tool, tool, toolEnd, done, late(ms, agents.Working, "@thinking")}, agents.Working, 20 * time.Second, agents.Idle},
		{"nor do two of them",
			[]step{prompt, tool, tool, toolEnd, done, late(ms, agents.Working, "@thinking"), late(ms, agents.Working, "@thinking")}, agents.Working, 20 * time.Second, agents.Idle},

		// The next turn.
		{"the next prompt, at once", []step{prompt, toolEnd, done, late(ms, agents.Working, "@thinking")}, agents.Working, 19 * time.Second, agents.Working},
		{"the next prompt, at once, then work", []step{prompt, toolEnd, done, late(ms, agents.Working, "@thinking"), late(2*time.Second, agents.Working, "@tool Bash")},
			agents.Working, 14 * time.Minute, agents.Working},
		{"the next prompt, soon", []step{prompt, tool, done, late(1500*ms, agents.Working, "@thinking")}, agents.Working, 14 * time.Minute, agents.Working},
		{"a queued prompt begins with its tool", []step{prompt, tool, toolEnd, done, late(1500*ms, agents.Working, "@tool Bash")}, agents.Working, 14 * time.Minute, agents.Working},
		{"the next turn is over at once", []step{prompt, done, late(ms, agents.Working, "@thinking"), late(ms, agents.Done, "@done")}, agents.Done, 59 * time.Second, agents.Done},
		{"the next question, soon", []step{prompt, done, late(1500*ms, agents.Waiting, "@confirm")}, agents.Waiting, time.Hour, agents.Waiting},
		{"words of its own are no late event", []step{prompt, done, late(ms, agents.Working, "Deploying")}, agents.Working, 14 * time.Minute, agents.Working},
		{"a resumed session", []step{prompt, tool, toolEnd, done, end(200 * ms), late(ms, agents.Working, "@thinking")}, agents.Working, 19 * time.Second, agents.Working},

		// Scripts, without a session: they mean what they say, at once.
		{"a script that is done and goes on", []step{{0, "", agents.Done, ""}, {0, "", agents.Working, "@tool x"}}, agents.Working, 14 * time.Minute, agents.Working},
		{"a script that is done and ends", []step{{0, "", agents.Done, "Deployed"}, {ms, "", agents.Idle, ""}}, agents.Idle, 0, agents.Idle},
		{"a script that waits after done", []step{{0, "", agents.Done, ""}, {ms, "", agents.Waiting, "Look"}}, agents.Waiting, time.Hour, agents.Waiting},
		{"run after run", []step{{0, "r", agents.Done, "@done"}, {ms, "r", agents.Working, "@running make"}}, agents.Working, 14 * time.Minute, agents.Working},

		// Two sessions.
		{"the most urgent shows", []step{prompt, {0, "t", agents.Waiting, ""}, tool}, agents.Waiting, 0, agents.Waiting},
		{"an error outlasts the other's work", []step{{0, "t", agents.Error, ""}, prompt}, agents.Error, time.Hour, agents.Idle},
		{"work shows over done", []step{prompt, {0, "t", agents.Done, ""}}, agents.Working, 14 * time.Minute, agents.Working},
		{"done shows when the work ends", []step{prompt, {0, "t", agents.Done, ""}, end(0)}, agents.Done, time.Minute, agents.Idle},
		{"done in one does not make the other late", []step{{0, "t", agents.Done, ""}, tool}, agents.Working, 14 * time.Minute, agents.Working},
		{"a question is the other session's", []step{{0, "t", agents.Waiting, ""}, prompt, done, end(0)}, agents.Waiting, 23 * time.Hour, agents.Waiting},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, Options{})
			for _, s := range tt.steps {
				h.after(s.wait).hears(s.session, s.state, s.message)
			}
			h.wantState("mochi", tt.now)
			h.after(tt.wait).wantState("mochi", tt.then)
			h.wantState("bori", agents.Idle)
			h.after(48*time.Hour).wantState("mochi", agents.Idle)
			if n := len(h.sessions); n != 0 {
				t.Errorf("%d sessions are left after two days", n)
			}
		})
	}
}

// A question stays open while others of the session work, whoever asked it.
func TestWhoAsked(t *testing.T) {
	type said struct {
		part    string
		state   agents.State
		message string
	}
	asks := func(part string) said { return said{part, agents.Waiting, "@confirm"} }
	uses := func(part string) said { return said{part, agents.Working, "@tool Bash"} }
	goesOn := func(part string) said { return said{part, agents.Working, "@thinking"} }
	reminder, done := said{"", agents.Waiting, "Claude needs you"}, said{"main", agents.Done, "@done"}
	const waits, works = agents.Waiting, agents.Working
	for name, tt := range map[string]struct {
		said []said
		want agents.State
	}{
		"the agent asks and a subagent works":          {[]said{asks("main"), uses("a"), goesOn("a"), {"a", works, "@subtask"}}, waits},
		"the agent asked":                              {[]said{asks("main"), uses("a"), goesOn("main")}, works},
		"a subagent asks and the agent works":          {[]said{asks("a"), goesOn("main"), uses("main"), {"main", works, "@subtask"}}, waits},
		"a subagent asks and another works":            {[]said{asks("a"), uses("b"), goesOn("b")}, waits},
		"a subagent asked":                             {[]said{asks("a"), uses("main"), goesOn("a")}, works},
		"two ask, one has an answer":                   {[]said{asks("a"), asks("b"), goesOn("a"), goesOn("main")}, waits},
		"two asked":                                    {[]said{asks("a"), asks("b"), goesOn("b"), goesOn("a")}, works},
		"asked twice":                                  {[]said{asks("a"), asks("a"), goesOn("a")}, works},
		"a reminder is no other question":              {[]said{asks("a"), reminder, goesOn("a")}, works},
		"reminded, and another works":                  {[]said{asks("a"), reminder, goesOn("b")}, waits},
		"nobody knows who asks":                        {[]said{reminder, goesOn("a")}, works},
		"the next prompt":                              {[]said{asks("a"), asks("main"), goesOn("")}, works},
		"the end of the turn":                          {[]said{asks("a"), done}, agents.Done},
		"the turn after one that ended with questions": {[]said{asks("a"), done, goesOn(""), uses("main")}, works},
		"the session's end":                            {[]said{asks("a"), asks("main"), {"main", agents.Idle, ""}}, agents.Idle},
		"who does not tell":                            {[]said{asks(""), goesOn("")}, works},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, Options{})
			for _, s := range tt.said {
				h.after(2 * time.Second)
				h.report(agents.Report{Agent: "claude", Session: "s", Part: s.part, State: s.state, Message: s.message})
			}
			h.wantState("mochi", tt.want)
			if n := len(h.Status()[0].Sessions); n > 1 {
				t.Errorf("%d sessions", n)
			}
		})
	}
}

// TestBegins: what the person asks for is told, whatever the session did before, and
// whoever speaks for its friend.
func TestBegins(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	says := func(session string, state agents.State, message string, begins bool) {
		h.report(agents.Report{Agent: "claude", Session: session, State: state, Message: message, Begins: begins})
	}
	begun := func() (all []string) {
		for _, c := range h.heard() {
			if c.Begins {
				all = append(all, c.Session)
			}
		}
		return all
	}
	says("a", agents.Working, "@thinking", true)
	says("a", agents.Working, "@thinking", true) // interrupted at once
	says("a", agents.Working, "@tool Bash", false)
	says("a", agents.Done, "", false)
	says("a", agents.Working, "@thinking", true) // no late end of the tool
	h.wantState("mochi", agents.Working)
	says("b", agents.Waiting, "may I?", false)
	says("a", agents.Working, "@thinking", true)
	if got := begun(); fmt.Sprint(got) != "[a a a a]" {
		t.Errorf("begun: %q", got)
	}
	says("a", agents.Working, "@tool Bash", false)
	says("a", agents.Working, "@thinking", false)
	if got := begun(); got != nil {
		t.Errorf("the end of a tool begins %q", got)
	}
}

// Who makes up ever new parts is bounded, and the turn's end ends all.
func TestTooManyAsk(t *testing.T) {
	h := newHouse(t, Options{})
	for i := range 3 * maxAsking {
		h.report(agents.Report{Session: "s", Part: strings.Repeat("x", i+1), State: agents.Waiting})
	}
	for _, se := range h.sessions {
		if len(se.asking) != maxAsking {
			t.Errorf("%d parts are kept", len(se.asking))
		}
	}
	h.report(agents.Report{Session: "s", State: agents.Working})
	h.wantState("mochi", agents.Working)
}

func TestLifetimes(t *testing.T) {
	set := Lifetimes{Working: time.Second, Waiting: 2 * time.Second, Error: 3 * time.Second, Done: 4 * time.Second}
	for _, tt := range []struct {
		state       agents.State
		byDefault   time.Duration
		whenItIsSet time.Duration
	}{
		{agents.Working, 15 * time.Minute, time.Second},
		{agents.Waiting, 24 * time.Hour, 2 * time.Second},
		{agents.Error, time.Hour, 3 * time.Second},
		{agents.Done, time.Minute, 4 * time.Second},
	} {
		for _, c := range []struct {
			lifetimes Lifetimes
			want      time.Duration
		}{{Lifetimes{}, tt.byDefault}, {Lifetimes{-1, -1, -1, -1}, tt.byDefault}, {set, tt.whenItIsSet}} {
			h := newHouse(t, Options{Lifetimes: c.lifetimes})
			h.hears("s", tt.state, "x")
			h.after(c.want-1).wantState("mochi", tt.state)
			h.hears("s", tt.state, "x") // renewed
			h.after(c.want-1).wantState("mochi", tt.state)
			h.heard()
			h.after(1).wantState("mochi", agents.Idle)
			if got := h.heard(); len(got) != 1 || got[0].State != agents.Idle || got[0].Previous != tt.state || got[0].Sentence != "" {
				t.Errorf("%s ran out with changes %+v", tt.state, got)
			}
		}
	}
}

func TestSessionsWithoutAnID(t *testing.T) {
	h := newHouse(t, Options{})
	for _, r := range []agents.Report{
		{Pet: "mochi", State: agents.Working},
		{Pet: "mochi", State: agents.Waiting},                  // the same one
		{Pet: "bori", State: agents.Working},                   // another: it is another friend's
		{Pet: "mochi", State: agents.Working, Agent: "run"},    // another: somebody else's
		{Pet: "mochi", State: agents.Working, Session: "some"}, // another: it has a name
	} {
		h.report(r)
	}
	status := h.Status()
	if len(status[0].Sessions) != 3 || len(status[1].Sessions) != 1 {
		t.Errorf("sessions: %+v and %+v", status[0].Sessions, status[1].Sessions)
	}
	h.wantState("mochi", agents.Waiting)
	h.wantState("bori", agents.Working)
}

func TestTooManySessions(t *testing.T) {
	h := newHouse(t, Options{})
	h.hears("waits", agents.Waiting, "")
	h.hears("old", agents.Working, "")
	for i := range 3 * maxSessions {
		h.hears(strings.Repeat("x", i+1), agents.Working, "")
	}
	if n := len(h.Status()[0].Sessions); n != maxSessions {
		t.Errorf("%d sessions are kept", n)
	}
	h.wantState("mochi", agents.Waiting)
	for i, se := range h.Status()[0].Sessions[:maxSessions-1] {
		if want := 3*maxSessions - i; len(se.Session) != want {
			t.Fatalf("the %dth session is number %d, want %d", i, len(se.Session), want)
		}
	}
}
