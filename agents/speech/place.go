package speech

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// host is a name or number that a browser would open. Only well-known endings
// count, and none that is the ending of a file in a source tree (md, py, rs, sh):
// "Node.js/Express" is no address.
const host = `(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+(?:\.[\w-]+)*\.` +
	`(?:com|org|net|edu|gov|info|biz|io|dev|app|ai|co|cloud|page|site|xyz|link|me|tv|gg|gl|ly|be|eu|uk|de|fr|it|es|nl|ch|se|us|ca|au|br|ru|cn|jp|kr))`

var url = either(
	`://`,
	`(?i)\bwww\d?\.\w`,
	`(?i)\b(?:https?|ftp|wss?|ssh|smb|file):[A-Z\\]`, // a browser adds the slashes
	`(?i)\b(?:javascript|vbscript|mailto|magnet|view-source):\S`,
	`(?i)\bdata:\w+/\w`,
	`(?i)\b`+host+`(?::\d+)?(?:/[^\s\d]|/\d+[A-Za-z]|\?\w+=)`,
	`\w@[\w-]+(?:\.[\w-]+)*:\S`, // git@host:owner
	`(?i)(?:^|[^\pL\pN])[A-Z]:(?:\\|/\S)`,
)

// hasPlace reports whether folded text has a URL or a path in it.
func hasPlace(s string) bool {
	if url().MatchString(s) {
		return true
	}
	for word := range strings.FieldsFuncSeq(s, parts) {
		if isPath(word) {
			return true
		}
	}
	return false
}

// parts reports whether r stands between two words that are looked at as paths.
// Brackets do not: they stand in names such as app/[id]/page and file(s)/folder(s).
func parts(r rune) bool {
	return r == ' ' || strings.ContainsRune("\"'`<>|,;:=“”‘’„«»‹›「」『』、。—–→←", r)
}

// isPath reports whether a word is a path that begins at a root (/, ~, ., a
// variable) or has three or more parts. Two are fine: src/main.go, and/or.
func isPath(word string) bool {
	first := strings.IndexFunc(word, isSlash)
	if first < 0 {
		return false
	}
	names := strings.FieldsFunc(word, isSlash)
	switch {
	case areNumbers(names):
		return false
	case len(names) > 2:
		return true
	case word[0] == '\\': // not \n, not \o/
		return len(names) > 1
	}
	return isRoot(word[:first])
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// isRoot reports whether a path begins with what stands before its first slash.
// A sign that is no letter is one, too: (/tmp, ✅/tmp.
func isRoot(s string) bool {
	name := strings.TrimLeft(s, "~$%{")
	if strings.ContainsFunc(name, isUnit) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(name)
	return !strings.ContainsFunc(name, isAlnum) || strings.IndexAny(s, "~$%") == 0 && unicode.IsLetter(r)
}

// isUnit reports whether r is one that things are counted in: 50 €/month, 2 °/s.
// The dollar is none, as it begins variables.
func isUnit(r rune) bool { return r != '$' && unicode.Is(unicode.Sc, r) || r == '°' }

// areNumbers reports whether the parts of 1/2/3 are a date, a count or signs. A
// word may hang on the last, as in Korean and Japanese.
func areNumbers(names []string) bool {
	for i, name := range names {
		hangs := i == len(names)-1 && name[0] >= '0' && name[0] <= '9'
		if !hangs && strings.ContainsFunc(name, unicode.IsLetter) {
			return false
		}
	}
	return true
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
