package tray

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/openpets"
	"github.com/playpets/playpets/i18n"
)

// reading is what config.toml said at one time.
type reading struct {
	data     []byte // none where there is no file
	settings settings
	odd      []problem
	err      error // why it cannot be used; settings are the defaults then
}

func readConfig(path string) (r reading) {
	r.settings = defaults()
	r.data, r.err = readSmall(path)
	if errors.Is(r.err, fs.ErrNotExist) {
		r.err = nil
	}
	if r.err == nil {
		r.settings, r.odd, r.err = parseSettings(r.data)
	}
	return r
}

// warnings are lines for the person about what was read from path. A file that cannot
// be used is copied aside and left where it is, so that it can be mended in place.
func (r reading) warnings(path string) (all []string) {
	if r.err != nil {
		warning := r.broken("the defaults")
		if kept, err := copyAside(path); err == nil {
			warning += "; a copy is kept as " + filepath.Base(kept)
		}
		return []string{warning}
	}
	for _, p := range r.odd {
		all = append(all, p.String())
	}
	return all
}

// broken says why the file cannot be used, and what happens instead.
func (r reading) broken(instead string) string {
	return fmt.Sprintf("config.toml: %v; going on with %s", r.err, instead)
}

// bareText is a text without the mark that some editors put in front of it.
func bareText(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// problem is something in config.toml that is passed over.
type problem struct {
	line int // from 1; 0: not known
	text string
}

// String is a line for the person.
func (p problem) String() string { return "config.toml: " + onLine(p.line) + p.text }

// onLine says where something stands, as far as that is known.
func onLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", line)
}

// parseSettings decodes config.toml and checks every value.
func parseSettings(data []byte) (s settings, odd []problem, err error) {
	data = bareText(data)
	s = defaults()
	meta, err := toml.Decode(string(data), &s)
	if err != nil {
		return defaults(), nil, plainer(err)
	}
	at := find(data)
	if err := spelledTwice(at); err != nil {
		return defaults(), nil, err
	}
	if kind := meta.Type("agent_pets"); kind != "" && kind != "Hash" { // toml passes over it
		return defaults(), nil, fmt.Errorf("%sagent_pets takes a table such as [agent_pets]", onLine(at.line("agent_pets")))
	}
	if err := s.check(at); err != nil {
		return defaults(), nil, err
	}
	return s, append(unknownKeys(meta, at), unknownAgents(s.AgentPets, at)...), nil
}

// spelledTwice refuses a key that stands there in two spellings: toml takes either of
// them, by chance.
func spelledTwice(at spots) error {
	for _, key := range at.keys() {
		if s := at[key]; s.twice != nil {
			return fmt.Errorf("line %d: %s is there twice, as %s on line %d", s.twice.line, s.twice.key, s.key, s.line)
		}
	}
	return nil
}

// check refuses a value that nothing can be done with.
func (s settings) check(at spots) error {
	if s.Version > settingsVersion {
		return fmt.Errorf("version %d is newer than this PlayPets reads (%d)", s.Version, settingsVersion)
	}
	if s.Size != 0 && (s.Size < 50 || s.Size > 300) {
		return fmt.Errorf("%ssize = %d: use 50 to 300 (percent)", onLine(at.line("size")), s.Size)
	}
	var languages []string
	for _, l := range i18n.Languages() {
		languages = append(languages, l.Code)
	}
	for _, c := range []struct {
		key   toml.Key
		value string
		words []string
	}{
		{toml.Key{"language"}, s.Language, languages},
		{toml.Key{"theme"}, s.Theme, themes},
		{toml.Key{"motion"}, s.Motion, motions},
		{toml.Key{"show", "when"}, s.Show.When, whens},
		{toml.Key{"openpets", "ipc"}, s.OpenPets.IPC, openpets.Modes},
	} {
		if c.value != "" && !slices.Contains(c.words, c.value) {
			return fmt.Errorf("%s%s = %q: use \"%s\"", onLine(at.line(c.key...)), c.key, c.value, strings.Join(c.words, `", "`))
		}
	}
	return nil
}

// maxProblems is how many problems of a kind are told: a file with more is another one.
const maxProblems = 20

// unknownKeys warns of keys that mean nothing, once each; of an unknown table, not of
// what stands in it.
func unknownKeys(meta toml.MetaData, at spots) (odd []problem) {
	var seen []string
	for _, key := range meta.Undecoded() {
		told := func(table string) bool { return strings.HasPrefix(key.String()+".", table+".") }
		if len(odd) == maxProblems {
			break
		}
		if slices.ContainsFunc(seen, told) {
			continue
		}
		seen = append(seen, key.String())
		odd = append(odd, problem{at.line(key...), "unknown key " + key.String() + meant(key)})
	}
	return odd
}

// unknownAgents warns of agents that only a script of the person's own can be.
func unknownAgents(agentPets map[string]string, at spots) (odd []problem) {
	known := []string{"run"} // `playpets run`
	for _, k := range agents.Kinds {
		known = append(known, k.Name)
	}
	known = append(known, "mcp") // other MCP tools
	for _, agent := range slices.Sorted(maps.Keys(agentPets)) {
		if len(odd) < maxProblems && !slices.Contains(known, agent) {
			odd = append(odd, problem{at.line("agent_pets", agent),
				fmt.Sprintf("agent_pets: %q is no agent that PlayPets knows: %s", agent, strings.Join(known, ", "))})
		}
	}
	return odd
}

// wrongKind is what toml says of a value of the wrong kind, in words of Go.
var wrongKind = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): .*(?:destination has type|expected) (\w+)`)

// kinds are toml's words for what a key takes.
var kinds = map[string]string{
	"integer":   "a whole number such as 100",
	"string":    `a text such as "dark"`,
	"boolean":   "true or false",
	"primitive": `a time such as "15m"`,
	"table":     "a table such as [show]",
}

// tomlError is any error of toml: the line, the key if there is one, what is wrong.
var tomlError = regexp.MustCompile(`(?s)^toml: line (\d+)(?: \(last key "(.*?)"\))?: (.*?)\.?$`)

// tomlWords are some of those errors, and how people say it.
var tomlWords = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`^Key '(.*)' has already been defined$`), "$1 is there twice"},
	{regexp.MustCompile(`^(-?\d+) is out of range for \w+$`), "$1 is out of range"},
}

// plainer is an error of toml in words for people.
func plainer(err error) error {
	if m := wrongKind.FindStringSubmatch(err.Error()); m != nil && kinds[m[3]] != "" {
		return fmt.Errorf("line %s: %s takes %s", m[1], m[2], kinds[m[3]])
	}
	m := tomlError.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	line, key, what := m[1], m[2], m[3]
	for _, w := range tomlWords {
		what = w.from.ReplaceAllString(what, w.to)
	}
	if key != "" && !strings.HasPrefix(what, key+" ") {
		what = key + ": " + what
	}
	return fmt.Errorf("line %s: %s", line, what)
}
