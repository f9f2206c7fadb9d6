package tray

import (
	"image"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/overlay"
)

// fakeScreen keeps what it is told.
type fakeScreen struct {
	mu      sync.Mutex
	friends []string
	stay    map[string]map[string]string // friend → session → what stays said
	said    []string                     // "friend: text", all of it
	app     map[string]string            // friend → what it says of the app
	labels  map[string]string
	menus   []string // "friend: menu"
}

func newFakeScreen() *fakeScreen {
	return &fakeScreen{stay: map[string]map[string]string{}, app: map[string]string{}, labels: map[string]string{}}
}

func (f *fakeScreen) SetFriends(all []overlay.Sprite) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.friends = nil
	for _, s := range all {
		f.friends = append(f.friends, s.ID)
	}
	for id := range f.stay {
		if !slices.Contains(f.friends, id) {
			delete(f.stay, id) // whoever leaves takes its bubbles along
			delete(f.labels, id)
		}
	}
}

func (f *fakeScreen) Show(u overlay.Update) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.friends, u.Friend) {
		return
	}
	if u.Label != nil {
		f.labels[u.Friend] = *u.Label
	}
	if u.Bubble == nil {
		return
	}
	if u.Bubble.Session == "app" {
		f.app[u.Friend] = u.Bubble.Text
	}
	if f.stay[u.Friend] == nil {
		f.stay[u.Friend] = map[string]string{}
	}
	delete(f.stay[u.Friend], u.Bubble.Session)
	if u.Bubble.Stay {
		f.stay[u.Friend][u.Bubble.Session] = u.Bubble.Text
	}
	if u.Bubble.Text != "" {
		f.said = append(f.said, u.Friend+": "+u.Bubble.Text)
	}
}

func (f *fakeScreen) OpenMenu(friend string, m overlay.Menu) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.menus = append(f.menus, friend+": "+m.Title)
}

// heard returns what was said since it was asked last.
func (f *fakeScreen) heard() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	said := strings.Join(f.said, "; ")
	f.said = nil
	return said
}

// fakeApp is the app on a fake screen, in English.
func fakeApp(t *testing.T, data string) (*app, *fakeScreen, *syncBuffer) {
	t.Helper()
	t.Setenv("PLAYPETS_LANG", "en")
	screen, warned := newFakeScreen(), &syncBuffer{}
	a, err := openApp(data, settings{}, screen, diary{slog.New(warnings{warned}), io.NopCloser(nil)})
	if err != nil {
		t.Fatal(err)
	}
	a.at.settings, a.at.data = data, data
	t.Cleanup(func() { a.Close() })
	return a, screen, warned
}

func (a *app) hears(t *testing.T, r agents.Report) {
	t.Helper()
	if _, err := a.Report(r); err != nil {
		t.Fatal(err)
	}
}

func chosen(friend, item string) overlay.Event {
	return overlay.Event{Kind: overlay.Chosen, Friend: friend, Item: item}
}

func TestClicks(t *testing.T) {
	a, screen, _ := fakeApp(t, t.TempDir())
	a.happened(overlay.Event{Kind: overlay.DoubleClicked, Friend: "mochi"})
	if got := screen.heard(); got != "mochi: Nothing has happened yet. I'll remember what your agents do." {
		t.Errorf("at first it says %q", got)
	}
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Working, Message: "@thinking"})
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Done})
	screen.heard()
	a.happened(overlay.Event{Kind: overlay.DoubleClicked, Friend: "mochi"})
	lines := strings.Split(screen.heard(), "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[0], " Claude Code: Thinking…") || !strings.HasSuffix(lines[1], " Claude Code: All done!") {
		t.Errorf("it says %q", lines)
	}
	a.happened(overlay.Event{Kind: overlay.MenuWanted, Friend: "mochi"})
	a.happened(chosen("mochi", itemAskAway))
	a.happened(chosen("bori", itemAskAway))
	want := []string{"mochi: Mochi — done",
		"mochi: Send Mochi away? Bori takes over its agents. Nothing is deleted.",
		"bori: Send Bori away? Mochi takes over its agents. Nothing is deleted."}
	if !slices.Equal(screen.menus, want) {
		t.Errorf("menus %q", screen.menus)
	}
	for kind := range overlay.Moved { // somebody who has left
		a.happened(overlay.Event{Kind: kind, Friend: "nobody"})
	}
	a.happened(chosen("mochi", itemKeep))
	if got := screen.heard(); got != "" || len(a.Friends()) != 3 {
		t.Errorf("nothing was asked for, it says %q", got)
	}
	ended := false
	a.quit = func() { ended = true }
	if a.happened(chosen("mochi", itemQuit)); !ended {
		t.Error("it goes on")
	}
}

func TestClickPets(t *testing.T) {
	a, _, _ := fakeApp(t, t.TempDir())
	var got []overlay.Update
	a.screen = showFunc(func(u overlay.Update) { got = append(got, u) })
	a.happened(overlay.Event{Kind: overlay.Clicked, Friend: "bori"})
	if len(got) != 1 || got[0].Friend != "bori" || got[0].Reaction != agents.Pet || got[0].Bubble != nil {
		t.Errorf("got %+v", got)
	}
}

// TestClickConsoles: whoever clicks a friend that is sad knows of the failure.
func TestClickConsoles(t *testing.T) {
	a, _, _ := fakeApp(t, t.TempDir())
	failed := agents.Report{Agent: "claude", Session: "s", State: agents.Error, Message: "Oh no"}
	a.hears(t, failed)
	a.hears(t, agents.Report{Agent: "claude", Session: "t", State: agents.Waiting, Message: "May I?"})
	a.happened(overlay.Event{Kind: overlay.Clicked, Friend: "bori"})
	if got := a.Friends()[0].State; got != agents.Error {
		t.Errorf("another one was clicked, and it is %s", got)
	}
	a.happened(overlay.Event{Kind: overlay.Clicked, Friend: "mochi"})
	if got := a.Status()[0]; got.State != agents.Waiting || len(got.Sessions) != 1 {
		t.Errorf("after the click it is %s with %+v, want only what waits", got.State, got.Sessions)
	}
}

// showFunc is a screen that only shows.
type showFunc func(overlay.Update)

func (f showFunc) Show(u overlay.Update)       { f(u) }
func (showFunc) SetFriends([]overlay.Sprite)   {}
func (showFunc) OpenMenu(string, overlay.Menu) {}

func TestHide(t *testing.T) {
	data := t.TempDir()
	a, screen, warned := fakeApp(t, data)
	a.happened(chosen("mochi", itemHide))
	if got := screen.heard(); !slices.Equal(screen.friends, []string{"bori", "ssak"}) || got != "bori: Mochi is hidden. Tick it in the menu of the paw, or start PlayPets again." {
		t.Errorf("on screen are %q; said %q", screen.friends, got)
	}
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Waiting, Message: "May I?"})
	if got := screen.heard(); got != "" || a.Status()[0].Sentence != "May I?" {
		t.Errorf("hidden it says %q, its status is %+v", got, a.Status()[0])
	}
	if err := a.bringBack(); err != nil || len(screen.friends) != 3 || screen.app["bori"] != "" {
		t.Errorf("brought back: %v, on screen are %q; Bori says %q", err, screen.friends, screen.app["bori"])
	}
	a.happened(chosen("mochi", itemHide))
	a.happened(chosen("bori", itemHide))
	if warned.String() != "" {
		t.Errorf("it warns %q", warned)
	}
	a.happened(chosen("ssak", itemHide))
	if !strings.Contains(warned.String(), "every friend is hidden; start playpets again") {
		t.Errorf("it warns %q", warned)
	}
	a.Close()

	a, screen, warned = fakeApp(t, data)
	if len(screen.friends) != 0 || !strings.Contains(warned.String(), "every friend is hidden") {
		t.Errorf("at the next start on screen are %q; it warns %q", screen.friends, warned)
	}
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Waiting, Message: "May I?"})
	raised := 0
	a.raise = func() error { raised++; return nil }
	if err := (backend{a}).Open(""); err != nil || len(screen.friends) != 3 || raised != 1 {
		t.Errorf("a second start: %v, on screen are %q", err, screen.friends)
	}
	if got := screen.heard(); got != "mochi: May I?" {
		t.Errorf("once they are back they say %q", got)
	}
	a.Close()
	if _, screen, _ = fakeApp(t, data); len(screen.friends) != 3 {
		t.Errorf("then on screen are %q", screen.friends)
	}
}

func TestSendAway(t *testing.T) {
	data := t.TempDir()
	a, screen, warned := fakeApp(t, data)
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Waiting, Message: "May I?"})
	a.happened(chosen("ssak", itemHide))
	screen.heard()
	a.happened(chosen("mochi", itemAway))
	if got := screen.heard(); !slices.Equal(screen.friends, []string{"bori"}) || got != "bori: May I?" {
		t.Errorf("on screen are %q; said %q", screen.friends, got)
	}
	if err := a.bringBack(); err != nil || !slices.Equal(screen.friends, []string{"bori", "ssak"}) {
		t.Errorf("a second start: %v, on screen are %q", err, screen.friends)
	}
	a.happened(chosen("mochi", itemAway)) // twice
	a.happened(chosen("bori", itemAway))
	a.happened(chosen("ssak", itemAskAway))
	screen.heard()
	a.happened(chosen("ssak", itemAway))
	if got := screen.heard(); got != "ssak: Ssak cannot leave just now. The log says why." || !strings.Contains(warned.String(), "the last friend stays") {
		t.Errorf("the last one says %q; warned %q", got, warned)
	}
	if len(screen.menus) != 0 {
		t.Errorf("the last one is asked %q", screen.menus)
	}
	a.Close()
	if a, screen, _ = fakeApp(t, data); !slices.Equal(screen.friends, []string{"ssak"}) || len(a.Friends()) != 1 {
		t.Errorf("at the next start on screen are %q", screen.friends)
	}
}

// TestSendTheOnlyShownAway: else what its agents say would be seen by nobody.
func TestSendTheOnlyShownAway(t *testing.T) {
	a, screen, warned := fakeApp(t, t.TempDir())
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Waiting, Message: "May I?"})
	a.happened(chosen("bori", itemHide))
	a.happened(chosen("ssak", itemHide))
	screen.heard()
	a.happened(chosen("mochi", itemAway))
	if got := screen.heard(); !slices.Equal(screen.friends, []string{"bori", "ssak"}) || got != "bori: May I?" || warned.String() != "" {
		t.Errorf("on screen are %q; said %q; it warns %q", screen.friends, got, warned)
	}
	if got := a.notebook.get(); len(got.Hidden) != 0 || !slices.Equal(got.Away, []string{"mochi"}) {
		t.Errorf("remembered is %+v", got)
	}
}

func TestMovedIsRemembered(t *testing.T) {
	data := t.TempDir()
	a, _, _ := fakeApp(t, data)
	want := overlay.Place{Monitors: "HDMI-1", Friend: "bori", Feet: image.Pt(300, -40)}
	a.happened(overlay.Event{Kind: overlay.Moved, Friend: "bori", Place: want})
	a.Close()
	a, _, _ = fakeApp(t, data)
	if got := a.notebook.get().places(); !reflect.DeepEqual(got, []overlay.Place{want}) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSettingsThatNobodyOpens(t *testing.T) {
	data := t.TempDir()
	fakeDesktop(t, "")
	a, screen, warned := fakeApp(t, data)
	a.showSettings("bori")
	if got := screen.heard(); got != "bori: Your settings are in "+filepath.Join(data, "config.toml") || !strings.Contains(warned.String(), "xdg-open") {
		t.Errorf("it says %q; warned %q", got, warned)
	}
	if _, err := os.Stat(filepath.Join(data, "config.toml")); err != nil {
		t.Error(err)
	}
}

// TestOpenedOneAtATime: an opener that hangs is not joined by more.
func TestOpenedOneAtATime(t *testing.T) {
	t.Run("settings", func(t *testing.T) {
		opensOnce(t, "config.toml", func(a *app) { a.showSettings("bori") })
	})
	t.Run("guide", func(t *testing.T) {
		opensOnce(t, "guide.txt", func(a *app) { a.open(filepath.Join(a.at.data, "guide.txt")) })
	})
}

func opensOnce(t *testing.T, name string, open func(*app)) {
	data := t.TempDir()
	opened, end := filepath.Join(data, name+".opened"), filepath.Join(data, name+".end")
	fakeDesktop(t, `echo once >> "$1.opened"; while [ ! -e "$1.end" ]; do sleep 0.01; done`)
	a, _, _ := fakeApp(t, data)
	t.Cleanup(func() { os.WriteFile(end, nil, 0o600) })
	var first sync.WaitGroup
	first.Go(func() { open(a) })
	for {
		if got, _ := os.ReadFile(opened); len(got) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	open(a)
	write(t, end, "")
	first.Wait()
	if got, _ := os.ReadFile(opened); string(got) != "once\n" {
		t.Errorf("opened %q", got)
	}
	open(a)
	if got, _ := os.ReadFile(opened); string(got) != "once\nonce\n" {
		t.Errorf("once it had ended, opened %q", got)
	}
}

// TestQuietForEver: no clock that was set back makes the quiet longer.
func TestQuietForEver(t *testing.T) {
	data := t.TempDir()
	until := time.Now().Add(longestQuiet + time.Hour).Format(time.RFC3339)
	write(t, filepath.Join(data, "state.json"), `{"version":1,"quiet_until":"`+until+`"}`)
	a, _, _ := fakeApp(t, data)
	if !a.quietUntil().IsZero() || !a.notebook.get().Quiet.IsZero() || a.timer != nil {
		t.Errorf("quiet until %v", a.quietUntil())
	}
}

func TestQuiet(t *testing.T) {
	data := t.TempDir()
	t.Setenv("PLAYPETS_LANG", "en")
	synctest.Test(t, func(t *testing.T) {
		a, screen, _ := fakeApp(t, data)
		asks := agents.Report{Agent: "claude", Session: "asks", State: agents.Waiting, Message: "May I?"}
		a.hears(t, asks)
		a.hears(t, agents.Report{Agent: "codex", Session: "works", State: agents.Working, Message: "On it"})
		if len(screen.stay["mochi"]) != 1 || screen.labels["mochi"] != "2 sessions" {
			t.Errorf("before it stays %q, the label is %q", screen.stay, screen.labels)
		}
		screen.heard()

		a.happened(chosen("mochi", itemQuiet))
		if got := screen.heard(); !strings.HasPrefix(got, "mochi: We're quiet until ") {
			t.Errorf("asked to be quiet it says %q", got)
		}
		a.hears(t, agents.Report{Agent: "codex", Session: "fails", State: agents.Error, Message: "No"})
		if _, err := a.Say("bori", "lunch?"); err != nil {
			t.Fatal(err)
		}
		if got := screen.heard(); got != "" || len(screen.stay["mochi"]) != 0 || screen.labels["mochi"] != "" || a.Friends()[0].State != agents.Error {
			t.Errorf("quiet it says %q and %q; the label is %q", got, screen.stay, screen.labels)
		}
		a.happened(overlay.Event{Kind: overlay.DoubleClicked, Friend: "bori"})
		if got := screen.heard(); !strings.HasPrefix(got, "bori: Nothing has happened yet") {
			t.Errorf("asked it says %q", got)
		}
		a.Close()

		a, screen, _ = fakeApp(t, data) // still quiet after a restart
		a.hears(t, asks)
		time.Sleep(time.Hour - 1)
		synctest.Wait()
		if got := screen.heard(); got != "" {
			t.Errorf("after a restart it says %q", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if got := screen.heard(); got != "mochi: May I?" || !a.quietUntil().IsZero() {
			t.Errorf("at the end it says %q, quiet until %v", got, a.quietUntil())
		}

		a.happened(chosen("mochi", itemQuiet))
		screen.heard()
		time.Sleep(time.Minute)
		a.happened(chosen("mochi", itemLoud))
		if got := screen.heard(); got != "mochi: May I?" || a.timer != nil {
			t.Errorf("ended by hand it says %q", got)
		}

		a.happened(chosen("mochi", itemQuiet))
		until := a.quietUntil()
		a.Close()
		time.Sleep(2 * time.Hour)
		a, _, _ = fakeApp(t, data) // it ended while nobody was there
		if !a.quietUntil().IsZero() || !a.notebook.get().Quiet.IsZero() || a.timer != nil {
			t.Errorf("it is still quiet until %v (%v)", a.quietUntil(), until)
		}
		a.Close()
	})
}
