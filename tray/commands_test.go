package tray

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/notify"
	"github.com/playpets/playpets/tray/overlay"
)

// fakeNotices keeps what it is told.
type fakeNotices struct {
	mu    sync.Mutex
	fail  error
	heard []notify.Event
	sent  []notify.Message
	seen  []string
	quiet bool
	rules notify.Rules
}

func (f *fakeNotices) do(it func()) { f.mu.Lock(); defer f.mu.Unlock(); it() }

func (f *fakeNotices) Report(e notify.Event)   { f.do(func() { f.heard = append(f.heard, e) }) }
func (f *fakeNotices) Seen(friend string)      { f.do(func() { f.seen = append(f.seen, friend) }) }
func (f *fakeNotices) Quiet(on bool)           { f.do(func() { f.quiet = on }) }
func (f *fakeNotices) SetRules(r notify.Rules) { f.do(func() { f.rules = r }) }
func (f *fakeNotices) Send(_ context.Context, m notify.Message) (string, error) {
	f.do(func() { f.sent = append(f.sent, m) })
	return "fake 1.0", f.fail
}

func (f *fakeNotices) messages() []notify.Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.sent)
}

// wholeApp is an app with all its rooms, the far ends of which are fakes; its
// settings are a real file, which is watched.
func wholeApp(t *testing.T) (*app, *fakeScreen, *fakeNotices) {
	t.Helper()
	data := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(data, "config"))
	a, screen, _ := fakeApp(t, data)
	t.Setenv("PLAYPETS_LANG", "")
	t.Setenv("LC_ALL", "C")
	notices := &fakeNotices{}
	a.notices = notices
	a.at.bridge = filepath.Join(data, "bridge.json")
	a.config, _ = openSettings(data, a.diary)
	a.quit = func() {}
	ctx, end := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	told := a.config.get()
	watching.Go(func() { a.config.watch(ctx, told, a.apply) })
	t.Cleanup(func() { end(); watching.Wait() })
	return a, screen, notices
}

// becomes waits for what happens on another goroutine.
func becomes(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not come", what)
		}
	}
}

func (f *fakeScreen) here() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.friends, " ")
}

func TestCommandsAboutFriends(t *testing.T) {
	a, screen, _ := wholeApp(t)
	for _, c := range []struct {
		do          command
		shown, told string
	}{
		{command{"show", "bori", "off"}, "mochi ssak", "mochi: Bori is hidden."},
		{command{"show", "bori", "off"}, "mochi ssak", ""}, // the second click of a double click
		{command{"show", "bori", "on"}, "mochi bori ssak", ""},
		{command{"showall", "", "off"}, "", ""},
		{command{"showall", "", "on"}, "mochi bori ssak", ""},
		{command{"first", "ssak", ""}, "ssak mochi bori", ""},
		{command{"first", "nobody", ""}, "ssak mochi bori", ""},
		{command{"sendaway", "ssak", ""}, "mochi bori", ""},
		{command{"sendaway", "ssak", ""}, "mochi bori", ""},
	} {
		a.command(c.do)
		if got := screen.here(); got != c.shown {
			t.Errorf("%v: %q are on the screen, want %q", c.do, got, c.shown)
		}
		if got := screen.heard(); c.told != "" && !strings.Contains(got, c.told) {
			t.Errorf("%v: told %q, want %q", c.do, got, c.told)
		}
	}
	if n := a.notebook.get(); n.First != "ssak" || !slices.Contains(n.Away, "ssak") {
		t.Errorf("remembered: %+v", n)
	}
}

// What is chosen is written into config.toml, and taken up from there.
func TestCommandsAreSettings(t *testing.T) {
	a, _, notices := wholeApp(t)
	for _, c := range []struct {
		do   command
		want func(s settings) bool
	}{
		{command{"size", "150", ""}, func(s settings) bool { return s.Size == 150 }},
		{command{"motion", "calm", ""}, func(s settings) bool { return s.Motion == "calm" }},
		{command{"notice", "done", "off"}, func(s settings) bool { return !s.Notifications.Done && s.Notifications.Error }},
		{command{"notice", "error", "off"}, func(s settings) bool { return !s.Notifications.Error && s.Notifications.Waiting }},
		{command{"notice", "waiting", "off"}, func(s settings) bool { return !s.Notifications.Waiting }},
		{command{"notice", "done", "on"}, func(s settings) bool { return s.Notifications.Done }},
		{command{"sound", "", "on"}, func(s settings) bool { return s.Notifications.Sound }},
		{command{"short", "", "off"}, func(s settings) bool { return s.Notifications.MinTask == 0 }},
		{command{"short", "", "on"}, func(s settings) bool { return time.Duration(s.Notifications.MinTask) == 10*time.Second }},
		{command{"assign", "claude", "bori"}, func(s settings) bool { return s.AgentPets["claude"] == "bori" }},
		{command{"assign", "claude", ""}, func(s settings) bool { return s.AgentPets["claude"] == "" }},
		{command{"language", "ko", ""}, func(s settings) bool { return s.Language == "ko" }},
	} {
		a.command(c.do)
		if s := a.settings(); !c.want(s) {
			t.Errorf("%v: %+v", c.do, s)
		}
	}
	becomes(t, "Korean", func() bool { return a.words().Lang() == "ko" })
	becomes(t, "the rules", func() bool {
		notices.mu.Lock()
		defer notices.mu.Unlock()
		return notices.rules == notify.Rules{Done: true, MinTask: 10 * time.Second}
	})
	text, err := os.ReadFile(filepath.Join(a.at.settings, "config.toml"))
	if err != nil || !strings.Contains(string(text), "\nsize = 150\n") || !strings.Contains(string(text), "# How large friends are") {
		t.Errorf("config.toml: %v\n%s", err, text)
	}
}

// A question that waits is said in the new language, and so is the menu.
func TestLanguageChangesAtOnce(t *testing.T) {
	a, screen, _ := wholeApp(t)
	views := make(chan view, 100)
	a.tray = func(v view) { views <- v }
	a.hears(t, agents.Report{Agent: "claude", Session: "s", State: agents.Waiting, Message: "@confirm"})
	if got := screen.heard(); got != "mochi: I need your OK" {
		t.Fatalf("at first: %q", got)
	}
	a.command(command{"language", "ko", ""})
	becomes(t, "the question in Korean", func() bool { return screen.heard() == "mochi: "+i18n.New("ko").Sentence("waiting", "@confirm") })
	becomes(t, "the menu in Korean", func() bool { return (<-views).words.Lang() == "ko" })
}

func TestQuietByTheMenu(t *testing.T) {
	a, screen, notices := wholeApp(t)
	a.command(command{"quiet", "on", ""})
	if !a.quietUntil().Equal(noEnd) || !notices.quiet {
		t.Errorf("quiet until %v, notices %t", a.quietUntil(), notices.quiet)
	}
	if got := screen.heard(); got != "mochi: We're quiet until you end it" {
		t.Errorf("told %q", got)
	}
	a.command(command{"quiet", "off", ""})
	if !a.quietUntil().IsZero() || notices.quiet {
		t.Errorf("after it: quiet until %v, notices %t", a.quietUntil(), notices.quiet)
	}
}

// A friend who leaves is nobody's own any more.
func TestSentAwayIsUnassigned(t *testing.T) {
	a, _, _ := wholeApp(t)
	a.command(command{"assign", "claude", "bori"})
	a.command(command{"assign", "codex", "mochi"})
	a.command(command{"sendaway", "bori", ""})
	if got := a.settings().AgentPets; len(got) != 1 || got["codex"] != "mochi" {
		t.Errorf("agent_pets: %v", got)
	}
}

// Who picks another friend for an agent need not paste again, and a friend that was
// never picked in the menu is the choice of whoever wrote --pet.
func TestPastedFriend(t *testing.T) {
	a, _, _ := wholeApp(t)
	door := backend{a}
	reports := func(pet string) string {
		t.Helper()
		id, err := door.Report(agents.Report{Pet: pet, Agent: "claude", Session: "s", State: agents.Working})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	pick := func(id string) {
		a.command(command{"assign", "claude", id})
		becomes(t, id, func() bool { return id == "" || a.notebook.get().picked("claude", id) })
		becomes(t, "the other friend", func() bool {
			got, err := a.Report(agents.Report{Agent: "claude", Session: "probe", State: agents.Working})
			return err == nil && (got == id || id == "" && got == "mochi")
		})
	}
	pick("bori")
	if got := reports("bori"); got != "bori" {
		t.Errorf("picked Bori and pasted: %s shows it", got)
	}
	pick("mochi")
	if got := reports("bori"); got != "mochi" {
		t.Errorf("then picked Mochi: %s shows it", got)
	}
	if got := reports("ssak"); got != "ssak" {
		t.Errorf("wrote --pet ssak by hand: %s shows it", got)
	}
	pick("")
	if got := reports("bori"); got != "mochi" {
		t.Errorf("then the first friend: %s shows it", got)
	}
}

func TestCopyIsTrue(t *testing.T) {
	a, screen, _ := wholeApp(t)
	fakeDesktop(t, `: > "$1.opened"`)
	var took string
	a.clip = func(_ context.Context, text string) (string, error) { took = text; return "X11", nil }
	door := backend{a}
	said, err := door.Copy("claude", "hooks")
	if err != nil || !strings.HasPrefix(said, "Copied. Paste it into ~/.claude/settings.json") || !strings.Contains(took, "hook claude") || !strings.Contains(took, a.at.bridge) {
		t.Errorf("copy: %q, %v; took %q", said, err, took)
	}
	if said, err = door.Copy("codex", "notify"); err != nil || !strings.Contains(said, "first line") {
		t.Errorf("codex: %q, %v", said, err)
	}
	if said, err = door.Copy("mcp", "mcp"); err != nil || !strings.HasPrefix(said, "Copied. Paste it into the settings of your tool") {
		t.Errorf("other tools: %q, %v", said, err)
	}
	for _, none := range [][2]string{{"claude", "notify"}, {"emacs", "hooks"}, {"", ""}, {"mcp", "hooks"}} {
		var refused *bridge.Error
		if _, err := door.Copy(none[0], none[1]); !errors.As(err, &refused) || refused.Status != 404 {
			t.Errorf("%v: %v", none, err)
		}
	}

	a.clip = func(context.Context, string) (string, error) { return "", errors.New("no clipboard") }
	a.command(command{"copy", "gemini", "hooks"})
	path := filepath.Join(a.at.data, "gemini-hooks.json")
	becomes(t, "the file that was opened", func() bool { _, err := os.Stat(path + ".opened"); return err == nil })
	becomes(t, "what is said", func() bool { return strings.Contains(screen.heard(), "No clipboard took it") })
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "hook gemini") {
		t.Errorf("saved %q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("saved as %v, %v", info.Mode(), err)
	}
}

func TestWhereToPaste(t *testing.T) {
	a, screen, _ := wholeApp(t)
	a.command(command{"paste", "codex", ""})
	if got := screen.heard(); got != "mochi: Codex reads ~/.codex/config.toml, ~/.codex/hooks.json" {
		t.Errorf("codex: %q", got)
	}
	a.command(command{"paste", "mcp", ""})
	if got := screen.heard(); !strings.Contains(got, "MCP servers") {
		t.Errorf("other tools: %q", got)
	}
}

// Where no friend is on the screen the desktop says what there is to say.
func TestTellWithoutFriends(t *testing.T) {
	a, screen, notices := wholeApp(t)
	a.command(command{"showall", "", "off"})
	screen.heard()
	a.command(command{"help", "about", ""})
	becomes(t, "a notification", func() bool { return len(notices.messages()) > 0 })
	if m := notices.messages()[0]; m.Title != "PlayPets" || !strings.Contains(m.Body, "Nothing leaves your computer") || screen.heard() != "" {
		t.Errorf("sent %+v", m)
	}
}

func TestTestNotice(t *testing.T) {
	a, screen, notices := wholeApp(t)
	door := backend{a}
	if said, err := door.Notify(); err != nil || said != "fake 1.0 shows it." {
		t.Errorf("%q, %v", said, err)
	}
	notices.fail = errors.New("nobody shows notifications")
	if _, err := door.Notify(); err == nil || err.Error() != "nobody shows notifications" {
		t.Errorf("without a daemon: %v", err)
	}
	a.command(command{"test", "", ""})
	becomes(t, "the truth", func() bool { return strings.Contains(screen.heard(), "No notification can be shown here") })
}

func TestHelp(t *testing.T) {
	a, _, _ := wholeApp(t)
	fakeDesktop(t, `: > "$1.opened"`)
	a.command(command{"help", "start", ""})
	path := filepath.Join(a.at.data, "getting-started.txt")
	becomes(t, "the guide", func() bool { _, err := os.Stat(path + ".opened"); return err == nil })
	for _, l := range i18n.Languages() {
		text, err := guides.ReadFile("guide/" + l.Code + ".txt")
		if err != nil || !strings.Contains(string(text), "playpets doctor") {
			t.Errorf("the guide in %s: %v", l.Name, err)
		}
	}
}

// TestWhatDoesNotWork is said by a friend.
func TestWhatDoesNotWork(t *testing.T) {
	a, screen, _ := wholeApp(t)
	a.at.data = filepath.Join(a.at.data, "file")
	write(t, a.at.data, "no folder")
	for _, c := range []command{{do: "folder"}, {"help", "start", ""}} {
		a.command(c)
		becomes(t, "the truth", func() bool { return strings.Contains(screen.heard(), "That did not work") })
	}
}

// TestOnce: a click adds nothing to what is being done.
func TestOnce(t *testing.T) {
	a, _, _ := wholeApp(t)
	began, end := make(chan bool), make(chan bool)
	ended := make(chan bool)
	go func() {
		a.once("it", func() { began <- true; <-end })
		close(ended)
	}()
	<-began
	a.once("it", func() { t.Error("it was done twice at once") })
	other, again := false, false
	a.once("another one", func() { other = true })
	close(end)
	<-ended
	a.once("it", func() { again = true })
	if !other || !again {
		t.Errorf("another one was done: %v; it was done again: %v", other, again)
	}
}

// A friend that was asked to come by its notification is in front, also a hidden one.
func TestNoticeClicked(t *testing.T) {
	a, screen, notices := wholeApp(t)
	raised := 0
	a.raise = func() error { raised++; return nil }
	a.command(command{"show", "bori", "off"})
	a.meet("bori")
	if raised != 1 || !strings.Contains(screen.here(), "bori") || !slices.Equal(notices.seen, []string{"bori"}) {
		t.Errorf("raised %d times, here %q, seen %q", raised, screen.here(), notices.seen)
	}
}

// What friends do reaches the notices once: not what is said or shown again.
func TestReportsAreNoticed(t *testing.T) {
	a, _, notices := wholeApp(t)
	a.hears(t, agents.Report{Agent: "claude", Session: "s", Project: "shop", State: agents.Waiting, Message: "@confirm"})
	a.Again()
	if _, err := a.Say("mochi", "lunch?"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.React("mochi", agents.Wave); err != nil {
		t.Fatal(err)
	}
	a.hears(t, agents.Report{Agent: "claude", Session: "s", Project: "shop", State: agents.Working, Message: "@thinking", Begins: true})
	want := []notify.Event{
		{Friend: "mochi", Agent: "claude", Session: "s", Project: "shop", State: "waiting", Text: "I need your OK"},
		{Friend: "mochi", Agent: "claude", Session: "s", Project: "shop", State: "working", Text: "Thinking…", Begins: true},
	}
	if !slices.Equal(notices.heard, want) {
		t.Errorf("heard %+v", notices.heard)
	}
	a.happened(overlay.Event{Kind: overlay.Clicked, Friend: "mochi"})
	if !slices.Equal(notices.seen, []string{"mochi"}) {
		t.Errorf("seen %q", notices.seen)
	}
}

func TestNoticeWords(t *testing.T) {
	en, ko := i18n.New("en"), i18n.New("ko")
	for _, c := range []struct {
		words       *i18n.Translator
		n           notify.Notice
		title, body string
	}{
		{en, notify.Notice{Kind: notify.Done, Friend: "mochi", Agent: "claude", Project: "playpets", Took: 12 * time.Minute, Text: "All done!"}, "Claude Code is done · playpets · 12 min", "Mochi: All done!"},
		{en, notify.Notice{Kind: notify.Failed, Friend: "mochi", Agent: "run", Took: 42 * time.Second, Text: "That failed (exit code 1)"}, "A command failed · 42 s", "Mochi: That failed (exit code 1)"},
		{en, notify.Notice{Kind: notify.Waiting, Friend: "mochi", Agent: "codex", Project: "a & b"}, "Codex needs you · a & b", ""},
		{en, notify.Notice{Kind: notify.Done, Friend: "mochi", Took: 125 * time.Minute}, "Mochi is done · 2 h 5 min", ""},
		{en, notify.Notice{Kind: notify.Waiting, Count: 3, Kinds: [3]int{notify.Waiting: 3}}, "3 agents need you", ""},
		{en, notify.Notice{Kind: notify.Waiting, Count: 3, Kinds: [3]int{notify.Done: 2, notify.Waiting: 1}, Missed: true}, "While we were quiet", "1 agent needs you, 2 agents are done"},
		{en, notify.Notice{Kind: notify.Failed, Friend: "mochi", Agent: "gemini", Project: "shop", Missed: true, Text: "no"}, "While we were quiet", "Gemini CLI failed · shop"},
		{ko, notify.Notice{Kind: notify.Done, Friend: "mochi", Agent: "claude", Took: 12 * time.Minute}, "Claude Code 작업 완료 · 12분", ""},
		{ko, notify.Notice{Kind: notify.Waiting, Count: 3, Kinds: [3]int{notify.Waiting: 3}}, "에이전트 3개에서 확인이 필요해요", ""},
	} {
		if m := noticeWords(c.words, c.n, "Mochi"); m.Title != c.title || m.Body != c.body {
			t.Errorf("%+v:\n%q\n%q\nwant\n%q\n%q", c.n, m.Title, m.Body, c.title, c.body)
		}
	}
}
