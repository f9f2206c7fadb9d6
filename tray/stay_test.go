package tray

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
)

// TestWhatStays lets agents say whatever they like. At any moment the bubbles
// that stay are those of the sessions that wait for the person or failed.
func TestWhatStays(t *testing.T) {
	t.Setenv("PLAYPETS_LANG", "en")
	for seed := range uint64(10) {
		data := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			a, screen, _ := fakeApp(t, data)
			ctx, stop := context.WithCancel(t.Context())
			var run sync.WaitGroup
			run.Go(func() { a.Store.Run(ctx) })
			for step := range 250 {
				what := anything(t, a, r)
				synctest.Wait()
				if want := waiting(a); fmt.Sprint(screen.shown()) != fmt.Sprint(want) {
					t.Fatalf("seed %d, step %d, after %s:\nstays %q\nwant  %q", seed, step, what, screen.shown(), want)
				}
			}
			stop()
			run.Wait()
			a.Close()
		})
	}
}

// anything happens once, and says what it was.
func anything(t *testing.T, a *app, r *rand.Rand) string {
	friends := a.Friends()
	friend := friends[r.IntN(len(friends))].ID
	switch n := r.IntN(100); {
	case n < 70:
		report := agents.Report{
			Agent: []string{"", "claude", "codex"}[r.IntN(3)], Session: []string{"", "a", "b", "c"}[r.IntN(4)],
			Project: []string{"", "shop"}[r.IntN(2)], State: agents.States[r.IntN(5)],
			Message: []string{"", "@thinking", "@tool Bash", "@confirm", fmt.Sprint(n)}[r.IntN(5)],
		}
		if r.IntN(4) == 0 {
			report.Pet = friend
		}
		a.hears(t, report)
		return fmt.Sprintf("%+v", report)
	case n < 80:
		wait := []time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour, 25 * time.Hour}[r.IntN(5)]
		time.Sleep(wait)
		return wait.String()
	case n < 85:
		if _, err := a.Say(friend, "hello"); err != nil {
			t.Fatal(err)
		}
		return "speech"
	case n < 88:
		a.happened(chosen(friend, itemHide))
		return "hiding " + friend
	case n < 92:
		if err := a.bringBack(); err != nil {
			t.Fatal(err)
		}
		return "bringing back"
	case n < 95:
		a.happened(chosen(friend, itemQuiet))
		return "quiet"
	case n < 99:
		a.happened(chosen(friend, itemLoud))
		return "its end"
	}
	a.happened(chosen(friend, itemAway))
	return "sending away " + friend
}

// waiting is each session that waits or failed and whose friend is to be seen.
func waiting(a *app) (all []string) {
	hidden := a.notebook.get().Hidden
	for _, s := range a.Status() {
		for _, se := range s.Sessions {
			if stays(se.State) && !slices.Contains(hidden, s.ID) && a.quietUntil().IsZero() {
				all = append(all, s.ID+" "+se.Agent+"\x00"+se.Session)
			}
		}
	}
	slices.Sort(all)
	return all
}

// shown is each session whose bubble stays.
func (f *fakeScreen) shown() (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for friend, sessions := range f.stay {
		for session := range maps.Keys(sessions) {
			all = append(all, friend+" "+session)
		}
	}
	slices.Sort(all)
	return all
}

// TestTooManyStay: a session that is pushed out by others takes its bubble along.
func TestTooManyStay(t *testing.T) {
	a, screen, _ := fakeApp(t, t.TempDir())
	for i := range 400 {
		a.hears(t, agents.Report{Agent: "claude", Session: fmt.Sprint(i), State: agents.Waiting, Message: "May I?"})
	}
	if got, want := screen.shown(), waiting(a); len(got) != 256 || !slices.Equal(got, want) {
		t.Errorf("%d bubbles stay, %d sessions wait", len(got), len(want))
	}
	if screen.labels["mochi"] != "256 sessions" {
		t.Errorf("the label is %q", screen.labels["mochi"])
	}
}
