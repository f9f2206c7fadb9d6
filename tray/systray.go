//go:build !darwin

package tray

import (
	"context"
	"log"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"fyne.io/systray"

	"github.com/playpets/playpets/tray/desktop"
	"github.com/playpets/playpets/tray/icon"
)

// systray ties main to its thread while packages initialise, for systems whose
// windows belong to the first thread. Here the icon has a thread of its own, and
// the commands of this program none.
func init() { runtime.UnlockOSThread() }

// trayPause is the shortest time between two changes of what the panel shows:
// each of them has panels ask for the whole menu again.
const trayPause = 250 * time.Millisecond

// trayIcon is the icon in the panel and its menu. One goroutine makes all calls
// of systray, which waits without a limit for a bus that hangs.
type trayIcon struct {
	log     *slog.Logger
	do      func(command)
	end     context.CancelFunc
	ended   chan struct{} // closed: systray is not called any more
	missing chan error    // holds the first reason why nobody shows the icon
	wake    chan struct{} // holds a value when there is a newer view
	clicks  chan command

	mu   sync.Mutex
	next view // guarded by mu

	// The rest belongs to the goroutine.
	seats seating
	rest  <-chan time.Time // fires when a seat has rested that somebody waits for; else nil
	slots []*slot
	badge icon.Badge
	tip   string
}

// openTray prepares the icon; it appears after the first Set, when the session bus
// answers, and each time that it comes back. do gets what was clicked, one command
// after another, on a goroutine of its own: it may take its time. No more than one
// may be opened in a process.
func openTray(log *slog.Logger, do func(command)) *trayIcon {
	ctx, end := context.WithCancel(context.Background())
	t := &trayIcon{
		log: log, do: do, end: end,
		ended: make(chan struct{}), missing: make(chan error, 1), wake: make(chan struct{}, 1),
		clicks: make(chan command, 256),
	}
	go t.run(ctx)
	go t.obey(ctx)
	return t
}

// Set shows v, soon. It never blocks; a view that is overtaken by a newer one
// is not shown.
func (t *trayIcon) Set(v view) {
	t.mu.Lock()
	t.next = v
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Missing says once why nobody shows the icon: the session bus does not answer, or
// there has been no panel for a while. What comes later shows it all the same.
func (t *trayIcon) Missing() <-chan error { return t.missing }

// misses says that nobody shows the icon.
func (t *trayIcon) misses(why error) {
	select {
	case t.missing <- why:
	default:
	}
}

// Close takes the icon away, for good. It waits for a session bus that hangs.
func (t *trayIcon) Close() {
	t.end()
	<-t.ended
}

// obey does what was clicked.
func (t *trayIcon) obey(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-t.clicks:
			t.do(c)
		}
	}
}

// run shows what is set until ctx ends.
func (t *trayIcon) run(ctx context.Context) {
	defer close(t.ended)
	if !t.wait(ctx, 0) || !t.reach(ctx, 0) {
		return
	}
	// It has no other way to say what goes wrong, and would say it to the
	// person's terminal.
	log.SetFlags(0)
	log.SetOutput(slog.NewLogLogger(t.log.Handler(), slog.LevelInfo).Writer())
	appear, end := t.open(ctx)
	defer end()
	for there := true; there; there = t.reach(ctx, shortestPause) {
		appear()
		t.show(ctx)
	}
}

// The shortest and the longest pause between two looks for the session bus.
const (
	shortestPause = time.Second
	longestPause  = time.Minute
)

// reach waits for a session bus that answers, after a pause, and reports whether there
// is one. It is asked over a connection of our own: systray would wait for its answer
// without a limit, or try only once.
func (t *trayIcon) reach(ctx context.Context, pause time.Duration) bool {
	for ; ; pause = min(max(2*pause, shortestPause), longestPause) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
		err := desktop.Session(ctx)
		if ctx.Err() != nil || err == nil {
			return ctx.Err() == nil
		}
		t.misses(err)
	}
}

// show shows what is set until ctx ends or the icon is lost with the bus.
func (t *trayIcon) show(ctx context.Context) {
	ctx, lost := context.WithCancel(ctx)
	go func() {
		defer lost()
		desktop.KeepIcon(ctx, t.log, func() { t.misses(errNoPanel) })
	}()
	for there := true; there; there = t.wait(ctx, trayPause) {
		t.apply()
	}
}

// wait waits for something newer to show, for a pause at least. It reports whether
// there is anything.
func (t *trayIcon) wait(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	}
	select {
	case <-ctx.Done():
		return false
	case <-t.wake:
	case <-t.rest:
	}
	return ctx.Err() == nil
}

// open makes the icon. What it returns has it appear, also anew over another
// connection to the bus, and takes it away for good.
func (t *trayIcon) open(ctx context.Context) (appear, end func()) {
	if runtime.GOOS == "windows" {
		return func() {}, t.openWindows(ctx)
	}
	// All there is to see is set before anybody can ask: the title becomes the
	// icon's name, by which panels remember whether people want it.
	systray.SetTitle("PlayPets")
	t.build(ctx)
	appear, stop := systray.RunWithExternalLoop(nil, nil)
	return appear, func() {
		// systray v1.12.2 closes a connection that it does not have if the bus
		// went away just now.
		defer func() { _ = recover() }()
		stop()
	}
}

// openWindows has the icon on a thread of its own: Windows' messages come to
// the thread that made the window.
func (t *trayIcon) openWindows(ctx context.Context) (end func()) {
	built, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		runtime.LockOSThread()
		systray.Run(func() { t.build(ctx); close(built) }, nil)
	}()
	select {
	case <-built:
	case <-over: // no window: systray has logged why
		t.end()
	}
	return func() { systray.Quit(); <-over }
}
