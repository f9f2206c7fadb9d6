package overlay

import (
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// A sight is a frame that was seen.
type sight struct {
	at   time.Time
	row  row
	col  int
	next time.Time
}

// sights is every frame of a from a moment until end, as a screen asks for them.
func sights(a *actor, from, end time.Time) (all []sight) {
	for now := from; now.Before(end); {
		r, col, next := a.frame(now)
		all = append(all, sight{now, r, col, next})
		if next.IsZero() {
			return all
		}
		now = next
	}
	return all
}

func TestIdleFriendsLookAround(t *testing.T) {
	a := fullActor()
	all := sights(a, epoch, epoch.Add(9*time.Minute))
	glances, left := 0, epoch
	gazes := map[int]bool{}
	for i, s := range all {
		if s.row != rowLook {
			continue
		}
		gazes[s.col] = true
		if hold := s.next.Sub(s.at); hold < ms(500) || hold > 2*time.Second {
			t.Errorf("it gazes for %v", hold)
		}
		if before := all[i-1]; before.row == rowIdle && before.col == 5 { // a glance begins
			glances++
			if d := s.at.Sub(left); d < glanceMin || d > glanceMin+glanceSpread+ms(5500) {
				t.Errorf("it looks around %v after the last time", d)
			}
		} else if before.row == rowIdle && (before.col != 0 || s.at.Sub(before.at) > time.Second) {
			t.Errorf("it looks from frame %d of idle, want the end of a breath or the neutral look", before.col)
		}
		if after := all[i+1]; after.row == rowIdle && after.col != 0 {
			t.Errorf("it looks back at frame %d of idle, want the neutral one", after.col)
		}
		left = s.next
	}
	if glances < 9 || glances > 21 || len(gazes) < 3 {
		t.Errorf("it looked around %d times in nine minutes, into %d directions", glances, len(gazes))
	}
}

func TestWhoDoesNotLookAround(t *testing.T) {
	first := newActor(epoch)
	first.load(rowIdle, 6, epoch)
	for name, a := range map[string]*actor{"a sheet of the first kind": first, "calm": movingActor(Calm)} {
		for i, s := range sights(a, epoch, epoch.Add(9*time.Minute)) {
			if s.row != rowIdle || s.col != i%6 {
				t.Errorf("%s: %v after %d frames, want nothing but breathing", name, s, i)
				break
			}
		}
	}
}

func TestFriendsDoNotLookAroundTogether(t *testing.T) {
	first := map[time.Duration]bool{}
	for i := range 8 {
		born := epoch.Add(ms(130 * i))
		a := newActor(born)
		for r := range rowCount {
			a.load(r, len(holds[r]), born)
		}
		for _, s := range sights(a, born, born.Add(time.Minute)) {
			if s.row == rowLook {
				first[s.at.Sub(born)] = true
				break
			}
		}
	}
	if len(first) < 3 {
		t.Errorf("eight friends look around after %v", first)
	}
}

// dozer is a friend that dozes at the returned moment.
func dozer(t *testing.T, m Motion) (*actor, time.Time) {
	t.Helper()
	a := movingActor(m)
	if a.dozing(epoch.Add(dozeAfter)) {
		t.Error("it dozes at once, without nodding")
	}
	now := epoch.Add(dozeAfter + ms(5500+2000))
	if !a.dozing(now) {
		t.Fatal("it does not doze")
	}
	return a, now
}

func TestDozeCostsNothing(t *testing.T) {
	for _, m := range []Motion{Lively, Calm} {
		a, now := dozer(t, m)
		for _, at := range []time.Time{now, now.Add(100 * time.Hour)} {
			if r, col, next := a.frame(at); r != rowIdle || col != closed || !next.IsZero() || !a.dozing(at) {
				t.Errorf("asleep it shows row %d frame %d until %v, want closed eyes for ever", r, col, next)
			}
		}
	}
}

// TestFallingAsleepIsSoft: heavy lids, twice, after the end of a breath.
func TestFallingAsleepIsSoft(t *testing.T) {
	a := fullActor()
	all := sights(a, epoch, epoch.Add(time.Hour))
	last := all[len(all)-5:]
	for i, want := range []int{5, halfOpen, closed, halfOpen, closed} {
		if last[i].row != rowIdle || last[i].col != want {
			t.Errorf("of its last five frames number %d is frame %d of row %d, want %d of idle", i, last[i].col, last[i].row, want)
		}
	}
	if at := last[1].at.Sub(epoch); at < dozeAfter || at > dozeAfter+ms(5500) {
		t.Errorf("it nods off after %v", at)
	}
}

func TestEverythingWakes(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(a *actor, now time.Time)
		then row // after it opened its eyes
	}{
		{"a touch", func(a *actor, now time.Time) { a.wake(now) }, rowIdle},
		{"a sentence", func(a *actor, now time.Time) { a.apply(Update{}, now) }, rowIdle},
		{"idle again", func(a *actor, now time.Time) { a.apply(Update{State: agents.Idle}, now) }, rowIdle},
		{"work", func(a *actor, now time.Time) { a.apply(Update{State: agents.Working}, now) }, rowWorking},
		{"petting", func(a *actor, now time.Time) { a.apply(Update{Reaction: agents.Pet}, now) }, rowJump},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, now := dozer(t, Lively)
			c.do(a, now)
			r, col, next := a.frame(now)
			if r != rowIdle || col != halfOpen || next.Sub(now) != ms(300) || a.dozing(now) {
				t.Errorf("it shows row %d frame %d for %v, want eyes half open", r, col, next.Sub(now))
			}
			if r, col, _ := a.frame(next); r != c.then || col != 0 {
				t.Errorf("then row %d frame %d, want the first of row %d", r, col, c.then)
			}
			if a.dozing(now.Add(dozeAfter - 1)) {
				t.Error("it falls asleep again in less than ten minutes")
			}
		})
	}
}

func TestEventsKeepAwake(t *testing.T) {
	a := fullActor()
	now := epoch
	for range 10 {
		now = now.Add(9 * time.Minute)
		if a.dozing(now) {
			t.Fatalf("it dozes %v after it was touched", 9*time.Minute)
		}
		a.wake(now)
		if r, col, _ := a.frame(now); r == rowIdle && col == closed {
			t.Errorf("it shows frame %d, as if it was woken", col)
		}
	}
}

func TestOnlyIdleFriendsDoze(t *testing.T) {
	for _, s := range agents.States {
		if s == agents.Idle {
			continue
		}
		a := fullActor()
		a.apply(Update{State: s}, epoch)
		if a.dozing(epoch.Add(24 * time.Hour)) {
			t.Errorf("%s falls asleep", s)
		}
	}
	if movingActor(Reduced).dozing(epoch.Add(24 * time.Hour)) {
		t.Error("a still friend falls asleep, which is a movement")
	}
}

// TestDozeOfFewFrames: an artist may have drawn no blink.
func TestDozeOfFewFrames(t *testing.T) {
	a := newActor(epoch)
	a.load(rowIdle, 1, epoch)
	now := epoch.Add(dozeAfter + time.Minute)
	if r, col, next := a.frame(now); r != rowIdle || col != 0 || !next.IsZero() || !a.dozing(now) {
		t.Errorf("row %d frame %d until %v (dozing: %v)", r, col, next, a.dozing(now))
	}
	if n := wakeUps(newOne(1), epoch, epoch.Add(time.Hour)); n > 30 {
		t.Errorf("one picture is looked at %d times before it dozes", n)
	}
}

// newOne has an idle row of n frames, and nothing else.
func newOne(n int) *actor {
	a := newActor(epoch)
	a.load(rowIdle, n, epoch)
	return a
}
