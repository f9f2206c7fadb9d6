package tray

import (
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/i18n"
)

func TestQuietEnd(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse("2006-01-02 15:04", s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct{ now, choice, want string }{
		{"2026-11-30 14:00", "30m", "2026-11-30 14:30"},
		{"2026-11-30 23:30", "1h", "2026-12-01 00:30"},
		{"2026-11-30 14:00", "morning", "2026-12-01 08:00"},
		{"2026-11-30 07:00", "morning", "2026-12-01 08:00"},
		{"2026-12-01 02:00", "morning", "2026-12-01 08:00"}, // who is still up means after sleep
		{"2026-12-31 23:59", "morning", "2027-01-01 08:00"},
	} {
		if got := quietEnd(c.choice, at(c.now)); !got.Equal(at(c.want)) {
			t.Errorf("%s at %s: until %v, want %s", c.choice, c.now, got, c.want)
		}
	}
	for choice, want := range map[string]time.Time{"on": noEnd, "off": {}} {
		if got := quietEnd(choice, at("2026-11-30 14:00")); got != want {
			t.Errorf("%s: until %v", choice, got)
		}
	}
	if got := quietWords(i18n.New("en"), noEnd, "menu.loud", "menu.loud_on"); got != "End quiet" {
		t.Errorf("a quiet without an end: %q", got)
	}
}

// slowNotices take their time to be quiet.
type slowNotices struct {
	*fakeNotices
	began, goOn chan bool
}

func (s slowNotices) Quiet(on bool) {
	if on {
		close(s.began)
		<-s.goOn
	}
	s.fakeNotices.Quiet(on)
}

// TestQuietAtOnce: of a quiet that ends while it begins all is over.
func TestQuietAtOnce(t *testing.T) {
	a, _, notices := wholeApp(t)
	slow := slowNotices{notices, make(chan bool), make(chan bool)}
	a.notices = slow
	var begins, ends sync.WaitGroup
	begins.Go(func() { a.setQuiet("1h") })
	<-slow.began
	ended := make(chan bool)
	ends.Go(func() { a.setQuiet("off"); close(ended) })
	select {
	case <-ended: // it did not wait
	case <-time.After(50 * time.Millisecond):
	}
	close(slow.goOn)
	begins.Wait()
	ends.Wait()
	if until := a.quietUntil(); !until.IsZero() || notices.quiet || a.timer != nil {
		t.Errorf("quiet until %v, notices are quiet: %v, a timer ends that: %v", until, notices.quiet, a.timer != nil)
	}
}
