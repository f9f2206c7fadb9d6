package mcpserver

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/playpets/playpets/bridge"
)

// TestHistories: whatever happens, a lease that is held is the app's, an app that
// answers has it again within a minute, and the end leaves none.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		history := rapid.SliceOfN(rapid.SampledFrom([]string{
			"say", "say twice at once", "down", "broken", "restart", "answers", "claude-code", "codex", "unknown", "second", "ten seconds", "minutes",
		}), 1, 30).Draw(rt, "history")
		slow := rapid.SampledFrom([]time.Duration{0, 100 * time.Millisecond, 2 * time.Second}).Draw(rt, "slow")
		kept(t, func(t *testing.T, d *desk, k *keeper) {
			d.slow = slow
			var calls sync.WaitGroup
			k.Start()
			for _, step := range history {
				switch step {
				case "say":
					say(k)
				case "say twice at once":
					calls.Go(func() { say(k) })
					calls.Go(func() { say(k) })
				case "down":
					d.set(func() { d.down = bridge.ErrNotRunning })
				case "broken":
					d.set(func() { d.down = errors.New("broken") })
				case "restart":
					d.restart()
				case "answers":
					d.set(func() { d.down = nil })
				case "second":
					sleep(time.Second)
				case "ten seconds":
					sleep(10 * time.Second)
				case "minutes":
					sleep(5 * time.Minute)
				default:
					k.Introduced(step)
				}
			}
			calls.Wait()
			d.set(func() { d.down = nil })
			sleep(maxPause + 10*time.Second)
			lease := k.last()
			if by, ok := d.lives[lease.ID]; !ok || len(d.lives) != 1 || by.Agent != k.request.Agent || lease.PetID != "of-"+by.Agent || !k.held {
				rt.Errorf("a minute later %+v is held, the app knows %v", lease, d.lives)
			}
			d.heard()
			if err := say(k); err != nil || strings.Count(d.heard(), "say") != 1 {
				rt.Errorf("a call afterwards: %v", err)
			}
			k.Close()
			sleep(time.Minute)
			if got := d.heard(); len(d.lives) > 0 || strings.Count(got, "release") != 1 || strings.Contains(got, "lease mcp") {
				rt.Errorf("the end: the app heard %q and knows %v", got, d.lives)
			}
		})
	})
}
