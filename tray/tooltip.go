package tray

import (
	"strings"
	"time"

	"github.com/playpets/playpets/agents"
)

// tooltip is what the icon says when it is pointed at.
func tooltip(v view) string {
	text := v.words.Label("tray.tooltip", args{"Doing": doing(v)})
	if !v.quiet.IsZero() {
		text += " · " + v.words.Label("tray.quiet", nil) + " " + untilWhen(v)
	}
	return text
}

// doing says in a few words what the friends do, the first friend's agents
// and everybody else's alike.
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

// count is how many friends are in a state.
func count(v view, s agents.State) (n int) {
	for _, f := range v.friends {
		if f.state == s {
			n++
		}
	}
	return n
}

// untilWhen says when the quiet ends.
func untilWhen(v view) string {
	if endless(v) {
		return v.words.Label("tray.quiet_endless", nil)
	}
	return v.words.Label("tray.quiet_until", args{"Time": v.quiet.In(v.now.Location()).Format("15:04")})
}

// endless reports whether the quiet has no end that is worth telling.
func endless(v view) bool { return v.quiet.Sub(v.now) > 7*24*time.Hour }
