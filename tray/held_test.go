package tray

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/notify"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/leases"
	"github.com/playpets/playpets/tray/overlay"
)

// lends is an app on a fake screen whose leases are swept, in a bubble of time. The
// screen counts how often friends come and go.
func lends(t *testing.T, do func(t *testing.T, a *app, s *countingScreen)) {
	t.Helper()
	data := t.TempDir()
	t.Setenv("PLAYPETS_LANG", "en")
	synctest.Test(t, func(t *testing.T) {
		a, fake, _ := fakeApp(t, data)
		screen := &countingScreen{fakeScreen: fake}
		a.screen = screen
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { a.leases.Run(ctx) })
		do(t, a, screen)
		stop()
		running.Wait()
		a.Close()
	})
}

type countingScreen struct {
	*fakeScreen
	sets atomic.Int32
}

func (c *countingScreen) SetFriends(all []overlay.Sprite) {
	c.sets.Add(1)
	c.fakeScreen.SetFriends(all)
}

// wants checks who is on the screen, and that the menu and the status say the same.
func (c *countingScreen) wants(t *testing.T, a *app, want ...string) {
	t.Helper()
	synctest.Wait()
	var menu, seen []string
	for _, f := range a.view().friends {
		if f.shown {
			menu = append(menu, f.id)
		}
	}
	for _, s := range (backend{a}).Status() {
		if s.Unseen != "it is hidden" {
			seen = append(seen, s.ID)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.friends, want) || !slices.Equal(menu, want) || !slices.Equal(seen, want) {
		t.Errorf("on screen are %q, in the menu %q, the status has %q; want %q", c.friends, menu, seen, want)
	}
}

func anMCP(pet, nonce string) agents.LeaseRequest {
	return agents.LeaseRequest{Pet: pet, Agent: "claude", Project: "shop", PID: os.Getpid(), Nonce: nonce}
}

// keep renews leases for a while.
func keep(a *app, d time.Duration, ids ...string) {
	for ; d > 0; d -= time.Second {
		for _, id := range ids {
			a.leases.Renew(id)
		}
		time.Sleep(time.Second)
	}
}

// A hidden friend comes with its first lease and leaves with its last; of that, nothing
// is remembered.
func TestGuest(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		a.happened(chosen("bori", itemHide))
		a.happened(chosen("mochi", itemHide))
		a.hears(t, agents.Report{Pet: "bori", Agent: "codex", Session: "s", State: agents.Waiting, Message: "May I?"})
		screen.wants(t, a, "ssak")
		screen.heard()
		hidden := a.notebook.get()

		first := b.Lease(anMCP("Bori", "1"))
		screen.wants(t, a, "bori", "ssak")
		if got := screen.heard(); got != "bori: May I?" {
			t.Errorf("it comes and says %q", got)
		}
		if first.PetID != "bori" || first.PetName != "Bori" || first.UsingDefault || first.Fallback != "" {
			t.Errorf("the lease is %+v", first)
		}
		sets := screen.sets.Load()
		second := b.Lease(anMCP("bori", "2")) // the same agent starts its server twice
		unasked := b.Lease(anMCP("", "3"))    // this one binds nobody: it would be Mochi
		if unasked.PetID != "mochi" || !unasked.UsingDefault || unasked.Fallback != "" {
			t.Errorf("who asks for none has %+v", unasked)
		}
		keep(a, time.Minute, first.ID, second.ID, unasked.ID)
		b.Release(first.ID)
		keep(a, time.Minute, second.ID)
		screen.wants(t, a, "bori", "ssak")
		if screen.sets.Load() != sets {
			t.Errorf("it flickered %d times", screen.sets.Load()-sets)
		}

		b.Release(second.ID)
		time.Sleep(farewell / 2)
		b.Release(b.Lease(anMCP("ssak", "of another")).ID)
		b.Release(unasked.ID)
		time.Sleep(farewell/2 - 1)
		screen.wants(t, a, "bori", "ssak")
		third := b.Lease(anMCP("bori", "4")) // and once more
		keep(a, 2*farewell, third.ID)
		if screen.wants(t, a, "bori", "ssak"); screen.sets.Load() != sets {
			t.Errorf("started again, it flickered %d times", screen.sets.Load()-sets)
		}
		time.Sleep(agents.LeaseTTL + agents.LeaseSweep + farewell) // silence
		if screen.wants(t, a, "ssak"); screen.sets.Load() != sets+1 {
			t.Errorf("it left in %d steps", screen.sets.Load()-sets)
		}
		if got := a.notebook.get(); !slices.Equal(got.Hidden, hidden.Hidden) {
			t.Errorf("remembered is %+v, before %+v", got, hidden)
		}
		if a.guests.timer != nil || len(a.guests.here) != 0 {
			t.Errorf("a timer is left, or one of %v", a.guests.here)
		}
	})
}

// The person decides about guests, too.
func TestGuestAndPerson(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		a.happened(chosen("bori", itemHide))
		one := b.Lease(anMCP("bori", "1"))
		screen.wants(t, a, "mochi", "bori", "ssak")
		a.command(command{"show", "bori", "off"})
		screen.wants(t, a, "mochi", "ssak")
		two := b.Lease(anMCP("bori", "2"))
		keep(a, time.Minute, one.ID, two.ID)
		screen.wants(t, a, "mochi", "ssak")
		b.Release(one.ID)
		b.Release(two.ID)
		one = b.Lease(anMCP("bori", "3")) // its next first lease
		screen.wants(t, a, "mochi", "bori", "ssak")
		a.command(command{"showall", "", "off"})
		screen.wants(t, a)

		a.command(command{"show", "bori", "on"}) // for good
		screen.wants(t, a, "bori")
		b.Release(one.ID)
		time.Sleep(time.Hour)
		screen.wants(t, a, "bori")

		two = b.Lease(anMCP("ssak", "4"))
		screen.wants(t, a, "bori", "ssak")
		if err := b.Open(""); err != nil { // for good as well
			t.Fatal(err)
		}
		b.Release(two.ID)
		time.Sleep(time.Hour)
		screen.wants(t, a, "mochi", "bori", "ssak")

		one = b.Lease(anMCP("bori", "5")) // who is there is no guest
		a.happened(chosen("bori", itemHide))
		keep(a, time.Minute, one.ID)
		screen.wants(t, a, "mochi", "ssak")
	})
}

// A notice that is clicked brings back who is hidden, and leaves a guest one.
func TestGuestMet(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		a.happened(chosen("bori", itemHide))
		l := b.Lease(anMCP("bori", "1"))
		a.meet("bori")
		b.Release(l.ID)
		time.Sleep(farewell)
		screen.wants(t, a, "mochi", "ssak")
		a.meet("bori")
		time.Sleep(time.Hour)
		screen.wants(t, a, "mochi", "bori", "ssak")
	})
}

// What a guest's program has done is seen before both are gone.
func TestGuestIsDone(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		a.happened(chosen("bori", itemHide))
		screen.heard()
		l := b.Lease(anMCP("bori", "1"))
		if id, err := b.Report(agents.Report{Lease: l.ID, State: agents.Done, Message: "All there"}); id != "bori" || err != nil {
			t.Errorf("%q, %v", id, err)
		}
		b.Release(l.ID)
		synctest.Wait()
		if got := screen.heard(); got != "bori: All there" || a.Friends()[1].State != agents.Done {
			t.Errorf("it says %q and shows %s", got, a.Friends()[1].State)
		}
		screen.wants(t, a, "mochi", "bori", "ssak")
		time.Sleep(farewell)
		screen.wants(t, a, "mochi", "ssak")
	})
}

// An app that ends shows nobody any more, and keeps no lease.
func TestLeaseAtTheEnd(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		a.happened(chosen("bori", itemHide))
		l := b.Lease(anMCP("bori", "1"))
		b.Release(l.ID)
		a.Close() // while the guest takes its leave
		sets := screen.sets.Load()
		if a.guests.timer != nil {
			t.Error("a timer is left")
		}
		if b.Lease(anMCP("bori", "2")); screen.sets.Load() != sets {
			t.Error("a friend came to a screen that is gone")
		}
		time.Sleep(time.Hour)
		if screen.sets.Load() != sets {
			t.Error("a friend left a screen that is gone")
		}
	})
}

// For whom a friend came, it says once for each.
func TestStandIn(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		says := func(want string, r agents.LeaseRequest) agents.Lease {
			t.Helper()
			l := b.Lease(r)
			if got := screen.heard(); got != want {
				t.Errorf("%q is asked for, and said is %q, want %q", r.Pet, got, want)
			}
			return l
		}
		l := says("mochi: nobody isn't here, so I came along.", anMCP("nobody", "1"))
		if l.PetID != "mochi" || !l.UsingDefault || l.Fallback != agents.FallbackMissing || l.Requested != "nobody" {
			t.Errorf("the lease is %+v", l)
		}
		says("", anMCP("nobody", "2"))
		says("", anMCP("NOBODY", "3"))
		says("mochi: Bad Pet isn't here, so I came along.", anMCP("Bad Pet", "4"))
		says("mochi: x red isn't here, so I came along.", anMCP("x\u202e \u200bred", "5"))
		says("mochi: "+strings.Repeat("é", maxMenuName)+"… isn't here, so I came along.", anMCP(strings.Repeat("é", 60), "6"))
		says("", anMCP("", "7"))
		says("", anMCP("default", "8"))
		a.hush(time.Now().Add(time.Hour))
		says("", anMCP("quiet", "9"))
		a.hush(time.Time{})
		says("mochi: quiet isn't here, so I came along.", anMCP("quiet", "10"))

		a.happened(chosen("mochi", itemHide)) // then somebody else has to say it
		screen.heard()
		says("bori: hidden isn't here, so I came along.", anMCP("hidden", "11"))
		a.setAllHidden(true)
		says("", anMCP("unseen", "12"))
		a.setAllHidden(false)
		screen.heard()
		for i := range 2 * maxMissed { // somebody who makes up names
			b.Lease(anMCP("name-"+strings.Repeat("x", i%60)+string(rune('a'+i/60)), "13"))
		}
		if n := len(a.missed); n != maxMissed {
			t.Errorf("%d names are kept", n)
		}
	})
}

// A friend who is here and cannot be drawn is no missing one.
func TestBrokenFriend(t *testing.T) {
	data := t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "friends", "momo"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(data, "friends", "momo", "pet.json"), `{"id":"momo","displayName":"Momo"}`)
	a, screen, _ := fakeApp(t, data)
	if l := (backend{a}).Lease(anMCP("momo", "1")); l.Fallback != agents.FallbackBroken || l.PetID != "mochi" {
		t.Errorf("the lease is %+v", l)
	}
	if got := screen.heard(); got != "mochi: momo cannot be drawn, so I came along. The log says why." {
		t.Errorf("it says %q", got)
	}
	a.speech.Store(i18n.New("ko"))
	if (backend{a}).Lease(anMCP("Momo", "2")); screen.heard() != "" {
		t.Error("it says so again")
	}
	if (backend{a}).Lease(anMCP("nobody", "3")); !strings.HasPrefix(screen.heard(), "mochi: nobody 친구가") {
		t.Error("it says nothing in the person's language")
	}
}

// Reports, sentences and gestures go to the friend of a lease as it is now.
func TestWhoseLease(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		l := b.Lease(anMCP("bori", "1"))
		to := agents.Target{Lease: l.ID}
		told := func(want string) {
			t.Helper()
			reported, err1 := b.Report(agents.Report{Lease: l.ID, State: agents.Working, Message: "@types/node is next", Agent: "codex", Session: "other", Part: "x"})
			said, err2 := b.Say(to, "hi")
			reacted, err3 := b.React(to, agents.Wave)
			if err := errors.Join(err1, err2, err3); err != nil || reported != want || said != want || reacted != want {
				t.Errorf("told %q, %q and %q, %v; want %q", reported, said, reacted, err, want)
			}
		}
		told("bori")
		got := a.Status()[1]
		if len(got.Sessions) != 1 || got.Sessions[0] != (agents.Session{Agent: "claude", Session: l.ID, Project: "shop", State: agents.Working}) ||
			got.Activities[0].Sentence != "\uff20types/node is next" {
			t.Errorf("it shows %+v", got)
		}
		to.Pet = "ssak"
		if id, err := b.Say(to, "hi"); id != "ssak" || err != nil {
			t.Errorf("another friend that is named: %q, %v", id, err)
		}
		if id, err := b.Report(agents.Report{Pet: "ssak", Lease: l.ID, State: agents.Waiting}); id != "ssak" || err != nil {
			t.Errorf("another friend that is named: %q, %v", id, err)
		}
		to.Pet = "nobody"
		if _, err := b.React(to, agents.Jump); !errors.Is(err, bridge.ErrNoFriend) {
			t.Errorf("nobody: %v", err)
		}
		to.Pet = ""
		a.sendAway("bori")
		told("mochi")
		if got, _ := b.Renew(l.ID); got.Fallback != agents.FallbackMissing || got.PetID != "mochi" {
			t.Errorf("its friend was sent away: %+v", got)
		}
		b.Release(l.ID)
		if _, err := b.Report(agents.Report{Lease: l.ID, State: agents.Done}); !errors.Is(err, bridge.ErrUnknownLease) {
			t.Errorf("once it has ended: %v", err)
		}
		if _, err := b.Say(to, "hi"); !errors.Is(err, bridge.ErrUnknownLease) {
			t.Errorf("once it has ended: %v", err)
		}
		for _, f := range a.Status() {
			if f.State != agents.Idle || len(f.Sessions) != 0 {
				t.Errorf("what is left: %+v", f)
			}
		}
	})
}

// Whose server it is is known only once the agent has introduced itself.
func TestIntroduced(t *testing.T) {
	data := t.TempDir()
	write(t, filepath.Join(data, "config.toml"), "")
	a, _, _ := fakeApp(t, data)
	a.started.AgentPets = map[string]string{"claude": "bori"}
	a.Configure(friends.Lifetimes{}, a.started.AgentPets)
	a.notePicked(map[string]string{"claude": "ssak"}) // as was once pasted
	b := backend{a}
	unknown := anMCP("", "1")
	unknown.Agent = ""
	l := b.Lease(unknown)
	if _, err := b.Report(agents.Report{Lease: l.ID, State: agents.Working}); err != nil || l.PetID != "mochi" {
		t.Fatal(l, err)
	}
	again := b.Lease(anMCP("", "1"))
	if again.ID != l.ID || again.PetID != "bori" || !again.UsingDefault || a.Friends()[0].State != agents.Idle {
		t.Errorf("introduced: %+v; Mochi is %s", again, a.Friends()[0].State)
	}
	if l := b.Lease(anMCP("ssak", "2")); l.PetID != "bori" || l.UsingDefault || l.Fallback != "" || l.Requested != "ssak" {
		t.Errorf("pasted was ssak, chosen since is Bori, and the lease is %+v", l)
	}
	a.started.AgentPets = nil
	a.Configure(friends.Lifetimes{}, nil)
	if l := b.Lease(anMCP("ssak", "3")); l.PetID != "mochi" || !l.UsingDefault {
		t.Errorf("pasted was ssak, chosen since is none, and the lease is %+v", l)
	}
}

// A guest that is asked for no more leaves, and whoever comes instead asks on.
func TestQuestionOfAGuest(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := backend{a}
		a.happened(chosen("bori", itemHide))
		a.happened(chosen("ssak", itemHide))
		l := b.Lease(anMCP("bori", "1"))
		if _, err := b.Report(agents.Report{Lease: l.ID, State: agents.Waiting, Message: "Which one?"}); err != nil {
			t.Fatal(err)
		}
		screen.wants(t, a, "mochi", "bori")
		screen.heard()
		if again := b.Lease(anMCP("ssak", "1")); again.ID != l.ID {
			t.Errorf("another lease: %+v", again)
		}
		keep(a, farewell+time.Second, l.ID)
		screen.wants(t, a, "mochi", "ssak")
		for _, f := range a.Friends() {
			if (f.State == agents.Waiting) != (f.ID == "ssak") {
				t.Errorf("%s is %s", f.ID, f.State)
			}
		}
		if got := screen.heard(); !strings.Contains(got, "ssak: Which one?") {
			t.Errorf("it says %q", got)
		}
	})
}

// OpenPets' hooks take a lease for every event, and never give one back.
func TestLeaseForEveryWord(t *testing.T) {
	lends(t, func(t *testing.T, a *app, screen *countingScreen) {
		b := stranger{backend{a}}
		says := func(s agents.State) {
			l := b.Lease(agents.LeaseRequest{Pet: "bori", Agent: "openpets"})
			if _, err := b.Report(agents.Report{Lease: l.ID, State: s}); err != nil {
				t.Fatal(err)
			}
		}
		says(agents.Working)
		says(agents.Waiting)
		time.Sleep(time.Hour) // nobody answers
		if got := a.Friends()[1].State; got != agents.Waiting {
			t.Errorf("it asks, and the lease is over: %s", got)
		}
		says(agents.Working)
		says(agents.Done)
		if got := a.Status()[1]; got.State != agents.Done || len(got.Sessions) != 1 {
			t.Errorf("then it shows %+v", got)
		}
	})
}

// What is reported while its lease ends, or becomes another agent's, ends as well.
func TestReportMeetsTheEnd(t *testing.T) {
	for name, meanwhile := range map[string]func(b backend, id string){
		"released": func(b backend, id string) { b.Release(id) },
		"introduced": func(b backend, id string) {
			other := anMCP("bori", "1")
			other.Agent = "codex"
			b.Lease(other)
		},
	} {
		a, _, _ := fakeApp(t, t.TempDir())
		b := backend{a}
		var once sync.Once
		a.leases = leases.New(leases.Options{Resolve: a.resolve, OnChange: func(before, after leases.Held) {
			a.leased(before, after)
			if before.PetID == "bori" && after.PetID == "mochi" { // which the report finds first
				once.Do(func() { meanwhile(b, before.ID) })
			}
		}})
		l := b.Lease(anMCP("bori", "1"))
		a.sendAway("bori")
		if _, err := b.Report(agents.Report{Lease: l.ID, State: agents.Working}); err != nil {
			t.Fatal(err)
		}
		if got := a.Status()[0]; len(got.Sessions) != 0 {
			t.Errorf("%s: left is %+v", name, got.Sessions)
		}
	}
}

// However reports, releases and introductions meet, nothing works on without a lease.
func TestNothingIsLeftOfALease(t *testing.T) {
	a, _, _ := fakeApp(t, t.TempDir())
	b := backend{a}
	for range 300 {
		l := b.Lease(anMCP("bori", "1"))
		var all sync.WaitGroup
		all.Go(func() { b.Report(agents.Report{Lease: l.ID, State: agents.Working, Message: "on it"}) })
		all.Go(func() {
			other := anMCP("ssak", "1")
			other.Agent = "codex"
			if again := b.Lease(other); again.ID != l.ID {
				b.Release(again.ID) // the first was over
			}
		})
		all.Go(func() { b.Release(l.ID) })
		all.Wait()
		b.Release(l.ID)
		for _, f := range a.Status() {
			if len(f.Sessions) > 0 {
				t.Fatalf("left is %+v", f)
			}
		}
	}
}

// What another session of the same run tells is told once.
func TestNoticeOfARun(t *testing.T) {
	heard := &notebookOfNotices{}
	report(heard, friends.Change{State: agents.Done, Agent: "claude", Session: "s", Told: true})
	report(heard, friends.Change{State: agents.Done, Agent: "claude", Session: "t"})
	if len(heard.events) != 1 || heard.events[0].Session != "t" {
		t.Errorf("told of %+v", heard.events)
	}
}

type notebookOfNotices struct {
	silent
	events []notify.Event
}

func (n *notebookOfNotices) Report(e notify.Event) { n.events = append(n.events, e) }

// Agents that have no kind of their own are called by words.
func TestTitles(t *testing.T) {
	a, _, _ := fakeApp(t, t.TempDir())
	for agent, want := range map[string][2]string{
		"mcp": {"MCP", "An MCP tool"}, "openpets": {"OpenPets", "OpenPets"}, "claude": {"Claude Code", "Claude Code"}, "run": {"run", "A command"}, "": {},
	} {
		if got := [2]string{title(agent), agentWords(a.words(), agent)}; got != want {
			t.Errorf("%q is called %q, want %q", agent, got, want)
		}
	}
}
