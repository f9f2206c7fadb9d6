package tray

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/notify"
	"github.com/playpets/playpets/snippets"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/icon"
)

// notifier is what shows the system's notifications: a notify.Center, or nobody.
type notifier interface {
	Report(notify.Event)
	Seen(friend string)
	Quiet(on bool)
	SetRules(notify.Rules)
	Send(ctx context.Context, m notify.Message) (server string, err error)
}

// openNotices lets the desktop tell what friends show.
func (a *app) openNotices() *notify.Center {
	s := a.settings()
	return notify.Open(notify.Options{
		Rules:   s.rules(),
		Icon:    icon.PNG(icon.None, noticeIcon),
		Write:   a.write,
		Clicked: func(friend string) { go a.meet(friend) },
		Log:     a.diary.Logger,
	})
}

// noticeIcon is how wide the picture beside a notification is, in pixels.
const noticeIcon = 128

// report tells the notices of a change: what a session does, not what was said or
// shown again.
func report(n notifier, c friends.Change) {
	if c.Again || c.Said || c.Told || c.State == "" {
		return
	}
	n.Report(notify.Event{
		Friend: c.Friend.ID, Agent: c.Agent, Session: c.Session, Project: c.Project,
		State: string(c.State), Text: c.Sentence, Begins: c.Begins,
	})
}

// write puts a notice into words.
func (a *app) write(n notify.Notice) notify.Message {
	name := ""
	if s, ok := a.statusOf(n.Friend); ok {
		name = s.Name
	}
	m := noticeWords(a.words(), n, name)
	m.Sound = a.settings().Notifications.Sound
	return m
}

// noticeKinds are the last parts of the words' keys.
var noticeKinds = map[notify.Kind]string{notify.Done: "done", notify.Failed: "failed", notify.Waiting: "waiting"}

// noticeWords are a notice about a friend of that name in a language: "Claude Code
// is done · playpets · 12 min", and below it what the friend says.
func noticeWords(words *i18n.Translator, n notify.Notice, friend string) notify.Message {
	var m notify.Message
	if n.Count > 1 {
		m.Title = countWords(words, n.Kinds)
	} else {
		parts := []string{words.Label("notice."+noticeKinds[n.Kind], map[string]any{"Agent": cmp.Or(agentWords(words, n.Agent), friend)})}
		for _, more := range []string{n.Project, tookWords(words, n.Took)} {
			if more != "" {
				parts = append(parts, more)
			}
		}
		m.Title = strings.Join(parts, " · ")
		if friend != "" && n.Text != "" {
			m.Body = friend + ": " + n.Text
		}
	}
	if n.Missed {
		m.Body, m.Title = m.Title, words.Label("notice.missed", nil)
	}
	return m
}

// countWords say how many agents need the person, failed and are done.
func countWords(words *i18n.Translator, kinds [3]int) string {
	var parts []string
	for _, k := range []notify.Kind{notify.Waiting, notify.Failed, notify.Done} {
		if n := kinds[k]; n > 0 {
			parts = append(parts, words.Label("notices."+noticeKinds[k], map[string]any{"Count": n}))
		}
	}
	return strings.Join(parts, ", ")
}

// agentWords is an agent as people know it, also `playpets run`; empty for who did
// not name itself.
func agentWords(words *i18n.Translator, agent string) string {
	switch agent {
	case "run":
		return words.Label("notice.command", nil)
	case snippets.Other:
		return words.Label("notice.mcp", nil)
	}
	return title(agent)
}

// tookWords is how long something took: "45 s", "12 min", "2 h 5 min"; empty if
// that is not known.
func tookWords(words *i18n.Translator, d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d <= 0:
		return ""
	case d < time.Minute:
		return words.Label("took.seconds", map[string]any{"Seconds": int(d / time.Second)})
	case d < time.Hour:
		return words.Label("took.minutes", map[string]any{"Minutes": int(d / time.Minute)})
	}
	return words.Label("took.hours", map[string]any{"Hours": int(d / time.Hour), "Minutes": int(d % time.Hour / time.Minute)})
}

// meet brings a friend to the front, or all of them: a notice was clicked.
func (a *app) meet(friend string) {
	a.notices.Seen(friend)
	if indexOf(a.shown(), friend) < 0 {
		a.notebook.change(func(s *state) { s.Hidden = without(s.Hidden, friend) })
		a.setFriends()
	}
	if a.raise != nil {
		_ = a.raise() // without a display there is nobody to show
	}
	a.Again()
}

// test shows a notification for people to see that they get them.
func (a *app) test() (server string, err error) {
	words := a.words()
	return a.send(notify.Message{
		Key: "test", Title: words.Label("notice.test", nil), Body: words.Label("notice.test_body", nil),
		Sound: a.settings().Notifications.Sound,
	})
}

// tell says something of the app's own: by the first friend on the screen, or, where
// nobody is, by the desktop.
func (a *app) tell(text string) {
	if id := a.speaker(); id != "" {
		a.answer(id, text)
		return
	}
	go func() {
		if err := a.sendOwn(text); err != nil {
			a.diary.tell("%s", text)
		}
	}()
}

// speaker is who says things of the app's own: the first friend on the screen; empty if
// nobody is there.
func (a *app) speaker() string {
	if a.display != nil && !a.display.live() {
		return ""
	}
	for _, p := range a.shown() {
		return p.ID
	}
	return ""
}

// tellLimit is how long the desktop may take to show something; the bridge waits
// no longer.
const tellLimit = 2 * time.Second

// send has the desktop show a message now, and says who does.
func (a *app) send(m notify.Message) (server string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), tellLimit)
	defer cancel()
	return a.notices.Send(ctx, m)
}

// sendOwn has the desktop show something of the app's own.
func (a *app) sendOwn(text string) error {
	_, err := a.send(notify.Message{Key: "app", Title: "PlayPets", Body: text})
	return err
}

// errNoPanel is why nobody shows the icon where the session bus answers.
var errNoPanel = errors.New("no panel shows it")

// noTray says how PlayPets is reached where its icon is missing: people would look for
// it. Where a panel is all that is missing, a notification says so once and for all.
func (a *app) noTray(why error) {
	a.diary.tell("no icon in the tray yet: %v; right-click a friend, or use `playpets --help`", why)
	if !errors.Is(why, errNoPanel) || a.notebook.get().NoTray {
		return
	}
	a.notebook.change(func(s *state) { s.NoTray = true })
	if err := a.sendOwn(a.words().Label("tell.no_tray", nil)); err != nil {
		a.diary.Info("no notification either", "error", err)
	}
}

// silent are the notices of an app that tells none.
type silent struct{}

func (silent) Report(notify.Event)   {}
func (silent) Seen(string)           {}
func (silent) Quiet(bool)            {}
func (silent) SetRules(notify.Rules) {}
func (silent) Send(context.Context, notify.Message) (string, error) {
	return "", errors.New("show a notification: this app tells none")
}
