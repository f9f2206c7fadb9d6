package installer

import "strings"

// runCommand is a program as a value of Windows' Run key. A path has no double
// quotes there.
func runCommand(program string) string { return `"` + program + `"` }

// runBy is the program that a value of the Run key starts.
func runBy(command string) string {
	command = strings.TrimSpace(command)
	if rest, ok := strings.CutPrefix(command, `"`); ok {
		program, _, _ := strings.Cut(rest, `"`)
		return program
	}
	program, _, _ := strings.Cut(command, " ")
	return program
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
