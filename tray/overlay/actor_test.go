package overlay

import (
	"slices"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"pgregory.net/rapid"
)

var epoch = time.Unix(1000, 0)

// fullActor has every row that the table has.
func fullActor() *actor {
	a := newActor(epoch)
	for r := range rowCount {
		a.load(r, len(holds[r]), epoch)
	}
	return a
}

// rowsUntil is which rows are seen until end, each once in its order.
func rowsUntil(a *actor, from, end time.Time) (rows []row) {
	for now := from; now.Before(end); now = now.Add(10 * time.Millisecond) {
		if r, _, _ := a.frame(now); len(rows) == 0 || rows[len(rows)-1] != r {
			rows = append(rows, r)
		}
	}
	return rows
}

func TestFramesFollowTheTable(t *testing.T) {
	a := fullActor()
	a.apply(Update{State: agents.Working}, epoch)
	now := epoch
	for pass := range 3 {
		for col, hold := range holds[rowWorking] {
			r, c, next := a.frame(now)
			if r != rowWorking || c != col || next.Sub(now) != ms(hold) {
				t.Fatalf("pass %d: row %d frame %d for %v, want row %d frame %d for %d ms", pass, r, c, next.Sub(now), rowWorking, col, hold)
			}
			now = next
		}
	}
}

func TestStatesPlayTheirRows(t *testing.T) {
	for _, c := range []struct {
		state agents.State
		rows  []row
	}{
		{agents.Idle, []row{rowIdle}},
		{agents.Working, []row{rowWorking}},
		{agents.Waiting, []row{rowWaiting}},
		{agents.Done, []row{rowJump, rowReview}},
		{agents.Error, []row{rowFailed}},
		{"nonsense", []row{rowIdle}},
	} {
		t.Run(string(c.state), func(t *testing.T) {
			a := fullActor()
			now := epoch.Add(ms(700))
			a.apply(Update{State: c.state}, now)
			if got := rowsUntil(a, now, now.Add(time.Minute)); !slices.Equal(got, c.rows) {
				t.Errorf("plays %v, want %v", got, c.rows)
			}
		})
	}
}

func TestReactionPlaysOnceAndReturns(t *testing.T) {
	for _, c := range []struct {
		reaction agents.Reaction
		rows     []row
		length   time.Duration
	}{
		{agents.Wave, []row{rowWave}, ms(700)},
		{agents.Jump, []row{rowJump}, ms(840)},
		{agents.Pet, []row{rowJump, rowWave}, ms(840 + 700)},
	} {
		for _, home := range []struct {
			state agents.State
			row   row
		}{{agents.Idle, rowIdle}, {agents.Working, rowWorking}, {agents.Done, rowReview}} {
			t.Run(string(c.reaction)+" when "+string(home.state), func(t *testing.T) {
				a := fullActor()
				a.apply(Update{State: home.state}, epoch)
				now := epoch.Add(5 * time.Second)
				a.apply(Update{Reaction: c.reaction}, now)
				if r, col, _ := a.frame(now); r != c.rows[0] || col != 0 {
					t.Errorf("begins with row %d frame %d, want row %d frame 0 at once", r, col, c.rows[0])
				}
				want := append(slices.Clone(c.rows), home.row)
				if got := rowsUntil(a, now, now.Add(time.Minute)); !slices.Equal(got, want) {
					t.Errorf("plays %v, want %v", got, want)
				}
				if r, col, _ := a.frame(now.Add(c.length)); r != home.row {
					t.Errorf("after %v it shows row %d frame %d, want to be back at row %d", c.length, r, col, home.row)
				}
			})
		}
	}
}

func TestBusyRowsEndTheirPassBeforeAnotherState(t *testing.T) {
	a := fullActor()
	a.apply(Update{State: agents.Working}, epoch)
	now := epoch.Add(2*ms(820) + ms(300))
	a.apply(Update{State: agents.Waiting}, now)
	end := epoch.Add(3 * ms(820))
	if r, col, _ := a.frame(end.Add(-1)); r != rowWorking || col != 5 {
		t.Errorf("before its pass ends it shows row %d frame %d, want the last of row %d", r, col, rowWorking)
	}
	if r, col, _ := a.frame(end); r != rowWaiting || col != 0 {
		t.Errorf("then it shows row %d frame %d, want the first of row %d", r, col, rowWaiting)
	}
}

// TestNoStateWaitsForMoreThanAPass: what is shown must not lag behind the truth.
func TestNoStateWaitsForMoreThanAPass(t *testing.T) {
	for _, from := range []agents.State{agents.Waiting, agents.Done, agents.Error, agents.Working} {
		for at := time.Duration(0); at < 20*time.Second; at += ms(77) {
			a := fullActor()
			a.apply(Update{State: from}, epoch)
			now := epoch.Add(at)
			a.apply(Update{State: agents.Idle}, now)
			if r, _, _ := a.frame(now.Add(ms(1220))); r != rowIdle {
				t.Fatalf("%s, left after %v, is still shown a pass later", from, at)
			}
		}
	}
}

// TestLongStatesRest has a friend keep its pose between passes, and leave it at
// once when something happens.
func TestLongStatesRest(t *testing.T) {
	a := fullActor()
	a.apply(Update{State: agents.Waiting}, epoch)
	resting := epoch.Add(4*ms(1010) - 1) // three passes, then the end of one more
	rest := 3 * time.Second
	if r, col, next := a.frame(resting); r != rowWaiting || col != 5 || next.Sub(resting) != rest+1 {
		t.Errorf("row %d frame %d for %v, want the last of row %d to be held %v longer", r, col, next.Sub(resting), rowWaiting, rest)
	}
	again := resting.Add(rest + 1)
	if r, col, _ := a.frame(again); r != rowWaiting || col != 0 {
		t.Errorf("after its rest: row %d frame %d, want the first of row %d", r, col, rowWaiting)
	}
	now := resting.Add(time.Second)
	a.apply(Update{State: agents.Working}, now)
	if r, col, _ := a.frame(now); r != rowWorking || col != 0 {
		t.Errorf("work during a rest: row %d frame %d, want the first of row %d at once", r, col, rowWorking)
	}
}

func TestStormOfStatesLeavesTheNewest(t *testing.T) {
	a := fullActor()
	now := epoch
	for i := range 1000 {
		now = now.Add(time.Millisecond)
		a.apply(Update{State: agents.States[i%5], Reaction: agents.Reactions[i%3]}, now)
	}
	a.apply(Update{State: agents.Error}, now)
	if len(a.turns) > 5 {
		t.Errorf("%d turns are queued", len(a.turns))
	}
	if r, _, _ := a.frame(now.Add(3 * time.Second)); r != rowFailed {
		t.Errorf("shows row %d, want %d", r, rowFailed)
	}
}

func TestRowsThatAreMissing(t *testing.T) {
	a := newActor(epoch)
	if _, _, next := a.frame(epoch); !next.IsZero() {
		t.Errorf("an actor without pictures wants to be seen again at %v", next)
	}
	a.load(rowIdle, 6, epoch)
	a.apply(Update{State: agents.Done, Reaction: agents.Wave}, epoch)
	if r, col, _ := a.frame(epoch); r != rowIdle || col != 0 {
		t.Errorf("without a row for it, shows row %d frame %d, want idle", r, col)
	}
	a.load(rowReview, 6, epoch.Add(ms(500)))
	if r, col, _ := a.frame(epoch.Add(ms(500))); r != rowReview || col != 0 {
		t.Errorf("when the row came, shows row %d frame %d, want its first", r, col)
	}
}

func TestOnePictureNeedsNoTimer(t *testing.T) {
	a := newActor(epoch)
	a.load(rowIdle, 1, epoch)
	if r, col, next := a.frame(epoch.Add(time.Hour)); r != rowIdle || col != 0 || !next.IsZero() {
		t.Errorf("shows row %d frame %d until %v, want the only frame for ever", r, col, next)
	}
}

// What is seen when one only looks at the moments that frame names is what is
// seen at any moment.
func TestNothingChangesBetweenTheMomentsNamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seldom, often := fullActor(), fullActor()
		var r row
		var col int
		next := epoch
		for now := epoch; now.Before(epoch.Add(8 * time.Second)); now = now.Add(20 * time.Millisecond) {
			if rapid.IntRange(0, 40).Draw(t, "event") == 0 {
				u := Update{State: rapid.SampledFrom(agents.States).Draw(t, "state")}
				if rapid.Bool().Draw(t, "reacts") {
					u.Reaction = rapid.SampledFrom(agents.Reactions).Draw(t, "reaction")
				}
				seldom.apply(u, now)
				often.apply(u, now)
				next = now
			}
			if !now.Before(next) {
				r, col, next = seldom.frame(now)
			}
			if r2, col2, _ := often.frame(now); r2 != r || col2 != col {
				t.Fatalf("at %v: row %d frame %d is seen, row %d frame %d is right", now.Sub(epoch), r, col, r2, col2)
			}
		}
	})
}
