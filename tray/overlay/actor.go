package overlay

import (
	"slices"
	"time"

	"github.com/playpets/playpets/agents"
)

// An actor is how one friend moves: a model without a picture.
type actor struct {
	rows    [rowCount][]pose // a pass of each row; nil while a row is not there
	motion  Motion
	state   agents.State
	turns   []turn    // what is played, the current one first; then follows home
	start   time.Time // when the current turn began
	touched time.Time // when something last happened to the friend

	carried bool      // it is being dragged
	drift   int       // px dragged to the right since it was still or turned
	settles time.Time // when it is still, unless it is dragged farther
}

func newActor(now time.Time) *actor {
	a := &actor{state: agents.Idle, start: now, touched: now}
	a.play()
	return a
}

// apply takes over a new state, then a reaction; empty ones change nothing. A
// friend that is dragged has no time for reactions.
func (a *actor) apply(u Update, now time.Time) {
	a.wake(now)
	_, known := stateTurns[u.State]
	begins := known && u.State != a.state
	if begins {
		a.state = u.State
	}
	if a.carried {
		return
	}
	if begins {
		a.play(a.finish(now), a.motion.state(a.state))
	}
	if turns := a.motion.reaction(u.Reaction); turns != nil {
		a.play(a.interrupt(now), turns)
	}
}

// setMotion has the friend move so from now on. It takes effect at once.
func (a *actor) setMotion(m Motion, now time.Time) {
	a.advance(now)
	if m == a.motion {
		return
	}
	a.motion, a.carried, a.start = m, false, now
	a.play()
}

// play has turns played one after the other, from a.start on, then home.
func (a *actor) play(turns ...[]turn) {
	a.turns = slices.Concat(turns...)
	if len(a.turns) == 0 {
		a.turns = a.goHome()
	}
}

// goHome is what the friend does from a.start on for as long as its state lasts.
func (a *actor) goHome() []turn {
	if turns := a.motion.state(a.state); len(turns) > 0 {
		return turns[len(turns)-1:]
	}
	return a.life()
}

// finish is what must still be played before another state may begin: gestures,
// and a busy row to the end of its pass, so that no pose jumps. What is held,
// and breathing, gives way at once.
func (a *actor) finish(now time.Time) []turn {
	t := a.turns[0]
	if t.gesture || t.poses != nil || a.shown(t.row) == rowIdle {
		return a.interrupt(now)
	}
	begun := a.begun(now)
	if played := now.Sub(begun); played == 0 || played >= length(a.pass(t)) { // between two passes
		a.start = now
		return nil
	}
	a.start = begun
	return []turn{{row: t.row, times: 1}}
}

// interrupt is what must still be played before a reaction may begin: only a
// gesture, since an answer to the person must not lag.
func (a *actor) interrupt(now time.Time) []turn {
	if t := a.turns[0]; t.gesture {
		return []turn{t}
	}
	a.start = now
	return nil
}

// load says that row r is there now, with n frames.
func (a *actor) load(r row, n int, now time.Time) {
	a.advance(now)
	a.rows[r] = r.pass(n)
	if a.turns[0].row == r {
		a.start = now
	}
}

// frame is the row and column to be seen now, and when that changes next: the
// zero time when it does not.
func (a *actor) frame(now time.Time) (r row, col int, next time.Time) {
	a.advance(now)
	if a.rows[rowIdle] == nil {
		return rowIdle, 0, time.Time{}
	}
	p, next := a.pose(now)
	if a.running() {
		next = earlier(next, a.settles)
	}
	n := len(a.rows[p.row])
	if n == 0 {
		return rowIdle, 0, next
	}
	return p.row, min(p.col, n-1), next
}

// pose is what the current turn shows now, and until when.
func (a *actor) pose(now time.Time) (pose, time.Time) {
	t := a.turns[0]
	poses := a.pass(t)
	last := len(poses) - 1
	switch {
	case last == 0 && t.times == 0:
		return poses[0], time.Time{}
	case last == 0:
		return poses[0], a.over(t)
	}
	end := a.begun(now)
	for _, p := range poses[:last] {
		if end = end.Add(p.hold); now.Before(end) {
			return p, end
		}
	}
	return poses[last], end.Add(poses[last].hold + t.rest)
}

// begun is when the current pass of the current turn began.
func (a *actor) begun(now time.Time) time.Time {
	t := a.turns[0]
	pass := length(a.pass(t)) + t.rest
	return a.start.Add(now.Sub(a.start) / pass * pass)
}

// advance drops the turns that are over.
func (a *actor) advance(now time.Time) {
	if a.running() && !now.Before(a.settles) {
		a.settle(a.settles)
	}
	for t := a.turns[0]; t.times > 0; t = a.turns[0] {
		end := a.over(t)
		if now.Before(end) {
			return
		}
		a.start = end
		a.play(a.turns[1:])
	}
}

// over is when t ends, which is the current turn and has an end. Without its
// pictures it takes no time; but everybody breathes.
func (a *actor) over(t turn) time.Time {
	if t.row != rowIdle && a.rows[t.row] == nil {
		return a.start
	}
	return a.start.Add(time.Duration(t.times) * length(a.pass(t)))
}

// home is the row that is played for as long as the state lasts.
func (a *actor) home() row {
	turns := stateTurns[a.state]
	return a.shown(turns[len(turns)-1].row)
}

// shown is the row that stands for r: idle, while r has no picture.
func (a *actor) shown(r row) row {
	if a.rows[r] == nil {
		return rowIdle
	}
	return r
}

// pass is what is seen of t, once.
func (a *actor) pass(t turn) []pose {
	if t.poses != nil {
		return t.poses
	}
	if poses := a.rows[a.shown(t.row)]; poses != nil {
		return poses
	}
	return unseen
}

// unseen is the pass of a friend that has no picture yet.
var unseen = rowIdle.pass(len(holds[rowIdle]))
