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
			if got := rowsUntil(a, now, now.Add(20*time.Second)); !slices.Equal(got, c.rows) {
				t.Errorf("plays %v, want %v", got, c.rows)
			}
		})
	}
}

// What an agent says in OpenPets' words begins with the row that the table names.
func TestOpenPetsWordsPlayTheirRows(t *testing.T) {
	rows := map[string]row{
		"idle": rowIdle, "waving": rowWave, "jumping": rowJump, "failed": rowFailed,
		"waiting": rowWaiting, "running": rowWorking, "review": rowReview,
	}
	for _, r := range agents.OpenPets {
		a := fullActor()
		now := epoch.Add(ms(700))
		a.apply(Update{State: r.State, Reaction: r.Reaction}, now)
		want, named := rows[r.Row]
		if got := rowsUntil(a, now, now.Add(time.Second)); !named || got[0] != want {
			t.Errorf("%s plays rows %v, want first %s (%d)", r.Name, got, r.Row, want)
		}
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
				if got := rowsUntil(a, now, now.Add(20*time.Second)); !slices.Equal(got, want) {
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
	a.setMotion(Reduced, epoch)
	a.load(rowIdle, 1, epoch)
	if r, col, next := a.frame(epoch.Add(time.Hour)); r != rowIdle || col != 0 || !next.IsZero() {
		t.Errorf("shows row %d frame %d until %v, want the only frame for ever", r, col, next)
	}
}

// TestReactionCutsABusyRowShort: only gestures are played to their end.
func TestReactionCutsABusyRowShort(t *testing.T) {
	a := fullActor()
	a.apply(Update{State: agents.Working}, epoch)
	now := epoch.Add(ms(300))
	a.apply(Update{State: agents.Waiting}, now) // after this pass
	a.apply(Update{Reaction: agents.Jump}, now)
	if r, col, _ := a.frame(now); r != rowJump || col != 0 {
		t.Errorf("shows row %d frame %d, want a jump at once", r, col)
	}
	now = now.Add(ms(300))
	a.apply(Update{Reaction: agents.Wave}, now)
	if got, want := rowsUntil(a, now, now.Add(10*time.Second)), []row{rowJump, rowWave, rowWaiting}; !slices.Equal(got, want) {
		t.Errorf("plays %v, want %v", got, want)
	}
}

// anything does something to an actor, or nothing.
func anything(t *rapid.T, now time.Time) func(*actor) {
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0:
		u := Update{State: rapid.SampledFrom(agents.States).Draw(t, "state")}
		if rapid.Bool().Draw(t, "reacts") {
			u.Reaction = rapid.SampledFrom(agents.Reactions).Draw(t, "reaction")
		}
		return func(a *actor) { a.apply(u, now) }
	case 1:
		u := Update{Reaction: rapid.SampledFrom(agents.Reactions).Draw(t, "reaction")}
		return func(a *actor) { a.apply(u, now) }
	case 2:
		dx := rapid.IntRange(-9, 9).Draw(t, "dx")
		return func(a *actor) { a.carry(dx, now) }
	case 3:
		return func(a *actor) { a.drop(now) }
	case 4:
		m := rapid.SampledFrom([]Motion{Lively, Calm, Reduced}).Draw(t, "motion")
		return func(a *actor) { a.setMotion(m, now) }
	case 5:
		return func(a *actor) { a.wake(now) }
	case 6:
		r := row(rapid.IntRange(0, int(rowCount)-1).Draw(t, "row"))
		n := rapid.IntRange(0, columns).Draw(t, "frames")
		if r == rowIdle {
			n = max(n, 1)
		}
		return func(a *actor) { a.load(r, n, now) }
	}
	return nil
}

// Whatever happens: what is seen when one only looks at the moments that frame
// names is what is seen at any moment, and it is always a frame that is there.
func TestNothingChangesBetweenTheMomentsNamed(t *testing.T) {
	steps := []time.Duration{0, 1, ms(1), ms(20), ms(110), ms(300), time.Second, 7 * time.Second, time.Minute, 9 * time.Minute}
	rapid.Check(t, func(t *rapid.T) {
		seldom, often := fullActor(), fullActor()
		now := epoch
		r, col, next := seldom.frame(now)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			now = now.Add(rapid.SampledFrom(steps).Draw(t, "later"))
			for !next.IsZero() && !next.After(now) {
				before := next
				if r, col, next = seldom.frame(before); !next.IsZero() && !next.After(before) {
					t.Fatalf("at %v it wants to be seen again at %v", before, next)
				}
			}
			if do := anything(t, now); do != nil {
				do(seldom)
				do(often)
				r, col, next = seldom.frame(now)
			}
			r2, col2, next2 := often.frame(now)
			if r2 != r || col2 != col || !next2.Equal(next) {
				t.Fatalf("at %v row %d frame %d is seen until %v; row %d frame %d until %v is right", now.Sub(epoch), r, col, next, r2, col2, next2)
			}
			if n := len(often.rows[r]); col >= n {
				t.Fatalf("frame %d of %d of row %d is to be seen", col, n, r)
			}
			if often.dozing(now) && (r != rowIdle || !next.IsZero()) {
				t.Fatalf("it dozes in row %d until %v", r, next)
			}
			if often.motion == Reduced && len(often.turns) == 1 && often.turns[0].times == 0 && !next.IsZero() {
				t.Fatalf("with reduced motion row %d changes at %v", r, next)
			}
			if often.carried && often.motion == Reduced {
				t.Fatal("with reduced motion it runs")
			}
		}
	})
}
