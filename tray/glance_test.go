package tray

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
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
