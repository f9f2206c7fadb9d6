package overlay

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// An actor is how one friend moves: a model without a picture.
type actor struct {
	drawn [rowCount]int // frames in each row; 0 while a row is not there
	state agents.State
	turns []turn    // what is played, the current one first; the last has no end
	start time.Time // when the current turn began
}

func newActor(now time.Time) *actor {
	return &actor{state: agents.Idle, turns: stateTurns[agents.Idle], start: now}
}

// apply takes over a new state, then a reaction; empty ones change nothing.
func (a *actor) apply(u Update, now time.Time) {
	a.advance(now)
	if turns, ok := stateTurns[u.State]; ok && u.State != a.state {
		a.state = u.State
		a.turns = append(a.finish(now), turns...)
	}
	if turns, ok := reactionTurns[u.Reaction]; ok {
		home := stateTurns[a.state]
		a.turns = append(append(a.interrupt(now), turns...), home[len(home)-1])
	}
}

// finish is what must still be played before another state may begin: a busy
// row to the end of its pass, so that no pose jumps. Breathing gives way at once.
func (a *actor) finish(now time.Time) []turn {
	t := a.turns[0]
	if a.shown(t.row) == rowIdle {
		return a.interrupt(now)
	}
	length := a.length(t.row)
	begun := a.begun(now)
	if played := now.Sub(begun); played == 0 || played >= length { // between two passes
		a.start = now
		return nil
	}
	a.start = begun
	return []turn{{row: t.row, times: 1}}
}

// interrupt is what must still be played before a reaction may begin: only a
// gesture, since an answer to the person must not lag.
func (a *actor) interrupt(now time.Time) []turn {
	if t := a.turns[0]; t.times == 1 {
		return []turn{t}
	}
	a.start = now
	return nil
}

// load says that row r is there now, with n frames.
func (a *actor) load(r row, n int, now time.Time) {
	a.advance(now)
	a.drawn[r] = n
	if a.turns[0].row == r {
		a.start = now
	}
}

// frame is the row and column to be seen now, and when that changes next: the
// zero time when it does not.
func (a *actor) frame(now time.Time) (r row, col int, next time.Time) {
	a.advance(now)
	r = a.shown(a.turns[0].row)
	n := a.drawn[r]
	if n == 0 {
		return r, 0, time.Time{}
	}
	if n == 1 && a.turns[0].times == 0 {
		return r, 0, time.Time{}
	}
	end := a.begun(now).Add(r.hold(0, n))
	for col < n-1 && !now.Before(end) {
		col++
		end = end.Add(r.hold(col, n))
	}
	if col == n-1 {
		end = end.Add(a.turns[0].rest)
	}
	return r, col, end
}

// begun is when the current pass of the current turn began.
func (a *actor) begun(now time.Time) time.Time {
	pass := a.length(a.turns[0].row) + a.turns[0].rest
	return a.start.Add(now.Sub(a.start) / pass * pass)
}

// advance drops the turns that are over.
func (a *actor) advance(now time.Time) {
	for t := a.turns[0]; t.times > 0; t = a.turns[0] {
		end := a.start.Add(time.Duration(t.times) * a.length(t.row))
		if a.drawn[t.row] == 0 {
			end = a.start // a gesture without pictures takes no time
		}
		if now.Before(end) {
			return
		}
		a.turns, a.start = a.turns[1:], end
	}
}

// home is the row that is played for as long as the state lasts.
func (a *actor) home() row {
	turns := stateTurns[a.state]
	return a.shown(turns[len(turns)-1].row)
}

// shown is the row that stands for r: idle, while r has no picture.
func (a *actor) shown(r row) row {
	if a.drawn[r] == 0 {
		return rowIdle
	}
	return r
}

// length is how long one pass of what stands for r takes.
func (a *actor) length(r row) time.Duration {
	r = a.shown(r)
	return r.length(max(a.drawn[r], 1))
}

func (a *actor) setMotion(Motion, time.Time) {}
func (a *actor) dozing(time.Time) bool       { return false }
func (a *actor) wake(time.Time)              {}
func (a *actor) carry(int, time.Time)        {}
func (a *actor) drop(time.Time)              {}
