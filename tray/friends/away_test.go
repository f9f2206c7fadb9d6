package friends

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

func ids(s *Store) (all []string) {
	for _, f := range s.Friends() {
		all = append(all, f.ID)
	}
	return all
}

func TestSendAwayGivesOverTheSessions(t *testing.T) {
	h := newHouse(t, Options{Translate: english, AgentPets: map[string]string{"codex": "bori"}})
	h.hears("first", agents.Working, "mine")
	h.report(agents.Report{Agent: "codex", Session: "theirs", State: agents.Waiting, Message: "may I?"})
	h.report(agents.Report{Pet: "bori", State: agents.Error, Message: "a script failed"})
	h.heard()
	if err := h.SendAway("bori"); err != nil {
		t.Fatal(err)
	}
	h.wantChanges(
		`mochi error: first working "" 3 again`,
		`mochi error: theirs waiting "may I?" 3 again`,
		`mochi error:  error "a script failed" 3 again`,
	)
	h.report(agents.Report{Agent: "codex", Session: "theirs", State: agents.Done})
	h.report(agents.Report{State: agents.Done, Message: "mended"})
	h.heard()
	h.wantState("mochi", agents.Working)
	if id, err := h.Report(agents.Report{Agent: "codex", Session: "new", State: agents.Working}); id != "mochi" || err != nil {
		t.Errorf("its agent reports to %q, %v", id, err)
	}
	for what, call := range map[string]func() error{
		"a report":    func() error { _, err := h.Report(agents.Report{Pet: "bori", State: agents.Working}); return err },
		"Say":         func() error { _, err := h.Say("Bori", "x"); return err },
		"SendAway":    func() error { return h.SendAway("bori") },
		"an agent":    func() error { return h.SendAway("codex") },
		"by its name": func() error { return h.SendAway("Mochi") },
	} {
		if err := call(); !errors.Is(err, ErrNoFriend) {
			t.Errorf("%s: %v, want %v", what, err, ErrNoFriend)
		}
	}
	if err := h.SendAway("mochi"); !errors.Is(err, ErrLast) || len(h.Friends()) != 1 {
		t.Errorf("the last one: %v, here are %q", err, ids(h.Store))
	}
}

// TestSendAwayTheFirst: the next one is first, and a script's session that both
// have is one.
func TestSendAwayTheFirst(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.report(agents.Report{State: agents.Waiting, Message: "asks Mochi"})
	h.report(agents.Report{Pet: "bori", State: agents.Working, Message: "asks Bori"})
	h.heard()
	if err := h.SendAway("mochi"); err != nil {
		t.Fatal(err)
	}
	h.wantChanges(`bori working:  working "" 1 again`)
	h.after(15 * time.Minute)
	h.wantChanges(`bori idle:  idle "" 0`)
	h.after(24 * time.Hour)
	h.wantChanges()
}

func TestSendAwayMovesTheFolder(t *testing.T) {
	dir := t.TempDir()
	invite := func() {
		t.Helper()
		folder := filepath.Join(dir, "friends", "hana")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{"pet.json": []byte(`{"id":"flower"}`), "spritesheet.png": pngSheet(96, 117)} {
			if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, kept := range []string{"hana", "hana-2"} {
		invite()
		s := open(Options{Dir: dir}, twoFriends())
		if err := s.SendAway("flower"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "friends", ".away", kept, "pet.json")); err != nil {
			t.Error(err)
		}
		if got := ids(open(Options{Dir: dir}, twoFriends())); len(got) != 2 {
			t.Errorf("at the next start here are %q", got)
		}
	}
	if err := os.Rename(filepath.Join(dir, "friends", ".away", "hana"), filepath.Join(dir, "friends", "hana")); err != nil {
		t.Fatal(err)
	}
	if got := ids(open(Options{Dir: dir}, twoFriends())); len(got) != 3 || got[2] != "flower" {
		t.Errorf("with its folder moved back here are %q", got)
	}
}

func TestAFolderThatStays(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "friends", "hana")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "friends", ".away"), nil, 0o600); err != nil { // a file is in the way
		t.Fatal(err)
	}
	s := open(Options{}, append(twoFriends(), Package{ID: "hana", dir: folder}))
	if err := s.SendAway("hana"); err == nil || len(s.Friends()) != 3 {
		t.Errorf("%v, here are %q", err, ids(s))
	}
}

func TestAwayAtTheStart(t *testing.T) {
	for _, tt := range []struct {
		away []string
		want string // the first that is here
		n    int
	}{
		{nil, "mochi", 2},
		{[]string{"mochi", "nobody"}, "bori", 1},
		{[]string{"bori"}, "mochi", 1},
		{[]string{"bori", "mochi"}, "mochi", 2},
	} {
		if got := ids(open(Options{Away: tt.away}, twoFriends())); len(got) != tt.n || got[0] != tt.want {
			t.Errorf("away %q: here are %q, want %d, %s first", tt.away, got, tt.n, tt.want)
		}
	}
}
