package installer

import (
	"errors"
	"regexp"
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
	return []byte(mainGroup + "\n" +
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

// startedBy is the program that an autostart file starts and its arguments, and
// whether it does: desktops have their own switches for that. There are no words if
// the file names none.
func startedBy(entry []byte) (words []string, on bool) {
	keys := desktopKeys(string(entry))
	on = keys["Hidden"] != "true" && keys["X-GNOME-Autostart-enabled"] != "false"
	words = execWords(keys["Exec"])
	if len(words) > 1 && words[0] == "env" {
		words = words[1:]
	}
	return words, on
}

// mainGroup begins what counts in a desktop file.
const mainGroup = "[Desktop Entry]"

// restarted is an autostart file with another program in it and every switch on; the
// rest, also the program's arguments, is as it was.
func restarted(entry []byte, program string) []byte {
	exec := execLine(program)
	if words, _ := startedBy(entry); len(words) > 1 {
		for _, word := range words[1:] {
			if !plainWord.MatchString(word) {
				word = execArgument(word)
			}
			exec += " " + word
		}
	}
	var b strings.Builder
	inside := false
	for line := range strings.Lines(string(entry)) {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "[") {
			inside = text == mainGroup
		}
		key, _, is := strings.Cut(text, "=")
		key = strings.TrimRight(key, " ")
		value, ours := map[string]string{"Exec": exec, "Hidden": "false", "X-GNOME-Autostart-enabled": "true"}[key]
		if inside && is && ours {
			line = key + "=" + value + line[len(strings.TrimRight(line, "\r\n")):]
		}
		b.WriteString(line)
	}
	return []byte(b.String())
}

// plainWord is an argument that needs no quotation marks, or stands for something.
var plainWord = regexp.MustCompile(`^([\w./:@+,=-]+|%[a-zA-Z])$`)

// desktopKeys reads the main group of a desktop file; the last of two values
// counts.
func desktopKeys(entry string) map[string]string {
	keys, inside := map[string]string{}, false
	for line := range strings.Lines(entry) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = line == mainGroup
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
