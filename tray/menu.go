package tray

import (
	"strconv"

	"github.com/playpets/playpets/i18n"
)

// command is what a click in the tray's menu means.
//
//	show      friend  on, off    on the screen
//	first     friend             make it the first
//	sendaway  friend             was asked before
//	assign    agent   friend     empty: the first one
//	copy      agent   name       of a copyItem, or "mcp"
//	paste     agent              show where to paste
//	size      percent
//	motion    one of motions
//	quiet     30m, 1h, morning, on, off
//	notice    done, error, waiting  on, off
//	sound, short                 on, off
//	language  code; empty: the system's
//	login, showall               on, off
//	help      start, check, about
//	folder, bringback, test, settings, quit
//
// A check mark that is clicked asks for what it did not show, on or off: a
// click on a menu that was open for a while, and the second one of a double
// click, still mean what the person saw.
type command struct{ do, arg, value string }

// item is one place in the tray's menu. The places are always the same, in
// the same order, for the same agents: what cannot be chosen now is hidden.
type item struct {
	slot     string // names the place
	label    string // empty: a line between two groups
	mark     mark
	hidden   bool
	disabled bool
	do       command
	items    []item
}

// mark is the check mark before a label.
type mark int

const (
	unmarked mark = iota // has none
	off
	on
)

// trayMenu is the menu for v, whose friends sit on seats s.
func trayMenu(v view, s seats) []item {
	m := menu{v, s}
	return []item{
		m.note("summary", m.label("summary", args{"Doing": doing(v)})),
		divider,
		m.sub("friends", "friends", m.friends()...),
		m.sub("agents", "agents", m.agents()...),
		divider,
		m.onScreen(m.toggle("showall", "show_all", m.anyShown(), command{do: "showall"})),
		m.onScreen(m.item("bringback", "bring_back", command{do: "bringback"})),
		m.onScreen(m.sub("size", "size", m.sizes()...)),
		m.onScreen(m.sub("motion", "motion", m.motions()...)),
		hide(v.display, m.note("nodisplay", m.label("no_display", nil))),
		divider,
		m.quiet(),
		m.sub("notices", "notices", m.notices()...),
		divider,
		m.sub("language", "language", m.languages()...),
		hide(!v.canLogin, m.toggle("login", "login", v.atLogin, command{do: "login"})),
		m.item("settings", "settings", command{do: "settings"}),
		m.sub("help", "help",
			m.item("help/start", "start", command{"help", "start", ""}),
			m.item("help/check", "check", command{"help", "check", ""}),
			item{slot: "help/about", label: m.label("about", args{"Version": v.version}), do: command{"help", "about", ""}},
		),
		divider,
		m.item("quit", "quit", command{do: "quit"}),
	}
}

type args = map[string]any

// divider is the line between two groups. It cannot be hidden, so no group may be.
var divider = item{}

// menu makes the items for a view.
type menu struct {
	view
	seats seats
}

func (m menu) label(key string, a args) string { return m.words.Label("tray."+key, a) }

func (m menu) item(slot, key string, do command) item {
	return item{slot: slot, label: m.label(key, nil), do: do}
}

// note is a line to read.
func (m menu) note(slot, label string) item { return item{slot: slot, label: label, disabled: true} }

func (m menu) sub(slot, key string, items ...item) item {
	return item{slot: slot, label: m.label(key, nil), items: items}
}

// choice is one of several that exclude each other.
func (m menu) choice(slot, label string, chosen bool, do command) item {
	i := item{slot: slot, label: label, mark: off, do: do}
	if chosen {
		i.mark = on
	}
	return i
}

// toggle is a mark that is set and taken off; do gets what is asked for.
func (m menu) toggle(slot, key string, set bool, do command) item {
	do.value = "on"
	if set {
		do.value = "off"
	}
	return m.choice(slot, m.label(key, nil), set, do)
}

func hide(hidden bool, i item) item {
	i.hidden = hidden
	return i
}

// onScreen hides what means nothing where friends cannot be drawn.
func (m menu) onScreen(i item) item { return hide(!m.display, i) }

func (m menu) sizes() (items []item) {
	size, known := m.size, false
	if size == 0 {
		size = 100
	}
	for _, s := range []struct {
		percent int
		key     string
	}{{75, "small"}, {100, "medium"}, {150, "large"}, {200, "huge"}} {
		percent := strconv.Itoa(s.percent)
		items = append(items, m.choice("size/"+s.key, m.label(s.key, nil), size == s.percent, command{"size", percent, ""}))
		known = known || size == s.percent
	}
	percent := strconv.Itoa(size)
	return append(items, hide(known, m.choice("size/other", m.label("percent", args{"Percent": percent}), !known, command{"size", percent, ""})))
}

func (m menu) motions() (items []item) {
	for _, c := range []struct{ motion, key string }{
		{"system", "motion_system"}, {"lively", "motion_lively"}, {"calm", "motion_calm"}, {"reduced", "motion_reduced"},
	} {
		chosen := m.view.motion == c.motion || m.view.motion == "" && c.motion == "system"
		items = append(items, m.choice("motion/"+c.motion, m.label(c.key, nil), chosen, command{"motion", c.motion, ""}))
	}
	return items
}

func (m menu) quiet() item {
	q := m.sub("quiet", "quiet",
		m.item("quiet/30m", "quiet_30m", command{"quiet", "30m", ""}),
		m.item("quiet/1h", "quiet_1h", command{"quiet", "1h", ""}),
		m.item("quiet/morning", "quiet_morning", command{"quiet", "morning", ""}),
		m.choice("quiet/on", m.label("quiet_on", nil), m.view.quiet.Equal(noEnd), command{"quiet", "on", ""}),
		hide(m.view.quiet.IsZero(), m.item("quiet/off", "quiet_off", command{"quiet", "off", ""})),
	)
	if !m.view.quiet.IsZero() {
		q.label += " — " + quietWords(m.words, m.view.quiet, "tray.quiet_until", "tray.quiet_endless")
	}
	return q
}

func (m menu) notices() []item {
	n := m.view.notices
	return []item{
		m.toggle("notices/done", "notice_done", n.done, command{"notice", "done", ""}),
		m.toggle("notices/error", "notice_error", n.failed, command{"notice", "error", ""}),
		m.toggle("notices/waiting", "notice_waiting", n.waiting, command{"notice", "waiting", ""}),
		m.toggle("notices/sound", "notice_sound", n.sound, command{do: "sound"}),
		m.toggle("notices/short", "notice_short", n.skipShort, command{do: "short"}),
		divider,
		m.item("notices/test", "notice_test", command{do: "test"}),
	}
}

// languages call themselves by their own names, also where nobody can read
// the rest of the menu.
func (m menu) languages() []item {
	items := []item{m.choice("language/system", m.label("language_system", nil), m.view.language == "", command{"language", "", ""})}
	for _, l := range i18n.Languages() {
		items = append(items, m.choice("language/"+l.Code, l.Name, m.view.language == l.Code, command{"language", l.Code, ""}))
	}
	return items
}
