// Package speech is what a friend may say for a model: short, one line, no code,
// no secrets, no addresses.
package speech

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The longest messages, in code points.
const (
	PlayPets = 240
	OpenPets = 140
)

// A Refusal is why a message is not said. It never quotes the message.
type Refusal struct{ Rule, Sentence string }

func (r *Refusal) Error() string { return r.Sentence }

// Check refuses what a friend must not say.
func Check(message string, limit int) error {
	message = strings.TrimSpace(message)
	switch n := utf8.RuneCountInString(message); {
	case n == 0 || n > limit:
		return &Refusal{"length", fmt.Sprintf("Say it in 1 to %d characters.", limit)}
	case strings.ContainsAny(message, "\r\n"):
		return &Refusal{"line", "Say it in one line."}
	}
	return nil
}
