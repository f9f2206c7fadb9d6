package snippets

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
)

// A command is a line for a shell.
type command struct {
	line  string
	shell string // the shell that must be named beside it, or empty
}

// hookCommand is the line that an agent's shell gets on that system. A program
// that is gone must not stop the agent, and some take any exit code and any word
// on standard error for a veto, so most lines end in success whatever happens.
//
// On Unix the shell may be any of sh, bash, dash, zsh and fish: Codex and Cursor
// take the person's login shell. Cursor appends a here-document to the line,
// which whatever stands last would get instead of the program; it ignores
// failures anyhow. Fish has no here-documents: there such a hook of Cursor's
// never runs, whatever the line is.
//
// On Windows Claude Code takes Git Bash or, without it, PowerShell; Codex the
// shell of its session, mostly PowerShell, else cmd, which sees quotation marks
// garbled (openai/codex#32402). A line of harmless words is the same in all of
// them. For other paths the line is PowerShell's, and Claude Code is told so; in
// cmd it would fail, which Codex shows and nothing more. Gemini CLI and Cursor
// always take PowerShell; Cursor puts its own & in front.
func hookCommand(agent string, p Program) command {
	if p.System != "windows" {
		return command{line: p.words(agent, quoteSh) + unixEnds[agent]}
	}
	bare := p.harmless()
	switch {
	case agent == "cursor":
		return command{line: p.words(agent, quoteExpandable)}
	case agent == "claude" && bare:
		// A backslash means something to Git Bash.
		line := p.words(agent, func(s string) string { return strings.ReplaceAll(s, `\`, "/") })
		return command{line: line + windowsEnd}
	case agent == "codex" && bare:
		return command{line: p.words(agent, func(s string) string { return s })}
	}
	c := command{line: "& " + p.words(agent, quotePowerShell) + windowsEnd}
	if agent == "claude" {
		c.shell = "powershell"
	}
	return c
}

// unixEnds are the ends of lines on Unix. Fish, which may be Codex's shell, gives
// the whole line up at || when there is no such command.
var unixEnds = map[string]string{
	"claude": " 2>/dev/null || true",
	"codex":  " 2>/dev/null; true",
	"gemini": " 2>/dev/null || true",
}

const windowsEnd = "; exit 0"

// words are the program and its arguments. Paths are quoted also where that
// changes nothing, to be the same for everybody; ids only where they need it.
func (p Program) words(agent string, quote func(string) string) string {
	line := quote(p.Path) + " hook " + agent
	if p.Bridge != "" {
		line += " --bridge " + quote(p.Bridge)
	}
	switch {
	case p.Pet == "":
	case isHarmless(p.Pet, ""):
		line += " --pet " + p.Pet
	default:
		line += " --pet " + quote(p.Pet)
	}
	return line
}

// harmless reports whether no shell of Windows sees anything in it. Paths on
// servers are left out, for Git Bash may take their two slashes for one.
func (p Program) harmless() bool {
	for _, path := range []string{p.Path, p.Bridge} {
		if path != "" && !(hasDrive(path) && isHarmless(path, `:/\`)) {
			return false
		}
	}
	return isHarmless(p.Pet, "")
}

// isHarmless reports whether s is one word to every shell; more are signs that
// may stand in it.
func isHarmless(s, more string) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-"+more, r)
	}
	return !strings.ContainsFunc(s, odd) && !strings.HasPrefix(s, "-")
}

// hasDrive reports whether a path begins as C:\ does.
func hasDrive(path string) bool {
	return len(path) > 2 && path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z' && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// quoteSh quotes for sh, bash, dash, zsh and fish. To fish a backslash means
// something inside single quotes too, so it stands outside, where all agree.
func quoteSh(s string) string {
	return "'" + strings.NewReplacer(`'`, `'\''`, `\`, `'\\'`).Replace(s) + "'"
}

// quotePowerShell writes a PowerShell string in which nothing is expanded. It
// takes typographic quotes for its own.
func quotePowerShell(s string) string {
	return "'" + doubled.Replace(s) + "'"
}

var doubled = strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛")

// quoteExpandable writes a PowerShell string that for most paths is one of
// cmd's as well.
func quoteExpandable(s string) string {
	return `"` + escaped.Replace(s) + `"`
}

var escaped = strings.NewReplacer("`", "``", "$", "`$", "“", "`“", "”", "`”", "„", "`„")

// quoteJSON writes a JSON string that is also a basic string of TOML, with & and
// > as people know them.
func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string and a buffer know no errors
	// TOML wants this one escaped as well.
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}
