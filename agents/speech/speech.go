// Package speech judges what a model wants a friend to say aloud: one short line
// of words, without code, addresses, paths and secrets. It knows common forms of
// these, so that a model does not show by accident what others should not see on
// the person's screen. It is no filter against somebody who hides things on purpose.
package speech

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/playpets/playpets/agents"
)

// The longest messages, in code points without the white space around them.
const (
	PlayPets = agents.MaxMessage // 240
	OpenPets = 140
)

// A Rule is one thing that a message must keep to.
type Rule string

// The rules, in the order in which they are looked at.
const (
	Length Rule = "length" // something to see, and not more than the limit
	Line   Rule = "line"   // no line break
	Text   Rule = "text"   // valid UTF-8 without control characters
	Code   Rule = "code"   // nothing that reads as a piece of a program
	Place  Rule = "place"  // no URL, no absolute path, no path of three or more parts
	Secret Rule = "secret" // no password, key or token
)

// A Refusal is why a message is not said.
type Refusal struct {
	Rule     Rule
	Sentence string // what to do instead, in English, for a model; it never quotes the message
}

// Error is the sentence.
func (r *Refusal) Error() string { return r.Sentence }

// Check returns nil for a message that a friend may say, or the *Refusal for the
// first rule that it breaks. The white space around the message does not count.
// It takes time in proportion to limit, which counts code points, however long
// the message is.
func Check(message string, limit int) error {
	message = strings.TrimSpace(message)
	if len(message) > limit*utf8.UTFMax || utf8.RuneCountInString(message) > limit {
		return tooLong(limit)
	}
	shown := agents.Plain(message)
	if shown == "" {
		return tooLong(limit)
	}
	if strings.ContainsAny(message, "\r\n\v\f\u0085\u2028\u2029") {
		return &Refusal{Line, "Say it in one line."}
	}
	if !utf8.ValidString(message) || strings.ContainsFunc(message, unicode.IsControl) {
		return &Refusal{Text, "Say it in plain text, without control characters."}
	}
	switch s := fold(shown); {
	case code().MatchString(s):
		return &Refusal{Code, "Say it in words, without code."}
	case hasPlace(s):
		return &Refusal{Place, "Say it without URLs and paths; the name of a file is fine."}
	case hasSecret(s):
		return &Refusal{Secret, "Say it without passwords, keys and tokens."}
	}
	return nil
}

func tooLong(limit int) error {
	return &Refusal{Length, fmt.Sprintf("Say it in 1 to %d characters.", limit)}
}

// fold makes one of the many ways to write what looks the same: full-width and
// ornamental letters become plain ones, and whatever sits on or between letters
// goes. Only spaces are left of white space.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u2044', '\u2215', '\u29F8': // fraction and division slashes, as in ½
			return '/'
		case '\u2216', '\u29F5', '\u29F9':
			return '\\'
		case '\u2236', '\uA789':
			return ':'
		}
		if unicode.In(r, unicode.M, unicode.Cf) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

// either is the alternatives as one expression. It is compiled when first needed:
// most commands check nothing, and this would be a good part of their start.
func either(alternatives ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?:" + strings.Join(alternatives, ")|(?:") + ")")
	})
}
