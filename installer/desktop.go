package installer

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// desktopEntry is an autostart file that starts a program, as the Desktop Entry
// and the Autostart specification of freedesktop.org want it.
func desktopEntry(program string) ([]byte, error) {
	switch percent := strings.Contains(program, "%"); {
	case !utf8.ValidString(program) || strings.ContainsRune(program, 0):
		return nil, errors.New("the program's path is no UTF-8 text")
	case percent && strings.Contains(program, "="):
		return nil, errors.New("no desktop starts a program with both % and = in its path")
	}
	return []byte("[Desktop Entry]\n" +
		"Type=Application\n" +
		"Name=PlayPets\n" +
		"Comment=Desktop friends that show what your coding agents are doing\n" +
		"Exec=" + execLine(program) + "\n" +
		"Terminal=false\n" +
		"X-GNOME-Autostart-enabled=true\n"), nil
}

// execLine is a program's path as the value of Exec: first as a quoted argument,
// then as any text in such a file. GLib and systemd look whether the program is
// there before they read %% as %, so that one goes behind another program.
func execLine(program string) string {
	if strings.Contains(program, "%") {
		return "env " + execArgument(program)
	}
	return execArgument(program)
}

func execArgument(program string) string {
	argument := strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`, `%`, `%%`).Replace(program)
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(`"` + argument + `"`)
}

// startedBy is the program that an autostart file starts, and whether it does:
// desktops have their own switches for that. program is empty if the file names
// none.
func startedBy(entry []byte) (program string, on bool) {
	keys := desktopKeys(string(entry))
	on = keys["Hidden"] != "true" && keys["X-GNOME-Autostart-enabled"] != "false"
	words := execWords(keys["Exec"])
	if len(words) > 1 && words[0] == "env" {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", on
	}
	return words[0], on
}

// desktopKeys reads the main group of a desktop file; the last of two values
// counts.
func desktopKeys(entry string) map[string]string {
	keys, inside := map[string]string{}, false
	for line := range strings.Lines(entry) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = line == "[Desktop Entry]"
			continue
		}
		if key, value, ok := strings.Cut(line, "="); ok && inside {
			keys[strings.TrimRight(key, " ")] = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\s`, " ").Replace(strings.TrimLeft(value, " "))
		}
	}
	return keys
}

// execWords are the arguments in an Exec line.
func execWords(exec string) (words []string) {
	var word []byte
	begun, quoted := false, false
	for i := 0; i < len(exec); i++ {
		c := exec[i]
		if !quoted && (c == ' ' || c == '\t' || c == '\n') {
			if begun {
				words = append(words, string(word))
			}
			word, begun = word[:0], false
			continue
		}
		begun = true
		if c == '"' {
			quoted = !quoted
			continue
		}
		if i+1 < len(exec) && (c == '\\' || c == '%' && exec[i+1] == '%') {
			i++
		}
		word = append(word, exec[i])
	}
	if begun {
		words = append(words, string(word))
	}
	return words
}
