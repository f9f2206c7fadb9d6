package tray

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"
)

const (
	otherTools  = "mcp" // stands among the agents for all that speak MCP
	maxCopies   = 3
	maxMenuName = 30 // grapheme clusters of a friend's name in a label
)

func (m menu) friends() (items []item) {
	for n, id := range m.seats {
		items = append(items, m.friend("friends/"+strconv.Itoa(n), id))
	}
	more := len(m.view.friends) - m.seats.taken()
	return append(items,
		hide(more <= 0, m.note("friends/more", m.label("more", args{"Count": more}))),
		divider,
		m.item("friends/folder", "folder", command{do: "folder"}),
	)
}

// friend is what can be done with one friend; hidden if there is none.
func (m menu) friend(slot, id string) item {
	at := m.find(id)
	if at < 0 {
		m.view.friends, at = []friendView{{}}, 0 // its places are there all the same
	}
	f := m.view.friends[at]
	label := m.words.Label("menu.title", args{"Name": short(f.name), "State": m.words.Label("doing."+string(f.state), nil)})
	if len(f.doing) > 0 {
		label += " · " + strings.Join(f.doing, ", ")
	}
	if !f.shown && m.display {
		label += " · " + m.label("hidden", nil)
	}
	return hide(id == "" || f.id != id, item{slot: slot, label: label, items: []item{
		m.onScreen(m.toggle(slot+"/show", "on_screen", f.shown, command{"show", id, ""})),
		hide(at == 0, m.item(slot+"/first", "make_first", command{"first", id, ""})),
		m.sub(slot+"/away", "send_away", m.askAway(slot, at)...),
	}})
}

// askAway is the question before a friend leaves, and the answer.
func (m menu) askAway(slot string, at int) []item {
	f, question := m.view.friends[at], m.label("stays", nil)
	if !f.last {
		question = m.label("ask_away", args{"Heir": short(m.heir(at))})
	}
	return []item{
		m.note(slot+"/away/ask", question),
		hide(f.last, item{slot: slot + "/away/yes", label: m.label("away", args{"Name": short(f.name)}), do: command{"sendaway", f.id, ""}}),
	}
}

// heir is the name of who has the agents of a friend that leaves.
func (m menu) heir(at int) string {
	if at > 0 || len(m.view.friends) == 1 {
		return m.view.friends[0].name
	}
	return m.view.friends[1].name
}

// anyShown reports whether a friend is on the screen, or would be.
func (m menu) anyShown() bool {
	return slices.ContainsFunc(m.view.friends, func(f friendView) bool { return f.shown })
}

// find is where among the friends one is; -1: nowhere.
func (m menu) find(id string) int {
	return slices.IndexFunc(m.view.friends, func(f friendView) bool { return f.id == id })
}

func (m menu) agents() (items []item) {
	for _, a := range m.view.agents {
		items = append(items, m.agent(a))
	}
	return items
}

func (m menu) agent(a agentView) item {
	slot := "agents/" + a.name
	at, first := m.find(a.pet), m.label("first", nil)
	if len(m.view.friends) > 0 {
		first = m.label("first_named", args{"Name": short(m.view.friends[0].name)})
	}
	label := a.title
	if a.name == otherTools {
		label = m.label("agent_mcp", nil)
	}
	if at >= 0 {
		label += " — " + short(m.view.friends[at].name)
	}
	items := []item{m.choice(slot+"/first", first, at < 0, command{"assign", a.name, ""})}
	for n, id := range m.seats {
		name := ""
		if at := m.find(id); at >= 0 {
			name = short(m.view.friends[at].name)
		}
		seat := m.choice(slot+"/friend/"+strconv.Itoa(n), name, id != "" && id == a.pet, command{"assign", a.name, id})
		items = append(items, hide(name == "", seat))
	}
	items = append(items, divider)
	items = append(items, m.copies(slot, a)...)
	return item{slot: slot, label: label, items: append(items,
		hide(!a.mcp, m.item(slot+"/mcp", "copy_mcp", command{"copy", a.name, "mcp"})),
		m.item(slot+"/paste", "paste", command{"paste", a.name, ""}),
		m.note(slot+"/last", m.heard(a.last)),
	)}
}

// copies are an agent's settings to copy; where there are several, each with
// its file.
func (m menu) copies(slot string, a agentView) (items []item) {
	for n := range maxCopies {
		i := item{slot: slot + "/copy/" + strconv.Itoa(n), label: m.label("copy", nil), hidden: n >= len(a.copies)}
		if !i.hidden {
			i.do = command{"copy", a.name, a.copies[n].name}
		}
		if !i.hidden && len(a.copies) > 1 {
			i.label = m.label("copy_for", args{"File": a.copies[n].file})
		}
		items = append(items, i)
	}
	return items
}

// heard says how long ago an agent was heard.
func (m menu) heard(last time.Time) string {
	if last.IsZero() {
		return m.label("never", nil)
	}
	ago := m.label("ago_now", nil)
	switch d := m.now.Sub(last); {
	case d >= 24*time.Hour:
		ago = m.label("ago_days", args{"Count": int(d / (24 * time.Hour))})
	case d >= time.Hour:
		ago = m.label("ago_hours", args{"Count": int(d / time.Hour)})
	case d >= time.Minute:
		ago = m.label("ago_minutes", args{"Count": int(d / time.Minute)})
	}
	return m.label("last", args{"Ago": ago})
}

// short cuts a long name between two characters as people see them.
func short(name string) string {
	end, rest, state := 0, name, -1
	for range maxMenuName {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		end += len(cluster)
	}
	if rest == "" {
		return name
	}
	return name[:end] + "…"
}
