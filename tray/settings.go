package tray

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/friends"
)

// settingsVersion is the newest form of config.toml that this program reads.
const settingsVersion = 1

// settings is config.toml. Every key is optional.
type settings struct {
	Version  int    `toml:"version"`
	Language string `toml:"language"` // "ko"; empty: the system's
	Theme    string `toml:"theme"`    // of bubbles, one of themes; empty: the system's
	Size     int    `toml:"size"`     // percent, 50 to 300; 0: 100
	Motion   string `toml:"motion"`   // one of motions; empty: the system's
	Show     struct {
		When string `toml:"when"` // one of whens; empty: always
	} `toml:"show"`
	AgentPets map[string]string `toml:"agent_pets"`
	Lifetimes struct {          // how long a state lasts that no event renews
		Working duration `toml:"working"`
		Waiting duration `toml:"waiting"`
		Error   duration `toml:"error"`
		Done    duration `toml:"done"`
	} `toml:"lifetimes"`
}

// The words that settings know.
var (
	themes  = []string{"system", "light", "dark"}
	motions = []string{"system", "calm", "lively", "reduced"}
	whens   = []string{"always", "active", "never"}
)

// lifetimes hands over what is set; zero means the store's own default.
func (s settings) lifetimes() friends.Lifetimes {
	l := s.Lifetimes
	return friends.Lifetimes{
		Working: time.Duration(l.Working), Waiting: time.Duration(l.Waiting),
		Error: time.Duration(l.Error), Done: time.Duration(l.Done),
	}
}

// duration is a time.Duration written as in "15m" or "24h", above zero.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is not a time such as \"15m\" or \"24h\"", text)
	}
	*d = duration(v)
	return nil
}

// settingsDir is the folder of config.toml, as the design's table of files
// gives it.
func settingsDir() (string, error) {
	if dir := os.Getenv("PLAYPETS_DATA"); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the settings folder: %w", err)
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return filepath.Join(root, "PlayPets"), nil
	}
	return filepath.Join(root, "playpets"), nil
}

// settingsPath is the settings' file in their folder.
func settingsPath(dir string) string { return filepath.Join(dir, "config.toml") }

// readSettings reads config.toml in dir. It always returns settings that
// work; warnings are lines for the person. A file that cannot be used is
// copied aside and left where it is, so that it can be mended in place.
func readSettings(dir string) (s settings, warnings []string) {
	path := settingsPath(dir)
	data, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return settings{}, nil
	}
	if err != nil {
		return settings{}, []string{fmt.Sprintf("read settings: %v; going on with the defaults", err)}
	}
	s, unknown, err := parseSettings(data)
	if err != nil {
		warning := fmt.Sprintf("config.toml: %v; going on with the defaults", err)
		if kept, err := copyAside(path); err == nil {
			warning += "; a copy is kept as " + filepath.Base(kept)
		}
		return settings{}, []string{warning}
	}
	for _, key := range unknown {
		warnings = append(warnings, fmt.Sprintf("config.toml: unknown key %s", key))
	}
	return s, append(warnings, unknownAgents(s.AgentPets)...)
}

// unknownAgents warns of agents that only a script of the person's own can be.
func unknownAgents(agentPets map[string]string) (warnings []string) {
	known := []string{"run"} // `playpets run`
	for _, k := range agents.Kinds {
		known = append(known, k.Name)
	}
	for _, agent := range slices.Sorted(maps.Keys(agentPets)) {
		if !slices.Contains(known, agent) {
			warnings = append(warnings, fmt.Sprintf("config.toml: agent_pets: %q is no agent that PlayPets knows: %s", agent, strings.Join(known, ", ")))
		}
	}
	return warnings
}

// parseSettings decodes config.toml and checks every value.
func parseSettings(data []byte) (s settings, unknown []string, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	meta, err := toml.Decode(string(data), &s)
	if err != nil {
		return settings{}, nil, plainer(err)
	}
	if kind := meta.Type("agent_pets"); kind != "" && kind != "Hash" { // toml passes over it
		return settings{}, nil, errors.New("agent_pets takes a table such as [agent_pets]")
	}
	if s.Version > settingsVersion {
		return settings{}, nil, fmt.Errorf("version %d is newer than this PlayPets reads (%d)", s.Version, settingsVersion)
	}
	if s.Size != 0 && (s.Size < 50 || s.Size > 300) {
		return settings{}, nil, fmt.Errorf("size = %d: use 50 to 300 (percent)", s.Size)
	}
	if err := errors.Join(oneOf("theme", s.Theme, themes), oneOf("motion", s.Motion, motions), oneOf("when", s.Show.When, whens)); err != nil {
		return settings{}, nil, err
	}
	if known := func(l i18n.Language) bool { return l.Code == s.Language }; s.Language != "" && !slices.ContainsFunc(i18n.Languages(), known) {
		return settings{}, nil, fmt.Errorf("language = %q: PlayPets does not speak it yet", s.Language)
	}
	for _, key := range meta.Undecoded() {
		unknown = append(unknown, key.String())
	}
	return s, unknown, nil
}

// wrongKind is what toml says of a value of the wrong kind, in words of Go.
var wrongKind = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): .*(?:destination has type|expected) (\w+)`)

// kinds are toml's words for what a key takes.
var kinds = map[string]string{
	"integer":   "a whole number such as 100",
	"string":    `a text such as "dark"`,
	"primitive": `a time such as "15m"`,
	"table":     "a table such as [show]",
}

// plainer is an error of toml in words for people.
func plainer(err error) error {
	m := wrongKind.FindStringSubmatch(err.Error())
	if m == nil || kinds[m[3]] == "" {
		return err
	}
	return fmt.Errorf("line %s: %s takes %s", m[1], m[2], kinds[m[3]])
}

// oneOf refuses a value that is set and no such word.
func oneOf(key, value string, words []string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return fmt.Errorf("%s = %q: use \"%s\"", key, value, strings.Join(words, `", "`))
}

// language is the one to speak: the environment's choice, the file's, the
// system's.
func (s settings) language() string {
	if s.Language != "" && os.Getenv("PLAYPETS_LANG") == "" {
		return s.Language
	}
	return i18n.System(os.Getenv)
}
