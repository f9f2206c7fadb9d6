package overlay

import (
	"time"

	"github.com/playpets/playpets/agents"
)

// A row is one animation of a friend.
type row int

// The rows of a v1 sheet, counted from its top. A v2 sheet has two more, of
// which rowLook is made.
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
	rowLook // the gazes
	rowCount
)

// The columns of rowLook.
const (
	gazeLeft = iota
	gazeRight
	gazeUpLeft
	gazeUpRight
)

// gazes is which of a v2 sheet's sixteen look directions, clockwise from up,
// are the frames of rowLook: those that a friend takes. The others would only
// cost memory.
var gazes = [...]int{gazeLeft: 12, gazeRight: 4, gazeUpLeft: 14, gazeUpRight: 2}

// The frames of a blink, in rowIdle.
const (
	halfOpen = 1
	closed   = 2
)

// slow is how much longer than the table a frame of idle breathing is held.
// Codex plays its pets so: at the table's pace breathing is a nuisance, and costs
// wake-ups. The table's shortest frames are a blink, and keep their pace.
const (
	slow  = 6
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
	rowLook:     {900, 900, 900, 900}, // the format has none
}

// stills is the frame of each row that tells alone what the row is about: the
// raised paw, the height of the jump, the tear.
var stills = [rowCount]int{
	rowWave: 1, rowJump: 2, rowFailed: 2, rowWaiting: 2, rowWorking: 1, rowReview: 2,
}

// A pose is a frame and how long it is held.
type pose struct {
	row  row
	col  int
	hold time.Duration
}

// A turn is a pass of poses that is played a number of times.
type turn struct {
	row     row           // what it is about: skipped while that is not there and times is not 0
	poses   []pose        // one pass; nil for the frames of row, as the table holds them
	times   int           // 0 for as long as it takes
	rest    time.Duration // how much longer the last pose of each pass is held
	gesture bool          // it is played to its end, whatever comes
}

// stateTurns is what a friend does when a state begins; the last turn goes on
// for as long as the state does. Done is a hop of joy, then "look at it". States
// that may last for hours catch the eye with a few passes, then keep their pose
// and only now and then move: a nuisance helps nobody.
var stateTurns = map[agents.State][]turn{
	agents.Idle:    {{row: rowIdle}},
	agents.Working: {{row: rowWorking}},
	agents.Waiting: {{row: rowWaiting, times: 3}, {row: rowWaiting, rest: 3 * time.Second}},
	agents.Done:    {{row: rowJump, times: 1, gesture: true}, {row: rowReview, times: 2}, {row: rowReview, rest: 4 * time.Second}},
	agents.Error:   {{row: rowFailed, times: 2}, {row: rowFailed, rest: 6 * time.Second}},
}

// calmWork is how a calm friend works.
var calmWork = []turn{{row: rowWorking, times: 3}, {row: rowWorking, rest: 1500 * time.Millisecond}}

// reactionTurns is what a friend does once. Being petted is a hop and a wave.
var reactionTurns = map[agents.Reaction][]turn{
	agents.Wave: {{row: rowWave, times: 1, gesture: true}},
	agents.Jump: {{row: rowJump, times: 1, gesture: true}},
	agents.Pet:  {{row: rowJump, times: 1, gesture: true}, {row: rowWave, times: 1, gesture: true}},
}

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
		d *= slow
	}
	return d
}

// pass is the poses of n drawn frames, each once: nil when there are none.
func (r row) pass(n int) (poses []pose) {
	for col := range n {
		poses = append(poses, pose{r, col, r.hold(col, n)})
	}
	return poses
}

// length is how long poses take, each once.
func length(poses []pose) (d time.Duration) {
	for _, p := range poses {
		d += p.hold
	}
	return d
}
