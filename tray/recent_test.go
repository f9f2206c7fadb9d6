package tray

import (
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
)

func TestRecent(t *testing.T) {
	now := time.Date(2026, 12, 1, 0, 30, 0, 0, time.Local)
	activities := []agents.Activity{
		{Time: now.AddDate(-1, 0, 0), Agent: "ours", Sentence: "Long ago"},
		{Time: now.Add(-time.Hour), Agent: "codex", Sentence: "All done!"},
		{Time: now.Add(-20 * time.Minute).UTC(), Agent: "claude", Sentence: "Thinking…"},
		{Time: now, Sentence: "Hello from a shell"},
	}
	want := "12-01 00:30 ours: Long ago\n11-30 23:30 Codex: All done!\n00:10 Claude Code: Thinking…\n00:30 Hello from a shell"
	if got := recent(activities, i18n.New("en"), now); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := recent(nil, i18n.New("ko"), now); got != "아직 아무 일도 없었어요. 에이전트가 하는 일을 기억해 둘게요." {
		t.Errorf("without any: %q", got)
	}
}
