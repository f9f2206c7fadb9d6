package tray

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

func TestAges(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ago  []time.Duration
		want time.Duration
	}{
		{nil, 0},
		{[]time.Duration{10 * time.Second}, 50 * time.Second},
		{[]time.Duration{-time.Second}, time.Minute}, // the clock was set back
		{[]time.Duration{time.Minute}, time.Minute},
		{[]time.Duration{90 * time.Minute}, 30 * time.Minute},
		{[]time.Duration{49 * time.Hour}, 23 * time.Hour},
		{[]time.Duration{49 * time.Hour, 90 * time.Minute}, 30 * time.Minute},
	} {
		v := view{now: now, agents: []agentView{{}}}
		for _, ago := range c.ago {
			v.agents = append(v.agents, agentView{last: now.Add(-ago)})
		}
		if got := v.ages(); got != c.want {
			t.Errorf("%v ago: in %v, want %v", c.ago, got, c.want)
		}
	}
}

// The menu's "… ago" is true while nothing happens, for few wake-ups.
func TestMenuAges(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		a, _, _ := fakeApp(t, dir)
		var mu sync.Mutex
		var views []view
		a.tray = func(v view) {
			mu.Lock()
			defer mu.Unlock()
			views = append(views, v)
		}
		shown := func() (last view, times int) {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			defer func() { views = nil }()
			return views[len(views)-1], len(views)
		}
		a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Working, Message: "@thinking"})
		time.Sleep(gather)
		shown()
		time.Sleep(3*time.Minute + time.Second)
		if last, times := shown(); times != 3 || last.now.Sub(last.agents[0].last) != 3*time.Minute {
			t.Errorf("after three minutes: shown %d times, the last at %v", times, last.now)
		}
		time.Sleep(24 * time.Hour)
		if _, times := shown(); times > 60+24+5 {
			t.Errorf("in a day it was shown %d times", times)
		}
	})
}

// A burst of changes is one view, with all of it; a change alone is seen soon.
func TestChangesAreGathered(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		a, _, _ := fakeApp(t, dir)
		var views []view
		a.tray = func(v view) { views = append(views, v) } // under a lock; read when all is at rest
		for i := range 1000 {
			a.hears(t, agents.Report{Agent: "claude", Session: strconv.Itoa(i % 3), State: agents.Working, Message: fmt.Sprintf("@tool %d", i)})
		}
		a.hears(t, agents.Report{Agent: "claude", Session: "1", State: agents.Waiting})
		time.Sleep(gather)
		synctest.Wait()
		if len(views) != 1 || views[0].friends[0].state != agents.Waiting || len(views[0].friends[0].sessions) != 3 {
			t.Fatalf("%d views, the last %+v", len(views), views)
		}
		a.refresh() // as a click does, at once
		a.hears(t, agents.Report{Agent: "claude", Session: "1", State: agents.Done})
		time.Sleep(gather)
		synctest.Wait()
		if n := len(views); n != 3 || views[2].friends[0].state != agents.Working {
			t.Errorf("%d views, the last %+v", n, views[n-1])
		}
	})
}

// BenchmarkEvents is what an event costs the app: without a tray, with one, and with
// a view for each change.
func BenchmarkEvents(b *testing.B) {
	for _, c := range []struct {
		name string
		open func(*app)
	}{
		{"no tray", func(*app) {}},
		{"tray", func(a *app) { a.tray = func(view) {} }},
		{"a view each", func(a *app) {
			a.tray = func(view) {}
			a.OnChange = func(c friends.Change) { a.show(c); a.refresh() }
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			a, err := openApp(b.TempDir(), settings{}, nobody{}, diary{slog.New(slog.DiscardHandler), io.NopCloser(nil)})
			if err != nil {
				b.Fatal(err)
			}
			defer a.Close()
			c.open(a)
			for i := 0; b.Loop(); i++ {
				_, err := a.Report(agents.Report{
					Agent: "claude", Session: strconv.Itoa(i % 4), Project: "shop", State: agents.Working, Message: "@tool " + strconv.Itoa(i),
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// nobody sees the friends.
type nobody struct{}

func (nobody) SetFriends([]overlay.Sprite)   {}
func (nobody) Show(overlay.Update)           {}
func (nobody) OpenMenu(string, overlay.Menu) {}
