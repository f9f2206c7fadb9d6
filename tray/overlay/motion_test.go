package overlay

import (
	"slices"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// movingActor has every row and moves like m.
func movingActor(m Motion) *actor {
	a := fullActor()
	a.setMotion(m, epoch)
	return a
}

// wakeUps is how often what is seen of a changes until end.
func wakeUps(a *actor, from, end time.Time) (n int) {
	for now := from; ; n++ {
		_, _, next := a.frame(now)
		if next.IsZero() || next.After(end) {
			return n
		}
		now = next
	}
}

func TestReducedMotionIsAStillForEachState(t *testing.T) {
	seen := map[row]bool{}
	for _, s := range agents.States {
		a := movingActor(Reduced)
		now := epoch.Add(ms(130))
		a.apply(Update{State: s}, now)
		r, col, next := a.frame(now)
		if want := a.home(); r != want || col != stills[r] || !next.IsZero() {
			t.Errorf("%s shows row %d frame %d until %v, want frame %d of row %d for ever", s, r, col, next, stills[want], want)
		}
		if seen[r] {
			t.Errorf("%s looks like another state", s)
		}
		seen[r] = true
	}
}

func TestReducedMotionReactsWithAStill(t *testing.T) {
	for reaction, want := range map[agents.Reaction]row{agents.Wave: rowWave, agents.Jump: rowJump, agents.Pet: rowWave} {
		a := movingActor(Reduced)
		a.apply(Update{State: agents.Working}, epoch)
		now := epoch.Add(time.Hour)
		a.apply(Update{Reaction: reaction}, now)
		r, col, next := a.frame(now)
		if r != want || col != stills[want] || next.Sub(now) != stillGesture {
			t.Errorf("%s shows row %d frame %d for %v, want frame %d of row %d for %v", reaction, r, col, next.Sub(now), stills[want], want, stillGesture)
		}
		if r, col, after := a.frame(next); r != rowWorking || col != stills[rowWorking] || !after.IsZero() {
			t.Errorf("after %s: row %d frame %d until %v, want work, and still", reaction, r, col, after)
		}
	}
}

// TestStillsOfRowsThatAreMissing: whoever has no picture of it does not close
// its eyes instead.
func TestStillsOfRowsThatAreMissing(t *testing.T) {
	a := newActor(epoch)
	a.load(rowIdle, 6, epoch)
	a.load(rowFailed, 2, epoch)
	a.setMotion(Reduced, epoch)
	for _, c := range []struct {
		state agents.State
		row   row
		col   int
	}{{agents.Waiting, rowIdle, 0}, {agents.Error, rowFailed, 1}} {
		a.apply(Update{State: c.state}, epoch)
		if r, col, next := a.frame(epoch); r != c.row || col != c.col || !next.IsZero() {
			t.Errorf("%s shows row %d frame %d until %v, want frame %d of row %d", c.state, r, col, next, c.col, c.row)
		}
	}
}

func TestCalmFriendsRestWhileTheyWork(t *testing.T) {
	a := movingActor(Calm)
	a.apply(Update{State: agents.Working}, epoch)
	end := epoch.Add(4 * ms(820))
	if r, col, next := a.frame(end.Add(-1)); r != rowWorking || col != 5 || next.Sub(end) < time.Second {
		t.Errorf("after four passes: row %d frame %d for %v, want the last frame of work for a while", r, col, next.Sub(end))
	}
	lively := movingActor(Lively)
	lively.apply(Update{State: agents.Working}, epoch)
	minute := epoch.Add(time.Minute)
	if calm, lively := wakeUps(a, end, minute), wakeUps(lively, end, minute); calm > lively/2 {
		t.Errorf("a calm friend at work moves %d times a minute, a lively one %d times", calm, lively)
	}
}

func TestCalmFriendsStillAnswer(t *testing.T) {
	a := movingActor(Calm)
	a.apply(Update{Reaction: agents.Pet}, epoch)
	if got, want := rowsUntil(a, epoch, epoch.Add(time.Minute)), []row{rowJump, rowWave, rowIdle}; !slices.Equal(got, want) {
		t.Errorf("plays %v, want %v", got, want)
	}
}

// TestMotionChangesAtOnce, in the middle of anything.
func TestMotionChangesAtOnce(t *testing.T) {
	for _, s := range agents.States {
		a := movingActor(Lively)
		a.apply(Update{State: s, Reaction: agents.Wave}, epoch)
		now := epoch.Add(ms(200))
		a.setMotion(Reduced, now)
		if r, col, next := a.frame(now); r != a.home() || col != stills[r] || !next.IsZero() {
			t.Errorf("%s: row %d frame %d until %v, want it still", s, r, col, next)
		}
		a.setMotion(Lively, now)
		if r, _, next := a.frame(now); r != a.home() || next.IsZero() {
			t.Errorf("%s: row %d until %v, want it to move again", s, r, next)
		}
	}
}
