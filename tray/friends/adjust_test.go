package friends

import (
	"errors"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

func TestMakeFirst(t *testing.T) {
	h := newHouse(t, Options{Translate: english, First: "bori"})
	ids := func() (all []string) {
		for _, p := range h.Packages() {
			all = append(all, p.ID)
		}
		return all
	}
	want := func(first string) {
		t.Helper()
		if got := ids(); len(got) != 2 || got[0] != first {
			t.Errorf("the friends are %v, want %s first of two", got, first)
		}
	}
	want("bori")
	if err := h.MakeFirst("mochi"); err != nil {
		t.Fatal(err)
	}
	want("mochi")
	if err := h.MakeFirst("nobody"); !errors.Is(err, ErrNoFriend) {
		t.Errorf("MakeFirst of nobody: %v", err)
	}
	want("mochi")
	if id, err := h.Report(agents.Report{Agent: "claude", Session: "1", State: agents.Working}); err != nil || id != "mochi" {
		t.Errorf("an agent without a friend of its own reported to %q, %v", id, err)
	}
}

// A session goes to the friend that its agent was given with its next report.
func TestConfigure(t *testing.T) {
	h := newHouse(t, Options{Translate: english, AgentPets: map[string]string{"claude": "bori"}})
	h.hears("a", agents.Waiting, "may I?")
	h.wantChanges(`bori waiting: a waiting "may I?" 1`)
	h.Configure(Lifetimes{Waiting: time.Minute}, map[string]string{"claude": "mochi"})
	h.wantChanges()
	h.hears("a", agents.Waiting, "still: may I?")
	h.wantChanges(`bori idle: a idle "" 0`, `mochi waiting: a waiting "still: may I?" 1`)
	h.after(time.Minute)
	h.wantChanges(`mochi idle: a idle "" 0`)
	h.Configure(Lifetimes{}, map[string]string{"codex": "bori"})
	h.hears("b", agents.Working, "on it")
	h.wantChanges(`mochi working: b working "on it" 1`)
}

// In another language what needs the person is said anew, and the rest no more.
func TestRespeak(t *testing.T) {
	shout := ""
	h := newHouse(t, Options{Translate: func(_ agents.State, m string) string { return m + shout }})
	h.hears("asks", agents.Waiting, "may I")
	h.hears("asks", agents.Waiting, "") // renews, and says nothing
	h.hears("works", agents.Working, "on it")
	h.heard()
	shout = "!"
	h.Respeak()
	h.wantChanges(`mochi waiting: works working "" 2`, `mochi waiting: asks waiting "may I!" 2 again`, `bori idle:   "" 0 again`)
	if s := h.Status()[0].Sentence; s != "may I!" {
		t.Errorf("the friend's last word is %q", s)
	}
}

// When an agent was heard last is known also when others said more since.
func TestHeard(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.report(agents.Report{Agent: "gemini", Session: "g", State: agents.Working, Message: "on it"})
	at := h.Heard()["gemini"]
	h.after(time.Second)
	for i := range 2 * agents.MaxActivities {
		h.hears("a", agents.Working, string(rune('a'+i)))
	}
	if got := h.Heard(); at.IsZero() || !got["gemini"].Equal(at) || !got["claude"].After(at) || len(got) != 2 {
		t.Errorf("heard %v, gemini at %v", got, at)
	}
	for i := range 2 * maxHeard {
		h.report(agents.Report{Agent: string(rune('一' + i)), State: agents.Idle})
	}
	if n := len(h.Heard()); n > maxHeard+2 {
		t.Errorf("%d agents are remembered", n)
	}
}
