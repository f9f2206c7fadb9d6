package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/playpets/playpets/snippets"
)

// edits are changes to agents' settings: what connect and disconnect share.
// First all are made in memory, then shown, then asked about, then written.
// One file that cannot be edited does not keep the others from it.
type edits struct {
	*common
	dryRun, yes bool
	all         []*fileEdit
	failed      []error
}

// A fileEdit is what becomes of one file.
type fileEdit struct {
	agentFile
	shown string // its path as people write it
	new   []byte
	gone  bool // there is to be no file
}

func (e *fileEdit) changes() bool { return e.gone || !bytes.Equal(e.data, e.new) }

func (e *edits) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "show the change and write nothing")
	cmd.Flags().BoolVarP(&e.yes, "yes", "y", false, "do not ask")
}

// home is the person's folder, or empty when the environment names none.
func (e *edits) home() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}

// path is where a snippet's file is.
func (e *edits) path(s snippets.Snippet) string { return snippets.Path(s, e.home(), os.Getenv) }

// shown is that path as people write it.
func (e *edits) shown(s snippets.Snippet) string { return snippets.Shown(s, e.home(), os.Getenv) }

// edit changes the file of a snippet in memory.
func (e *edits) edit(s snippets.Snippet, change func(file []byte) ([]byte, error)) {
	f, err := e.file(s)
	if err == nil {
		var file []byte
		if file, err = change(f.new); err == nil {
			f.new = file
			return
		}
	}
	var known *failure
	if !errors.As(err, &known) {
		which := s.Agent
		if s.Name == "mcp" {
			which += " --mcp"
		}
		err = &failure{exitOther, fmt.Sprintf("edit %s: %v", e.shown(s), err),
			fmt.Sprintf("It was left as it is. `playpets snippet %s` prints what belongs there.", which)}
	}
	e.failed = append(e.failed, err)
}

// file reads the file of a snippet, once.
func (e *edits) file(s snippets.Snippet) (*fileEdit, error) {
	path := e.path(s)
	for _, f := range e.all {
		if f.path == path {
			return f, nil
		}
	}
	inHome := path == snippets.Path(s, e.home(), func(string) string { return "" })
	switch {
	case inHome && e.home() == "":
		return nil, errors.New("the home folder is not known")
	case !filepath.IsAbs(path): // where it lies would depend on the folder that we are started in
		return nil, &failure{exitOther, e.shown(s) + " is no full path", "Write the folder in full in HOME, CLAUDE_CONFIG_DIR or CODEX_HOME."}
	}
	read, err := readAgentFile(path)
	if err != nil {
		return nil, err
	}
	f := &fileEdit{agentFile: read, shown: e.shown(s), new: read.data}
	e.all = append(e.all, f)
	return f, nil
}

// settle shows the changes, asks, and writes. It reports whether anything was
// written; an error means that nothing was.
func (e *edits) settle() (done bool, err error) {
	var changed []*fileEdit
	for _, f := range e.all {
		if f.changes() {
			changed = append(changed, f)
		}
	}
	if len(changed) == 0 {
		if len(e.failed) == 0 {
			e.say("There is nothing to change.")
		}
		return false, nil
	}
	if !e.quiet || !e.yes || e.dryRun {
		for _, f := range changed {
			if err := e.print("%s", f.diff()); err != nil {
				return false, err
			}
		}
	}
	if e.dryRun {
		return false, nil
	}
	if err := e.ask(); err != nil {
		return false, err
	}
	for _, f := range changed {
		done = e.write(f) || done
	}
	return done, nil
}

// ask has the person agree.
func (e *edits) ask() error {
	if e.yes {
		return nil
	}
	answer := ""
	if isTerminal(e.in) {
		fmt.Fprint(e.err, "Write this? [y/N] ")
		answer, _ = bufio.NewReader(e.in).ReadString('\n')
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	if answer == "" {
		return usage("there is nobody to ask", "With --yes it is written without asking, with --dry-run only shown.")
	}
	return &failure{exitOther, "nothing was written", ""}
}

func (e *edits) write(f *fileEdit) (done bool) {
	deed, words := "write", "Wrote "+f.shown+"."
	change := func(now time.Time) (string, error) { return f.replace(f.new, now) }
	if f.gone {
		deed, words, change = "remove", "Removed "+f.shown+": there was nothing else in it.", f.remove
	}
	backup, err := change(time.Now())
	if err != nil {
		e.failed = append(e.failed, &failure{exitOther, fmt.Sprintf("%s %s: %v", deed, f.shown, err), "It is as it was."})
		return false
	}
	if backup != "" {
		words += " As it was it is kept in " + e.short(backup) + "."
	}
	e.say(words)
	return true
}

// short is a path as people write it.
func (e *edits) short(path string) string {
	if below, ok := strings.CutPrefix(path, e.home()+string(os.PathSeparator)); ok && e.home() != "" {
		return filepath.Join("~", below)
	}
	return path
}

// problems says what went wrong, err last. It is nil if nothing did.
func (e *edits) problems(err error) error {
	if err != nil {
		e.failed = append(e.failed, err)
	}
	if len(e.failed) == 0 {
		return nil
	}
	last := len(e.failed) - 1
	for _, err := range e.failed[:last] {
		e.fail(err)
	}
	return e.failed[last]
}

// diff is the change as a unified diff.
func (f *fileEdit) diff() string {
	old, new := f.shown, f.shown
	if !f.exists() {
		old = os.DevNull
	}
	if f.gone {
		new = os.DevNull
	}
	text := diff.Diff(old, f.data, new, f.new)
	_, text, _ = bytes.Cut(text, []byte("\n")) // its command line
	return visible(string(text))
}

// visible is a text of several lines without what could steer a terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1 // each line of a file from Windows ends in one
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// sayOwn says that a line of the person's own starts PlayPets, which is left alone.
func (o *edits) sayOwn(s snippets.Snippet, file []byte) {
	f, err := parseSettings(o.path(s), file, s.Format) // one that cannot be read is refused by who edits it
	if err == nil && slices.ContainsFunc(f.hooks(), func(e entry) bool { return e.program == "" }) {
		o.say("A line of your own in " + o.shown(s) + " starts PlayPets; it is left as it is.")
	}
	if s.Name != "notify" {
		return
	}
	script, start := chainStart(runtime.GOOS, filepath.Dir(o.path(s)))
	if slices.Equal(texts(f.tree["notify"]), start) {
		o.say("notify in " + o.shown(s) + " starts " + o.short(script) + ", which is yours; both are left as they are.")
	}
}
