package overlay

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// stillGesture is how long a reaction is seen in reduced motion.
const stillGesture = time.Second

// state is what a friend does when s begins; the last turn has no end. It is
// nothing for an idle friend that lives.
func (m Motion) state(s agents.State) []turn {
	turns := stateTurns[s]
	switch {
	case m == Reduced:
		return []turn{still(turns[len(turns)-1].row)}
	case s == agents.Idle:
		return nil
	case m == Calm && s == agents.Working:
		return calmWork
	}
	return turns
}

// reaction is what a friend does once for r.
func (m Motion) reaction(r agents.Reaction) []turn {
	turns := reactionTurns[r]
	if m != Reduced || len(turns) == 0 {
		return turns
	}
	t := still(turns[len(turns)-1].row)
	t.poses[0].hold, t.times, t.gesture = stillGesture, 1, true
	return []turn{t}
}

// run is how a friend is dragged along.
func (m Motion) run(r row) turn {
	if m == Lively {
		return turn{row: r}
	}
	return still(r)
}

// still is one frame of r for as long as it takes.
func still(r row) turn {
	return turn{row: r, poses: []pose{{row: r, col: stills[r]}}}
}
