package overlay

import (
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// The v1 pet package's table: frames in a row, milliseconds of one pass.
var wantRows = [rowCount]struct{ frames, pass int }{
	rowIdle:     {6, 5500}, // 1100 at the table's pace: all but the blink six times longer
	rowRunRight: {8, 1060},
	rowRunLeft:  {8, 1060},
	rowWave:     {4, 700},
	rowJump:     {5, 840},
	rowFailed:   {8, 1220},
	rowWaiting:  {6, 1010},
	rowWorking:  {6, 820},
	rowReview:   {6, 1030},
	rowLook:     {4, 3600}, // ours: the format has no times for looks
}

func TestRowsAreTheTable(t *testing.T) {
	for r, want := range wantRows {
		if got := len(holds[r]); got != want.frames {
			t.Errorf("row %d has %d frames, want %d", r, got, want.frames)
		}
		if got := length(row(r).pass(want.frames)); got != ms(want.pass) {
			t.Errorf("row %d lasts %v, want %d ms", r, got, want.pass)
		}
	}
}

func TestHoldOfOtherFrameCounts(t *testing.T) {
	for _, c := range []struct {
		name   string
		row    row
		drawn  int
		holds  []int
		reason string
	}{
		{"fewer", rowJump, 3, []int{140, 140, 280}, "the last drawn frame is the long one"},
		{"more", rowWorking, 8, []int{120, 120, 120, 120, 120, 120, 120, 220}, "further frames are like the others"},
		{"one", rowWave, 1, []int{280}, "it is the last one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for col, want := range c.holds {
				if got := c.row.hold(col, c.drawn); got != ms(want) {
					t.Errorf("frame %d is held %v, want %d ms: %s", col, got, want, c.reason)
				}
			}
		})
	}
}

func TestEveryStateAndReactionHasTurns(t *testing.T) {
	for _, s := range agents.States {
		turns := stateTurns[s]
		if len(turns) == 0 {
			t.Fatalf("state %q has no turns", s)
		}
		for i, turn := range turns {
			if last := i == len(turns)-1; last != (turn.times == 0) || last && turn.gesture {
				t.Errorf("state %q: turn %d is %+v; only the last goes on, and nothing that goes on is a gesture", s, i, turn)
			}
		}
	}
	for _, r := range agents.Reactions {
		if len(reactionTurns[r]) == 0 {
			t.Errorf("reaction %q has no turns", r)
		}
		for _, turn := range reactionTurns[r] {
			if turn.times == 0 || !turn.gesture {
				t.Errorf("reaction %q has the turn %+v, which never ends or may be interrupted", r, turn)
			}
		}
	}
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }
