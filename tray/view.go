package tray

import (
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
)

// view is everything that the tray's icon and menu show.
type view struct {
	words    *i18n.Translator
	now      time.Time
	friends  []friendView // in their order: the first is the first friend
	agents   []agentView  // always the same ones, in the order of the menu
	size     int          // percent; 0: 100
	motion   string       // one of motions; empty: the system's
	language string       // a code; empty: the system's
	quiet    time.Time    // when the quiet ends; zero: it is not quiet
	notices  noticeSettings
	atLogin  bool
	canLogin bool // atLogin can be changed here
	display  bool // friends can be drawn here
	version  string
}

// friendView is a friend as the menu shows it.
type friendView struct {
	id, name string
	state    agents.State
	shown    bool           // on the screen, if there is one
	doing    []string       // titles of the agents at work with it
	sessions []agents.State // of its live ones
	last     bool           // the only one: it may not leave
}

// agentView is an agent as the menu shows it.
type agentView struct {
	name, title string
	pet         string     // the id of its friend; empty: the first one
	last        time.Time  // when it was heard last; zero: never
	copies      []copyItem // settings that can be copied, at most maxCopies
	mcp         bool       // there are MCP settings for it
}

// copyItem is a text that can be copied, and the file that it belongs in.
type copyItem struct{ name, file string }

// noticeSettings is what the person is told.
type noticeSettings struct{ done, failed, waiting, sound, skipShort bool }
