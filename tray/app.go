// Package tray is the app that stays: it builds the rooms, joins them, and
// runs until it is told to stop. It keeps no facts of its own: the store has
// them, the overlay shows them. It decides nothing that an agent waits for.
package tray

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/bridge/openpets"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/tray/clipboard"
	"github.com/playpets/playpets/tray/desktop"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/leases"
	"github.com/playpets/playpets/tray/overlay"
)

// screen is where friends are seen: the overlay, or the demo's recorder.
type screen interface {
	SetFriends([]overlay.Sprite)
	Show(overlay.Update)
	OpenMenu(friend string, m overlay.Menu)
}

// app joins the rooms. Its fields down to the gap are set before the first report.
type app struct {
	*friends.Store
	leases   *leases.Leases
	door     *openpets.Door // for OpenPets' clients; nil: there is none
	screen   screen
	speech   atomic.Pointer[i18n.Translator]
	notebook *notebook
	diary    diary
	at       folders
	config   *settingsFile // nil: the settings are those of the start
	started  settings
	display  *display // the screen, where it is one
	notices  notifier
	clip     func(ctx context.Context, text string) (way string, err error)
	raise    func() error // brings every friend to the front; nil where that means nothing
	quit     func()       // ends the app
	busy     sync.Map     // what once is at
	hushing  sync.Mutex   // held while a quiet begins or ends
	canLogin bool         // it can be made to start at login, and not
	login    atomic.Bool  // it starts at login

	glancing  sync.Mutex  // one view at a time, so that the newest is the last; guards these
	tray      func(view)  // shows the tray's icon and menu; nil: there is none
	refresher *time.Timer // refreshes the tray; nil while nothing in it ages
	due       bool        // it has something new to show

	mu      sync.Mutex // one at a time decides who is on the screen; guards the rest
	guests  guests
	missed  map[string]bool // asked for by programs, and not here: it was said
	desktop desktop.State   // what it said last
	timer   *time.Timer     // ends the quiet; nil while it is not quiet
	closed  bool
}

// openApp opens the friends of the data folder and joins them to a screen.
func openApp(data string, s settings, show screen, d diary) (*app, error) {
	a := &app{screen: show, notebook: openNotebook(data, d.Logger), diary: d, started: s, notices: silent{}}
	a.speech.Store(i18n.New(s.language()))
	book := a.notebook.get()
	store, err := friends.Open(friends.Options{
		Dir:       data,
		Lifetimes: s.lifetimes(),
		AgentPets: s.AgentPets,
		Away:      book.Away,
		First:     book.First,
		Translate: func(state agents.State, message string) string { return a.words().Sentence(string(state), message) },
		Log:       d.Logger,
	})
	if err != nil {
		return nil, err
	}
	a.Store = store
	store.OnChange = a.show
	a.leases = leases.New(leases.Options{Resolve: a.resolve, OnChange: a.leased})
	a.setFriends()
	a.endQuiet() // or go on with it
	return a, nil
}

// words speak the person's language of the moment.
func (a *app) words() *i18n.Translator { return a.speech.Load() }

// show is the one fan-out of a change: what a friend does and says now.
func (a *app) show(c friends.Change) {
	u := update(c, a.words())
	if !a.quietUntil().IsZero() {
		u = muted(u, c)
	}
	a.screen.Show(u)
	report(a.notices, c)
	a.refreshSoon()
}

// Close writes what is not on disk yet.
func (a *app) Close() error {
	a.mu.Lock()
	a.closed = true
	a.guests.wake(0, nil)
	a.mu.Unlock()
	a.wakeAt(time.Time{})
	a.glancing.Lock()
	a.tray = nil
	a.refreshIn(0)
	a.glancing.Unlock()
	a.notebook.Close()
	return a.Store.Close()
}

// folders are where the app keeps things.
type folders struct{ bridge, data, settings string }

// findFolders names them and makes the data folder.
func findFolders(bridgePath string) (f folders, err error) {
	if f.bridge = bridgePath; bridgePath == "" {
		if f.bridge, err = line.DefaultPath(); err != nil {
			return f, err
		}
	}
	if f.data, err = line.DataDir(); err != nil {
		return f, err
	}
	if f.settings, err = settingsDir(); err != nil {
		return f, err
	}
	// A folder that cannot be made is said by whoever needs it.
	_ = os.MkdirAll(f.data, 0o700)
	return f, nil
}

// Run is the app: it shows the friends until ctx ends and returns the exit
// code. An empty bridgePath is the default one. When another app runs already
// it is asked to show its friends (with link, if any), and Run returns 0.
func Run(ctx context.Context, bridgePath, link string, stderr io.Writer) int {
	f, err := findFolders(bridgePath)
	if err != nil {
		fmt.Fprintf(stderr, "playpets: %v\n", err)
		return 1
	}
	lock, err := claim(ctx, f.bridge, link)
	switch {
	case errors.Is(err, errAlreadyRunning):
		fmt.Fprintf(stderr, "playpets: %v\n", err)
		return 0
	case errors.Is(err, errSilent):
		fmt.Fprintf(stderr, "playpets: %v\n", err)
		return 1
	case err == nil:
		defer lock.Release()
	}
	d := openDiary(f.data, stderr)
	defer d.Close()
	// The app mostly waits. With one processor its goroutines hand over to each
	// other without waking another one for each frame: a third less time, measured.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if err := live(ctx, f, err, d); err != nil {
		d.tell("%v", err)
		return 1
	}
	return 0
}

// live runs the app. locked says why the lock could not be taken, if it could
// not: friends are shown all the same.
func live(ctx context.Context, f folders, locked error, d diary) error {
	config, warnings := openSettings(f.settings, d)
	for _, w := range warnings {
		d.tell("%s", w)
	}
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	s := config.get()
	screen := &display{look: s.look(desktop.State{}), opened: make(chan struct{}, 1)}
	ends := &endings{screen.Close}
	defer func() { ends.all(d.Logger) }()
	a, err := openApp(f.data, s, screen, d)
	if err != nil {
		return err
	}
	defer a.Close() // before the rest: what must be on disk does not wait for the desktop
	a.at, a.config, a.display, a.raise, a.quit, screen.open = f, config, screen, screen.ShowAll, quit, a.openOverlay
	board := clipboard.New(d.Logger)
	ends.add(board.Close)
	a.clip = board.Copy
	center := a.openNotices()
	ends.add(center.Close)
	a.notices = center
	center.Quiet(!a.quietUntil().IsZero())
	// Agents do not wait for a desktop that takes its time, and what they say meanwhile
	// is shown then.
	door, err := openBridge(f.bridge, a, locked, d)
	if err == nil {
		ends.add(func() { _ = door.Close() })
		a.door = openpets.New(stranger{backend{a}}, d.Logger)
		ends.add(a.door.Close)
	}
	noDisplay := screen.Open()
	switch {
	case err != nil && noDisplay != nil:
		return fmt.Errorf("%w, and there is no friend on screen: %w", err, noDisplay)
	case noDisplay != nil:
		d.tell("no friend on screen: %v; agents can still report", noDisplay)
	case err != nil:
		d.tell("no agent can report: %v", err)
	}
	a.Again()
	ends.add(a.openTray(ctx))
	d.Info("started", "friends", len(a.Packages()))
	config.warn = func(warning string) { a.tell(a.words().Label("tell.settings_odd", map[string]any{"Warning": warning})) }
	a.apply(s)
	go screen.keep(ctx, a.Again)
	go config.watch(ctx, s, a.apply)
	go desktop.Watch(ctx, d.Logger, a.follow)
	go a.leases.Run(ctx)
	a.Store.Run(ctx)
	d.Info("stopped")
	return nil
}

// endings are what takes the app off the desktop.
type endings []func()

func (e *endings) add(end func()) { *e = append(*e, end) }

// endLimit is how long the desktop has to let the app go. What copies and pastes has a
// second to take over what was copied.
const endLimit = 1200 * time.Millisecond

// all ends everything, at once: what hangs is left as it is, and holds up nothing.
func (e *endings) all(log *slog.Logger) {
	var ending sync.WaitGroup
	for _, end := range *e {
		ending.Go(end)
	}
	ended := make(chan struct{})
	go func() { ending.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(endLimit):
		log.Info("the desktop does not answer: left all the same")
	}
}

// openTray shows the paw, and says so if nobody shows it. What it returns takes it away.
func (a *app) openTray(ctx context.Context) (takeAway func()) {
	if a.canLogin = installer.CanStartAtLogin(); a.canLogin {
		starts, err := installer.AtLogin()
		if err != nil {
			a.diary.Info("start at login", "error", err)
		}
		a.login.Store(starts)
	}
	paw := openTray(a.diary.Logger, a.command)
	a.glancing.Lock()
	a.tray = paw.Set
	a.glancing.Unlock()
	go func() {
		select {
		case <-ctx.Done():
		case why := <-paw.Missing():
			a.noTray(why)
		}
	}()
	return paw.Close
}

func openBridge(path string, a *app, locked error, d diary) (*bridge.Server, error) {
	if locked != nil {
		return nil, locked
	}
	return bridge.Start(path, backend{a}, d.Logger)
}

func (a *app) openOverlay(l overlay.Look) (*overlay.Overlay, error) {
	return overlay.Open(overlay.Options{
		Look: l, CacheDir: cacheDir(), Places: a.notebook.get().places(), OnEvent: a.happened, Log: a.diary.Logger,
	})
}

// cacheDir is where the index of the system's fonts is kept.
func cacheDir() string {
	root, err := os.UserCacheDir()
	if err != nil {
		root = os.TempDir()
	}
	return filepath.Join(root, "playpets")
}
