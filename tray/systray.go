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
// of systray, which can be started once in a process and not be started again.
type trayIcon struct {
	log     *slog.Logger
	do      func(command)
	end     context.CancelFunc
	ended   chan struct{} // closed: systray is not called any more
	missing chan struct{} // closed: nobody shows the icon
	wake    chan struct{} // holds a value when there is a newer view
	clicks  chan command

	mu   sync.Mutex
	next view // guarded by mu

	// The rest belongs to the goroutine.
	seats seating
	slots []*slot
	badge icon.Badge
	tip   string
}

// openTray prepares the icon; it appears with the first Set. do gets what was
// clicked, one command after another, on a goroutine of its own: it may take
// its time. The error says why there can be no icon. No more than one may be
// opened in a process.
func openTray(log *slog.Logger, do func(command)) (*trayIcon, error) {
	ctx, end := context.WithCancel(context.Background())
	if err := desktop.Session(ctx); err != nil {
		end()
		return nil, err
	}
	t := &trayIcon{
		log: log, do: do, end: end,
		ended: make(chan struct{}), missing: make(chan struct{}), wake: make(chan struct{}, 1),
		clicks: make(chan command, 256),
	}
	go t.run(ctx)
	go t.obey(ctx)
	return t, nil
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

// Missing is closed when nobody has shown the icon for a while after the start.
// A panel that comes later shows it all the same.
func (t *trayIcon) Missing() <-chan struct{} { return t.missing }

// Close takes the icon away, for good.
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

// run shows what is set until ctx ends or the icon is lost.
func (t *trayIcon) run(ctx context.Context) {
	defer close(t.ended)
	if !t.wait(ctx, 0) {
		return
	}
	// It has no other way to say what goes wrong, and would say it to the
	// person's terminal.
	log.SetFlags(0)
	log.SetOutput(slog.NewLogLogger(t.log.Handler(), slog.LevelInfo).Writer())
	defer t.start(ctx)()
	go func() {
		desktop.KeepIcon(ctx, t.log, func() { close(t.missing) })
		t.end()
	}()
	for t.wait(ctx, trayPause) {
		t.apply()
	}
}

// wait waits for a newer view, for a pause at least. It reports whether there
// is one.
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
		return true
	}
}

// start shows the icon; what it returns takes it away.
func (t *trayIcon) start(ctx context.Context) (end func()) {
	if runtime.GOOS == "windows" {
		return t.startWindows(ctx)
	}
	// All there is to see is set before anybody can ask: the title becomes the
	// icon's name, by which panels remember whether people want it.
	systray.SetTitle("PlayPets")
	t.build(ctx)
	start, stop := systray.RunWithExternalLoop(nil, nil)
	start()
	return func() {
		// systray v1.12.2 closes a connection that it does not have if the bus
		// went away just now.
		defer func() { _ = recover() }()
		stop()
	}
}

// startWindows has the icon on a thread of its own: Windows' messages come to
// the thread that made the window.
func (t *trayIcon) startWindows(ctx context.Context) (end func()) {
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
