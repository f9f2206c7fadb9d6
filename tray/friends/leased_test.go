package friends

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/playpets/playpets/agents"
)

// plays acts out a line of words: "claude Stop" is a recorded payload of its hooks,
// "claude/b Stop" one of another window's, "claude/farm" that of another project's, "mcp waiting" what its model says with
// its lease, "mcp/b" that of the other window, "+2s" goes by, "=done" is what Mochi
// must show then, "#1" how many runs it must be at work for. A second lies between
// two events.
func (h *house) plays(acts string) {
	h.t.Helper()
	for _, act := range strings.Split(acts, ", ") {
		who, what, _ := strings.Cut(act, " ")
		who, window, _ := strings.Cut(who, "/")
		switch {
		case act[0] == '+':
			d, err := time.ParseDuration(act[1:])
			if err != nil {
				h.t.Fatal(err)
			}
			h.after(d)
		case act[0] == '=':
			if got := h.state("mochi"); got != agents.State(act[1:]) {
				h.t.Errorf("%s: it shows %s", act, got)
			}
		case act[0] == '#':
			if got := h.atWork(h.friends[0]); string(rune('0'+got)) != act[1:] {
				h.t.Errorf("%s: it is at work for %d", act, got)
			}
		case who == "mcp":
			h.after(time.Second).report(agents.Report{
				Agent: "claude", Project: "shop", Session: "lease" + window, Lease: "lease" + window, State: agents.State(what), Message: "I say so",
			})
		case who == "end":
			h.EndSession("claude", "lease"+window)
		default:
			r, ok := recorded(h.t, who, what)
			if r.Session, r.Project = who+window, "shop"; window == "farm" {
				r.Project = window
			}
			if h.after(time.Second); ok {
				h.report(r)
			}
		}
	}
}

// recorded is what an agent's hook makes of a payload that was recorded.
func recorded(t testing.TB, agent, event string) (agents.Report, bool) {
	t.Helper()
	payload, err := os.ReadFile(filepath.Join("..", "..", "agents", "testdata", "payloads", agent, event+".json"))
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := agents.KindNamed(agent)
	r := kind.Reader()
	r.Feed(payload)
	return r.Report()
}

// Whatever a model says over MCP, and forgets, a friend tells what is so: Claude
// Code's and Codex's hooks as they were recorded around it.
func TestWhatModelsForget(t *testing.T) {
	const (
		prompt  = "claude UserPromptSubmit"
		calls   = "claude PreToolUse.mcp"
		called  = "claude PostToolUse.mcp"
		uses    = "claude PreToolUse"
		used    = "claude PostToolUse"
		stop    = "claude Stop"
		failed  = "claude StopFailure"
		asks    = "claude PermissionRequest"
		exit    = "claude SessionEnd"
		askTool = "claude PreToolUse.ask"
	)
	for name, acts := range map[string][]string{
		"work that nobody ends":               {prompt, calls, "mcp working", called, uses, used, "=working", "#1", stop, "=done", "#0", "+60s", "=idle"},
		"work, and the turn fails":            {prompt, calls, "mcp working", called, failed, "=error", "#1"},
		"work, and the person interrupts":     {prompt, calls, "mcp working", called, "codex Interrupt", "=working", exit, "=idle"},
		"a question that ends the turn":       {prompt, calls, "mcp waiting", called, "=waiting", stop, "=waiting", "#1", "+10h", "=waiting", prompt, "=working", "#1", stop, "=done"},
		"a question with a permission":        {prompt, calls, asks, "mcp waiting", called, "=waiting", stop, "=waiting", "+1s", prompt, "=working"},
		"a question, then the agent's own":    {prompt, calls, "mcp waiting", called, askTool, "=waiting", used, "=working", stop, "=done"},
		"a question, and work goes on":        {prompt, calls, "mcp waiting", called, uses, used, "=waiting", stop, "=waiting"},
		"a question that the model ends":      {prompt, calls, "mcp waiting", called, calls, "mcp working", called, "=working", stop, "=done"},
		"a question after which it is closed": {prompt, calls, "mcp waiting", called, stop, "+5m", exit, "=idle"},
		"a question, interrupted, again":      {prompt, calls, "mcp waiting", stop, "+1s", prompt, "=working", calls, "mcp waiting", called, "=waiting", stop, "=waiting"},
		"a failure":                           {prompt, calls, "mcp error", called, "=error", stop, "=error", "+30m", "=error", prompt, "=working", stop, "=done"},
		"done too early":                      {prompt, calls, "mcp done", called, "=working", uses, used, "=working", stop, "=done", "+60s", "=idle"},
		"done, and the next turn":             {prompt, calls, "mcp done", called, stop, "=done", "+3s", prompt, "=working", exit, "=idle"},
		"idle too early":                      {prompt, calls, "mcp idle", called, "=working", stop, "=done"},
		"a late end of a tool is no turn":     {prompt, calls, "mcp waiting", called, uses, uses, used, stop, "=waiting", used, "=waiting"},
		"a question, and it is closed":        {prompt, calls, "mcp waiting", called, exit, "=idle"},
		"asked again, and no prompt is heard": {prompt, calls, "mcp waiting", called, stop, "+2s", "mcp waiting", stop, "=waiting"},
		"what a model says is never late":     {"mcp done", "mcp waiting", "=waiting"},
		"a background task goes on":           {prompt, calls, "mcp waiting", called, "claude Stop.background_running", "=waiting", "claude UserPromptSubmit.task_notification", "=waiting", stop, "=waiting", "+1s", prompt, "=working"},
		"a subagent's end is no turn's":       {prompt, calls, "mcp working", called, stop + ".subagent", "claude SubagentStop.subagent", "=working", "#1", stop, "=done"},

		// Several windows in one folder.
		"two windows, one asks":             {prompt, "claude/b UserPromptSubmit", calls, "mcp waiting", called, "#2", stop, "claude/b PreToolUse", "claude/b Stop", "=waiting", "claude/b UserPromptSubmit", "=waiting", "+2h", prompt, "=working"},
		"two windows, both work":            {prompt, "claude/b UserPromptSubmit", "claude/b PreToolUse.mcp", "mcp/b working", "claude/b PostToolUse.mcp", calls, "mcp working", called, "#2", stop, "=working", "#1", "claude/b Stop", "=done"},
		"another window works between":      {prompt, "claude/b UserPromptSubmit", calls, "mcp waiting", called, "claude/b PreToolUse", "mcp waiting", stop, "claude/b Stop", "+2s", "claude/b UserPromptSubmit", "=waiting"},
		"an agent started its server twice": {prompt, "end/b", calls, "mcp working", called, "#1", "end/b", "=working", stop, "=done"},

		"another project":          {prompt, "claude/farm UserPromptSubmit", "mcp waiting", "claude/farm Stop", "+2s", "claude/farm UserPromptSubmit", "=waiting"},
		"another window's failure": {"claude/b UserPromptSubmit", "claude/b StopFailure", "mcp working", "=error"},

		// Agents whose hooks tell less, or nothing.
		"no hooks":                      {"mcp working", "=working", "#1", "+14m", "=working", "+1m", "=idle", "mcp waiting", "+23h", "=waiting", "end", "=idle"},
		"hooks that are connected late": {"mcp working", "#1", used, "=working", "#1", stop, "=done"},
		"other agents' hooks":           {"mcp waiting", "codex UserPromptSubmit", "#2", "codex Stop", "+2s", "codex UserPromptSubmit", "codex Stop", "=waiting"},

		// The lease's end.
		"killed at work":            {"mcp working", "end", "=idle"},
		"killed while it asks":      {prompt, calls, "mcp waiting", called, stop, "end", "=done"},
		"a run that is done, ended": {"mcp done", "end", "=done", "+3s", "=done", "+2s", "=idle"},
		"done long ago, ended":      {"mcp done", "+10s", "end", "+1ns", "=idle"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, Options{Translate: english})
			h.plays(strings.Join(acts, ", "))
			h.after(48*time.Hour).wantState("mochi", agents.Idle)
			if n := len(h.sessions); n != 0 {
				t.Errorf("%d sessions are left after two days", n)
			}
		})
	}
}

// Codex that only tells the ends of turns, in notices.
func TestWhatModelsForgetByNotices(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	turn := func() {
		r, ok := recorded(t, "codex", "notify")
		if r.Project = "shop"; !ok {
			t.Fatal("the notice tells nothing")
		}
		h.after(time.Minute).report(r)
	}
	says := func(state agents.State) {
		h.after(time.Minute).report(agents.Report{Agent: "codex", Project: "shop", Session: "l", Lease: "l", State: state})
	}
	says(agents.Working)
	turn()
	h.wantState("mochi", agents.Done)
	says(agents.Waiting)
	turn()
	h.wantState("mochi", agents.Waiting)
	h.after(time.Hour).wantState("mochi", agents.Waiting)
	turn() // so there was an answer
	h.wantState("mochi", agents.Done)
}

// The end of one turn is told once.
func TestToldOnce(t *testing.T) {
	for acts, want := range map[string]string{
		"claude UserPromptSubmit, mcp done, claude Stop":    "lease done told, claude done",
		"claude UserPromptSubmit, mcp waiting, claude Stop": "lease waiting, claude done told",
		"claude UserPromptSubmit, mcp error, claude Stop":   "lease error, claude done told",
		"mcp done": "lease done",
		"claude UserPromptSubmit, mcp working, claude Stop":          "claude done",
		"claude UserPromptSubmit, claude Stop, mcp/b waiting":        "claude done, leaseb waiting",
		"claude UserPromptSubmit, mcp waiting, claude/b StopFailure": "lease waiting, claudeb error",
	} {
		h := newHouse(t, Options{})
		h.plays(acts)
		var got []string
		for _, c := range h.heard() {
			if c.State == agents.Working || c.State == agents.Idle || c.Again {
				continue
			}
			what := c.Session + " " + string(c.State)
			if c.Told {
				what += " told"
			}
			got = append(got, what)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %s", acts, got, want)
		}
	}
}

// A run with a lease is one in GET /status: the more urgent of what it says.
func TestOneRun(t *testing.T) {
	h := newHouse(t, Options{})
	h.plays("claude UserPromptSubmit, mcp waiting, mcp/b working")
	got := h.Status()[0].Sessions
	if len(got) != 1 || got[0] != (agents.Session{Agent: "claude", Session: "lease", Project: "shop", State: agents.Waiting}) {
		t.Errorf("%+v", got)
	}
	h.plays("claude Stop, =waiting, #1, +2s, claude UserPromptSubmit, mcp working")
	if got = h.Status()[0].Sessions; len(got) != 1 || got[0].Session != "claude" {
		t.Errorf("then %+v", got)
	}
}

// What a model says tells nothing of its agent's hooks; also not after a restart.
func TestHeardByHooks(t *testing.T) {
	dir := t.TempDir()
	h := newHouse(t, Options{Dir: dir})
	for _, agent := range []string{"claude", "codex", "mcp", "openpets", ""} {
		h.report(agents.Report{Agent: agent, Session: "l" + agent, Lease: "l" + agent, State: agents.Working, Message: "on it"})
	}
	h.after(time.Second).report(agents.Report{Agent: "codex", Session: "s", State: agents.Working, Message: "on it"})
	check := func() {
		t.Helper()
		got := h.Heard()
		if len(got) != 3 || got["mcp"].IsZero() || got["openpets"].IsZero() || !got["codex"].Equal(start.Add(time.Second)) {
			t.Errorf("heard %v", got)
		}
	}
	check()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h = newHouse(t, Options{Dir: dir})
	check()
}

// Whoever has no hooks has nothing that overrules a lease.
func TestWithoutHooks(t *testing.T) {
	h := newHouse(t, Options{})
	for _, agent := range []string{"openpets", "mcp", ""} {
		h.report(agents.Report{Agent: agent, Session: "l" + agent, Lease: "l" + agent, State: agents.Working})
		h.report(agents.Report{Agent: agent, State: agents.Done})
		h.after(2 * time.Second).report(agents.Report{Agent: agent, State: agents.Done})
		h.wantState("mochi", agents.Working)
		h.EndSession(agent, "l"+agent)
		h.wantState("mochi", agents.Done)
	}
}

// A lease's session goes where it is sent, and ends there.
func TestLeaseElsewhere(t *testing.T) {
	h := newHouse(t, Options{})
	r := agents.Report{Agent: "claude", Session: "l", Lease: "l", State: agents.Waiting, Message: "may I?"}
	h.report(r)
	r.Pet = "bori"
	h.report(r)
	h.wantState("mochi", agents.Idle)
	h.wantState("bori", agents.Waiting)
	h.EndSession("codex", "l")
	h.wantState("bori", agents.Waiting)
	h.EndSession("claude", "l")
	h.EndSession("claude", "l")
	h.wantState("bori", agents.Idle)
}

// A lease that is another friend's takes along what was said with it.
func TestFollow(t *testing.T) {
	h := newHouse(t, Options{})
	for _, state := range []agents.State{agents.Waiting, agents.Error, agents.Working, agents.Done} {
		r := agents.Report{Pet: "mochi", Agent: "claude", Session: "l", Lease: "l", State: state, Message: "may I?"}
		h.report(r)
		h.Follow("claude", "l", "ssak", "bori") // it was never there
		h.Follow("codex", "l", "mochi", "bori")
		h.wantState("mochi", state)
		h.Follow("claude", "l", "mochi", "bori")
		h.wantState("mochi", agents.Idle)
		h.wantState("bori", state)
		h.EndSession("claude", "l")
		h.Follow("claude", "l", "bori", "ssak")
		h.EndSession("claude", "l")
		h.after(time.Minute)
		h.wantState("bori", agents.Idle)
	}
}

// Whatever comes in whatever order: once the hooks of a run have told the end of a
// turn and then of the next, nothing of before shows; and nothing lasts.
func TestLeasedHistories(t *testing.T) {
	events := []string{
		"claude UserPromptSubmit", "claude PreToolUse", "claude PostToolUse", "claude PermissionRequest", "claude Stop", "claude StopFailure",
		"claude SessionEnd", "claude Notification", "claude PreToolUse.in_subagent", "claude SubagentStart.subagent", "claude/b UserPromptSubmit", "claude/b Stop",
		"mcp working", "mcp waiting", "mcp done", "mcp error", "mcp idle", "mcp/b working", "mcp/b waiting", "end", "end/b", "+2s", "+70s", "+20m",
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse(t, Options{})
		for range rapid.IntRange(1, 30).Draw(rt, "events") {
			h.plays(rapid.SampledFrom(events).Draw(rt, "event"))
			if n := h.atWork(h.friends[0]); n < 0 || n > 4 || n > len(h.live(h.friends[0])) {
				rt.Fatalf("at work for %d", n)
			}
			if n := len(h.runs(h.friends[0])); (n == 0) != (h.state("mochi") == agents.Idle) {
				rt.Fatalf("%d runs, and it shows %s", n, h.state("mochi"))
			}
		}
		h.plays("end/b, claude/b SessionEnd, +2s, claude UserPromptSubmit, mcp working, claude Stop, +2s, claude Stop, =done, claude UserPromptSubmit, =working, claude SessionEnd, =idle")
		if t.Failed() {
			rt.FailNow()
		}
	})
}
