package tray

import (
	"time"

	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// quietFor is how long "Quiet 1 hour" lasts.
const quietFor = time.Hour

// quietUntil is until when nobody wants to read; zero if that is over, or so far
// off that the clock was set back.
func (a *app) quietUntil() time.Time {
	until := a.notebook.get().Quiet
	if left := time.Until(until); left <= 0 || left > quietFor {
		return time.Time{}
	}
	return until
}

// hush keeps bubbles and labels off the screen until then. The zero time ends
// that, and what still waits for the person is said.
func (a *app) hush(until time.Time) {
	a.notebook.change(func(s *state) { s.Quiet = until.Round(0) }) // a time of the day, also after sleep
	a.wakeAt(until)
	a.Again()
}

// endQuiet ends the quiet whose time is up.
func (a *app) endQuiet() {
	switch until := a.quietUntil(); {
	case !until.IsZero():
		a.wakeAt(until) // the clock was set, or the machine slept
	case !a.notebook.get().Quiet.IsZero():
		a.hush(time.Time{})
	}
}

// wakeAt sets the one timer, or stops it at the zero time.
func (a *app) wakeAt(until time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
	if !until.IsZero() && !a.closed {
		a.timer = time.AfterFunc(time.Until(until), a.endQuiet)
	}
}

// muted is an update without anything to read: bubbles close.
func muted(u overlay.Update, c friends.Change) overlay.Update {
	none := ""
	u.Label = &none
	u.Bubble = &overlay.Bubble{Session: speaker(c)}
	return u
}
