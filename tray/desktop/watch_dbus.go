//go:build unix && !darwin

package desktop

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	answerLimit  = 2 * time.Second // for a bus or a program to answer
	firstPause   = time.Second     // before a lost bus is looked for, then twice as long each time
	longestPause = time.Minute
)

// A watcher listens to both buses.
type watcher struct {
	board
	log      *slog.Logger
	complain sync.Once
	limit    time.Duration
	after    func(time.Duration) <-chan time.Time
}

// A dialler reaches for a bus. None of those used here may start one.
type dialler func(...dbus.ConnOption) (*dbus.Conn, error)

func newWatcher(log *slog.Logger, tell func(State)) *watcher {
	return &watcher{
		board: board{tell: tell, news: map[*fact]news{}},
		log:   log,
		limit: answerLimit,
		after: time.After,
	}
}

func watch(ctx context.Context, log *slog.Logger, tell func(State)) {
	newWatcher(log, tell).run(ctx)
}

func (w *watcher) run(ctx context.Context) {
	w.tell(State{})
	var buses sync.WaitGroup
	buses.Go(func() { w.stay(ctx, "session", dbus.SessionBusPrivateNoAutoStartup, sessionFacts) })
	buses.Go(func() { w.stay(ctx, "system", dbus.SystemBusPrivate, systemFacts) })
	buses.Wait()
	<-ctx.Done()
}

// stay listens to a bus, and looks for it again when it is lost or silent. A bus
// that is not there at first is not looked for.
func (w *watcher) stay(ctx context.Context, name string, dial dialler, facts []fact) {
	there := false
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		// A connection of our own, since others close the one that godbus shares.
		// Signals in their order: the last one counts.
		conn, err := dial(dbus.WithContext(ctx), dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
		if err == nil {
			there = true
			err = w.listen(conn, facts)
		}
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			pause = firstPause
		} else {
			w.complain.Do(func() { w.log.Info("the desktop says nothing", "bus", name, "reason", err) })
		}
		if !there {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-w.after(pause):
		}
	}
}
