package overlay

import (
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

func TestCarriedFriendsRun(t *testing.T) {
	type step struct {
		after time.Duration
		dx    int
		row   row
	}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"to the right", []step{{0, 0, rowIdle}, {ms(20), 8, rowRunRight}, {ms(20), 5, rowRunRight}}},
		{"to the left", []step{{0, -8, rowRunLeft}, {ms(20), -1, rowRunLeft}}},
		{"slowly", []step{{0, 1, rowIdle}, {ms(20), 1, rowIdle}, {ms(20), 1, rowRunRight}, {ms(20), 1, rowRunRight}}},
		{"with a trembling hand", []step{{0, 9, rowRunRight}, {ms(20), -2, rowRunRight}, {ms(20), 1, rowRunRight}, {ms(20), -2, rowRunRight}, {ms(20), 4, rowRunRight}}},
		{"to and fro", []step{{0, 9, rowRunRight}, {ms(20), -2, rowRunRight}, {ms(20), -2, rowRunLeft}, {ms(20), 3, rowRunRight}}},
		{"up and down", []step{{0, 0, rowIdle}, {ms(200), 0, rowIdle}, {ms(200), 2, rowIdle}, {ms(200), -2, rowIdle}}},
		{"until it is held still", []step{{0, 9, rowRunRight}, {ms(299), 0, rowRunRight}, {ms(1), 0, rowIdle}, {ms(20), 1, rowIdle}, {ms(20), 5, rowRunRight}}},
	} {
		for _, m := range []Motion{Lively, Calm} {
			a := movingActor(m)
			a.apply(Update{State: agents.Working}, epoch)
			now := epoch.Add(ms(130))
			for i, s := range c.steps {
				now = now.Add(s.after)
				a.carry(s.dx, now)
				if r, _, _ := a.frame(now); r != s.row {
					t.Errorf("%s, motion %d: step %d shows row %d, want %d", c.name, m, i, r, s.row)
				}
			}
			a.drop(now)
			if r, col, _ := a.frame(now); r != rowWorking || col != 0 {
				t.Errorf("%s, motion %d: put down it shows row %d frame %d, want the first of work", c.name, m, r, col)
			}
		}
	}
}

// TestCarriedFriendsSettle without being asked, and run with every frame.
func TestCarriedFriendsSettle(t *testing.T) {
	a := fullActor()
	var cols []int
	for now := epoch; now.Before(epoch.Add(ms(1060))); now = now.Add(ms(20)) {
		a.carry(4, now)
		if _, col, _ := a.frame(now); len(cols) == 0 || cols[len(cols)-1] != col {
			cols = append(cols, col)
		}
	}
	if len(cols) != 8 {
		t.Errorf("in one pass it shows the frames %v of its run", cols)
	}
	last := epoch.Add(ms(1040))
	all := sights(a, last, last.Add(ms(400)))
	if end := all[len(all)-1]; end.row != rowIdle || !end.at.Equal(last.Add(settleTime)) {
		t.Errorf("when the hand is still it shows row %d at %v, want idle after %v", end.row, end.at.Sub(last), settleTime)
	}
}

func TestCalmFriendsHoldAPoseWhileTheyAreCarried(t *testing.T) {
	a := movingActor(Calm)
	for now := epoch; now.Before(epoch.Add(2 * time.Second)); now = now.Add(ms(20)) {
		a.carry(4, now)
		if r, col, _ := a.frame(now); r != rowRunRight || col != stills[rowRunRight] {
			t.Fatalf("it shows row %d frame %d", r, col)
		}
	}
}

func TestReducedMotionIsCarriedStill(t *testing.T) {
	a := movingActor(Reduced)
	a.apply(Update{State: agents.Waiting}, epoch)
	for range 5 {
		a.carry(9, epoch)
		if r, col, next := a.frame(epoch); r != rowWaiting || col != stills[rowWaiting] || !next.IsZero() {
			t.Errorf("it shows row %d frame %d until %v", r, col, next)
		}
	}
	a.drop(epoch)
	if r, _, _ := a.frame(epoch); r != rowWaiting {
		t.Errorf("put down it shows row %d", r)
	}
}

// TestCarriedFriendsHaveNoTime: what happens meanwhile is seen when they are put
// down.
func TestCarriedFriendsHaveNoTime(t *testing.T) {
	a := fullActor()
	a.carry(9, epoch)
	a.apply(Update{State: agents.Error, Reaction: agents.Wave}, epoch)
	if r, _, _ := a.frame(epoch); r != rowRunRight || a.state != agents.Error {
		t.Errorf("it shows row %d in state %q, want it to run on", r, a.state)
	}
	a.drop(epoch)
	if r, _, _ := a.frame(epoch); r != rowFailed {
		t.Errorf("put down it shows row %d, want %d", r, rowFailed)
	}
}

func TestSleepersArePickedUpAwake(t *testing.T) {
	a, now := dozer(t, Lively)
	a.carry(0, now)
	if r, col, _ := a.frame(now); r != rowIdle || col != 0 || a.dozing(now) {
		t.Errorf("it shows row %d frame %d (dozing: %v)", r, col, a.dozing(now))
	}
	now = now.Add(dozeAfter * 2)
	if a.dozing(now) {
		t.Error("it fell asleep in somebody's hand")
	}
	a.drop(now)
	if a.dozing(now.Add(dozeAfter - 1)) {
		t.Error("it fell asleep less than ten minutes after it was put down")
	}
}
