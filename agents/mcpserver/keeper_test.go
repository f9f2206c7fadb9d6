package mcpserver

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

// kept runs a keeper beside a desk, in a bubble of time.
func kept(t *testing.T, test func(t *testing.T, d *desk, k *keeper)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		k := newKeeper(Options{App: d, Pet: "mochi", Project: "demo"})
		test(t, d, k)
		k.Close()
		time.Sleep(time.Minute) // what hangs is left behind, and ends by itself
	})
}

func say(k *keeper) error {
	return k.with(func(l agents.Lease) error {
		_, err := k.app.Say(agents.Target{Lease: l.ID}, "hi")
		return err
	})
}

// sleep lets time go by until everything of that instant is done.
func sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestLeaseIsTakenRenewedAndReleased(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		k.Start()
		d.expect(t, "at the start", "0 lease mcp")
		sleep(16 * time.Second)
		d.expect(t, "in the first 16 seconds", "5 renew L1, 10 renew L1, 15 renew L1")
		if err := say(k); err != nil {
			t.Error(err)
		}
		d.expect(t, "at a call", "16 say L1")
		k.Close()
		k.Close()
		sleep(time.Minute)
		d.expect(t, "at the end", "16 release L1")
		if err := say(k); !errors.Is(err, errClosing) {
			t.Errorf("a call after the end: %v", err)
		}
	})
}

func TestRequestOfALease(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		k.Start()
		d.heard()
		got := d.lives["L1"]
		if got.Pet != "mochi" || got.Project != "demo" || got.PID <= 0 || len(got.Nonce) < 16 {
			t.Errorf("asked for %+v", got)
		}
		if other := newKeeper(Options{App: d}); other.request.Nonce == got.Nonce {
			t.Error("two servers have the same nonce")
		}
	})
}

func TestIntroduced(t *testing.T) {
	for _, c := range []struct{ client, want string }{
		{"claude-code", "0 lease mcp, 1 lease claude, 6 renew L1"},
		{"Gemini-CLI-mcp-client", "0 lease mcp, 1 lease gemini, 6 renew L1"},
		{"somebody", "0 lease mcp, 5 renew L1"},
		{"", "0 lease mcp, 5 renew L1"},
	} {
		kept(t, func(t *testing.T, d *desk, k *keeper) {
			k.Start()
			sleep(time.Second)
			k.Introduced(c.client)
			k.Introduced(c.client)
			sleep(5 * time.Second)
			d.expect(t, c.client, c.want)
		})
	}
}

// A call right behind initialize is for the agent's own friend, also if the first
// attempt is still under way.
func TestCallBehindInitialize(t *testing.T) {
	for _, slow := range []time.Duration{0, time.Second} {
		kept(t, func(t *testing.T, d *desk, k *keeper) {
			d.slow = slow
			k.Start()
			sleep(slow / 2)
			k.Introduced("claude-code")
			var pet string
			err := k.with(func(l agents.Lease) error { pet = l.PetID; return nil })
			if err != nil || pet != "of-claude" {
				t.Errorf("answers taking %v: the friend is %q, %v", slow, pet, err)
			}
		})
	}
}

// Introduced while a renewal is under way, which may know nothing of it.
func TestIntroducedDuringARenewal(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		d.slow = time.Second
		k.Start()
		sleep(6*time.Second + time.Second/2)
		d.expect(t, "before", "0 lease mcp, 6 renew L1")
		k.Introduced("codex-mcp-client")
		sleep(3 * time.Second)
		d.expect(t, "after", "7 lease codex")
	})
}

func TestBackoff(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		d.down = bridge.ErrNotRunning
		k.Start()
		sleep(4 * time.Minute)
		d.expect(t, "while the app is not there",
			"0 lease mcp, 5 lease mcp, 15 lease mcp, 35 lease mcp, 75 lease mcp, 135 lease mcp, 195 lease mcp")
		d.restart()
		sleep(21 * time.Second)
		d.expect(t, "once it is there", "255 lease mcp, 260 renew L1")
		d.set(func() { d.down = errors.New("broken") })
		sleep(21 * time.Second)
		d.expect(t, "when it hangs", "265 renew L1, 270 renew L1, 280 renew L1")
		d.restart()
		sleep(20 * time.Second)
		d.expect(t, "a new one", "300 renew L1, 300 lease mcp")
	})
}

// What is tried beside the timer does not put it off, and what it finds is kept.
func TestCallTriesAtOnce(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		d.down = bridge.ErrNotRunning
		k.Start()
		sleep(16 * time.Second)
		d.heard()
		for range 3 {
			if err := say(k); !errors.Is(err, bridge.ErrNotRunning) {
				t.Errorf("with no app: %v", err)
			}
		}
		d.expect(t, "three calls", "16 lease mcp, 16 lease mcp, 16 lease mcp")
		d.restart()
		if err := say(k); err != nil {
			t.Error(err)
		}
		d.expect(t, "a call once it is there", "16 lease mcp, 16 say L1")
		sleep(10 * time.Second)
		d.expect(t, "afterwards", "21 renew L1, 26 renew L1")
	})
	kept(t, func(t *testing.T, d *desk, k *keeper) { // introduced to nobody: it begins anew
		d.down = bridge.ErrNotRunning
		k.Start()
		sleep(36 * time.Second)
		d.heard()
		k.Introduced("claude-code")
		sleep(time.Minute)
		d.expect(t, "introduced", "36 lease claude, 41 lease claude, 51 lease claude, 71 lease claude")
	})
}

// An app that was started again knows no lease: the call takes one and is made
// once more, and only once.
func TestForgottenLease(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		k.Start()
		sleep(time.Second)
		d.heard()
		d.restart()
		if err := say(k); err != nil {
			t.Error(err)
		}
		d.expect(t, "a call", "1 say L1, 1 lease mcp, 1 say L2")
		tries := 0
		err := k.with(func(agents.Lease) error { tries++; return bridge.ErrUnknownLease })
		if !errors.Is(err, bridge.ErrUnknownLease) || tries != 2 {
			t.Errorf("an app that forgets everything was asked %d times: %v", tries, err)
		}
		k.Close()
		d.expect(t, "the end", "1 lease mcp, 1 release L2")
	})
	kept(t, func(t *testing.T, d *desk, k *keeper) { // the same between two calls
		k.Start()
		sleep(time.Second)
		d.restart()
		sleep(5 * time.Second)
		d.expect(t, "the renewal", "0 lease mcp, 5 renew L1, 5 lease mcp")
	})
	kept(t, func(t *testing.T, d *desk, k *keeper) { // it ended, and is there again
		k.Start()
		sleep(time.Second)
		d.heard()
		d.set(func() { d.down = bridge.ErrNotRunning })
		if err := say(k); !errors.Is(err, bridge.ErrNotRunning) {
			t.Errorf("after its end: %v", err)
		}
		d.restart()
		if err := say(k); err != nil {
			t.Error(err)
		}
		d.expect(t, "both calls", "1 say L1, 1 renew L1, 1 lease mcp, 1 say L2")
	})
}

// Two calls find the same lease forgotten: the one that is later there has no
// business with the lease that the other took.
func TestForgottenLeaseIsNoticedTwice(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		k.Start()
		sleep(time.Second)
		d.restart()
		first := true
		err := k.with(func(agents.Lease) error {
			if !first {
				return nil
			}
			first = false
			if err := say(k); err != nil {
				t.Error(err)
			}
			return bridge.ErrUnknownLease
		})
		if err != nil {
			t.Error(err)
		}
		d.expect(t, "both calls", "0 lease mcp, 1 say L1, 1 lease mcp, 1 say L2")
	})
}

// A refusal that is not about the lease is told at once, and loses nothing.
func TestRefusedCall(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		k.Start()
		sleep(time.Second)
		d.heard()
		nobody := &bridge.Error{Status: 404, Code: "no_such_friend"}
		if err := k.with(func(agents.Lease) error { return nobody }); err != nobody {
			t.Errorf("told %v", err)
		}
		if err := say(k); err != nil {
			t.Error(err)
		}
		d.expect(t, "the next call", "1 say L1")
	})
}

// Calls that come at the same time share one attempt.
func TestOneAttemptAtATime(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		d.slow = time.Second
		k.Start()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				if _, err := k.get(); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		d.expect(t, "20 calls at the start", "0 lease mcp")
		d.set(func() { d.down = errors.New("broken") })
		sleep(8 * time.Second) // held no more
		d.heard()
		for range 20 {
			calls.Go(func() {
				if _, err := k.get(); err == nil {
					t.Error("no error")
				}
			})
		}
		calls.Wait()
		if got := d.heard(); strings.Count(got, "renew") != 1 {
			t.Errorf("20 calls with a broken app: it heard %q", got)
		}
	})
}

// The end waits a moment for what is under way, and not longer.
func TestCloseDuringAnAttempt(t *testing.T) {
	for _, c := range []struct {
		name       string
		slow       time.Duration
		after      time.Duration // the start
		heard      string
		atMost     time.Duration
		introduced bool
	}{
		{"a take that ends soon", 200 * time.Millisecond, 0, "0 lease mcp, 0.2 release L1", 400 * time.Millisecond, false},
		{"a take that hangs", 5 * time.Second, 0, "0 lease mcp", lastWait, false},
		{"a renewal that ends soon", 200 * time.Millisecond, 5200 * time.Millisecond, "0 lease mcp, 5.2 renew L1, 5.4 release L1", 400 * time.Millisecond, false},
		{"a renewal that hangs", time.Second, 6 * time.Second, "0 lease mcp, 6 renew L1, 6.25 release L1", lastWait + lastWord, false},
		{"introduced to nobody any more", 200 * time.Millisecond, 5200 * time.Millisecond, "0 lease mcp, 5.2 renew L1, 5.4 release L1", 400 * time.Millisecond, true},
	} {
		kept(t, func(t *testing.T, d *desk, k *keeper) {
			d.slow = c.slow
			k.Start()
			sleep(c.after)
			if c.introduced {
				k.Introduced("claude-code")
			}
			began := time.Now()
			k.Close()
			if took := time.Since(began); took > c.atMost {
				t.Errorf("%s: the end took %v, at most %v", c.name, took, c.atMost)
			}
			k.Introduced("claude-code")
			sleep(time.Minute)
			d.expect(t, c.name, c.heard)
		})
	}
}

// A take that is refused as unknown while the end begins takes nothing.
func TestCloseBetweenRenewingAndTaking(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		d.slow = 300 * time.Millisecond
		k.Start()
		sleep(time.Second)
		d.restart()
		sleep(4400 * time.Millisecond) // in the middle of the renewal
		k.Close()
		d.expect(t, "the end", "0 lease mcp, 5.3 renew L1, 5.6 release L1")
	})
}

func TestCloseWithoutALease(t *testing.T) {
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		d.down = bridge.ErrNotRunning
		k.Start()
		sleep(time.Second)
		k.Close()
		sleep(time.Minute)
		d.expect(t, "no lease was had", "0 lease mcp")
	})
	kept(t, func(t *testing.T, d *desk, k *keeper) {
		k.Close()
		d.expect(t, "not even begun", "")
	})
}
