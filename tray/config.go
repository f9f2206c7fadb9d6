package tray

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
)

// Config prints the settings as they are in effect, with where each comes from, in
// the form of config.toml; with explain instead a config.toml that says what every
// key means and changes nothing. What is wrong with the file goes to stderr. It
// returns the exit code: 1 when the file cannot be used.
func Config(explain bool, stdout, stderr io.Writer) int {
	if explain {
		if _, err := stdout.Write(template); err != nil {
			return complain(stderr, fmt.Errorf("print: %w", err))
		}
		return 0
	}
	dir, err := settingsDir()
	if err != nil {
		return complain(stderr, err)
	}
	path := settingsPath(dir)
	r := readConfig(path)
	if err := printConfig(stdout, path, r); err != nil {
		return complain(stderr, fmt.Errorf("print: %w", err))
	}
	for _, p := range r.odd {
		complain(stderr, p)
	}
	if r.err != nil {
		return complain(stderr, errors.New(r.broken("the defaults")))
	}
	return 0
}

// Picked is the friend that config.toml gives an agent, by id or name; empty for
// none, and for a file that cannot be used.
func Picked(agent string) string {
	dir, err := settingsDir()
	if err != nil {
		return ""
	}
	return readConfig(settingsPath(dir)).settings.AgentPets[agent]
}

// complain says what is wrong, as every command does, and returns 1.
func complain(stderr io.Writer, what any) int {
	fmt.Fprintf(stderr, "playpets: %s\n", agents.Plain(fmt.Sprint(what)))
	return 1
}

// printConfig prints a line a setting. There is no file where nothing was read.
func printConfig(w io.Writer, path string, r reading) error {
	there := ""
	if _, err := os.Stat(path); err != nil {
		there = " (not there)"
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "# %s%s\n", agents.Plain(path), there)
	for _, e := range r.inEffect(os.Getenv) {
		fmt.Fprintf(table, "%s = %s\t# %s\n", agents.Plain(e.key), e.value, e.from)
	}
	return table.Flush()
}

// effect is a setting as it is in effect: its key and value as in a file, and where
// the value comes from.
type effect struct{ key, value, from string }

// inEffect lists all settings, in the template's order.
func (r reading) inEffect(getenv func(string) string) (all []effect) {
	byDefault, set, at := values(fullTemplate()), map[string]any{}, spots{}
	if r.err == nil {
		set, at = values(r.data), find(bareText(r.data))
	}
	for _, key := range find(fullTemplate()).keys() {
		value, isKey := byDefault[key]
		switch {
		case key == "agent_pets":
			all = append(all, r.pets(at)...)
		case !isKey, strings.HasPrefix(key, "agent_pets."): // a table; an example
		case key == "language":
			all = append(all, r.speaks(at, getenv))
		case set[key] == nil || set[key] == "" || set[key] == int64(0):
			all = append(all, effect{key, literal(value), "default"})
		default:
			all = append(all, effect{key, literal(set[key]), at.from(key)})
		}
	}
	return all
}

func (r reading) speaks(at spots, getenv func(string) string) effect {
	e := effect{key: "language", value: literal(i18n.New(i18n.System(getenv)).Lang()), from: "the system"}
	switch {
	case getenv("PLAYPETS_LANG") != "":
		e.from = "PLAYPETS_LANG"
	case r.settings.Language != "":
		e.value, e.from = literal(r.settings.Language), at.from("language")
	}
	return e
}

func (r reading) pets(at spots) (all []effect) {
	for agent, pet := range r.settings.AgentPets {
		key := folded(toml.Key{"agent_pets", agent})
		all = append(all, effect{key, literal(pet), at.from(key)})
	}
	slices.SortFunc(all, func(a, b effect) int { return cmp.Compare(a.key, b.key) })
	return all
}

// from says where in the file a key stands.
func (s spots) from(key string) string {
	if s[key].line == 0 {
		return "config.toml"
	}
	return fmt.Sprintf("line %d", s[key].line)
}

// literal is a value as a file has it, without anything that steers a terminal.
func literal(v any) string {
	if text, ok := v.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(v)
}

// values are those of a file that parses, by folded key.
func values(data []byte) map[string]any {
	var tree map[string]any
	all := map[string]any{}
	if _, err := toml.Decode(string(bareText(data)), &tree); err == nil {
		flatten(all, nil, tree)
	}
	return all
}

func flatten(all map[string]any, table toml.Key, tree map[string]any) {
	for name, value := range tree {
		key := append(slices.Clip(table), name)
		if below, ok := value.(map[string]any); ok {
			flatten(all, key, below)
			continue
		}
		all[folded(key)] = value
	}
}
