package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fakeDesk keeps what it is given.
type fakeDesk struct {
	mu    sync.Mutex
	shown []string
	hang  bool // show waits for its ctx to end
	err   error
	turns atomic.Int32 // of the center's goroutine
	in    chan *signal
	ended bool
}

func (d *fakeDesk) show(ctx context.Context, m Message, friend string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hang {
		ctx, cancel := context.WithTimeout(ctx, callLimit)
		defer cancel()
		d.mu.Unlock()
		<-ctx.Done()
		d.mu.Lock()
		return "", ctx.Err()
	}
	if d.err != nil {
		return "", d.err
	}
	d.shown = append(d.shown, friend+"|"+m.Title)
	return "fake 1", nil
}

func (d *fakeDesk) withdraw(_ context.Context, key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shown = append(d.shown, "-"+strings.Trim(key, "\x00"))
}

func (d *fakeDesk) signals() <-chan *signal {
	d.turns.Add(1)
	return d.in
}

func (d *fakeDesk) heard(*signal) (string, bool) { return "mochi", true }
func (d *fakeDesk) close()                       { d.ended = true }

// take is what was shown since it was called last.
func (d *fakeDesk) take() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := strings.Join(d.shown, "; ")
	d.shown = nil
	return all
}

func (d *fakeDesk) set(hang bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hang, d.err = hang, err
}

func openFake(o Options) (*Center, *fakeDesk) {
	d := &fakeDesk{in: make(chan *signal)}
	o.Rules = allRules
	o.Write = func(n Notice) Message { return Message{Title: spell(n)} }
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clicked == nil {
		o.Clicked = func(string) {}
	}
	return open(o, d), d
}

func event(friend string, session int, state string) Event {
	return Event{Friend: friend, Agent: "claude", Session: fmt.Sprint(session), State: state}
}

// expect fails unless exactly this was shown since the last time.
func expect(t *testing.T, d *fakeDesk, want string) {
	t.Helper()
	synctest.Wait()
	if got := d.take(); got != want {
		t.Errorf("shown %q, want %q", got, want)
	}
}

func TestCenter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, d := openFake(Options{})
		defer c.Close()
		c.Report(event("mochi", 1, "working"))
		time.Sleep(time.Minute)
		c.Report(event("mochi", 1, "done"))
		expect(t, d, "mochi|mochi done 1m0s")
		c.Report(event("mochi", 2, "error"))
		c.Report(event("mochi", 3, "error"))
		expect(t, d, "")
		time.Sleep(friendPause)
		expect(t, d, "mochi|2×mochi failed")
		c.Quiet(true)
		c.Report(event("mochi", 4, "waiting"))
		c.Report(event("bori", 5, "waiting"))
		c.Report(event("toto", 6, "waiting"))
		c.Seen("bori")
		time.Sleep(time.Hour)
		expect(t, d, "")
		c.Quiet(false)
		expect(t, d, "|missed 2× waiting[0 0 2]")
		c.SetRules(Rules{})
		c.Report(event("bori", 5, "error"))
		time.Sleep(time.Hour)
		expect(t, d, "")
	})
}

// TestAnswered: what told of a question goes when that is answered, before what comes
// in its place.
func TestAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, d := openFake(Options{})
		defer c.Close()
		c.Report(event("mochi", 1, "waiting"))
		expect(t, d, "mochi|mochi waiting")
		c.Report(event("mochi", 1, "working"))
		expect(t, d, "-claude\x001")
		time.Sleep(time.Minute)
		c.Report(event("mochi", 1, "waiting"))
		expect(t, d, "mochi|mochi waiting 1m0s")
		c.Report(event("mochi", 1, "error"))
		expect(t, d, "-claude\x001")
	})
}

// TestOnceMore: a notice that nobody was shown is shown soon after, once.
func TestOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, d := openFake(Options{})
		defer c.Close()
		d.set(false, errors.New("nobody is there yet"))
		c.Report(event("mochi", 1, "waiting"))
		expect(t, d, "")
		d.set(false, nil)
		time.Sleep(retryPause)
		expect(t, d, "mochi|mochi waiting")
		time.Sleep(time.Hour)
		expect(t, d, "")
	})
}

// The goroutine gets up when there is something to do, and at no other time.
func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, d := openFake(Options{})
		defer c.Close()
		synctest.Wait()
		before := d.turns.Load()
		for range 100 {
			c.Report(event("mochi", 1, "working"))
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if n := d.turns.Load() - before; n != 0 {
			t.Errorf("it got up %d times for nothing", n)
		}
		c.Report(event("mochi", 1, "waiting"))
		synctest.Wait()
		c.Report(event("mochi", 2, "waiting"))
		time.Sleep(time.Hour)
		synctest.Wait()
		// At most: for the first, to learn when the second is due, for that.
		if n := d.turns.Load() - before; n > 3 {
			t.Errorf("it got up %d times for two notices", n)
		}
		expect(t, d, "mochi|mochi waiting 1m40s; mochi|mochi waiting")
	})
}

// A desktop that hangs holds up nobody but whoever waits for it, and what
// happens meanwhile does not pile up.
func TestHangingDesktop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, d := openFake(Options{})
		d.set(true, nil)
		began := time.Now()
		for i := range 1000 {
			c.Report(event(fmt.Sprint("friend", i%20), i, "waiting"))
			synctest.Wait() // the goroutine hangs from the first one on
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("reports waited %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Send(ctx, Message{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("sent while it hangs: %v", err)
		}
		d.set(false, nil)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if got := d.take(); !strings.Contains(got, "× waiting") || strings.Count(got, ";") > 6 {
			t.Errorf("shown %q", got)
		}
		d.set(true, nil)
		c.Report(event("mochi", 1, "error"))
		synctest.Wait()
		began = time.Now()
		c.Close()
		if took := time.Since(began); took != 0 || !d.ended {
			t.Errorf("the end took %v", took)
		}
	})
}

func TestSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, d := openFake(Options{})
		c.Quiet(true)
		for range 10 {
			if server, err := c.Send(t.Context(), Message{Title: "test"}); server != "fake 1" || err != nil {
				t.Error(server, err)
			}
		}
		expect(t, d, strings.Repeat("|test; ", 9)+"|test")
		nobody := errors.New("nobody")
		d.set(false, nobody)
		if _, err := c.Send(t.Context(), Message{}); !errors.Is(err, nobody) {
			t.Error(err)
		}
		c.Close()
		c.Close()
		if _, err := c.Send(t.Context(), Message{}); !errors.Is(err, errClosed) {
			t.Error(err)
		}
		c.Report(event("mochi", 1, "waiting")) // to nobody
		c.Quiet(false)
	})
}

func TestClick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clicked := make(chan string, 1)
		c, d := openFake(Options{Clicked: func(friend string) { clicked <- friend }})
		defer c.Close()
		d.in <- nil
		if friend := <-clicked; friend != "mochi" {
			t.Errorf("clicked %q", friend)
		}
	})
}

// Each time that nobody shows notices, the log says so once.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		c, d := openFake(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		for i, err := range []error{errors.New("one"), errors.New("two"), nil, errors.New("three")} {
			d.set(false, err)
			c.Report(event(fmt.Sprint("friend", i), i, "error"))
			synctest.Wait()
		}
		c.Close()
		if s := log.String(); strings.Count(s, "\n") != 2 || !strings.Contains(s, "one") || !strings.Contains(s, "three") {
			t.Errorf("the log says %q", s)
		}
	})
}
