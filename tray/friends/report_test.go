package friends

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

func TestWhoIsMeant(t *testing.T) {
	packages := []Package{
		{ID: "mochi", Name: "Mochi"},
		{ID: "bori", Name: "Bori"},
		{ID: "小猫-ねこ", Name: "小猫 🐈‍⬛ ねこ"},
		{ID: "cafe", Name: "Caf\u00e9"},
		{ID: "imp", Name: "bori"}, // named as another is called
	}
	s := open(Options{AgentPets: map[string]string{"claude": "BORI", "codex": "Caf\u00e9", "gemini": "sent away"}}, packages)
	for _, tt := range []struct{ pet, agent, want string }{
		{"", "", "mochi"},
		{"", "cursor", "mochi"},
		{"", "claude", "bori"},
		{"", "codex", "cafe"},
		{"", "gemini", "mochi"},
		{"mochi", "claude", "mochi"},
		{"MOCHI", "", "mochi"},
		{"bori", "", "bori"},
		{"Bori", "", "bori"},
		{"imp", "", "imp"},
		{"小猫-ねこ", "", "小猫-ねこ"},
		{"小猫 🐈‍⬛ ねこ", "", "小猫-ねこ"},
		{"CAF\u00c9", "", "cafe"},
		{"cafe\u0301", "", "cafe"},
		{"nobody", "", ""},
		{"moch", "", ""},
		{" mochi", "", ""},
		{"../mochi", "", ""},
	} {
		got, err := s.Report(agents.Report{Pet: tt.pet, Agent: tt.agent, State: agents.Working})
		if got != tt.want || errors.Is(err, ErrNoFriend) != (tt.want == "") {
			t.Errorf("pet %q, agent %q: %q, %v; want %q", tt.pet, tt.agent, got, err, tt.want)
		}
	}
	for name, call := range map[string]func(pet string) (string, error){
		"Say":   func(pet string) (string, error) { return s.Say(pet, "hello") },
		"React": func(pet string) (string, error) { return s.React(pet, agents.Wave) },
	} {
		if id, err := call("Bori"); id != "bori" || err != nil {
			t.Errorf("%s: %q, %v", name, id, err)
		}
		if id, err := call(""); id != "mochi" || err != nil {
			t.Errorf("%s to nobody in particular: %q, %v", name, id, err)
		}
		if _, err := call("nobody"); !errors.Is(err, ErrNoFriend) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := open(Options{}, nil).Report(agents.Report{State: agents.Done}); !errors.Is(err, ErrNoFriend) {
		t.Errorf("without friends: %v", err)
	}
	if _, err := s.Report(agents.Report{State: "sleepy"}); err == nil || errors.Is(err, ErrNoFriend) {
		t.Errorf("a state that is none: %v", err)
	}
}

func TestOneChange(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.report(agents.Report{Agent: "claude", Session: "s", Project: "shop", State: agents.Working, Message: "@tool Bash"})
	want := Change{
		Friend:   agents.Friend{ID: "mochi", Name: "Mochi", State: agents.Working},
		Previous: agents.Idle,
		Agent:    "claude", Session: "s", Project: "shop", State: agents.Working,
		Sessions: 1,
		Sentence: "Using Bash…",
	}
	if got := h.heard(); len(got) != 1 || got[0] != want {
		t.Errorf("heard %+v, want %+v", got, want)
	}
	status := h.Status()[0]
	if status.Sentence != "Using Bash…" || status.State != agents.Working ||
		len(status.Sessions) != 1 || status.Sessions[0] != (agents.Session{Agent: "claude", Session: "s", Project: "shop", State: agents.Working}) {
		t.Errorf("status %+v", status)
	}
}

func TestSayIsNoCode(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.hears("s", agents.Waiting, "@confirm")
	h.heard()
	for _, message := range []string{"@thinking", "@nosuchcode x", "안녕 👋"} {
		if _, err := h.Say("mochi", message); err != nil {
			t.Fatal(err)
		}
		want := Change{
			Friend: agents.Friend{ID: "mochi", Name: "Mochi", State: agents.Waiting}, Previous: agents.Waiting,
			Sentence: message, Said: true, Sessions: 1,
		}
		if got := h.heard(); len(got) != 1 || got[0] != want {
			t.Errorf("heard %+v, want %+v", got, want)
		}
		if got := h.Status()[0].Sentence; got != message {
			t.Errorf("status says %q", got)
		}
	}
	if n := len(h.Status()[0].Activities); n != 1 {
		t.Errorf("%d activities: what a person says is none", n)
	}
	if _, err := h.React("mochi", agents.Jump); err != nil {
		t.Fatal(err)
	}
	if got := h.heard(); len(got) != 1 || got[0].Reaction != agents.Jump || got[0].Sentence != "" || got[0].Friend.State != agents.Waiting {
		t.Errorf("heard %+v", got)
	}
}

func TestDuplicates(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	for range 100 { // a minute and a half of Cursor's thoughts
		h.hears("s", agents.Working, "@thinking")
		h.after(900 * time.Millisecond)
	}
	h.wantSentences("Thinking…")
	h.after(14*time.Minute).wantState("mochi", agents.Working) // they renewed it

	h.hears("s", agents.Working, "@thinking") // meant again
	h.wantSentences("Thinking…")
	h.hears("s", agents.Working, "@tool Bash")
	h.hears("s", agents.Working, "@tool Bash")
	h.hears("t", agents.Working, "@tool Bash") // another session's
	h.hears("s", agents.Working, "@thinking")
	h.wantSentences("Using Bash…", "Using Bash…", "Thinking…")

	h.hears("s", agents.Working, "")
	h.hears("s", agents.Working, "")
	if got := h.heard(); len(got) != 0 {
		t.Errorf("a report with nothing new changed %+v", got)
	}

	h.hears("s", agents.Error, "") // a new state speaks for itself
	h.wantSentences("Something went wrong")
}

// TestWhoHasTheWord has two sessions share a friend.
func TestWhoHasTheWord(t *testing.T) {
	h := newHouse(t, Options{})
	h.hears("a", agents.Working, "a works")
	h.hears("b", agents.Waiting, "b asks")
	h.wantSentences("a works", "b asks")

	h.hears("a", agents.Working, "a works on") // not over b's question
	h.wantSentences()
	h.hears("a", agents.Done, "a is done")
	if got := h.heard(); len(got) != 1 || got[0].Sentence != "" || got[0].State != agents.Done || got[0].Friend.State != agents.Waiting {
		t.Errorf("a's end was told as %+v", got)
	}
	h.hears("a", agents.Waiting, "a asks")
	h.after(2 * time.Second)
	h.hears("a", agents.Waiting, "a asks")
	h.wantSentences("a asks")
	h.hears("a", agents.Working, "a works again") // so b's question is what is left
	h.wantSentences("b asks")
	h.hears("b", agents.Idle, "") // and now a's work
	got := h.heard()
	if len(got) != 2 || got[0].Sentence != "" || got[0].Friend.State != agents.Working || got[0].Previous != agents.Waiting ||
		!got[1].Again || got[1].Sentence != "a works again" || got[1].Session != "a" {
		t.Errorf("b's end was told as %+v", got)
	}

	h.hears("b", agents.Working, "b works")
	h.hears("a", agents.Done, "a is done") // said, though b works on
	h.wantSentences("b works", "a is done")
	h.wantState("mochi", agents.Working)
	h.hears("b", agents.Error, "b failed")
	h.wantSentences("b failed")
	h.after(time.Hour)
	h.wantSentences()
	h.wantState("mochi", agents.Idle)

	h.report(agents.Report{State: agents.Idle, Message: "Bye!"})
	h.wantSentences("Bye!")
	h.wantState("mochi", agents.Idle)
}

// TestQuestionOverFailure: a failure stays for an hour, and must not hide that
// somebody else waits.
func TestQuestionOverFailure(t *testing.T) {
	h := newHouse(t, Options{})
	h.hears("a", agents.Error, "a failed")
	h.hears("b", agents.Working, "b works")
	h.wantSentences("a failed")
	h.hears("b", agents.Waiting, "b asks")
	h.wantSentences("b asks")
	h.wantState("mochi", agents.Error)
	h.hears("b", agents.Working, "b works on")
	h.wantSentences("a failed")
}

// TestStartingAgain: a new run in the same folder ends what failed there before.
func TestStartingAgain(t *testing.T) {
	h := newHouse(t, Options{})
	run := func(session, project string, state agents.State) {
		h.report(agents.Report{Agent: "run", Session: session, Project: project, State: state, Message: session})
	}
	run("1", "api", agents.Error)
	run("2", "web", agents.Working)
	h.wantState("mochi", agents.Error) // that is another folder
	run("3", "api", agents.Working)
	h.wantState("mochi", agents.Working)
	run("3", "api", agents.Error)
	run("2", "api", agents.Working) // moved there, and no new session
	h.wantState("mochi", agents.Error)
}

// TestOldWordsGo: what is over is not said any more.
func TestOldWordsGo(t *testing.T) {
	h := newHouse(t, Options{})
	h.hears("a", agents.Waiting, "a asks")
	h.hears("a", agents.Idle, "")
	if got := h.Status()[0].Sentence; got != "" {
		t.Errorf("idle, and status says %q", got)
	}
}

// TestTheLatestIsLeft ends the question over a crowd of workers.
func TestTheLatestIsLeft(t *testing.T) {
	h := newHouse(t, Options{})
	for i := range 20 {
		h.hears(fmt.Sprint(i), agents.Working, fmt.Sprint(i, " works"))
	}
	h.hears("q", agents.Waiting, "q asks")
	h.hears("7", agents.Working, "7 works on")
	h.heard()
	h.hears("q", agents.Idle, "")
	h.wantSentences("7 works on")
}

// TestSessionMoves gives an agent another friend in the middle of its work.
func TestSessionMoves(t *testing.T) {
	h := newHouse(t, Options{})
	move := func(pet string, state agents.State, message string) {
		h.report(agents.Report{Pet: pet, Agent: "claude", Session: "s", State: state, Message: message})
	}
	h.report(agents.Report{Pet: "mochi", Agent: "codex", Session: "t", State: agents.Working, Message: "t works"})
	move("mochi", agents.Waiting, "s asks")
	h.heard()
	move("bori", agents.Waiting, "s asks")
	got := h.heard()
	if len(got) != 3 {
		t.Fatalf("heard %+v", got)
	}
	if c := got[0]; c.Friend.ID != "mochi" || c.Friend.State != agents.Working || c.State != agents.Idle {
		t.Errorf("first %+v: the old friend loses it", c)
	}
	if c := got[1]; c.Friend.ID != "mochi" || c.Sentence != "t works" || !c.Again {
		t.Errorf("then %+v: and goes back to what is left", c)
	}
	if c := got[2]; c.Friend.ID != "bori" || c.Friend.State != agents.Waiting || c.Sentence != "s asks" {
		t.Errorf("last %+v: the new friend has it", c)
	}
	if n := len(h.sessions); n != 2 {
		t.Errorf("%d sessions", n)
	}
	move("mochi", agents.Idle, "")
	h.wantState("bori", agents.Idle)
	h.wantState("mochi", agents.Working)
}

func TestChangesKeepTheirOrder(t *testing.T) {
	s := open(Options{}, twoFriends())
	last := map[string]agents.State{"mochi": agents.Idle, "bori": agents.Idle}
	inside := 0
	count := 0
	s.OnChange = func(c Change) { // not locked: only one goroutine may be here at a time
		inside++
		if inside != 1 {
			t.Errorf("OnChange runs %d times at once", inside)
		}
		if last[c.Friend.ID] != c.Previous {
			t.Errorf("%s was %s, the change says %s", c.Friend.ID, last[c.Friend.ID], c.Previous)
		}
		last[c.Friend.ID] = c.Friend.State
		count++
		inside--
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				s.Report(agents.Report{
					Pet: []string{"mochi", "bori"}[i%2], Session: fmt.Sprint(g % 3),
					State: agents.States[(i+g)%len(agents.States)], Message: fmt.Sprint(i),
				})
				s.Status()
			}
		})
	}
	wg.Wait()
	s.deliver()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.changes) != 0 || count == 0 {
		t.Errorf("%d changes heard, %d left", count, len(s.changes))
	}
	for _, f := range s.friends {
		if last[f.ID] != f.state {
			t.Errorf("%s is %s, heard last that it was %s", f.ID, f.state, last[f.ID])
		}
	}
}

func TestOnChangeMayCallTheStore(t *testing.T) {
	h := newHouse(t, Options{})
	var said []string
	h.OnChange = func(c Change) {
		said = append(said, c.Sentence)
		if c.Sentence == "ping" {
			h.Say("mochi", "pong")
			said = append(said, "said pong")
		}
	}
	h.Say("mochi", "ping")
	if fmt.Sprint(said) != "[ping said pong pong]" {
		t.Errorf("said %v", said)
	}
}

func TestOnChangePanics(t *testing.T) {
	h := newHouse(t, Options{})
	hear := h.OnChange
	h.OnChange = func(Change) { panic("overlay") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		h.hears("s", agents.Working, "one")
	}()
	h.OnChange = hear
	h.hears("s", agents.Working, "two")
	h.wantSentences("two")
}
