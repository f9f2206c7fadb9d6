package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"

	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/snippets"
)

// A settingsFile is a file of an agent's settings that could be read.
type settingsFile struct {
	path string
	data []byte         // as it is
	tree map[string]any // what is in it
}

// An entry is a command in settings that starts PlayPets. The program is not known
// where it is in a line of the person's own.
type entry struct{ command, program string }

// parseSettings reads the text of a file of that format, "json" (with comments)
// or "toml". Its errors name the line.
func parseSettings(path string, data []byte, format string) (f settingsFile, err error) {
	f = settingsFile{path: path, data: data}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case format == "toml":
		err = toml.Unmarshal(text, &f.tree)
	case len(bytes.TrimSpace(text)) == 0:
	default:
		// Standardize writes where it reads.
		if text, err = hujson.Standardize(bytes.Clone(text)); err == nil {
			err = json.Unmarshal(text, &f.tree)
		}
	}
	return f, plainParse(err)
}

// plainParse is what a parser says, in words for people.
func plainParse(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return errors.New("line 1: it is no object { … }")
	}
	return errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "hujson: "), "toml: "))
}

// hooks are the entries by which an agent tells PlayPets what it does.
func (f settingsFile) hooks() []entry {
	return ours(append(commands(f.tree["hooks"]), texts(f.tree["notify"])))
}

// servers are the entries by which an agent starts PlayPets as an MCP server.
func (f settingsFile) servers() []entry {
	return ours(append(commands(f.tree["mcpServers"]), commands(f.tree["mcp_servers"])...))
}

// ours are those of the commands that start PlayPets.
func ours(commands [][]string) (all []entry) {
	for _, words := range commands {
		program, ok := snippets.Ours(words...)
		switch {
		case ok:
			all = append(all, entry{strings.Join(words, " "), program})
		case snippets.Starts(words...):
			all = append(all, entry{strings.Join(words, " "), ""})
		}
	}
	return all
}

// commands are the command lines anywhere in a part of settings, with their
// arguments where these stand apart.
func commands(v any) (all [][]string) {
	for _, one := range objects(v) {
		all = append(all, commands(one)...)
	}
	m, _ := v.(map[string]any)
	if command, ok := m["command"].(string); ok {
		all = append(all, append([]string{command}, texts(m["args"])...))
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		all = append(all, commands(m[key])...)
	}
	return all
}

// objects are a list of objects, in JSON and in TOML. What is none keeps its place.
func objects(v any) []map[string]any {
	if tables, ok := v.([]map[string]any); ok {
		return tables
	}
	items, _ := v.([]any)
	all := make([]map[string]any, len(items))
	for i, item := range items {
		all[i], _ = item.(map[string]any)
	}
	return all
}

// texts are the strings of a list.
func texts(v any) (all []string) {
	list, _ := v.([]any)
	for _, one := range list {
		if s, ok := one.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// at is what stands below these keys, nil for nothing.
func at(tree map[string]any, keys ...string) any {
	var v any = tree
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// locate finds a program as the agent's shell would.
func (d *doctor) locate(program string) (path string, ok bool) {
	if !strings.ContainsAny(program, `/\`) {
		path, err := exec.LookPath(program)
		return path, err == nil
	}
	if rest, tilde := strings.CutPrefix(program, "~/"); tilde {
		program = filepath.Join(d.home, rest)
	}
	for _, path := range []string{program, os.Expand(program, d.getenv)} {
		look := os.Stat
		if d.program.Packaged {
			look = os.Lstat // nobody can follow the alias of a Windows package
		}
		if _, err := look(path); err == nil || errors.Is(err, os.ErrPermission) {
			return path, true
		}
	}
	return "", false
}

// namesBridge reports whether a command leads to our bridge.json: by name, or
// by naming none where ours is the default one. Each agent and shell quotes
// paths in its own way, so quotes and slashes do not count.
func (d *doctor) namesBridge(command string) bool {
	bare := func(s string) string { return unquoted.Replace(s) + " " }
	_, named, ok := strings.Cut(command, "--bridge")
	if !ok {
		dir, err := line.DataDir()
		return err == nil && filepath.Join(dir, "bridge.json") == filepath.Clean(d.bridge)
	}
	return strings.HasPrefix(strings.TrimLeft(bare(named), " ="), bare(d.bridge))
}

var unquoted = strings.NewReplacer(`'`, "", `"`, "", "`", "", "’", "", "‘", "", `\`, "", "/", "")
