package tray

import (
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/overlay"
)

// What can be chosen in a friend's menu: also the keys of the words.
const (
	itemHide     = "hide"
	itemQuiet    = "quiet"
	itemLoud     = "loud"
	itemAskAway  = "ask_away" // asks first
	itemAway     = "away"
	itemKeep     = "keep"
	itemSettings = "settings"
	itemQuit     = "quit"
)

// friendMenu is what a right click on a friend offers. quiet is until when it is
// quiet, zero for not at all; the last friend cannot be sent away.
func friendMenu(words *i18n.Translator, f agents.Friend, quiet time.Time, last bool) overlay.Menu {
	item := func(id string, args map[string]any) overlay.MenuItem {
		return overlay.MenuItem{ID: id, Label: words.Label("menu."+id, args)}
	}
	m := overlay.Menu{Title: words.Label("menu.title", map[string]any{"Name": f.Name, "State": words.Label("doing."+string(f.State), nil)})}
	m.Items = append(m.Items, item(itemHide, map[string]any{"Name": f.Name}))
	if quiet.IsZero() {
		m.Items = append(m.Items, item(itemQuiet, nil))
	} else {
		m.Items = append(m.Items, overlay.MenuItem{ID: itemLoud, Label: quietWords(words, quiet, "menu.loud", "menu.loud_on")})
	}
	if !last {
		m.Items = append(m.Items, item(itemAskAway, nil))
	}
	m.Items = append(m.Items, overlay.MenuItem{}, item(itemSettings, nil), item(itemQuit, nil))
	return m
}

// awayMenu asks whether a friend is to be sent away, and says what happens then.
func awayMenu(words *i18n.Translator, name, heir string) overlay.Menu {
	return overlay.Menu{
		Title: words.Label("menu.away_title", map[string]any{"Name": name, "Heir": heir}),
		Items: []overlay.MenuItem{
			{ID: itemKeep, Label: words.Label("menu."+itemKeep, map[string]any{"Name": name})},
			{ID: itemAway, Label: words.Label("menu."+itemAway, nil)},
		},
	}
}
