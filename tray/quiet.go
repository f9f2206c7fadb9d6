package tray

import (
	"time"

	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// longestQuiet is more than any quiet lasts that has an end.
const longestQuiet = 36 * time.Hour

// noEnd is the end of a quiet that lasts until it is turned off.
var noEnd = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// quietEnd is until when a quiet lasts that begins now; zero for none. In the
// first hours of a day, tomorrow morning is the one that comes.
func quietEnd(choice string, now time.Time) time.Time {
	switch choice {
	case "30m":
		return now.Add(30 * time.Minute)
	case "1h":
		return now.Add(time.Hour)
	case "morning":
		y, m, d := now.Add(19 * time.Hour).Date()
		return time.Date(y, m, d, 8, 0, 0, 0, now.Location())
	case "on":
		return noEnd
	}
	return time.Time{}
}

// quietWords are words with the time when a quiet ends, or others about one that
// has no end.
func quietWords(words *i18n.Translator, until time.Time, timed, endless string) string {
	if until.Equal(noEnd) {
		return words.Label(endless, nil)
	}
	return words.Label(timed, map[string]any{"Time": until.Local().Format("15:04")})
}

// quietUntil is until when nobody wants to read; zero if that is over, or so far
// off that the clock was set back.
func (a *app) quietUntil() time.Time {
	until := a.notebook.get().Quiet
	if left := time.Until(until); !until.Equal(noEnd) && (left <= 0 || left > longestQuiet) {
		return time.Time{}
	}
	return until
}

// hush keeps bubbles and labels off the screen until then. The zero time ends
// that, and what still waits for the person is said.
func (a *app) hush(until time.Time) {
	a.hushing.Lock()
	a.keepQuiet(until)
	a.hushing.Unlock()
	a.Again()
	a.refresh()
}

// keepQuiet is hush for all but what is shown already. hushing is held: who begins a
// quiet while another one ends has both.
func (a *app) keepQuiet(until time.Time) {
	a.notebook.change(func(s *state) { s.Quiet = until.Round(0) }) // a time of the day, also after sleep
	a.wakeAt(until)
	a.notices.Quiet(!until.IsZero())
}

// endQuiet ends the quiet whose time is up.
func (a *app) endQuiet() {
	a.hushing.Lock()
	until := a.quietUntil()
	over := until.IsZero() && !a.notebook.get().Quiet.IsZero()
	switch {
	case over:
		a.keepQuiet(until)
	case !until.IsZero():
		a.wakeAt(until) // the clock was set, or the machine slept
	}
	a.hushing.Unlock()
	if over {
		a.Again()
		a.refresh()
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
	if !until.IsZero() && !until.Equal(noEnd) && !a.closed {
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
