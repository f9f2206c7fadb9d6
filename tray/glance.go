package tray

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
	"github.com/playpets/playpets/tray/friends"
)

// refresh has the tray show what there is now, and again when "… ago" is out of date.
func (a *app) refresh() {
	a.glancing.Lock()
	defer a.glancing.Unlock()
	if a.tray == nil {
		return
	}
	a.due = false
	v := a.view()
	a.tray(v)
	a.refreshIn(v.ages())
}

// gather is how long changes are gathered before the tray shows them: a view costs
// more than all else that a change does.
const gather = 100 * time.Millisecond

// refreshSoon has the tray show a change, and with it what else comes meanwhile.
func (a *app) refreshSoon() {
	a.glancing.Lock()
	defer a.glancing.Unlock()
	if a.tray == nil || a.due {
		return
	}
	a.due = true
	a.refreshIn(gather)
}

// refreshIn sets the one timer that refreshes the tray; zero stops it.
func (a *app) refreshIn(d time.Duration) {
	if a.refresher != nil {
		a.refresher.Stop()
		a.refresher = nil
	}
	if d > 0 {
		a.refresher = time.AfterFunc(d, a.refresh)
	}
}

// ages is in how long the menu says of one of the agents that it was heard longer ago;
// zero: never.
func (v view) ages() (soonest time.Duration) {
	for _, agent := range v.agents {
		if agent.last.IsZero() {
			continue
		}
		unit, ago := time.Minute, max(v.now.Sub(agent.last), 0)
		switch {
		case ago >= 24*time.Hour:
			unit = 24 * time.Hour
		case ago >= time.Hour:
			unit = time.Hour
		}
		if next := unit - ago%unit; soonest == 0 || next < soonest {
			soonest = next
		}
	}
	return soonest
}

// view is what the tray's icon and menu show now.
func (a *app) view() view {
	s := a.settings()
	n := s.Notifications
	v := view{
		words: a.words(), now: time.Now(), size: s.Size, motion: s.Motion, language: s.Language,
		quiet:    a.quietUntil(),
		notices:  noticeSettings{n.Done, n.Error, n.Waiting, n.Sound, n.MinTask > 0},
		canLogin: a.canLogin, atLogin: a.login.Load(),
		display: a.display != nil && a.display.live(),
		version: installer.Version(),
	}
	heard := a.Heard()
	all, shown := a.Status(), a.shown()
	for _, f := range all {
		var runs []agents.State
		for _, run := range f.Sessions {
			runs = append(runs, run.State)
		}
		v.friends = append(v.friends, friendView{
			sessions: runs, id: f.ID, name: f.Name, state: f.State, doing: doingFor(f),
			shown: indexOf(shown, f.ID) >= 0, last: len(all) == 1,
		})
	}
	for _, agent := range snippets.Agents() {
		v.agents = append(v.agents, a.agentView(agent, s.AgentPets[agent], heard[agent], all))
	}
	return v
}

// doingFor names the agents that a friend is at work with, each once.
func doingFor(f agents.Status) (titles []string) {
	for _, run := range f.Sessions {
		if t := title(run.Agent); run.State.Rank() >= agents.Working.Rank() && t != "" && !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	return titles
}

func (a *app) agentView(agent, pet string, last time.Time, all []agents.Status) agentView {
	v := agentView{name: agent, title: title(agent), last: last}
	for _, f := range all {
		if friends.Called(f.Friend, pet) {
			v.pet = f.ID
		}
	}
	for _, s := range pasted(agent) {
		if s.name == "mcp" {
			v.mcp = true
		} else {
			v.copies = append(v.copies, s)
		}
	}
	return v
}

// pasted names what can be copied for an agent, and the files it belongs in.
func pasted(agent string) []copyItem { return allPasted()[agent] }

var allPasted = sync.OnceValue(func() map[string][]copyItem {
	home, _ := os.UserHomeDir() // without one the files are named all the same
	anywhere := snippets.Program{Path: "/playpets", System: runtime.GOOS}
	all := map[string][]copyItem{}
	for _, agent := range snippets.Agents() {
		here, _ := snippets.All(agent, anywhere) // which can be written everywhere
		for _, s := range here {
			all[agent] = append(all[agent], copyItem{s.Name, snippets.Shown(s, home, os.Getenv)})
		}
	}
	return all
})
