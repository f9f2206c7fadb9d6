package friends

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/playpets/playpets/agents"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var looked atomic.Int64 // at the clock
		s := open(Options{Dir: dir, Now: func() time.Time { looked.Add(1); return time.Now() }}, twoFriends())
		began := time.Now()
		var heard []string
		s.OnChange = func(c Change) {
			heard = append(heard, fmt.Sprintf("%s %s %s", time.Since(began), c.Friend.ID, c.Friend.State))
		}
		ctx, stop := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { s.Run(ctx) })

		time.Sleep(time.Hour)
		s.Report(agents.Report{Session: "s", State: agents.Working, Message: "one"})
		time.Sleep(10 * time.Minute)
		s.Report(agents.Report{Session: "s", State: agents.Working, Message: "one"})
		s.Report(agents.Report{Pet: "bori", State: agents.Done, Message: "two"}) // sooner than what Run waits for
		time.Sleep(time.Minute)
		time.Sleep(14 * time.Minute)
		synctest.Wait()
		want := "[1h0m0s mochi working 1h10m0s mochi working 1h10m0s bori done 1h11m0s bori idle 1h25m0s mochi idle]"
		if got := fmt.Sprint(heard); got != want {
			t.Errorf("heard %s\nwant  %s", got, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "activity.json")); err != nil {
			t.Error(err)
		}

		before := looked.Load()
		time.Sleep(10_000 * time.Hour)
		if n := looked.Load() - before; n != 0 {
			t.Errorf("with nothing due it woke up %d times", n)
		}
		stop()
		run.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestRunSaves watches when the disk is written.
func TestRunSaves(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := open(Options{Dir: dir}, twoFriends())
		ctx, stop := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { s.Run(ctx) })
		onDisk := func() (last string) {
			for _, a := range open(Options{Dir: dir}, twoFriends()).Status()[0].Activities {
				last = a.Sentence
			}
			return last
		}
		for i := range 20 { // the first is written at once, a burst waits
			s.Report(agents.Report{State: agents.Working, Message: fmt.Sprint(i)})
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			if got := onDisk(); got != "0" {
				t.Errorf("after %d reports %q is the last on disk, want the first", i+1, got)
			}
		}
		time.Sleep(saveDelay)
		synctest.Wait()
		if got := open(Options{Dir: dir}, twoFriends()).Status()[0].Activities; len(got) != 8 || got[7].Sentence != "19" {
			t.Errorf("on disk are %+v", got)
		}
		s.Report(agents.Report{State: agents.Done, Message: "last"})
		stop()
		run.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got := open(Options{Dir: dir}, twoFriends()).Status()[0].Activities; got[7].Sentence != "last" {
			t.Errorf("Close left on disk %+v", got)
		}
	})
}

// TestEverythingAtOnce is for the race detector.
func TestEverythingAtOnce(t *testing.T) {
	short := 200 * time.Microsecond
	s := open(Options{
		Dir:       t.TempDir(),
		Lifetimes: Lifetimes{Working: short, Waiting: short, Error: short, Done: short},
	}, twoFriends())
	var heard atomic.Int64
	s.OnChange = func(c Change) { heard.Add(1); s.Friends() }
	ctx, stop := context.WithCancel(context.Background())
	var run, busy sync.WaitGroup
	run.Go(func() { s.Run(ctx) })
	for g := range 6 {
		busy.Go(func() {
			for i := range 150 {
				pet := []string{"mochi", "Bori"}[i%2]
				s.Report(agents.Report{Pet: pet, Session: fmt.Sprint(g), State: agents.States[i%5], Message: fmt.Sprint("@tool ", i)})
				s.Say(pet, "hello")
				s.React(pet, agents.Pet)
				s.Status()
				s.Notes(pet)
				s.Packages()
				if g == 0 && i == 75 {
					s.SendAway("bori")
				}
				s.Again()
				if i%50 == 0 {
					s.save()
				}
			}
		})
	}
	busy.Wait()
	stop()
	run.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if heard.Load() == 0 {
		t.Error("nothing was heard")
	}
}

// TestFold checks what must hold whatever agents send: the friend shows the
// most urgent of its live sessions, OnChange knows as much as Status, nothing
// outlives its time.
func TestFold(t *testing.T) {
	pets := []string{"", "mochi", "bori"}
	messages := []string{"", "@thinking", "@tool Bash", "@done", "words"}
	longest := map[agents.State]time.Duration{
		agents.Working: 15 * time.Minute, agents.Waiting: 24 * time.Hour, agents.Error: time.Hour, agents.Done: time.Minute,
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse(t, Options{})
		known := map[string]agents.State{"mochi": agents.Idle, "bori": agents.Idle}
		h.OnChange = func(c Change) {
			if known[c.Friend.ID] != c.Previous {
				rt.Fatalf("%s was %s, the change says %s", c.Friend.ID, known[c.Friend.ID], c.Previous)
			}
			known[c.Friend.ID] = c.Friend.State
		}
		reported := map[sessionKey]map[agents.State]time.Time{} // when each last said so
		rt.Repeat(map[string]func(*rapid.T){
			"report": func(rt *rapid.T) {
				r := agents.Report{
					Pet:     rapid.SampledFrom(pets).Draw(rt, "pet"),
					Agent:   rapid.SampledFrom([]string{"", "claude"}).Draw(rt, "agent"),
					Session: rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "session"),
					State:   rapid.SampledFrom(agents.States).Draw(rt, "state"),
					Message: rapid.SampledFrom(messages).Draw(rt, "message"),
				}
				id, err := h.Report(r)
				if err != nil {
					rt.Fatal(err)
				}
				key := keyOf(r, id)
				if reported[key] == nil {
					reported[key] = map[agents.State]time.Time{}
				}
				reported[key][r.State] = h.now
				if r.State == agents.Error && known[id] != agents.Error {
					rt.Fatalf("an error left %s %s", id, known[id])
				}
			},
			"wait": func(rt *rapid.T) {
				unit := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour}).Draw(rt, "unit")
				h.after(time.Duration(rapid.IntRange(0, 90).Draw(rt, "n")) * unit)
			},
			"": func(rt *rapid.T) {
				for _, status := range h.Status() {
					want := agents.Idle
					for _, se := range status.Sessions {
						if se.State.Rank() > want.Rank() {
							want = se.State
						}
						key := keyOf(agents.Report{Agent: se.Agent, Session: se.Session}, status.ID)
						if age := h.now.Sub(reported[key][se.State]); age >= longest[se.State] {
							rt.Fatalf("%+v is %s old", se, age)
						}
					}
					if status.State != want || known[status.ID] != want {
						rt.Fatalf("%s is %s, OnChange heard %s, its sessions %+v", status.ID, status.State, known[status.ID], status.Sessions)
					}
				}
			},
		})
		h.after(24 * time.Hour)
		for id, state := range known {
			if state != agents.Idle || len(h.sessions) != 0 {
				rt.Fatalf("a day later %s is %s, with %d sessions", id, state, len(h.sessions))
			}
		}
	})
}
