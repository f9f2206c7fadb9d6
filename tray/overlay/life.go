package overlay

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// dozeAfter is how long nothing must happen to an idle friend before it falls
// asleep.
const dozeAfter = 10 * time.Minute

// An idle friend looks around after glanceMin to glanceMin+glanceSpread.
const (
	glanceMin    = 25 * time.Second
	glanceSpread = 20 * time.Second
)

// glances are the ways to look around. Each begins and ends at the first frame
// of idle, which is the neutral look.
var glances = [][]pose{
	{{rowLook, gazeLeft, 900 * time.Millisecond}, {rowIdle, 0, 250 * time.Millisecond}, {rowLook, gazeRight, 1100 * time.Millisecond}},
	{{rowLook, gazeRight, 1200 * time.Millisecond}, {rowIdle, 0, 300 * time.Millisecond}, {rowLook, gazeLeft, 700 * time.Millisecond}},
	{{rowLook, gazeUpRight, 1400 * time.Millisecond}, {rowLook, gazeRight, 600 * time.Millisecond}},
	{{rowLook, gazeLeft, 700 * time.Millisecond}, {rowLook, gazeUpLeft, 1300 * time.Millisecond}},
}

// A friend nods off, dozes with closed eyes, which costs nothing, and comes to
// itself softly.
var (
	nodding = turn{row: rowIdle, times: 1, poses: []pose{
		{rowIdle, halfOpen, 600 * time.Millisecond},
		{rowIdle, closed, 900 * time.Millisecond},
		{rowIdle, halfOpen, 500 * time.Millisecond},
	}}
	sleeping = turn{row: rowIdle, poses: []pose{{row: rowIdle, col: closed}}}
	waking   = turn{row: rowIdle, times: 1, gesture: true, poses: []pose{{rowIdle, halfOpen, 300 * time.Millisecond}}}
)

// life is what an idle friend does from a.start on: it breathes until it looks
// around or falls asleep.
func (a *actor) life() []turn {
	left := a.touched.Add(dozeAfter).Sub(a.start)
	if left <= 0 {
		return []turn{nodding, sleeping}
	}
	// Chance that can be told from the time, so that whatever is asked when has
	// the same answer: Knuth's multiplicative hash. Friends that came a
	// millisecond apart do not look around together.
	chance := uint64(a.start.UnixMilli()) * 0x9E3779B97F4A7C15 >> 32
	wait := glanceMin + time.Duration(chance)*time.Millisecond%glanceSpread
	breath := length(a.pass(turn{row: rowIdle}))
	breathe := turn{row: rowIdle, times: int((min(wait, left) + breath - 1) / breath)}
	if a.motion != Lively || left <= wait {
		return []turn{breathe}
	}
	return []turn{breathe, {row: rowLook, times: 1, poses: glances[chance%uint64(len(glances))]}}
}

// wake is that something happened to the friend: it does not sleep on, or fall
// asleep.
func (a *actor) wake(now time.Time) {
	a.advance(now)
	a.touched = now
	if a.sleepy() {
		a.turns, a.start = []turn{waking}, now
	}
}

// dozing reports whether the friend sleeps now.
func (a *actor) dozing(now time.Time) bool {
	a.advance(now)
	return a.sleepy() && len(a.turns) == 1
}

// sleepy reports whether the friend sleeps, or is about to.
func (a *actor) sleepy() bool {
	last := a.turns[len(a.turns)-1]
	return a.state == agents.Idle && a.motion != Reduced && !a.carried && last.times == 0
}
