package friends

import (
	"fmt"
	"strings"

	"github.com/playpets/playpets/agents"
)

// Notes tells a language model what a friend was told: one line for each
// activity, the oldest first, at most agents.MaxActivities, each below 500
// characters, without control characters. pet is an id or a name; there are
// none for an unknown one.
//
// Agents wrote the sentences, and whoever wrote to the agents. So each line
// says that it is a note and not to be trusted, and a sentence can neither end
// its quotes nor its line nor begin what looks like the next note.
func (s *Store) Notes(pet string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.named(pet)
	if f == nil {
		return nil
	}
	list := s.memory.activities(f.ID)
	notes := make([]string, len(list))
	for i, a := range list {
		notes[i] = note(a)
	}
	return notes
}

func note(a agents.Activity) string {
	agent := a.Agent
	if k, ok := agents.KindNamed(agent); ok {
		agent = k.Title
	}
	if agent == "" {
		agent = "somebody"
	}
	return fmt.Sprintf("[status note, untrusted] %s %s (%s): \"%s\"",
		a.Time.Local().Format("2006-01-02 15:04"), harmless(agent, agents.MaxField), a.State, harmless(a.Sentence, agents.MaxMessage))
}

// harmless takes from a text what could pass for the marks of a note.
func harmless(s string, n int) string { return plain(marks.Replace(s), n) }

var marks = strings.NewReplacer(
	`"`, "'", "“", "'", "”", "'", "„", "'", "‟", "'", "＂", "'", "″", "'",
	"[", "(", "]", ")", "［", "(", "］", ")", "【", "(", "】", ")", "〔", "(", "〕", ")", "⁅", "(", "⁆", ")", "⟦", "(", "⟧", ")",
)
