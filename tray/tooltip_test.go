package tray

import (
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/tray/icon"
)

func TestTooltip(t *testing.T) {
	v := sample("en")
	if got := tooltip(v); got != "PlayPets – 1 working, 1 needs you" {
		t.Error(got)
	}
	v.quiet = noon.Add(time.Hour)
	if got := tooltip(v); got != "PlayPets – 1 working, 1 needs you · Quiet until 13:00" {
		t.Error(got)
	}
}

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ label, linux, windows string }{
		{"Mochi", "Mochi", "Mochi"},
		{"a_b & c__d", "a__b & c____d", "a_b && c__d"},
		{"_&_", "__&__", "_&&_"},
	} {
		if l, w := escape(tt.label, "linux"), escape(tt.label, "windows"); l != tt.linux || w != tt.windows {
			t.Errorf("%q: %q and %q", tt.label, l, w)
		}
	}
}

func TestClipTip(t *testing.T) {
	a := func(n int) string { return strings.Repeat("a", n) }
	for _, tt := range []struct{ tip, want string }{
		{a(120), a(120)},
		{a(121), a(119) + "…"},
		{a(118) + "😀bb", a(118) + "…"},
		{a(117) + "😀bb", a(117) + "😀…"},
	} {
		if got := clipTip(tt.tip, "windows"); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.tip, got, tt.want)
		}
		if got := clipTip(tt.tip, "linux"); got != tt.tip {
			t.Errorf("cut on Linux: %q", got)
		}
	}
}

func TestBadge(t *testing.T) {
	for _, tt := range []struct {
		states string
		quiet  bool
		want   icon.Badge
	}{
		{"idle working", false, icon.None},
		{"idle done working", false, icon.Done},
		{"waiting done", false, icon.Waiting},
		{"waiting error", false, icon.Error},
		{"idle done", true, icon.Quiet},
		{"idle waiting", true, icon.Waiting},
		{"", true, icon.Quiet},
		{"", false, icon.None},
	} {
		v := view{}
		for state := range strings.FieldsSeq(tt.states) {
			v.friends = append(v.friends, friendView{sessions: []agents.State{agents.State(state)}})
		}
		if tt.quiet {
			v.quiet = noEnd
		}
		if got := badge(v); got != tt.want {
			t.Errorf("%s, quiet %v: badge %v, want %v", tt.states, tt.quiet, got, tt.want)
		}
	}
}
