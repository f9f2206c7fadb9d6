package snippets

import "strings"

// Ours reports whether a command line in somebody's settings starts PlayPets as
// a hook or an MCP server, and the path of the program in it. It knows each form
// that Hooks and MCP write, people's own double quotes, and a program with its
// arguments joined by spaces.
func Ours(command string) (program string, ok bool) {
	command = strings.TrimSpace(command)
	for _, read := range []func(string) (string, string){readSh, readPowerShell, readExpandable} {
		if program, rest := read(command); program != "" {
			return native(program), isProgram(program) && isCall(rest)
		}
	}
	return bare(command)
}

// bare finds the program of a line without quotes. A path may have spaces; the
// space in front of another path is not one of them.
func bare(command string) (program string, ok bool) {
	for i := range command {
		program, rest := command[:i], command[i:]
		if !isCall(rest) || !isProgram(program) {
			continue
		}
		words := strings.Split(program, " ")
		for _, word := range words[1:] {
			if isAbsolute(word) {
				return "", false
			}
		}
		if len(words) == 1 || isAbsolute(program) {
			return native(program), true
		}
	}
	return "", false
}

// isCall reports whether a line goes on as ours do behind the program.
func isCall(rest string) bool {
	return strings.HasPrefix(rest, " hook ") || rest == " mcp" || strings.HasPrefix(rest, " mcp ")
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

func isAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) || hasDrive(path)
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
