package tray

import "github.com/playpets/playpets/agents"

// Status tells besides of whom nobody sees what it says now.
func (b backend) Status() []agents.Status {
	all := b.Store.Status()
	for i := range all {
		all[i].Unseen = b.unseen(all[i].ID)
	}
	return all
}

// unseen is why nobody sees what a friend says now, in English, for a command asks;
// empty if it is seen.
func (a *app) unseen(id string) string {
	until := a.quietUntil()
	switch {
	case a.display != nil && !a.display.live():
		return "there is no display"
	case a.settings().Show.When == "never":
		return "config.toml has friends never shown"
	case indexOf(a.shown(), id) < 0:
		return "it is hidden"
	case until.Equal(noEnd):
		return "it is quiet until you end that"
	case !until.IsZero():
		return "it is quiet until " + until.Local().Format("15:04")
	}
	return ""
}
