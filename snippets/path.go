package snippets

import "strings"

const (
	unixHome    = "~/"
	windowsHome = `%USERPROFILE%\`
)

// moved are the variables by which people move an agent's folder.
var moved = map[string]struct{ variable, folder string }{
	"claude": {"CLAUDE_CONFIG_DIR", ".claude"},
	"codex":  {"CODEX_HOME", ".codex"},
}

// Path is the absolute path of the file that a snippet belongs in, where home is
// the person's folder. It is empty when the snippet has no file.
func Path(s Snippet, home string, getenv func(string) string) string {
	_, separator, rest := split(s.File)
	if rest == "" {
		return ""
	}
	if m, ok := moved[s.Agent]; ok {
		if folder := getenv(m.variable); folder != "" {
			// .claude.json, which lies beside .claude, moves into it.
			return strings.TrimRight(folder, separator) + separator + strings.TrimPrefix(rest, m.folder+separator)
		}
	}
	return strings.TrimRight(home, separator) + separator + rest
}

// Shown is Path as people write it: File, but for those who moved the folder.
func Shown(s Snippet, home string, getenv func(string) string) string {
	prefix, separator, _ := split(s.File)
	path := Path(s, home, getenv)
	if rest, ok := strings.CutPrefix(path, strings.TrimRight(home, separator)+separator); ok && home != "" {
		return prefix + rest
	}
	return path
}

// split cuts the home folder off a File.
func split(file string) (prefix, separator, rest string) {
	if rest, ok := strings.CutPrefix(file, windowsHome); ok {
		return windowsHome, `\`, rest
	}
	return unixHome, "/", strings.TrimPrefix(file, unixHome)
}
