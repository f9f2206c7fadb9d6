package tray

import (
	"strings"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
)

// recent tells what a friend was told, a paragraph each, the newest last:
// "12:04 Claude Code: Thinking…". What is older than today has its date.
func recent(activities []agents.Activity, words *i18n.Translator, now time.Time) string {
	if len(activities) == 0 {
		return words.Label("tell.nothing", nil)
	}
	var lines []string
	for _, a := range activities {
		lines = append(lines, paragraph(a, now))
	}
	return strings.Join(lines, "\n")
}

func paragraph(a agents.Activity, now time.Time) string {
	at, now := a.Time.Local(), now.Local()
	text := at.Format("15:04")
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		text = at.Format("01-02 15:04")
	}
	if a.Agent == "" {
		return text + " " + a.Sentence
	}
	return text + " " + title(a.Agent) + ": " + a.Sentence
}
