package bridge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"github.com/playpets/playpets/agents"
)

// maxMarks is how many combining marks one letter keeps. No script stacks as
// many; towers of them would cover the screen.
const maxMarks = 10

// Clean makes of any text one line that is safe to show anywhere, at most
// agents.MaxMessage code points long: agents.Plain, composed (NFC), towers of
// marks cut down. Cleaning what is clean changes nothing.
func Clean(s string) string {
	s = norm.NFC.String(agents.Plain(s))
	return cut(lowerTowers(s), agents.MaxMessage)
}

// lowerTowers drops the marks beyond maxMarks on one letter.
func lowerTowers(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if !unicode.Is(unicode.M, r) {
			marks = 0
			return r
		}
		marks++
		if marks > maxMarks {
			return -1
		}
		return r
	}, s)
}

// cut shortens s to n code points, or a few fewer where that would part what a
// reader sees as one letter.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end, count, state := 0, 0, -1
	for rest := s; ; {
		var letter string
		letter, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		count += utf8.RuneCountInString(letter)
		if count > n {
			break
		}
		end += len(letter)
	}
	if end == 0 { // joined without end, such as a hundred emoji by ZWJ
		return string([]rune(s)[:n])
	}
	return strings.TrimRight(s[:end], " ")
}
