// Package snippets knows what to paste where so that a coding agent tells
// PlayPets what it does, or can speak to it over MCP: for each agent the whole
// text, the file that it belongs in, and the rule that must be kept. It is pure:
// it reads and writes no file, copies nothing, and asks the system nothing.
package snippets

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/playpets/playpets/agents"
)

// Program is what the agents are to start.
type Program struct {
	Path   string // of the executable, absolute
	Bridge string // path of bridge.json, absolute; empty leaves it to the program
	Pet    string // a friend's id; empty leaves it to the app
	System string // a GOOS
}

// Snippet is one text for one file of an agent.
type Snippet struct {
	Agent  string `json:"agent"`  // as Agents has it
	Name   string `json:"name"`   // "hooks", "notify" or "mcp"; an agent has each at most once
	File   string `json:"file"`   // as people write it: ~/… or %USERPROFILE%\…; empty when each tool has its own
	Format string `json:"format"` // "json" or "toml"
	Text   string `json:"text"`   // complete, with a newline at its end
	Note   string `json:"note"`   // one line on where in the file, and what to do then
}

// Other is the agent that stands for all tools that know MCP and nothing else.
const Other = "mcp"

// Agents lists whom there are snippets for, in the order of menus: the names of
// agents.Kinds, then Other.
func Agents() []string {
	var all []string
	for _, k := range agents.Kinds {
		all = append(all, k.Name)
	}
	return append(all, Other)
}

// check refuses what no settings file or no command line can hold.
func (p Program) check(agent string) error {
	if !slices.Contains(Agents(), agent) {
		return fmt.Errorf("there is no agent %q", agent)
	}
	if p.Path == "" {
		return fmt.Errorf("write settings for %s: the program's path is not known", agent)
	}
	for _, s := range []string{p.Path, p.Bridge, p.Pet} {
		if !p.writable(s) {
			return fmt.Errorf("write settings for %s: %q cannot be written into them", agent, s)
		}
	}
	return nil
}

// writable is false for what JSON cannot hold or no argument can be. No path of
// Windows has a quotation mark or a control character, and its PowerShell 5.1
// loses quotation marks inside arguments.
func (p Program) writable(s string) bool {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return false
	}
	return p.System != "windows" || !strings.ContainsFunc(s, func(r rune) bool { return r == '"' || unicode.IsControl(r) })
}

// file is a file below the home folder as people of that system write it.
func (p Program) file(path string) string {
	if p.System == "windows" {
		return windowsHome + strings.ReplaceAll(path, "/", `\`)
	}
	return unixHome + path
}
