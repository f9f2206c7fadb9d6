package snippets

import (
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	type env map[string]string
	for _, c := range []struct {
		agent, name, system, home string
		env                       env
		file, path, shown         string
	}{
		{"claude", "hooks", "linux", "/home/me", nil, "~/.claude/settings.json", "/home/me/.claude/settings.json", "~/.claude/settings.json"},
		{"claude", "hooks", "linux", "/home/me", env{"CODEX_HOME": "/x"}, "~/.claude/settings.json", "/home/me/.claude/settings.json", "~/.claude/settings.json"},
		{"claude", "hooks", "darwin", "/Users/me/", env{"CLAUDE_CONFIG_DIR": "/else/"}, "~/.claude/settings.json", "/else/settings.json", "/else/settings.json"},
		{"claude", "mcp", "linux", "/home/me", nil, "~/.claude.json", "/home/me/.claude.json", "~/.claude.json"},
		{"claude", "mcp", "linux", "/home/me", env{"CLAUDE_CONFIG_DIR": "/home/me/c"}, "~/.claude.json", "/home/me/c/.claude.json", "~/c/.claude.json"},
		{"codex", "notify", "linux", "/home/me", env{"CODEX_HOME": "/home/meadow"}, "~/.codex/config.toml", "/home/meadow/config.toml", "/home/meadow/config.toml"},
		{"codex", "hooks", "windows", `C:\Users\me`, nil, `%USERPROFILE%\.codex\hooks.json`, `C:\Users\me\.codex\hooks.json`, `%USERPROFILE%\.codex\hooks.json`},
		{"codex", "mcp", "windows", `C:\Users\me`, env{"CODEX_HOME": `D:\codex\`}, `%USERPROFILE%\.codex\config.toml`, `D:\codex\config.toml`, `D:\codex\config.toml`},
		{"gemini", "hooks", "windows", `C:\Users\me`, nil, `%USERPROFILE%\.gemini\settings.json`, `C:\Users\me\.gemini\settings.json`, `%USERPROFILE%\.gemini\settings.json`},
		{"gemini", "mcp", "linux", "/home/me", nil, "~/.gemini/settings.json", "/home/me/.gemini/settings.json", "~/.gemini/settings.json"},
		{"cursor", "hooks", "linux", "/", nil, "~/.cursor/hooks.json", "/.cursor/hooks.json", "~/.cursor/hooks.json"},
		{"cursor", "mcp", "darwin", "/Users/me", nil, "~/.cursor/mcp.json", "/Users/me/.cursor/mcp.json", "~/.cursor/mcp.json"},
		{"mcp", "mcp", "linux", "/home/me", nil, "", "", ""},
	} {
		s := find(t, c.agent, c.name, Program{Path: "/p", System: c.system})
		getenv := func(name string) string { return c.env[name] }
		if path, shown := Path(s, c.home, getenv), Shown(s, c.home, getenv); s.File != c.file || path != c.path || shown != c.shown {
			t.Errorf("%+v: %q, %q, %q", c, s.File, path, shown)
		}
		if s.Note == "" || strings.Contains(s.Note, "\n") {
			t.Errorf("%s %s: note %q", c.agent, c.name, s.Note)
		}
	}
}

func find(t *testing.T, agent, name string, p Program) Snippet {
	t.Helper()
	all, err := Hooks(agent, p)
	if err != nil {
		t.Fatal(err)
	}
	mcp, err := MCP(agent, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(all, mcp) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("%s has no %s", agent, name)
	return Snippet{}
}
