package tray

import (
	"slices"
	"strings"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/snippets"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

// update turns a change into what the overlay shows. A session that has nothing
// to say any more closes its bubble.
func update(c friends.Change, words *i18n.Translator) overlay.Update {
	feet := label(c.Sessions, words)
	u := overlay.Update{Friend: c.Friend.ID, State: c.Friend.State, Reaction: c.Reaction, Label: &feet}
	switch {
	case c.Said:
		u.Bubble = &overlay.Bubble{Text: c.Sentence}
	case c.State == "":
	case c.Sentence != "":
		u.Bubble = &overlay.Bubble{
			Session: speaker(c), Text: c.Sentence, Caption: caption(c, words), Mark: c.State, Stay: stays(c.State),
		}
	case !c.Again:
		u.Bubble = &overlay.Bubble{Session: speaker(c)}
	}
	return u
}

// stays reports whether what is said in a state is said until something else is:
// it waits for the person, or failed.
func stays(s agents.State) bool { return s == agents.Waiting || s == agents.Error }

// speaker is whose bubble a change is about; empty for who speaks for no session.
func speaker(c friends.Change) string {
	if c.State == "" {
		return ""
	}
	return c.Agent + "\x00" + c.Session // neither has a control character
}

// caption says which agent speaks, and where it works: for a friend that has other
// sessions, too, and in a bubble that stays, since others may come.
func caption(c friends.Change, words *i18n.Translator) string {
	others := c.Sessions
	if c.State.Rank() >= agents.Working.Rank() {
		others--
	}
	if others <= 0 && !stays(c.State) {
		return ""
	}
	parts := []string{agentWords(words, c.Agent), c.Project}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// title is an agent as people know it.
func title(agent string) string {
	if k, ok := agents.KindNamed(agent); ok {
		return k.Title
	}
	switch agent {
	case snippets.Other:
		return "MCP"
	case "openpets":
		return "OpenPets"
	}
	return agent
}

// label is what stands at the feet of a friend that works for several sessions.
func label(sessions int, words *i18n.Translator) string {
	if sessions < 2 {
		return ""
	}
	return words.Label("sessions", map[string]any{"Count": sessions})
}
