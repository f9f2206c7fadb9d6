package overlay

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// A row is one animation of a sheet, counted from the top.
type row int

// The rows of a v1 sheet. Later versions only add rows below.
const (
	rowIdle row = iota
	rowRunRight
	rowRunLeft
	rowWave
	rowJump
	rowFailed
	rowWaiting
	rowWorking // the format calls it "running": at work, not on foot
	rowReview
	rowCount
)

// calm is how much longer than the table a frame of idle breathing is held.
// Codex plays its pets so: at the table's pace breathing is a nuisance, and costs
// wake-ups. The table's shortest frames are a blink, and keep their pace.
const (
	calm  = 6
	blink = 110 * time.Millisecond
)

// holds is how long each frame of a row is shown, in milliseconds. An artist may
// draw fewer or more frames than the table; hold says what happens then.
var holds = [rowCount][]int{
	rowIdle:     {280, 110, 110, 140, 140, 320},
	rowRunRight: {120, 120, 120, 120, 120, 120, 120, 220},
	rowRunLeft:  {120, 120, 120, 120, 120, 120, 120, 220},
	rowWave:     {140, 140, 140, 280},
	rowJump:     {140, 140, 140, 140, 280},
	rowFailed:   {140, 140, 140, 140, 140, 140, 140, 240},
	rowWaiting:  {150, 150, 150, 150, 150, 260},
	rowWorking:  {120, 120, 120, 120, 120, 220},
	rowReview:   {150, 150, 150, 150, 150, 280},
}

// A turn is a row played a number of times; no number is as long as it takes.
type turn struct {
	row   row
	times int
	rest  time.Duration // how much longer the last frame of each pass is held
}

// stateTurns is what a friend does when a state begins; the last turn goes on
// for as long as the state does. Done is a hop of joy, then "look at it". States
// that may last for hours catch the eye with a few passes, then keep their pose
// and only now and then move: a nuisance helps nobody.
var stateTurns = map[agents.State][]turn{
	agents.Idle:    {{row: rowIdle}},
	agents.Working: {{row: rowWorking}},
	agents.Waiting: {{row: rowWaiting, times: 3}, {row: rowWaiting, rest: 3 * time.Second}},
	agents.Done:    {{row: rowJump, times: 1}, {row: rowReview, times: 2}, {row: rowReview, rest: 4 * time.Second}},
	agents.Error:   {{row: rowFailed, times: 2}, {row: rowFailed, rest: 6 * time.Second}},
}

// reactionTurns is what a friend does once. Being petted is a hop and a wave.
var reactionTurns = map[agents.Reaction][]turn{
	agents.Wave: {{row: rowWave, times: 1}},
	agents.Jump: {{row: rowJump, times: 1}},
	agents.Pet:  {{row: rowJump, times: 1}, {row: rowWave, times: 1}},
}

// played reports whether any state or reaction plays r: the others need not be
// on the screen.
func (r row) played() bool { return r != rowRunRight && r != rowRunLeft }

// hold is how long frame col of n drawn ones is shown. The last frame drawn has
// the table's last, longer hold; frames beyond the table are like its middle.
func (r row) hold(col, n int) time.Duration {
	ms := holds[r]
	i := min(col, len(ms)-2)
	if col == n-1 {
		i = len(ms) - 1
	}
	d := time.Duration(ms[i]) * time.Millisecond
	if r == rowIdle && d > blink {
		d *= calm
	}
	return d
}

// length is how long one pass over n drawn frames takes.
func (r row) length(n int) (d time.Duration) {
	for col := range n {
		d += r.hold(col, n)
	}
	return d
}
