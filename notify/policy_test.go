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
	do   string // "friend/session state [text]", "seen friend", "quiet on", "rules -done", or empty: only time passes
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
		p.Report(Event{Friend: friend, Agent: "claude", Session: session, State: state, Text: text}, p.now)
	}
	p.pass(p.now)
	if got := strings.Join(p.got, "; "); got != s.told {
		p.t.Errorf("%s %s: told %q, want %q", s.at, s.do, got, s.told)
	}
	p.got = nil
}

var policyTable = []struct {
	name  string
	steps []step
}{
	{"a long task", []step{
		{"0s", "mochi/1 working", ""},
		{"12m", "mochi/1 done All done!", "mochi done 12m0s All done!"},
		{"13m", "mochi/1 done", ""},
		{"14m", "mochi/1 idle", ""},
		{"20m", "", ""},
	}},
	{"a task of just ten seconds", []step{
		{"0s", "mochi/1 working", ""},
		{"5s", "mochi/1 working", ""},
		{"10s", "mochi/1 done", "mochi done 10s"},
	}},
	{"a short task", []step{
		{"0s", "mochi/1 working", ""},
		{"9.9s", "mochi/1 done", ""},
		{"1m", "", ""},
	}},
	{"short tasks too, if wanted", []step{
		{"0s", "rules any", ""},
		{"0s", "mochi/1 working", ""},
		{"1s", "mochi/1 done", "mochi done 1s"},
	}},
	{"nobody knows since when", []step{
		{"0s", "mochi/1 done", ""},
		{"0s", "rules any", ""},
		{"10s", "mochi/2 done", "mochi done"},
	}},
	{"a question, at once and once", []step{
		{"0s", "mochi/1 working", ""},
		{"1s", "mochi/1 waiting May I?", "mochi waiting 1s May I?"},
		{"7s", "mochi/1 waiting May I?", ""},
		{"8s", "mochi/1 error", ""},
		{"30s", "mochi/1 done", ""},
	}},
	{"a failure, at once and once", []step{
		{"0s", "mochi/1 error exit code 1", "mochi failed exit code 1"},
		{"9s", "mochi/1 error exit code 1", ""},
	}},
	{"a question outranks the end", []step{
		{"0s", "mochi/1 working", ""},
		{"20s", "mochi/1 done", "mochi done 20s"},
		{"40s", "mochi/1 waiting", "mochi waiting"},
	}},
	{"every answer begins a stage of the same task", []step{
		{"0s", "mochi/1 working", ""},
		{"20s", "mochi/1 waiting", "mochi waiting 20s"},
		{"30s", "mochi/1 working", ""},
		{"40s", "mochi/1 waiting", "mochi waiting 40s"},
		{"50s", "mochi/1 working", ""},
		{"55s", "mochi/1 done", "mochi done 55s"},
	}},
	{"a new prompt begins a task", []step{
		{"0s", "mochi/1 working", ""},
		{"20s", "mochi/1 done", "mochi done 20s"},
		{"30s", "mochi/1 working", ""},
		{"35s", "mochi/1 done", ""},
		{"50s", "mochi/1 working", ""},
		{"1m20s", "mochi/1 done", "mochi done 30s"},
	}},
	{"a task that was silent for long", []step{
		{"0s", "mochi/1 working", ""},
		{"15m", "mochi/1 idle", ""},
		{"20m", "mochi/1 working", ""},
		{"20m1s", "mochi/1 done", "mochi done"},
		{"21m", "mochi/1 idle", ""},
		{"22m", "mochi/1 working", ""},
		{"22m30s", "mochi/1 done", "mochi done 30s"},
	}},
	{"who looked knows, and hears of what comes then", []step{
		{"0s", "mochi/1 working", ""},
		{"1s", "mochi/1 waiting", "mochi waiting 1s"},
		{"2s", "seen mochi", ""},
		{"10s", "mochi/1 waiting", "mochi waiting 10s"},
		{"11s", "seen bori", ""},
		{"20s", "mochi/1 waiting", ""},
		{"21s", "seen ", ""},
		{"30s", "mochi/1 error", "mochi failed 30s"},
	}},
	{"one friend has a pause, and what it held back is folded", []step{
		{"0s", "mochi/1 waiting", "mochi waiting"},
		{"1s", "mochi/2 waiting", ""},
		{"2s", "mochi/3 waiting", ""},
		{"3s", "mochi/4 error", ""},
		{"3s", "bori/5 waiting", "bori waiting"},
		{"4.9s", "", ""},
		{"5s", "", "2×mochi waiting"},
		{"9.9s", "", ""},
		{"10s", "", "mochi failed"},
		{"1h", "", ""},
	}},
	{"a held question that was answered is not told", []step{
		{"0s", "mochi/1 waiting", "mochi waiting"},
		{"1s", "mochi/2 waiting", ""},
		{"2s", "mochi/2 working", ""},
		{"1m", "", ""},
	}},
	{"nor one whose session went", []step{
		{"0s", "mochi/1 waiting", "mochi waiting"},
		{"1s", "mochi/2 waiting", ""},
		{"2s", "mochi/2 idle", ""},
		{"1m", "", ""},
	}},
	{"nor one that was seen", []step{
		{"0s", "mochi/1 waiting", "mochi waiting"},
		{"1s", "mochi/2 waiting", ""},
		{"2s", "seen mochi", ""},
		{"1m", "", ""},
	}},
	{"nor one that nobody wants to be told any more", []step{
		{"0s", "mochi/1 waiting", "mochi waiting"},
		{"1s", "mochi/2 waiting", ""},
		{"2s", "rules -waiting", ""},
		{"1m", "", ""},
	}},
	{"a held end is told when its session went", []step{
		{"0s", "mochi/2 working", ""},
		{"20s", "mochi/1 waiting", "mochi waiting"},
		{"21s", "mochi/2 done", ""},
		{"22s", "mochi/2 idle", ""},
		{"25s", "", "mochi done 21s"},
	}},
	{"what was said last is what is told", []step{
		{"0s", "mochi/1 waiting", "mochi waiting"},
		{"1s", "mochi/2 waiting first", ""},
		{"2s", "mochi/2 waiting second", ""},
		{"3s", "mochi/2 waiting", ""},
		{"5s", "", "mochi waiting second"},
	}},
	{"a held failure stays when its turn ends", []step{
		{"0s", "mochi/2 working", ""},
		{"20s", "mochi/1 waiting", "mochi waiting"},
		{"21s", "mochi/2 error", ""},
		{"22s", "mochi/2 done", ""},
		{"25s", "", "mochi failed 21s"},
	}},
	{"six a minute, the rest in one", []step{
		{"0s", "a/a1 waiting", "a waiting"},
		{"1s", "b/b1 waiting", "b waiting"},
		{"2s", "c/c1 waiting", "c waiting"},
		{"3s", "d/d1 waiting", "d waiting"},
		{"4s", "e/e1 waiting", "e waiting"},
		{"5s", "f/f1 waiting", "f waiting"},
		{"6s", "g/g1 waiting", ""},
		{"7s", "h/h1 error", ""},
		{"8s", "i/i1 waiting", ""},
		{"9s", "j/j1 error", ""},
		{"59.9s", "", ""},
		{"1m", "", "2× waiting"},
		{"1m0.9s", "", ""},
		{"1m1s", "", "2× failed"},
	}},
	{"quiet: one summary, of what is still true or was missed", []step{
		{"0s", "a/a1 working", ""},
		{"0s", "b/b1 working", ""},
		{"10s", "quiet on", ""},
		{"20s", "a/a1 done", ""},
		{"30s", "b/b1 waiting", ""},
		{"40s", "c/c1 error", ""},
		{"50s", "d/d1 waiting", ""},
		{"55s", "d/d1 working", ""},
		{"1m20s", "a/a1 idle", ""},
		{"8h", "quiet off", "missed 3× waiting[1 1 1]"},
		{"9h", "quiet off", ""},
	}},
	{"quiet: a summary of one", []step{
		{"0s", "quiet on", ""},
		{"0s", "a/a1 waiting May I?", ""},
		{"1h", "quiet off", "missed a waiting May I?"},
	}},
	{"quiet: nothing was missed", []step{
		{"0s", "quiet on", ""},
		{"0s", "a/a1 waiting", ""},
		{"0s", "b/b1 waiting", ""},
		{"1m", "seen a", ""},
		{"2m", "b/b1 working", ""},
		{"1h", "quiet off", ""},
		{"2h", "a/a1 waiting", "a waiting"},
	}},
	{"quiet that ends too soon for a friend", []step{
		{"0s", "a/a1 waiting", "a waiting"},
		{"1s", "quiet on", ""},
		{"2s", "a/2 waiting", ""},
		{"2s", "b/b1 error", ""},
		{"3s", "quiet off", ""},
		{"4s", "c/c1 error", ""},
		{"5s", "", "missed 3× waiting[0 2 1]"},
	}},
	{"quiet again before the summary", []step{
		{"0s", "a/a1 waiting", "a waiting"},
		{"1s", "quiet on", ""},
		{"2s", "a/2 waiting", ""},
		{"3s", "quiet off", ""},
		{"4s", "quiet on", ""},
		{"10s", "b/b1 waiting", ""},
		{"1h", "quiet off", "missed 2× waiting[0 0 2]"},
	}},
	{"a session that got another friend", []step{
		{"0s", "a/1 working", ""},
		{"20s", "b/1 done", "b done 20s"},
		{"30s", "seen b", ""},
		{"40s", "b/1 error", "b failed"},
	}},
	{"an agent without sessions has one with each friend", []step{
		{"0s", "a/ waiting", "a waiting"},
		{"1s", "b/ waiting", "b waiting"},
		{"2s", "a/ waiting", ""},
	}},
	{"what is off is never told", []step{
		{"0s", "rules -done", ""},
		{"0s", "a/1 working", ""},
		{"1m", "a/1 done", ""},
		{"2m", "rules -failed", ""},
		{"2m", "b/1 error", ""},
		{"3m", "rules -waiting", ""},
		{"3m", "c/1 waiting", ""},
		{"4m", "rules ", ""},
		{"5m", "", ""},
	}},
	{"no state that we know", []step{
		{"0s", "a/1 waiting", "a waiting"},
		{"1s", "a/2 waiting", ""},
		{"2s", "a/2 ", ""},
		{"2s", "a/2 dancing", ""},
		{"5s", "", "a waiting"},
	}},
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
		{Event{"a", "claude", "2", "web", "waiting", "Me too"}, Notice{Friend: "a", Agent: "claude", Project: "web"}},
		{Event{"b", "codex", "2", "web", "waiting", ""}, Notice{Project: "web"}},
		{Event{"b", "claude", "2", "api", "waiting", ""}, Notice{Agent: "claude"}},
	} {
		p := NewPolicy(allRules)
		p.Quiet(true)
		p.Report(Event{"a", "claude", "1", "web", "working", ""}, begin)
		p.Report(Event{"a", "claude", "1", "web", "waiting", "Me"}, begin.Add(time.Second))
		p.Report(test.other, begin)
		p.Quiet(false)
		test.want.Kind, test.want.Count, test.want.Missed = Waiting, 2, true
		test.want.Kinds = [kinds]int{Waiting: 2}
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
