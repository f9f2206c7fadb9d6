package tray

import (
	"strings"
	"unicode/utf16"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/icon"
)

// tooltip is what the icon says when it is pointed at.
func tooltip(v view) string {
	text := v.words.Label("tray.tooltip", args{"Doing": doing(v)})
	if !v.quiet.IsZero() {
		text += " · " + v.words.Label("tray.quiet", nil) + " " + quietWords(v.words, v.quiet, "tray.quiet_until", "tray.quiet_endless")
	}
	return text
}

// doing says in a few words what all friends' sessions do.
func doing(v view) string {
	var parts []string
	for _, s := range []struct {
		state agents.State
		key   string
	}{{agents.Working, "count_working"}, {agents.Waiting, "count_waiting"}, {agents.Error, "count_error"}, {agents.Done, "count_done"}} {
		if n := count(v, s.state); n > 0 {
			parts = append(parts, v.words.Label("tray."+s.key, args{"Count": n}))
		}
	}
	if parts == nil {
		return v.words.Label("tray.all_rest", nil)
	}
	return strings.Join(parts, ", ")
}

// count is how many sessions are in a state.
func count(v view, s agents.State) (n int) {
	for _, f := range v.friends {
		for _, run := range f.sessions {
			if run == s {
				n++
			}
		}
	}
	return n
}

// badge is what the icon says without words. Who waits for the person or has
// failed is shown also while it is quiet: then the icon alone tells it.
func badge(v view) icon.Badge {
	switch {
	case count(v, agents.Error) > 0:
		return icon.Error
	case count(v, agents.Waiting) > 0:
		return icon.Waiting
	case !v.quiet.IsZero():
		return icon.Quiet
	case count(v, agents.Done) > 0:
		return icon.Done
	}
	return icon.None
}

// escape keeps the system from reading a label's marks as keys to press.
func escape(label, system string) string {
	if system == "windows" {
		return strings.ReplaceAll(label, "&", "&&")
	}
	return strings.ReplaceAll(label, "_", "__")
}

// clipTip is a tooltip of at most 120 UTF-16 units on Windows, whose place for
// one has 128; systray would leave out the end mark of a longer one.
func clipTip(tip, system string) string {
	units := utf16.Encode([]rune(tip))
	if system != "windows" || len(units) <= 120 {
		return tip
	}
	end := 119
	if utf16.IsSurrogate(rune(units[end-1])) && utf16.IsSurrogate(rune(units[end])) && units[end] >= 0xDC00 {
		end--
	}
	return string(utf16.Decode(units[:end])) + "…"
}
