package agents

import (
	"unicode"
	"unicode/utf8"
)

// Plain makes one line of s that is safe to show anywhere: valid UTF-8, white
// space collapsed to single spaces and trimmed, without control characters,
// bidi overrides and invisible characters. The joiners and variation selectors
// that scripts and emoji need stay where they can mean something.
func Plain(s string) string {
	out := make([]byte, 0, len(s))
	gap := false
	last := ' '
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = len(out) > 0
			last = ' '
			continue
		}
		if invisible(r, last) {
			continue
		}
		if gap {
			out = append(out, ' ')
			gap = false
		}
		out = utf8.AppendRune(out, r)
		last = r
	}
	return string(out)
}

// invisible reports whether r shows nothing, or worse, behind last.
func invisible(r, last rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return unicode.IsControl(r)
	case isJoiner(r):
		return last == ' ' || isJoiner(last)
	case unicode.Is(unicode.Variation_Selector, r):
		return last == ' ' || isJoiner(last) || unicode.Is(unicode.Variation_Selector, last)
	case isTag(r): // three flags are made of these, and much hidden text
		return last != blackFlag && !isTag(last)
	}
	return unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

const blackFlag = '\U0001F3F4'

func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

func isTag(r rune) bool { return r >= 0xE0020 && r <= 0xE007F }

// cut shortens s to n code points, or a few fewer where that would part a
// letter from its marks or an emoji from its other half. It is no full grapheme
// segmentation: the libraries that know it cost the fast door more than its
// work, and the bridge, which has one, cuts everything once more.
func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	at := n
	for at > 0 && holdsOn(runes, at) {
		at--
	}
	if at == 0 { // one letter under a heap of marks
		at = n
	}
	return Plain(string(runes[:at])) // without a space at the end
}

// holdsOn reports whether runes[at] belongs to what stands before it.
func holdsOn(runes []rune, at int) bool {
	r, before := runes[at], runes[at-1]
	switch {
	case isJoiner(r), before == '\u200D', isTag(r), unicode.Is(unicode.M, r): // variation selectors are marks
		return true
	case r >= 0x1F3FB && r <= 0x1F3FF: // skin
		return true
	case isFlagHalf(r):
		halves := 0
		for at > 0 && isFlagHalf(runes[at-1]) {
			halves++
			at--
		}
		return halves%2 == 1
	}
	return false
}

// isFlagHalf reports whether r is a regional indicator: two make a flag.
func isFlagHalf(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// cutBytes shortens s to at most n bytes, between two runes.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
