package cli

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/snippets"
)

// A chain is how Codex notifies two programs, for it knows only one.
type chain struct {
	file   string // where the script is to be saved
	script string
	notify string // the line of config.toml that starts it
}

// otherNotify is how to have both if config.toml notifies somebody else, or nil.
// path is that of config.toml. Who followed it already has both, as has whose own
// program starts us too.
func otherNotify(s snippets.Snippet, file []byte, path string) (c *chain, both bool) {
	codex := readCodex(file)
	if codex.Notify == nil || isOurs(codex.notify()) {
		return nil, false
	}
	theirs, ours := stringsOf(codex.Notify), stringsOf(readCodex([]byte(s.Text)).Notify)
	c = newChain(runtime.GOOS, filepath.Dir(path), theirs, ours)
	_, start := chainStart(runtime.GOOS, filepath.Dir(path))
	return c, startsUs(theirs) || slices.Equal(theirs, start)
}

func newChain(system, folder string, theirs, ours []string) *chain {
	file, start := chainStart(system, folder)
	c := &chain{file: file}
	if system == "windows" {
		// PowerShell 5.1 loses quotation marks in arguments, and theirs has to
		// come as one; ours reads it from standard input as well.
		c.script = "$OutputEncoding = [Text.UTF8Encoding]::new($false)\n" +
			"& " + quoted(theirs, "''") + ` ($args[-1] -replace '(\\*)"', '$1$1\"')` + "\n" +
			"$args[-1] | & " + quoted(ours, "''") + "\n"
	} else {
		c.script = quoted(theirs, `'\''`) + ` "$@"` + "\n" + quoted(ours, `'\''`) + ` "$@"` + "\n"
	}
	line, _ := toml.Marshal(map[string]any{"notify": start}) // strings alone
	c.notify = strings.TrimSuffix(string(line), "\n")
	return c
}

// chainStart is the script that the person saves, and what starts it.
func chainStart(system, folder string) (file string, start []string) {
	if system == "windows" {
		file = folder + `\notify-both.ps1`
		return file, []string{"powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", file}
	}
	file = folder + "/notify-both.sh"
	return file, []string{"sh", file}
}

// quoted are words for sh or PowerShell, which differ in how an apostrophe
// stands between two.
func quoted(words []string, apostrophe string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = "'" + strings.ReplaceAll(word, "'", apostrophe) + "'"
	}
	return strings.Join(all, " ")
}

// words explain it, for standard error.
func (c *chain) words() string {
	return "To have both, save this as " + c.file + ":\n\n" + indented(c.script) +
		"\nand let config.toml say:\n\n" + indented(c.notify+"\n") + "\n"
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
