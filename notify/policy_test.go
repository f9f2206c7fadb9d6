package notify

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var begin = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

var allRules = Rules{Done: true, Failed: true, Waiting: true, MinTask: 10 * time.Second}

// step is something that happens, and what is told right then. Between steps the
// test wakes the policy whenever it wants to be woken.
type step struct {
	at   string // since the beginning, "1m5s"
	do   string // "friend/session state [text]" or "prompt" for a state, "seen friend", "quiet on", "rules -done", or empty: only time passes
	told string // notices since the last step, by spell; "; " between
}

// spell writes a notice for the tables.
func spell(n Notice) string {
	kind := [...]string{"done", "failed", "waiting"}[n.Kind]
	s := n.Friend + " " + kind
	if n.Count > 1 {
		s = fmt.Sprintf("%d×%s", n.Count, s)
	}
	if n.Missed {
		s = "missed " + s
		if n.Count > 1 {
			s += fmt.Sprint(n.Kinds)
		}
	}
	if n.Took > 0 {
		s += " " + n.Took.String()
	}
	if n.Text != "" {
		s += " " + n.Text
	}
	return s
}

// player plays steps to a policy.
type player struct {
	*Policy
	t   testing.TB
	now time.Time
	got []string
}

// pass lets time go by as the center does: it asks when Next says so.
func (p *player) pass(to time.Time) {
	for at := p.Next(); !at.IsZero() && !at.After(to); at = p.Next() {
		p.now = later(p.now, at)
		due := p.Due(p.now)
		if len(due) == 0 {
			p.t.Fatalf("nothing was due at %v, though Next said so", p.now.Sub(begin))
		}
		for _, n := range due {
			p.got = append(p.got, spell(n))
		}
	}
	p.now = later(p.now, to)
	if due := p.Due(p.now); len(due) > 0 {
		p.t.Fatalf("%v was due at %v, and Next did not say so", due, p.now.Sub(begin))
	}
}

func (p *player) play(s step) {
	at, err := time.ParseDuration(s.at)
	if err != nil {
		p.t.Fatal(err)
	}
	p.pass(begin.Add(at))
	what, arg, _ := strings.Cut(s.do, " ")
	switch what {
	case "":
	case "seen":
		p.Seen(arg)
	case "quiet":
		p.Quiet(arg == "on")
	case "rules":
		r := allRules
		switch arg {
		case "-done":
			r.Done = false
		case "-failed":
			r.Failed = false
		case "-waiting":
			r.Waiting = false
		case "any":
			r.MinTask = 0
		}
		p.SetRules(r)
	default:
		friend, session, _ := strings.Cut(what, "/")
		state, text, _ := strings.Cut(arg, " ")
		e := Event{Friend: friend, Agent: "claude", Session: session, State: state, Text: text}
		if state == "prompt" {
			e.State, e.Begins = "working", true
		}
		p.Report(e, p.now)
	}
	p.pass(p.now)
	if got := strings.Join(p.got, "; "); got != s.told {
		p.t.Errorf("%s %s: told %q, want %q", s.at, s.do, got, s.told)
	}
	p.got = nil
}

func TestPolicy(t *testing.T) {
	for _, test := range policyTable {
		t.Run(test.name, func(t *testing.T) {
			p := &player{Policy: NewPolicy(allRules), t: t, now: begin}
			for _, s := range test.steps {
				p.play(s)
			}
		})
	}
}

// What several have in common is said, and nothing else.
func TestFold(t *testing.T) {
	for _, test := range []struct {
		other Event
		want  Notice
	}{
		{Event{"a", "claude", "2", "web", "waiting", "Me too", false}, Notice{Friend: "a", Agent: "claude", Project: "web"}},
		{Event{"b", "codex", "2", "web", "waiting", "", false}, Notice{Project: "web"}},
		{Event{"b", "claude", "2", "api", "waiting", "", false}, Notice{Agent: "claude"}},
	} {
		p := NewPolicy(allRules)
		p.Quiet(true)
		p.Report(Event{"a", "claude", "1", "web", "working", "", false}, begin)
		p.Report(Event{"a", "claude", "1", "web", "waiting", "Me", false}, begin.Add(time.Second))
		p.Report(test.other, begin)
		p.Quiet(false)
		test.want.Kind, test.want.Count, test.want.Missed = Waiting, 2, true
		test.want.Kinds = [kinds]int{Waiting: 2}
		test.want.key = "1"
		if got := p.Due(begin.Add(time.Minute)); !reflect.DeepEqual(got, []Notice{test.want}) {
			t.Errorf("with %v: told %+v, want %+v", test.other, got, test.want)
		}
	}
}

// A flood of sessions costs no more than maxSessions, and those who have
// something to tell stay.
func TestMemory(t *testing.T) {
	p := NewPolicy(allRules)
	p.Quiet(true)
	for i := range 100 {
		p.Report(Event{Friend: "mochi", Agent: "run", Session: fmt.Sprint("failed", i), State: "error"}, begin)
	}
	for i := range 3 * maxSessions {
		now := begin.Add(time.Duration(i) * time.Second)
		p.Report(Event{Friend: fmt.Sprint("friend", i), Agent: "run", Session: fmt.Sprint(i), State: "working"}, now)
	}
	if len(p.sessions) != maxSessions {
		t.Errorf("%d sessions are remembered", len(p.sessions))
	}
	p.Quiet(false)
	if got := p.Due(begin.Add(time.Hour)); len(got) != 1 || got[0].Count != 100 {
		t.Errorf("told %v", got)
	}
	newest := sessionKey{agent: "run", session: fmt.Sprint(3*maxSessions - 1)}
	if p.sessions[newest] == nil {
		t.Error("the newest session is forgotten")
	}
	for i := range 3 * maxSessions { // and friends are remembered no longer than needed
		now := begin.Add(2*time.Hour + time.Duration(i)*10*time.Second)
		p.Report(Event{Friend: fmt.Sprint("friend", i), Agent: "run", Session: "x", State: "working"}, now)
		p.Report(Event{Friend: fmt.Sprint("friend", i), Agent: "run", Session: "x", State: "error"}, now)
		p.Due(now)
	}
	if len(p.told) > perMinute {
		t.Errorf("%d friends are remembered", len(p.told))
	}
}

func TestEveryKindHasARule(t *testing.T) {
	one := []Rules{Done: {Done: true}, Failed: {Failed: true}, Waiting: {Waiting: true}}
	for k := range kinds {
		for r := range kinds {
			if got := one[r].allow(k); got != (k == r) {
				t.Errorf("rule %d allows kind %d: %v", r, k, got)
			}
		}
	}
	if !slices.IsSortedFunc([]Kind{Done, Failed, Waiting}, func(a, b Kind) int { return a.rank() - b.rank() }) {
		t.Error("ranks are out of order")
	}
}

// TestMissedIsOver: what comes after all that was missed is told as itself, also when
// nobody asked for what is due in between.
func TestMissedIsOver(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	p := NewPolicy(Rules{Waiting: true})
	says := func(state string) {
		now = now.Add(10 * time.Second)
		p.Report(Event{Friend: "a", Agent: "x", Session: "1", State: state}, now)
	}
	p.Quiet(true)
	says("waiting")
	says("working") // answered
	p.Quiet(false)
	says("waiting")
	if due := p.Due(now); len(due) != 1 || due[0].Missed {
		t.Errorf("told %+v", due)
	}
}

// TestOver: a notice is over when all the questions that it told of are answered, and
// what told of something else besides is never.
func TestOver(t *testing.T) {
	now := begin
	p := NewPolicy(allRules)
	says := func(session, state string) {
		p.Report(Event{Friend: "a", Agent: "x", Session: session, State: state}, now)
	}
	told := func() string {
		t.Helper()
		now = now.Add(time.Minute)
		due := p.Due(now)
		if len(due) != 1 {
			t.Fatalf("told %v", due)
		}
		return due[0].key
	}
	over := func(want ...string) {
		t.Helper()
		if got := p.Over(); !slices.Equal(got, want) {
			t.Errorf("over: %q, want %q", got, want)
		}
	}
	says("1", "waiting")
	first := told()
	says("2", "waiting")
	second := told()
	if first == second {
		t.Errorf("two questions have one key %q", first)
	}
	over()
	says("2", "working")
	over(second)
	says("2", "waiting")
	if again := told(); again != second {
		t.Errorf("the same session's key is %q, was %q", again, second)
	}
	p.Seen("a")
	says("1", "done")
	says("2", "idle")
	over(first, second)
	says("1", "idle")
	over()

	says("1", "waiting")
	says("2", "waiting")
	both := told()
	says("1", "working")
	over()
	says("2", "error")
	over(both)

	p.Quiet(true)
	says("3", "waiting")
	says("4", "error")
	p.Quiet(false)
	told()
	says("3", "working")
	over()
}

// TestFailed: what nobody was shown is told once more, if it still is news.
func TestFailed(t *testing.T) {
	for _, test := range []struct {
		name string
		then func(*Policy) // at once
		want string
	}{
		{"nothing happens", func(*Policy) {}, "a waiting May I?"},
		{"answered", func(p *Policy) { p.Report(Event{Friend: "a", Session: "1", State: "working"}, begin) }, ""},
		{"seen", func(p *Policy) { p.Seen("a") }, ""},
		{"quiet", func(p *Policy) { p.Quiet(true); p.Quiet(false) }, "missed a waiting May I?"},
		{"unwanted", func(p *Policy) { p.SetRules(Rules{}) }, ""},
		{"asked again", func(p *Policy) { p.Report(Event{Friend: "a", Session: "1", State: "waiting", Text: "Now?"}, begin) }, "a waiting Now?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := NewPolicy(allRules)
			p.Report(Event{Friend: "a", Session: "1", State: "waiting", Text: "May I?"}, begin)
			p.Failed(p.Due(begin)[0], begin)
			test.then(p)
			if due := p.Due(begin.Add(retryPause - 1)); len(due) > 0 {
				t.Fatalf("told at once: %v", due)
			}
			at := begin.Add(retryPause)
			if next := p.Next(); test.want != "" && !next.Equal(at) {
				t.Errorf("next %v", next)
			}
			got := ""
			for _, n := range p.Due(at) {
				got += spell(n)
				p.Failed(n, at)
			}
			if got != test.want {
				t.Errorf("told %q, want %q", got, test.want)
			}
			if next := p.Next(); !next.IsZero() {
				t.Errorf("a third time: %v", next)
			}
		})
	}
}
