package overlay

import "time"

const (
	// turnPixels is how far a friend must be dragged to one side before it runs
	// there: hands tremble.
	turnPixels = 3
	// settleTime is how long a friend that is dragged runs on the spot.
	settleTime = 300 * time.Millisecond
)

// carry is that the friend is in somebody's hand, dx pixels farther right than
// at the last call. It runs to where it is dragged; when it is still, it waits
// to be put down.
func (a *actor) carry(dx int, now time.Time) {
	a.wake(now)
	if a.motion == Reduced {
		return
	}
	if !a.carried {
		a.carried = true
		a.settle(now)
	}
	if dx*a.drift < 0 {
		a.drift = 0
	}
	a.drift += dx
	to := rowRunRight
	switch {
	case a.drift <= -turnPixels:
		to = rowRunLeft
	case a.drift < turnPixels:
		return
	}
	if a.turns[0].row != to {
		a.turns, a.start = []turn{a.motion.run(to)}, now
	}
	if dx != 0 {
		a.settles = now.Add(settleTime)
	}
}

// drop is that the friend is put down: it does what its state asks for.
func (a *actor) drop(now time.Time) {
	a.wake(now)
	if !a.carried {
		return
	}
	a.carried, a.start = false, now
	a.play()
}

// settle has a friend that is dragged be still.
func (a *actor) settle(now time.Time) {
	a.turns, a.start, a.drift = []turn{{row: rowIdle}}, now, 0
}

// running reports whether the friend is dragged and has not settled yet.
func (a *actor) running() bool { return a.carried && a.turns[0].row != rowIdle }
