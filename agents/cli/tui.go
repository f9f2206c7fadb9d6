package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/playpets/playpets/agents"
)

// terminal owns what is printed: results on out, words on err. It prints no
// colour anywhere, so NO_COLOR and its kin have nothing to switch off. Results
// come from bridge.Client, which cleans them; words may quote an argument and
// are cleaned here.
type terminal struct {
	in          *os.File
	out, err    io.Writer
	quiet, json bool
}

// print prints a result.
func (t *terminal) print(format string, args ...any) error {
	if _, err := fmt.Fprintf(t.out, format, args...); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// printJSON prints a result as the one document of this call.
func (t *terminal) printJSON(v any) error { return writeJSON(t.out, v) }

// say tells a person what happened, unless they asked for quiet.
func (t *terminal) say(words string) {
	if !t.quiet && !t.json {
		fmt.Fprintln(t.err, agents.Plain(words))
	}
}

// fail prints why a command failed, with the next thing to do, and returns the
// exit code.
func (t *terminal) fail(err error) int {
	var code exitCode
	if errors.As(err, &code) {
		return int(code)
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{exitOther, err.Error(), ""}
	}
	message, hint := agents.Plain(f.message), agents.Plain(f.hint)
	if t.json {
		writeJSON(t.err, map[string]jsonError{"error": {f.exit.name, message, hint}})
		return f.exit.code
	}
	fmt.Fprintf(t.err, "playpets: %s\n", message)
	if hint != "" {
		fmt.Fprintln(t.err, hint)
	}
	return f.exit.code
}

type jsonError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
