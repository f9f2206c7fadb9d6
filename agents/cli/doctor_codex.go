package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

// codexHooks looks whether Codex takes a hooks.json.
func (e *exam) codexHooks(f settingsFile) {
	where := installer.Short(f.path)
	if !json.Valid(f.data) {
		e.find(installer.Fail, where+": Codex takes plain JSON only, without comments and with no comma too many", "Take those out.")
	}
	for _, key := range slices.Sorted(maps.Keys(f.tree)) {
		if key != "hooks" && key != "description" {
			e.find(installer.Fail, fmt.Sprintf("%s has %q, so Codex reads none of it", where, key), "Take that line out.")
		}
	}
}

// codexNotify looks whether Codex takes the notify in its config.toml.
func (e *exam) codexNotify(f settingsFile) {
	where := installer.Short(f.path)
	if notify, is := f.tree["notify"]; is && len(texts(notify)) == 0 {
		e.find(installer.Fail, where+": notify takes a list, and Codex does not start with anything else", "Write it as `playpets snippet codex` prints it.")
	}
	for _, name := range slices.Sorted(maps.Keys(f.tree)) {
		if table, _ := f.tree[name].(map[string]any); notifies(table) {
			e.find(installer.Fail, where+": notify stands below ["+name+" …], where Codex ignores it", "Move it to the first line of the file.")
		}
	}
}

// notifies reports whether our notify stands in a table or below it.
func notifies(table map[string]any) bool {
	if _, is := snippets.Ours(texts(table["notify"])...); is {
		return true
	}
	for _, v := range table {
		if below, ok := v.(map[string]any); ok && notifies(below) {
			return true
		}
	}
	return false
}

// codexTrust looks whether Codex runs our hooks: they may be switched off, and
// it skips in silence those that nobody has trusted.
func (e *exam) codexTrust(files []settingsFile) {
	var config map[string]any
	for _, f := range files {
		if filepath.Ext(f.path) == ".toml" {
			config = f.tree
		}
	}
	bad := installer.Fail
	if _, is := snippets.Ours(texts(config["notify"])...); is {
		bad = installer.Warn // the end of each turn is heard all the same
	}
	for _, f := range files {
		keys := hookKeys(f)
		if len(keys) == 0 {
			continue
		}
		for _, feature := range []string{"hooks", "codex_hooks"} {
			if at(config, "features", feature) == false {
				e.find(bad, "Codex' config.toml has "+feature+" = false in [features]: no hook runs", "Take that line out.")
				return
			}
		}
		if err := e.trusted(config, f.path, keys); err != nil {
			e.find(bad, installer.Short(f.path)+": "+err.Error(), "Type /hooks in Codex and trust the hooks of PlayPets.")
		}
	}
}

// trusted says which of the hooks in a file Codex does not run. Whether it
// trusts a hook as it is now, only Codex can tell.
func (e *exam) trusted(config map[string]any, path string, keys []string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	off, unknown := 0, 0
	for _, key := range keys {
		state, _ := at(config, "hooks", "state", path+":"+key).(map[string]any)
		if state == nil {
			state, _ = at(config, "hooks", "state", target+":"+key).(map[string]any)
		}
		hash, _ := state["trusted_hash"].(string)
		switch {
		case state["enabled"] == false:
			off++
		case hash == "":
			unknown++
		}
	}
	switch {
	case off > 0:
		return fmt.Errorf("%d of its %d hooks are switched off", off, len(keys))
	case unknown > 0:
		return errors.New("its hooks wait for your trust")
	}
	return nil
}

// hookKeys are the names that Codex gives to our hooks in a file, such as
// pre_tool_use:0:0.
func hookKeys(f settingsFile) (keys []string) {
	hooks, _ := at(f.tree, "hooks").(map[string]any)
	for _, event := range slices.Sorted(maps.Keys(hooks)) {
		for i, group := range objects(hooks[event]) {
			for j, hook := range objects(group["hooks"]) {
				command, _ := hook["command"].(string)
				if _, ours := snippets.Ours(command); ours {
					keys = append(keys, fmt.Sprintf("%s:%d:%d", snake(event), i, j))
				}
			}
		}
	}
	return keys
}

// snake is PreToolUse as pre_tool_use.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if 'A' <= r && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
