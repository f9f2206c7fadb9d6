package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

// findSwitches looks for what silences hooks. Where there are none of ours it
// does not matter, but for one that stands where its agent does not look.
func (e *exam) findSwitches(f settingsFile, connected bool) {
	switch toml := filepath.Ext(f.path) == ".toml"; {
	case toml:
		e.codexNotify(f)
	case !connected || f.tree["hooks"] == nil:
	case e.kind.Name == "claude":
		e.claudeSwitches(f)
	case e.kind.Name == "gemini":
		e.geminiSwitches(f)
	case e.kind.Name == "cursor":
		e.cursorSwitches(f)
	case e.kind.Name == "codex":
		e.codexHooks(f)
	}
}

// off finds a switch that silences every hook.
func (e *exam) off(where, what, fix string) {
	e.find(installer.Fail, where+" has "+what+": no hook runs", fix)
}

func (e *exam) claudeSwitches(f settingsFile) {
	if at(f.tree, "disableAllHooks") == true {
		e.off(installer.Short(f.path), `"disableAllHooks": true`, "Take that line out.")
	}
	file, err := readAgentFile(e.managed)
	if err != nil {
		return // it is not for us
	}
	managed, err := parseSettings(e.managed, file.data, "json")
	if err != nil {
		return // a matter for the administrator, who hears of it from Claude Code
	}
	for _, key := range []string{"disableAllHooks", "allowManagedHooksOnly"} {
		if at(managed.tree, key) == true {
			e.off("the settings that your administrator manages", `"`+key+`": true`, "Ask whoever manages this computer.")
		}
	}
}

// managedSettings is where a company puts the settings that rule Claude Code.
// https://code.claude.com/docs/en/settings
func managedSettings(system string) string {
	switch system {
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	}
	return "/etc/claude-code/managed-settings.json"
}

func (e *exam) geminiSwitches(f settingsFile) {
	for _, s := range [][2]string{{"hooksConfig", "enabled"}, {"hooks", "enabled"}, {"tools", "enableHooks"}} { // the newest version's first
		if at(f.tree, s[0], s[1]) == false {
			e.off(installer.Short(f.path), fmt.Sprintf("%q: false in %q", s[1], s[0]), "Set it to true, or take it out.")
		}
	}
	for _, table := range []string{"hooksConfig", "hooks"} {
		for _, name := range texts(at(f.tree, table, "disabled")) {
			if _, ours := snippets.Ours(name); ours || slices.Contains(ourNames(f.tree), name) {
				e.find(installer.Fail, installer.Short(f.path)+" lists PlayPets among the disabled hooks", fmt.Sprintf(`Take it out of "disabled" in %q.`, table))
				return
			}
		}
	}
}

// ourNames are the names that people gave to hooks that start PlayPets.
func ourNames(v any) (names []string) {
	for _, one := range objects(v) {
		names = append(names, ourNames(one)...)
	}
	m, _ := v.(map[string]any)
	command, _ := m["command"].(string)
	if name, _ := m["name"].(string); name != "" && len(ours([][]string{{command}})) > 0 {
		names = append(names, name)
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		names = append(names, ourNames(m[key])...)
	}
	return names
}

// cursorComments is what Cursor takes out of its file before it reads it as
// plain JSON, also inside texts.
var cursorComments = regexp.MustCompile(`//[^\n]*|/\*[\s\S]*?\*/`)

// cursorSteps are the events that Cursor knows; one that its version does not
// know, and it reads none.
var cursorSteps = strings.Fields(`sessionStart sessionEnd beforeSubmitPrompt preToolUse postToolUse postToolUseFailure
	beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit
	subagentStart subagentStop afterAgentThought afterAgentResponse preCompact stop beforeTabFileRead
	afterTabFileEdit workspaceOpen`)

func (e *exam) cursorSwitches(f settingsFile) {
	where := installer.Short(f.path)
	if !json.Valid(cursorComments.ReplaceAll(f.data, nil)) {
		e.find(installer.Fail, where+": Cursor cannot read it: it has a comma too many, or // inside a text", "Take that out.")
	}
	if version, ok := at(f.tree, "version").(float64); !ok || version < 1 || version != float64(int(version)) {
		e.find(installer.Fail, where+` has no "version": 1, so Cursor reads none of it`, `Add "version": 1 beside "hooks".`)
	}
	hooks, _ := at(f.tree, "hooks").(map[string]any)
	for _, event := range slices.Sorted(maps.Keys(hooks)) {
		if !slices.Contains(cursorSteps, event) {
			e.find(installer.Warn, fmt.Sprintf("%s has an event %q: a Cursor that does not know it reads none of the file", where, event), "Take that event out.")
		}
	}
}
