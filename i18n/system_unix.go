//go:build !windows

package i18n

import "strings"

// system follows gettext: the locale is the first of LC_ALL, LC_MESSAGES and
// LANG that is set, and LANGUAGE, a list, goes before it unless the locale is
// the plain C one.
// https://www.gnu.org/software/gettext/manual/html_node/The-LANGUAGE-variable.html
//
// On macOS an app started from the Finder has none of these and speaks
// English: the language that is set there can be asked for only through Cocoa
// or a child process. PLAYPETS_LANG and config.toml choose another.
func system(getenv func(string) string) string {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale = getenv(name); locale != "" {
			break
		}
	}
	base, _, _ := strings.Cut(locale, ".") // C.UTF-8 is the C locale too
	if base == "" || base == "C" || base == "POSIX" {
		return ""
	}
	if list := getenv("LANGUAGE"); list != "" {
		return list
	}
	return locale
}
