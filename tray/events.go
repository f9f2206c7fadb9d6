package tray

import (
	"errors"
	"slices"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// happened answers what the person did to a friend.
func (a *app) happened(e overlay.Event) {
	switch e.Kind {
	case overlay.Clicked:
		// The friend may have left since: then nobody is petted.
		_, _ = a.React(e.Friend, agents.Pet)
		_ = a.Console(e.Friend)
		a.notices.Seen(e.Friend)
	case overlay.DoubleClicked:
		if s, ok := a.statusOf(e.Friend); ok {
			a.answer(e.Friend, recent(s.Activities, a.words(), time.Now()))
		}
	case overlay.MenuWanted:
		a.notices.Seen(e.Friend)
		if s, ok := a.statusOf(e.Friend); ok {
			a.screen.OpenMenu(e.Friend, friendMenu(a.words(), s.Friend, a.quietUntil(), len(a.Packages()) == 1))
		}
	case overlay.Moved:
		a.notebook.change(func(s *state) { s.put(e.Place) })
	case overlay.Chosen:
		a.choose(e.Friend, e.Item)
	}
}

// choose does what was chosen in a friend's menu.
func (a *app) choose(friend, item string) {
	switch item {
	case itemHide:
		a.hide(friend)
	case itemQuiet:
		until := quietEnd("1h", time.Now())
		a.hush(until)
		a.answer(friend, quietWords(a.words(), until, "tell.quiet", "tell.quiet_on"))
	case itemLoud:
		a.hush(time.Time{})
	case itemAskAway:
		a.askAway(friend)
	case itemAway:
		a.sendAway(friend)
	case itemSettings:
		go a.showSettings(friend) // an editor may keep us waiting
	case itemQuit:
		a.quit()
	}
}

// hide takes a friend off the screen, and another one says how it comes back.
func (a *app) hide(id string) {
	s, ok := a.statusOf(id)
	if !ok {
		return
	}
	a.notebook.change(func(n *state) { n.Hidden = with(n.Hidden, id) })
	a.dismiss(id)
	if shown := a.setFriends(); len(shown) > 0 {
		a.answer(shown[0].ID, a.words().Label("tell.hidden", map[string]any{"Name": s.Name}))
	}
}

// bringBack shows every friend, also the hidden ones. The error says why there is
// no display.
func (a *app) bringBack() error {
	if len(a.notebook.get().Hidden) > 0 {
		a.notebook.change(func(s *state) { s.Hidden = nil })
		for _, p := range a.setFriends() {
			a.answer(p.ID, "") // nobody is hidden any more
		}
	}
	if a.raise != nil {
		if err := a.raise(); err != nil {
			return err
		}
	}
	a.Again()
	return nil
}

// setFriends puts those on the screen who are not hidden, and returns them.
func (a *app) setFriends() []friends.Package {
	a.mu.Lock()
	defer a.mu.Unlock()
	shown := a.put()
	if len(shown) == 0 {
		a.diary.tell("every friend is hidden; start playpets again to see them")
	}
	return shown
}

// put does that with mu held.
func (a *app) put() []friends.Package {
	shown := a.seen()
	a.screen.SetFriends(sprites(shown))
	return shown
}

// shown is who is on the screen: who is not hidden, and who is a guest.
func (a *app) shown() []friends.Package {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seen()
}

// seen is the same with mu held.
func (a *app) seen() []friends.Package {
	return visible(a.Packages(), a.guests.without(a.notebook.get().Hidden))
}

// visible takes the hidden out of all, in place.
func visible(all []friends.Package, hidden []string) []friends.Package {
	return slices.DeleteFunc(all, func(p friends.Package) bool { return slices.Contains(hidden, p.ID) })
}

// indexOf finds a friend; -1 if it is not here.
func indexOf(all []friends.Package, id string) int {
	return slices.IndexFunc(all, func(p friends.Package) bool { return p.ID == id })
}

// askAway asks before a friend is sent away.
func (a *app) askAway(id string) {
	all := a.Packages()
	at := indexOf(all, id)
	if at < 0 || len(all) == 1 {
		return
	}
	heir := all[0]
	if at == 0 {
		heir = all[1]
	}
	a.screen.OpenMenu(id, awayMenu(a.words(), all[at].Name, heir.Name))
}

// sendAway takes a friend out, for good where it is built in. If only hidden ones
// are left they come back: they have its agents now.
func (a *app) sendAway(id string) {
	all := a.Packages()
	at := indexOf(all, id)
	err := a.SendAway(id)
	switch {
	case errors.Is(err, friends.ErrNoFriend) || at < 0:
		return
	case err != nil:
		a.diary.tell("%v", err)
		a.answer(id, a.words().Label("tell.stays", map[string]any{"Name": all[at].Name}))
		return
	}
	left := a.Packages()
	alone := false
	a.unassign(all[at])
	a.notebook.change(func(s *state) {
		s.Hidden = without(s.Hidden, id)
		if all[at].Builtin {
			s.Away = with(s.Away, id)
		}
		if alone = len(visible(left, s.Hidden)) == 0; alone {
			s.Hidden = nil
		}
	})
	if a.setFriends(); alone {
		a.Again()
	}
}

// showSettings opens config.toml, or has the friend that was asked say where it is;
// an empty one is none. While the program that opens it is still at that, it is not
// started again.
func (a *app) showSettings(friend string) {
	a.once("settings", func() {
		err := editSettings(a.at.settings)
		if err == nil {
			return
		}
		a.diary.tell("%v", err)
		text := a.words().Label("tell.settings", map[string]any{"Path": settingsPath(a.at.settings)})
		if friend == "" {
			a.tell(text)
			return
		}
		a.answer(friend, text)
	})
}

// answer has a friend say something of the app's own, also when it is quiet: the
// person asked. Nothing takes back what it said so.
func (a *app) answer(friend, text string) {
	a.screen.Show(overlay.Update{Friend: friend, Bubble: &overlay.Bubble{Session: "app", Text: text}})
}

// statusOf is everything about one friend, if it is here.
func (a *app) statusOf(id string) (agents.Status, bool) {
	all := a.Status()
	i := slices.IndexFunc(all, func(s agents.Status) bool { return s.ID == id })
	if i < 0 {
		return agents.Status{}, false
	}
	return all[i], true
}
