package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

// A doctor looks at the settings of agents.
type doctor struct {
	system, home string // a GOOS, the person's folder
	getenv       func(string) string
	now          time.Time
	bridge       string // path of our bridge.json
	managed      string // path of the settings by which a company rules Claude Code
	program      installer.Program
	statuses     []agents.Status // nil when the app does not tell
	heard        map[string]time.Time
}

// agents looks at each agent there is.
func (d *doctor) agents() (checks []installer.Check) {
	for _, k := range agents.Kinds {
		checks = append(checks, d.agent(k))
	}
	return checks
}

// An exam is one agent's check as it grows: the worst finding decides.
type exam struct {
	*doctor
	kind   agents.Kind
	status installer.Status
	detail string
	fix    string
}

// agent looks at the settings of one agent.
func (d *doctor) agent(k agents.Kind) installer.Check {
	e := &exam{doctor: d, kind: k, status: installer.OK}
	e.look()
	return installer.Check{ID: k.Name, Status: e.status, Detail: e.detail, Fix: e.fix}
}

// find adds a finding.
func (e *exam) find(s installer.Status, detail, fix string) {
	if e.detail != "" {
		e.detail += "; "
	}
	e.detail += detail
	if e.fix == "" || s == installer.Fail && e.status != installer.Fail {
		e.fix = fix
	}
	if s == installer.Fail || e.status == installer.OK {
		e.status = s
	}
}

func (e *exam) look() {
	wanted, err := e.wanted()
	if err != nil {
		e.find(installer.Fail, "its settings cannot hold the path of this program or of bridge.json", "Put PlayPets where the path has plain letters only.")
		return
	}
	if _, err := os.Stat(filepath.Dir(e.path(wanted[0]))); errors.Is(err, fs.ErrNotExist) {
		e.find(installer.OK, "not here", "")
		return
	}
	var files []settingsFile
	entries := 0
	for _, s := range wanted {
		if f, ok := e.read(s); ok {
			files = append(files, f)
			entries += len(f.hooks())
		}
	}
	s, err := newShape(e.kind, wanted)
	if err != nil {
		e.find(installer.Fail, "its snippet cannot be read: "+err.Error(), "")
		return
	}
	hooks := s.judge(files)
	e.findLast(hooks.heard, entries > 0)
	for _, f := range files {
		e.checkEntries("the entry in "+installer.Short(f.path), "", f.hooks())
		e.checkEntries("the MCP entry in "+installer.Short(f.path), " --mcp", f.servers())
		e.findSwitches(f, entries > 0)
	}
	if e.kind.Name == "codex" {
		e.codexTrust(files)
	}
	e.findFlaws(hooks)
}

// wanted are the files that an agent's snippets belong in, each once.
func (e *exam) wanted() ([]snippets.Snippet, error) {
	p := snippets.Program{Path: e.program.Path, Bridge: e.bridge, System: e.system}
	all, err := snippets.Hooks(e.kind.Name, p)
	if err != nil {
		return nil, err
	}
	mcp, err := snippets.MCP(e.kind.Name, p)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.File == mcp.File {
			return all, nil // read already
		}
	}
	return append(all, mcp), nil
}

func (e *exam) path(s snippets.Snippet) string { return snippets.Path(s, e.home, e.getenv) }

// read reads a settings file, if it is there and can be read.
func (e *exam) read(s snippets.Snippet) (f settingsFile, ok bool) {
	path := e.path(s)
	file, err := readAgentFile(path)
	if err == nil && !file.exists() {
		return f, false
	}
	if err != nil {
		e.find(installer.Warn, installer.Short(path)+" cannot be looked at: "+installer.Reason(err), "")
		return f, false
	}
	f, err = parseSettings(path, file.data, s.Format)
	if err != nil {
		e.find(installer.Fail, installer.Short(path)+": "+err.Error(), "Mend that file: "+e.kind.Title+" cannot read it either.")
	}
	return f, err == nil
}

// findFlaws tells what is wrong with our hooks.
func (e *exam) findFlaws(v verdict) {
	status := installer.Fail
	if v.heard {
		status = installer.Warn
	}
	for _, detail := range v.details {
		e.find(status, detail, v.mend)
	}
}

// findLast tells when the agent was heard of, and whether its settings have it call
// us. Where they only name us, findFlaws says why it does not.
func (e *exam) findLast(connected, named bool) {
	last := e.last()
	heard := "no event yet"
	if !last.IsZero() {
		heard = "last event " + ago(e.now.Sub(last))
	}
	switch {
	case connected && e.statuses == nil:
		e.find(installer.OK, "connected", "")
	case connected:
		e.find(installer.OK, "connected, "+heard, "")
	case !last.IsZero():
		e.find(installer.OK, "not connected in its own settings, yet heard of: "+heard, "")
	case e.status == installer.OK && !named: // else the entry may stand in what cannot be read
		e.find(installer.Warn, "not connected", "`playpets connect "+e.kind.Name+"` connects it; `playpets snippet "+e.kind.Name+"` prints what to paste.")
	}
}

// last is when a friend last heard from the agent.
func (e *exam) last() (last time.Time) {
	last = e.heard[e.kind.Name]
	for _, s := range e.statuses {
		for _, a := range s.Activities {
			if a.Agent == e.kind.Name && a.Time.After(last) {
				last = a.Time
			}
		}
	}
	return last
}

// ago is how long something has been, for people.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return fmt.Sprintf("%d days ago", d/(24*time.Hour))
}

// checkEntries looks where entries lead. option is what connects them again.
func (e *exam) checkEntries(what, option string, entries []entry) {
	mend := "`playpets connect " + e.kind.Name + option + "` writes it anew."
	said := map[string]bool{}
	once := func(s installer.Status, detail, fix string) {
		if !said[detail] {
			said[detail] = true
			e.find(s, what+detail, fix)
		}
	}
	for _, entry := range entries {
		if entry.program == "" {
			once(installer.Warn, " is a line of your own that starts PlayPets", "Look after it yourself, or take it out and `playpets connect "+e.kind.Name+option+"`.")
			continue
		}
		switch path, ok := e.locate(entry.program); {
		case !ok:
			once(installer.Fail, " starts a program that is not there any more", mend)
		case !e.program.Same(path):
			once(installer.Warn, " starts another copy of PlayPets ("+installer.Short(path)+")", mend)
		case !e.namesBridge(entry.command):
			once(installer.Warn, " reports to another bridge.json than that of the app", mend)
		}
	}
}
