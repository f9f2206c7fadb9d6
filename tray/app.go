// Package tray is the app that stays: it builds the rooms, joins them, and
// runs until it is told to stop. It keeps no facts of its own: the store has
// them, the overlay shows them. It decides nothing that an agent waits for.
package tray

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// screen is where friends are seen: the overlay, or the demo's recorder.
type screen interface {
	SetFriends([]overlay.Sprite)
	Show(overlay.Update)
}

// app joins the rooms. All its fields are set before the first report.
type app struct {
	*friends.Store
	screen screen
	raise  func() error // brings every friend to the front; nil where that means nothing
}

// openApp opens the friends of the data folder and joins them to a screen.
func openApp(data string, s settings, show screen, d diary) (*app, error) {
	words := i18n.New(s.language())
	store, err := friends.Open(friends.Options{
		Dir:       data,
		Lifetimes: s.lifetimes(),
		AgentPets: s.AgentPets,
		Translate: func(state agents.State, message string) string { return words.Sentence(string(state), message) },
		Log:       d.Logger,
	})
	if err != nil {
		return nil, err
	}
	a := &app{Store: store, screen: show}
	store.OnChange = a.show
	show.SetFriends(sprites(store.Packages()))
	return a, nil
}

// show is the one fan-out of a change: what a friend does and says now.
func (a *app) show(c friends.Change) { a.screen.Show(update(c)) }

// update turns a change into what the overlay shows.
func update(c friends.Change) overlay.Update {
	u := overlay.Update{Friend: c.Friend.ID, State: c.Friend.State, Reaction: c.Reaction}
	switch {
	case c.Said:
		u.Bubble = &overlay.Bubble{Text: c.Sentence}
	case c.Sentence != "":
		u.Bubble = &overlay.Bubble{Text: c.Sentence, Mark: c.State, Stay: stays(c.State)}
	case c.Friend.State != c.Previous:
		u.Bubble = &overlay.Bubble{}
	}
	return u
}

// stays reports whether what is said in a state is said until something else is:
// it waits for the person, or failed.
func stays(s agents.State) bool { return s == agents.Waiting || s == agents.Error }

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
	if err := live(ctx, f, err, d); err != nil {
		d.tell("%v", err)
		return 1
	}
	return 0
}

// live runs the app. locked says why the lock could not be taken, if it could
// not: friends are shown all the same.
func live(ctx context.Context, f folders, locked error, d diary) error {
	s, warnings := readSettings(f.settings)
	for _, w := range warnings {
		d.tell("%s", w)
	}
	screen := &display{open: func() (*overlay.Overlay, error) { return openOverlay(s, d) }}
	defer screen.Close()
	a, err := openApp(f.data, s, screen, d)
	if err != nil {
		return err
	}
	defer a.Close()
	a.raise = func() error { return screen.ShowAll(a.Status) }
	_, noDisplay := screen.Open()
	door, err := openBridge(f.bridge, a, locked, d)
	switch {
	case err != nil && noDisplay != nil:
		return fmt.Errorf("%w, and there is no friend on screen: %w", err, noDisplay)
	case noDisplay != nil:
		d.tell("no friend on screen: %v; agents can still report", noDisplay)
	case err != nil:
		d.tell("no agent can report: %v", err)
	}
	if err == nil {
		defer door.Close()
	}
	d.Info("started", "friends", len(a.Packages()))
	a.Store.Run(ctx)
	d.Info("stopped")
	return nil
}

func openBridge(path string, a *app, locked error, d diary) (*bridge.Server, error) {
	if locked != nil {
		return nil, locked
	}
	return bridge.Start(path, backend{a}, d.Logger)
}

func openOverlay(s settings, d diary) (*overlay.Overlay, error) {
	return overlay.Open(overlay.Options{
		Look:     overlay.Look{Dark: s.Theme == "dark", Size: s.scale(), Language: s.language()},
		CacheDir: cacheDir(),
		Log:      d.Logger,
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
