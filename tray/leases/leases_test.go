package leases

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/playpets/playpets/agents"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house has friends by every name but "nobody", whose place Mochi takes, and
// processes that the test ends.
type house struct {
	*Leases
	mu     sync.Mutex
	away   bool // Mochi has all the friends' places
	dead   map[int]bool
	asked  int           // how often the system was asked for a process
	looked int           // how often the time was
	slept  time.Duration // that no timer has counted
	told   []string
}

func newHouse() *house {
	h := &house{dead: map[int]bool{}}
	h.Leases = New(Options{Resolve: h.resolve, OnChange: h.changed, Alive: h.alive, Now: h.now})
	return h
}

func (h *house) resolve(r agents.LeaseRequest) agents.Lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := agents.Lease{Requested: r.Pet, PetID: r.Pet, PetName: strings.ToUpper(r.Pet)}
	switch {
	case r.Pet == "":
		l.PetID, l.UsingDefault = "mochi", true
	case r.Pet == "nobody" || h.away:
		l.PetID, l.UsingDefault, l.Fallback = "mochi", true, agents.FallbackMissing
	}
	return l
}

func (h *house) alive(pid int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked++
	return !h.dead[pid]
}

func (h *house) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looked++
	return time.Now().Add(h.slept)
}

// changed notes "+bori" for a lease taken, "-bori" for one that ended, "bori>mochi".
func (h *house) changed(before, after Held) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case before.ID == "":
		h.told = append(h.told, "+"+after.PetID)
	case after.ID == "":
		h.told = append(h.told, "-"+before.PetID)
	default:
		h.told = append(h.told, before.PetID+">"+after.PetID)
	}
}

func (h *house) kill(pid int, dead bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dead[pid] = dead
}

func (h *house) timesAsked() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked
}

// heard returns what was told since it was asked last.
func (h *house) heard() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	told := strings.Join(h.told, " ")
	h.told = nil
	return told
}

func (h *house) wantHeard(t *testing.T, want string) {
	t.Helper()
	if got := h.heard(); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// runs sweeps in a bubble of time, and returns what ends that.
func (h *house) runs() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { h.Run(ctx) })
	return func() { cancel(); running.Wait() }
}

func bori(pid int, nonce string) agents.LeaseRequest {
	return agents.LeaseRequest{Pet: "bori", PID: pid, Nonce: nonce}
}

func TestLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		defer h.runs()()
		began := time.Now()
		l := h.Take(bori(7, "n"))
		if l.ID == "" || l.PetID != "bori" || l.PetName != "BORI" || l.UsingDefault || l.Fallback != "" || !l.Expires.Equal(began.Add(agents.LeaseTTL)) {
			t.Errorf("taken: %+v", l)
		}
		for range 10 {
			time.Sleep(agents.LeaseRenew)
			if l, ok := h.Renew(l.ID); !ok || !l.Expires.Equal(time.Now().Add(agents.LeaseTTL)) {
				t.Fatalf("renewed: %+v, %v", l, ok)
			}
		}
		h.wantHeard(t, "+bori")
		time.Sleep(agents.LeaseTTL - 1)
		synctest.Wait()
		if _, ok := h.Get(l.ID); !ok || len(h.All()) != 1 {
			t.Error("it ended too early")
		}
		time.Sleep(time.Nanosecond)
		if _, ok := h.Get(l.ID); ok || len(h.All()) != 0 {
			t.Error("its time is up, and it is held")
		}
		if _, ok := h.Renew(l.ID); ok {
			t.Error("its time was up, and it is renewed")
		}
		synctest.Wait()
		h.wantHeard(t, "-bori")
		if h.Release(l.ID) {
			t.Error("what has ended was released")
		}
		if again := h.Take(bori(7, "n")); again.ID == l.ID {
			t.Error("a new lease has the old one's id")
		}
	})
}

// TestAppStoodStill: nobody can renew while the machine sleeps or the app is stopped,
// and nobody loses its friend by that.
func TestAppStoodStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		defer h.runs()()
		renewed, silent := h.Take(bori(7, "n")), h.Take(agents.LeaseRequest{Pet: "ssak"})
		time.Sleep(agents.LeaseRenew + agents.LeaseRenew/2)
		h.wantHeard(t, "+bori +ssak")
		h.mu.Lock()
		h.slept = time.Hour
		h.mu.Unlock()
		if _, ok := h.Renew(renewed.ID); !ok || len(h.All()) != 2 {
			t.Errorf("renewed: %v; %d are held", ok, len(h.All()))
		}
		time.Sleep(agents.LeaseRenew - 1)
		h.wantHeard(t, "")
		if _, ok := h.Get(silent.ID); !ok {
			t.Error("the time that it had left is gone")
		}
		time.Sleep(agents.LeaseTTL + agents.LeaseSweep)
		synctest.Wait()
		if told := h.heard(); told != "-ssak -bori" {
			t.Errorf("told %q", told)
		}
	})
}

func TestSameHolder(t *testing.T) {
	h := newHouse()
	first := h.Take(bori(7, "n"))
	for name, r := range map[string]agents.LeaseRequest{
		"another process": bori(8, "n"), "another run": bori(7, "m"), "no nonce": bori(7, ""), "no nonce again": bori(7, ""),
	} {
		if l := h.Take(r); l.ID == first.ID {
			t.Errorf("%s has the same lease", name)
		}
	}
	h.heard()
	other := h.Take(agents.LeaseRequest{Pet: "ssak", Agent: "claude", PID: 7, Nonce: "n"})
	if other.ID != first.ID || other.PetID != "ssak" {
		t.Errorf("another friend: %+v", other)
	}
	h.wantHeard(t, "bori>ssak")
	if l, _ := h.Get(first.ID); l.Agent != "claude" || l.PetID != "ssak" || len(h.All()) != 5 {
		t.Errorf("then held is %+v, of %d", l, len(h.All()))
	}
	if h.Take(agents.LeaseRequest{Pet: "nobody", Agent: "claude", PID: 7, Nonce: "n"}); h.heard() != "ssak>mochi" {
		t.Error("a fallback is not told")
	}
}

// A friend that leaves and comes is found by whoever renews or asks.
func TestFriendsComeAndGo(t *testing.T) {
	h := newHouse()
	l := h.Take(bori(7, "n"))
	h.heard()
	h.away = true
	if got, ok := h.Renew(l.ID); !ok || got.PetID != "mochi" || got.Fallback != agents.FallbackMissing || got.Requested != "bori" || got.ID != l.ID {
		t.Errorf("it left: %+v, %v", got, ok)
	}
	h.Renew(l.ID)
	h.wantHeard(t, "bori>mochi")
	h.away = false
	if got, ok := h.Get(l.ID); !ok || got.PetID != "bori" || got.Fallback != "" {
		t.Errorf("it is back: %+v, %v", got, ok)
	}
	h.wantHeard(t, "mochi>bori")
}

// Who says whose server it is while that is being renewed is believed.
func TestTakenWhileRenewed(t *testing.T) {
	h := newHouse()
	l := h.Take(bori(7, "n"))
	resolve := h.o.Resolve
	// meanwhile does something while the next one resolves.
	meanwhile := func(do func()) {
		h.o.Resolve = func(r agents.LeaseRequest) agents.Lease {
			h.o.Resolve = resolve
			do()
			return resolve(r)
		}
	}
	meanwhile(func() { h.Take(agents.LeaseRequest{Pet: "ssak", PID: 7, Nonce: "n"}) })
	if got, ok := h.Renew(l.ID); !ok || got.PetID != "ssak" || got.ID != l.ID {
		t.Errorf("%+v, %v", got, ok)
	}
	meanwhile(func() { h.Release(l.ID) })
	if got, ok := h.Renew(l.ID); ok {
		t.Errorf("released meanwhile, it is %+v", got)
	}
}

func TestDeathIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		defer h.runs()()
		h.kill(9, true) // it is in a container
		h.Take(bori(7, "n"))
		h.Take(bori(8, "n"))
		h.Take(agents.LeaseRequest{Pet: "inside", PID: 9, Nonce: "n"})
		h.Take(agents.LeaseRequest{Pet: "unknown"})
		h.heard()
		time.Sleep(time.Second)
		h.kill(7, true)
		h.kill(9, false) // somebody outside has that number
		h.Take(agents.LeaseRequest{Pet: "inside", PID: 9, Nonce: "n"})
		h.kill(9, true)
		time.Sleep(agents.LeaseSweep)
		synctest.Wait()
		h.wantHeard(t, "-bori")
		time.Sleep(agents.LeaseTTL)
		synctest.Wait()
		if n := len(h.All()); n != 0 {
			t.Errorf("%d are left", n)
		}
	})
}

// From any moment of its life, a holder that is silent is gone within 15 s, and one
// whose process ends within 5 s.
func TestDeathAtAnyTime(t *testing.T) {
	for _, ends := range []bool{false, true} {
		for at := range 30 {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse()
				defer h.runs()()
				other := h.Take(agents.LeaseRequest{Pet: "other", PID: 1, Nonce: "o"}) // it keeps the sweeps going
				time.Sleep(time.Duration(at) * time.Second / 7)
				l := h.Take(bori(7, "n"))
				h.heard()
				limit := agents.LeaseTTL
				if ends {
					h.kill(7, true)
					limit = agents.LeaseSweep
				}
				for range limit / time.Second {
					h.Renew(other.ID)
					time.Sleep(time.Second)
				}
				synctest.Wait()
				h.wantHeard(t, "-bori")
				if _, ok := h.Get(l.ID); ok {
					t.Error("it is held")
				}
			})
		}
	}
}

func TestReleaseOnce(t *testing.T) {
	h := newHouse()
	l := h.Take(bori(7, "n"))
	h.heard()
	var ended atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if h.Release(l.ID) {
				ended.Add(1)
			}
		})
	}
	all.Wait()
	h.wantHeard(t, "-bori")
	if ended.Load() != 1 || h.Release("") || h.Release("no such") {
		t.Errorf("released %d times", ended.Load())
	}
	h.wantHeard(t, "")
}

func TestTooMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		first := h.Take(bori(7, "first"))
		time.Sleep(time.Millisecond)
		second := h.Take(agents.LeaseRequest{Pet: "silent", PID: 7, Nonce: "second"})
		time.Sleep(time.Millisecond)
		h.Renew(first.ID)
		time.Sleep(time.Millisecond)
		for i := range maxLeases - 2 {
			h.Take(bori(7, fmt.Sprint(i)))
		}
		h.heard()
		h.Take(bori(7, "0")) // has one
		if got := h.heard(); got != "" {
			t.Errorf("one of those that there were: %q", got)
		}
		h.Take(bori(7, "one more"))
		h.wantHeard(t, "+bori -silent")
		if _, ok := h.Get(second.ID); ok || len(h.All()) != maxLeases {
			t.Errorf("%d are held", len(h.All()))
		}
		if _, ok := h.Get(first.ID); !ok {
			t.Error("who had renewed is gone")
		}
	})
}

// Without leases nothing wakes, and sweeping begins again with the next.
func TestNoTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		defer h.runs()()
		quiet := func(when string) {
			t.Helper()
			synctest.Wait()
			looked := h.looked
			time.Sleep(24 * time.Hour)
			synctest.Wait()
			if h.looked != looked {
				t.Errorf("%s it looked %d times", when, h.looked-looked)
			}
		}
		quiet("at first")
		for range 3 {
			l := h.Take(bori(7, "n"))
			time.Sleep(agents.LeaseSweep)
			synctest.Wait()
			if h.asked == 0 {
				t.Error("nobody looks after the process")
			}
			h.Release(l.ID)
			time.Sleep(agents.LeaseSweep) // it does not know yet
			quiet("after the last")
			h.Take(bori(7, "n"))
			time.Sleep(agents.LeaseTTL)
			quiet("after the last ran out")
		}
	})
}

// Many who come at once are not each looked over for every other one.
func TestManyCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		defer h.runs()()
		for i := range 100 {
			h.Take(bori(i+1, "n"))
			synctest.Wait()
		}
		if h.asked > 110 {
			t.Errorf("the system was asked %d times for 100 processes", h.asked)
		}
	})
}

func TestSession(t *testing.T) {
	h := newHouse()
	mine, each := h.Take(bori(7, "n")), h.Take(bori(0, ""))
	if held, _ := h.Get(mine.ID); held.Session() != mine.ID {
		t.Errorf("session %q", held.Session())
	}
	if held, ok := h.Get(each.ID); !ok || held.Session() != "" {
		t.Errorf("session %q of who takes a lease for each word", held.Session())
	}
	if (Held{}).Session() != "" {
		t.Error("none has a session")
	}
}

// Many at once, beside the sweeps: run with -race.
func TestManyAtOnce(t *testing.T) {
	h := newHouse()
	stop := h.runs()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 50 {
				l := h.Take(bori(i, fmt.Sprint(n%3)))
				h.Renew(l.ID)
				h.Get(l.ID)
				h.kill(i, n%5 == 0)
				h.All()
				h.sweep()
				if n%2 == 0 {
					h.Release(l.ID)
				}
			}
		})
	}
	all.Wait()
	stop()
	h.mu.Lock()
	taken := len(slices.DeleteFunc(slices.Clone(h.told), func(s string) bool { return s[0] != '+' }))
	ended := len(slices.DeleteFunc(slices.Clone(h.told), func(s string) bool { return s[0] != '-' }))
	h.mu.Unlock()
	if held := len(h.held); taken != ended+held {
		t.Errorf("%d taken, %d ended, %d held", taken, ended, held)
	}
}

// Histories of three holders, against what the rules say in few words.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse()
		now := time.Unix(1, 0)
		h.o.Now = func() time.Time { return now }
		type holder struct {
			id      string
			expires time.Time
			watched bool
			swept   bool // nobody can renew it any more
		}
		var model [3]holder
		alive := func(i int) bool { return model[i].id != "" && !model[i].swept && model[i].expires.After(now) }
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			i := rapid.IntRange(0, 2).Draw(rt, "who")
			m, pid := &model[i], i+1
			switch rapid.SampledFrom([]string{"take", "renew", "release", "kill", "live", "sweep", "wait", "get"}).Draw(rt, "what") {
			case "take":
				l := h.Take(bori(pid, "n"))
				known := m.id != "" && !m.swept
				if known != (l.ID == m.id) {
					rt.Fatalf("taken: the same lease is %v, want %v", l.ID == m.id, known)
				}
				if !known {
					m.watched = !h.dead[pid]
				}
				m.id, m.swept, m.expires = l.ID, false, now.Add(agents.LeaseTTL)
			case "renew":
				_, ok := h.Renew(m.id)
				if ok != alive(i) {
					rt.Fatalf("renewed: %v, want %v", ok, alive(i))
				}
				if ok {
					m.expires = now.Add(agents.LeaseTTL)
				}
			case "release":
				if ok := h.Release(m.id); ok != (m.id != "" && !m.swept) {
					rt.Fatalf("released: %v", ok)
				}
				m.swept = true
			case "kill":
				h.kill(pid, true)
			case "live":
				h.kill(pid, false)
			case "sweep":
				h.sweep()
				for i := range model {
					m := &model[i]
					m.swept = m.swept || !alive(i) || m.watched && h.dead[i+1]
				}
			case "wait":
				now = now.Add(time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second)
			case "get":
				if _, ok := h.Get(m.id); ok != alive(i) {
					rt.Fatalf("held: %v, want %v", ok, alive(i))
				}
			}
			n := 0
			for i := range model {
				if alive(i) {
					n++
				}
			}
			if len(h.All()) != n {
				rt.Fatalf("%d are held, want %d", len(h.All()), n)
			}
		}
	})
}

// 200 servers for an hour: nothing grows, and a sweep a few seconds is all that
// happens by itself.
func TestManyServersForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		defer h.runs()()
		var ids []string
		for i := range 200 {
			ids = append(ids, h.Take(agents.LeaseRequest{Pet: "bori", Agent: "claude", Project: "shop", PID: i + 1, Nonce: fmt.Sprint(i)}).ID)
		}
		h.heard()
		minutes := func(n int) (heap uint64, goroutines int) {
			for range n * 12 {
				time.Sleep(agents.LeaseRenew)
				for _, id := range ids {
					if _, ok := h.Renew(id); !ok {
						t.Fatal("a lease that is renewed has ended")
					}
				}
			}
			synctest.Wait()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc, runtime.NumGoroutine()
		}
		heap, goroutines := minutes(1)
		asked := h.timesAsked()
		heapAfter, goroutinesAfter := minutes(60)
		if grown := int64(heapAfter) - int64(heap); grown > 64<<10 {
			t.Errorf("the heap grew by %d bytes", grown)
		}
		if goroutinesAfter > goroutines {
			t.Errorf("%d goroutines, then %d", goroutines, goroutinesAfter)
		}
		if sweeps := (h.timesAsked() - asked) / 200; sweeps > 60*12+1 {
			t.Errorf("%d sweeps in an hour", sweeps)
		}
		h.wantHeard(t, "")
		if len(h.All()) != 200 {
			t.Errorf("%d are held", len(h.All()))
		}
	})
}

func BenchmarkRenew(b *testing.B) {
	h := newHouse()
	var ids []string
	for i := range 200 {
		ids = append(ids, h.Take(bori(i+1, fmt.Sprint(i))).ID)
	}
	b.ReportAllocs()
	for i := range b.N {
		h.Renew(ids[i%200])
	}
}
