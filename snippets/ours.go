package snippets

import (
	"regexp"
	"strings"
)

// Ours reports whether what somebody's settings start is PlayPets as a hook or an
// MCP server and nothing else, and the path of the program in it. Words that stand
// apart are the program and its arguments; one alone is a line for a shell: each
// form that Hooks and MCP write, and people's own double quotes. A line that does
// more than start us is the person's own.
func Ours(words ...string) (program string, ok bool) {
	switch {
	case len(words) == 0:
		return "", false
	case len(words) > 1:
		return words[0], isProgram(words[0]) && (words[1] == "mcp" || words[1] == "hook" && len(words) > 2)
	}
	line := strings.TrimSpace(words[0])
	for _, read := range []func(string) (string, string){readSh, readPowerShell, readExpandable, readWord} {
		if program, rest := read(line); program != "" {
			return native(program), isProgram(program) && isCall(rest)
		}
	}
	return "", false
}

// Starts reports whether what somebody's settings start, as Ours takes it, starts
// PlayPets as a hook, whatever else it does. It reads no scripts, and of what stands
// behind a # in a line nothing is started.
func Starts(words ...string) bool {
	for i, word := range words {
		word, _, _ = strings.Cut(" "+word, " #")
		if starts.MatchString(word) {
			return true
		}
		if isProgram(words[i]) && i+2 < len(words) && words[i+1] == "hook" {
			return true
		}
	}
	return false
}

var starts = regexp.MustCompile(`(?i)(^|[\s/\\'"])playpets(\.exe)?['"]? hook \w`)

// isCall reports whether a line goes on as ours do behind the program: with a
// command and its arguments, and nothing for the shell to do but one of our ends.
func isCall(rest string) bool {
	if !strings.HasPrefix(rest, " hook ") && rest != " mcp" && !strings.HasPrefix(rest, " mcp ") {
		return false
	}
	for _, end := range []string{unixEnds["claude"], unixEnds["codex"], windowsEnd} {
		if before, ends := strings.CutSuffix(rest, end); ends {
			return isPlain(before)
		}
	}
	return isPlain(rest)
}

// isPlain reports whether a shell sees nothing but words in a part of a line. What
// is quoted in a way that is not ours may be taken for more.
func isPlain(part string) bool {
	quote := byte(0)
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case quote == 0 && c == '\\' && i+1 < len(part) && strings.IndexByte(`'\`, part[i+1]) >= 0:
			i++ // as quoteSh writes them
		case quote == '"' && c == '`' && i+1 < len(part) && strings.IndexByte("`$\xe2", part[i+1]) >= 0:
			i++ // as quoteExpandable writes them, and round quotation marks
		case quote == '"' && (c == '`' || c == '$'):
			return false
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte(";|&<>`$()#\n\r", c) >= 0:
			return false
		}
	}
	return quote == 0
}

// readWord reads a line that begins with a program without quotes, which has no
// spaces then.
func readWord(line string) (program, rest string) {
	end := strings.IndexByte(line, ' ')
	if end < 0 {
		return "", ""
	}
	return line[:end], line[end:]
}

// isProgram knows the program by its file's name, also as an AppImage, which
// people name as they like.
func isProgram(path string) bool {
	separators := `/\`
	if strings.HasPrefix(path, "/") {
		separators = "/"
	}
	name := strings.ToLower(path[strings.LastIndexAny(path, separators)+1:])
	return name == "playpets" || name == "playpets.exe" ||
		strings.HasPrefix(name, "playpets") && strings.HasSuffix(name, ".appimage")
}

// native undoes the slashes that a path of Windows has in Git Bash.
func native(path string) string {
	if hasDrive(path) {
		return strings.ReplaceAll(path, "/", `\`)
	}
	return path
}

// readSh reads what quoteSh wrote; the program is empty when it did not.
func readSh(line string) (program, rest string) {
	if !strings.HasPrefix(line, "'") {
		return "", ""
	}
	var b strings.Builder
	for quoted, i := false, 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		case c == ' ' && !quoted:
			return b.String(), line[i:]
		default:
			b.WriteByte(c)
		}
	}
	return "", ""
}

// readPowerShell reads what quotePowerShell wrote behind an &.
func readPowerShell(line string) (program, rest string) {
	line, ok := strings.CutPrefix(line, "& '")
	if !ok {
		return "", ""
	}
	end := 0
	for {
		i := strings.Index(line[end:], "'")
		if i < 0 {
			return "", ""
		}
		end += i
		if !strings.HasPrefix(line[end:], "''") {
			break
		}
		end += len("''")
	}
	return undoubled.Replace(line[:end]), line[end+1:]
}

var undoubled = strings.NewReplacer("''", "'", "‘‘", "‘", "’’", "’", "‚‚", "‚", "‛‛", "‛")

// readExpandable reads what quoteExpandable wrote, with or without an &.
func readExpandable(line string) (program, rest string) {
	line, ok := strings.CutPrefix(strings.TrimPrefix(line, "& "), `"`)
	if !ok {
		return "", ""
	}
	program, rest, ok = strings.Cut(line, `"`)
	if !ok {
		return "", ""
	}
	return unescaped.Replace(program), rest
}

var unescaped = strings.NewReplacer("``", "`", "`$", "$", "`“", "“", "`”", "”", "`„", "„")
