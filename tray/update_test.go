package tray

import (
	"reflect"
	"testing"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/friends"
	"github.com/playpets/playpets/tray/overlay"
)

func TestUpdate(t *testing.T) {
	friend := func(s agents.State) agents.Friend { return agents.Friend{ID: "mochi", Name: "Mochi", State: s} }
	none, two, three := "", "2 sessions", "3 sessions"
	const claude = "claude\x00s"
	tests := []struct {
		name   string
		change friends.Change
		want   overlay.Update
	}{
		{"works", friends.Change{Friend: friend("working"), Previous: "idle", Agent: "claude", Session: "s", Project: "shop", State: "working", Sentence: "Thinking…", Sessions: 1},
			overlay.Update{Friend: "mochi", State: "working", Label: &none, Bubble: &overlay.Bubble{Session: claude, Text: "Thinking…", Mark: "working"}}},
		{"waits: it stays", friends.Change{Friend: friend("waiting"), Previous: "working", Agent: "claude", Session: "s", State: "waiting", Sentence: "OK?", Sessions: 1},
			overlay.Update{Friend: "mochi", State: "waiting", Label: &none, Bubble: &overlay.Bubble{Session: claude, Text: "OK?", Caption: "Claude Code", Mark: "waiting", Stay: true}}},
		{"failed, and nobody says who: it stays", friends.Change{Friend: friend("error"), Previous: "working", State: "error", Sentence: "No", Sessions: 1},
			overlay.Update{Friend: "mochi", State: "error", Label: &none, Bubble: &overlay.Bubble{Session: "\x00", Text: "No", Mark: "error", Stay: true}}},
		{"waits somewhere", friends.Change{Friend: friend("waiting"), Previous: "working", Agent: "claude", Session: "s", Project: "shop", State: "waiting", Sentence: "OK?", Sessions: 1},
			overlay.Update{Friend: "mochi", State: "waiting", Label: &none, Bubble: &overlay.Bubble{Session: claude, Text: "OK?", Caption: "Claude Code · shop", Mark: "waiting", Stay: true}}},
		{"another agent waits there", friends.Change{Friend: friend("waiting"), Previous: "waiting", Agent: "codex", Session: "t", Project: "shop", State: "waiting", Sentence: "OK?", Sessions: 2},
			overlay.Update{Friend: "mochi", State: "waiting", Label: &two, Bubble: &overlay.Bubble{Session: "codex\x00t", Text: "OK?", Caption: "Codex · shop", Mark: "waiting", Stay: true}}},
		{"a command failed", friends.Change{Friend: friend("error"), Previous: "working", Agent: "run", Session: "r", Project: "shop", State: "error", Sentence: "No", Sessions: 1},
			overlay.Update{Friend: "mochi", State: "error", Label: &none, Bubble: &overlay.Bubble{Session: "run\x00r", Text: "No", Caption: "A command · shop", Mark: "error", Stay: true}}},
		{"one of two", friends.Change{Friend: friend("working"), Previous: "working", Agent: "claude", Session: "s", Project: "shop", State: "working", Sentence: "Hm", Sessions: 2},
			overlay.Update{Friend: "mochi", State: "working", Label: &two, Bubble: &overlay.Bubble{Session: claude, Text: "Hm", Caption: "Claude Code · shop", Mark: "working"}}},
		{"one of three without a project", friends.Change{Friend: friend("working"), Previous: "working", Agent: "claude", Session: "s", State: "working", Sentence: "Hm", Sessions: 3},
			overlay.Update{Friend: "mochi", State: "working", Label: &three, Bubble: &overlay.Bubble{Session: claude, Text: "Hm", Caption: "Claude Code", Mark: "working"}}},
		{"done while another works", friends.Change{Friend: friend("working"), Previous: "working", Agent: "ours", Session: "s", State: "done", Sentence: "Done", Sessions: 1},
			overlay.Update{Friend: "mochi", State: "working", Label: &none, Bubble: &overlay.Bubble{Session: "ours\x00s", Text: "Done", Caption: "ours", Mark: "done"}}},
		{"done, the only one", friends.Change{Friend: friend("done"), Previous: "working", Agent: "claude", Session: "s", Project: "shop", State: "done", Sentence: "Done"},
			overlay.Update{Friend: "mochi", State: "done", Label: &none, Bubble: &overlay.Bubble{Session: claude, Text: "Done", Mark: "done"}}},
		{"over", friends.Change{Friend: friend("idle"), Previous: "waiting", Agent: "claude", Session: "s", State: "idle"},
			overlay.Update{Friend: "mochi", State: "idle", Label: &none, Bubble: &overlay.Bubble{Session: claude}}},
		{"goes on while another one waits", friends.Change{Friend: friend("waiting"), Previous: "waiting", Agent: "claude", Session: "s", State: "working", Sessions: 2},
			overlay.Update{Friend: "mochi", State: "waiting", Label: &two, Bubble: &overlay.Bubble{Session: claude}}},
		{"waits still", friends.Change{Friend: friend("waiting"), Previous: "waiting", Agent: "claude", Session: "s", State: "waiting", Sentence: "OK?", Sessions: 1, Again: true},
			overlay.Update{Friend: "mochi", State: "waiting", Label: &none, Bubble: &overlay.Bubble{Session: claude, Text: "OK?", Caption: "Claude Code", Mark: "waiting", Stay: true}}},
		{"works still", friends.Change{Friend: friend("working"), Previous: "working", Agent: "claude", Session: "s", State: "working", Sessions: 1, Again: true},
			overlay.Update{Friend: "mochi", State: "working", Label: &none}},
		{"speech", friends.Change{Friend: friend("working"), Previous: "working", Sentence: "Hi", Said: true, Sessions: 2},
			overlay.Update{Friend: "mochi", State: "working", Label: &two, Bubble: &overlay.Bubble{Text: "Hi"}}},
		{"reaction", friends.Change{Friend: friend("idle"), Previous: "idle", Reaction: "wave"},
			overlay.Update{Friend: "mochi", State: "idle", Label: &none, Reaction: "wave"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := update(test.change, i18n.New("en"))
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v with %+v, want %+v with %+v", got, got.Bubble, test.want, test.want.Bubble)
			}
			quiet := muted(got, test.change)
			if quiet.State != got.State || quiet.Reaction != got.Reaction || *quiet.Label != "" || quiet.Bubble == nil || quiet.Bubble.Text != "" ||
				got.Bubble != nil && quiet.Bubble.Session != got.Bubble.Session {
				t.Errorf("muted it is %+v with %+v", quiet, quiet.Bubble)
			}
		})
	}
}
