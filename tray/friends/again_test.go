package friends

import (
	"fmt"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// brief is a change in a line: whose, its state, what it says and for how many.
func brief(c Change) string {
	again := ""
	if c.Again {
		again = " again"
	}
	return fmt.Sprintf("%s %s: %s %s %q %d%s", c.Friend.ID, c.Friend.State, c.Session, c.State, c.Sentence, c.Sessions, again)
}

func (h *house) wantChanges(want ...string) {
	h.t.Helper()
	var got []string
	for _, c := range h.heard() {
		got = append(got, brief(c))
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		h.t.Errorf("heard\n%q\nwant\n%q", got, want)
	}
}

func TestSessionsAreCounted(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.hears("a", agents.Working, "one")
	h.wantChanges(`mochi working: a working "one" 1`)
	h.hears("b", agents.Working, "two")
	h.wantChanges(`mochi working: b working "two" 2`)
	h.hears("c", agents.Error, "three")
	h.wantChanges(`mochi error: c error "three" 3`)
	h.hears("b", agents.Done, "")
	h.wantChanges(`mochi error: b done "" 2`)
	if _, err := h.React("mochi", agents.Wave); err != nil {
		t.Fatal(err)
	}
	h.wantChanges(`mochi error:   "" 2`)
	h.after(15 * time.Minute) // a is not renewed, and b is forgotten
	h.wantChanges(`mochi error: b idle "" 2`, `mochi error: a idle "" 1`)
	h.after(time.Hour)
	h.wantChanges(`mochi idle: c idle "" 0`)
}

func TestAgain(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.hears("failed", agents.Error, "no")
	h.hears("asks", agents.Waiting, "may I?")
	h.hears("works", agents.Working, "on it")
	h.hears("asks too", agents.Waiting, "and I?")
	h.hears("did", agents.Done, "there")
	if _, err := h.Say("mochi", "lunch?"); err != nil {
		t.Fatal(err)
	}
	h.heard()
	h.Again()
	h.wantChanges(
		`mochi error: did done "" 4 again`,
		`mochi error: works working "" 4 again`,
		`mochi error: asks waiting "may I?" 4 again`,
		`mochi error: asks too waiting "and I?" 4 again`,
		`mochi error: failed error "no" 4 again`,
		`bori idle:   "" 0 again`,
	)
	if got := h.Status()[0].Sentence; got != "no" {
		t.Errorf("it said %q last, want what failed", got)
	}
}
