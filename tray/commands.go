package tray

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/tray/friends"
)

// command does what was chosen in the tray's menu, one at a time. What may have to
// wait for other programs does so on a goroutine of its own.
func (a *app) command(c command) {
	on := c.value == "on"
	switch c.do {
	case "show":
		a.setHidden(c.arg, !on)
	case "first":
		a.makeFirst(c.arg)
	case "sendaway":
		a.sendAway(c.arg)
	case "folder":
		go a.once("folder", a.openFriendsFolder)
	case "assign":
		a.assign(c.arg, c.value)
	case "copy":
		go a.once("copy "+c.arg+" "+c.value, func() { a.copied(c.arg, c.value) })
	case "paste":
		a.whereToPaste(c.arg)
	case "showall":
		a.setAllHidden(!on)
	case "bringback":
		go a.once("bringback", a.toCorner)
	case "size":
		if size, err := strconv.Atoi(c.arg); err == nil {
			a.set(size, "size")
		}
	case "motion", "language":
		a.set(c.arg, c.do)
	case "quiet":
		a.setQuiet(c.arg)
	case "notice":
		a.set(on, "notifications", c.arg)
	case "sound":
		a.set(on, "notifications", "sound")
	case "short":
		least := time.Duration(0)
		if on {
			least = time.Duration(defaults().Notifications.MinTask)
		}
		a.set(least.String(), "notifications", "min_task")
	case "test":
		go a.once("test", a.tryNotice)
	case "login":
		a.setAtLogin(on)
	case "help":
		go a.once("help "+c.arg, func() { a.help(c.arg) })
	case "settings":
		go a.showSettings("")
	case "quit":
		a.quit()
	}
	a.refresh()
}

// once does something that may have to wait for other programs, unless it is being done:
// a click more adds nothing.
func (a *app) once(what string, do func()) {
	if _, busy := a.busy.LoadOrStore(what, true); busy {
		return
	}
	defer a.busy.Delete(what)
	do()
}

// set writes a setting into config.toml, from where it takes effect.
func (a *app) set(value any, key ...string) {
	if err := a.config.set(value, key...); err != nil {
		a.complain(err, "tell.not_saved", nil)
	}
}

// complain says that something did not go, and logs why.
func (a *app) complain(why error, key string, args map[string]any) {
	a.diary.tell("%v", why)
	a.tell(a.words().Label(key, args))
}

// setHidden takes a friend off the screen or has it back.
func (a *app) setHidden(id string, hidden bool) {
	if hidden {
		a.hide(id)
		return
	}
	a.notebook.change(func(s *state) { s.Hidden = without(s.Hidden, id) })
	a.setFriends()
	a.Again()
}

// setAllHidden takes every friend off the screen or has them all back.
func (a *app) setAllHidden(hidden bool) {
	var ids []string
	if hidden {
		a.dismiss("")
		for _, p := range a.Packages() {
			ids = with(ids, p.ID)
		}
	}
	a.notebook.change(func(s *state) { s.Hidden = ids })
	a.setFriends()
	a.Again()
}

// toCorner brings every friend back to the corner of this screen.
func (a *app) toCorner() {
	for range 2 { // once is to the front, once more to the corner
		if err := a.bringBack(); err != nil {
			a.complain(err, "tell.no_display", nil)
			return
		}
	}
}

// makeFirst has the agents without a friend of their own work with this one.
func (a *app) makeFirst(id string) {
	if a.MakeFirst(id) != nil {
		return // it has left
	}
	a.notebook.change(func(s *state) { s.First = id })
	a.setFriends()
}

// assign gives an agent a friend of its own; an empty id means the first friend.
func (a *app) assign(agent, id string) {
	if id == "" {
		a.set(nil, "agent_pets", agent)
		return
	}
	a.set(id, "agent_pets", agent)
}

// setQuiet begins a quiet, or ends it.
func (a *app) setQuiet(choice string) {
	until := quietEnd(choice, time.Now())
	if a.hush(until); !until.IsZero() {
		a.tell(quietWords(a.words(), until, "tell.quiet", "tell.quiet_on"))
	}
}

// copied copies settings and says so.
func (a *app) copied(agent, name string) {
	said, err := a.copySnippet(a.words(), agent, name)
	if err != nil {
		a.complain(err, "copied.not", nil)
		return
	}
	a.tell(said)
}

// whereToPaste says into which files an agent's settings belong.
func (a *app) whereToPaste(agent string) {
	var files []string
	for _, s := range pasted(agent) {
		if s.file != "" && !slices.Contains(files, s.file) {
			files = append(files, s.file)
		}
	}
	if files == nil {
		a.tell(a.words().Label("copied.where_any", nil))
		return
	}
	a.tell(a.words().Label("copied.where", map[string]any{"Agent": title(agent), "Files": strings.Join(files, ", ")}))
}

// tryNotice shows a test notification, or says that there is none.
func (a *app) tryNotice() {
	if _, err := a.test(); err != nil {
		a.complain(err, "tell.no_notices", nil)
	}
}

// setAtLogin has PlayPets start at login or no more.
func (a *app) setAtLogin(on bool) {
	if err := installer.SetAtLogin(on); err != nil {
		key := "tell.not_saved"
		if errors.Is(err, installer.ErrForeign) {
			key = "tell.not_ours"
		}
		a.complain(err, key, nil)
		return
	}
	a.login.Store(on)
}

// unassign takes a friend who leaves from the agents that were its own.
func (a *app) unassign(p friends.Package) {
	pets := a.settings().AgentPets
	for _, agent := range slices.Sorted(maps.Keys(pets)) {
		if friends.Called(agents.Friend{ID: p.ID, Name: p.Name}, pets[agent]) {
			a.set(nil, "agent_pets", agent)
		}
	}
}
