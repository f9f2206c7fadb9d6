package installer

import "strings"

// runCommand is a program as a value of Windows' Run key. A path has no double
// quotes there.
func runCommand(program string) string { return `"` + program + `"` }

// runBy is the program that a value of the Run key starts, and its arguments as they
// stand there, as one word.
func runBy(command string) (words []string) {
	command = strings.TrimSpace(command)
	program, rest, _ := strings.Cut(command, " ")
	if quoted, ok := strings.CutPrefix(command, `"`); ok {
		program, rest, _ = strings.Cut(quoted, `"`)
	}
	for _, word := range []string{program, strings.TrimSpace(rest)} {
		if word != "" {
			words = append(words, word)
		}
	}
	return words
}

// rerun is such a value with another program in it.
func rerun(command, program string) string {
	if words := runBy(command); len(words) > 1 {
		return runCommand(program) + " " + words[1]
	}
	return runCommand(program)
}

// approved reports whether Windows starts what has this value in StartupApproved:
// its first byte is odd when somebody switched it off, in Task Manager or in the
// Settings. Microsoft does not document it.
func approved(value []byte) bool { return len(value) == 0 || value[0]&1 == 0 }

// atDesktop is the program that Windows' desktop should start: the twin without
// a console, where it is.
func atDesktop(console string, exists func(string) bool) string {
	if twin := strings.TrimSuffix(console, name+".exe") + windowless; strings.HasSuffix(console, name+".exe") && exists(twin) {
		return twin
	}
	return console
}
