package tray

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

// errNoSnippet is returned for an agent or a name that has no settings to copy.
var errNoSnippet = errors.New("no such settings to copy")

// copyLimit is how long the clipboard may take; the bridge waits no longer.
const copyLimit = 2 * time.Second

// copyNotes are the words on what else must be known, by agent and snippet.
var copyNotes = map[[2]string]string{
	{"codex", "notify"}: "copied.codex_notify",
	{"codex", "hooks"}:  "copied.codex_hooks",
}

// copySnippet puts the settings of an agent on the clipboard and says, in words, where
// to paste them. When no clipboard takes them they are saved to a file, which is
// opened, and that is said.
func (a *app) copySnippet(words *i18n.Translator, agent, name string) (said string, err error) {
	s, program, err := a.snippet(agent, name)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), copyLimit)
	defer cancel()
	way, err := a.clip(ctx, s.Text)
	args := map[string]any{"Agent": title(agent), "File": s.File}
	key := "copied.clipboard"
	if s.File == "" {
		key = "copied.anywhere"
	}
	if err != nil {
		a.diary.Info("the clipboard took nothing", "error", err)
		path, err := a.saveSnippet(s)
		if err != nil {
			return "", err
		}
		go a.open(path)
		key, args["Saved"] = "copied.file", tilde(path)
	} else {
		a.diary.Info("copied", "agent", agent, "settings", name, "way", way)
	}
	said = words.Label(key, args)
	if note, more := copyNotes[[2]string{agent, name}]; more {
		said += " " + words.Label(note, nil)
	}
	if program.Temporary {
		said += " " + words.Label("copied.temporary", nil)
	}
	return said, nil
}

// snippet is what to paste for an agent; name is a snippet's.
func (a *app) snippet(agent, name string) (s snippets.Snippet, where installer.Program, err error) {
	where, err = installer.Find()
	if err != nil {
		return s, where, err
	}
	all, err := a.snippetsOf(agent, where.Path)
	if err != nil {
		return s, where, err
	}
	i := slices.IndexFunc(all, func(s snippets.Snippet) bool { return s.Name == name })
	if i < 0 {
		return s, where, errNoSnippet
	}
	return all[i], where, nil
}

// snippetsOf are all there is to paste for an agent.
func (a *app) snippetsOf(agent, program string) ([]snippets.Snippet, error) {
	if !slices.Contains(snippets.Agents(), agent) {
		return nil, errNoSnippet
	}
	return snippets.All(agent, snippets.Program{
		Path: program, Bridge: a.at.bridge, Pet: a.settings().AgentPets[agent], System: runtime.GOOS,
	})
}

// saveSnippet writes a snippet into the data folder, for its owner alone.
func (a *app) saveSnippet(s snippets.Snippet) (path string, err error) {
	path = filepath.Join(a.at.data, fmt.Sprintf("%s-%s.%s", s.Agent, s.Name, s.Format))
	if err := os.WriteFile(path, []byte(s.Text), 0o600); err != nil {
		return "", fmt.Errorf("save what to paste: %w", err)
	}
	return path, nil
}
