package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// newTestDoctor looks at a home of its own, with this test as the program.
func newTestDoctor(t *testing.T) *doctor {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the files here are those of other systems")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PLAYPETS_DATA", filepath.Join(home, "data"))
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, "the bin", "playpets")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	return &doctor{
		system: runtime.GOOS, home: home, now: noon,
		getenv:   func(string) string { return "" },
		bridge:   filepath.Join(home, "data", "bridge.json"),
		managed:  filepath.Join(home, "managed.json"),
		program:  installer.Program{Path: link},
		statuses: []agents.Status{},
	}
}

// write makes files below the home. In their texts EXE is this program, BRIDGE
// our bridge.json and HOOKS the text of the agent's snippet of that name.
func (d *doctor) write(t *testing.T, agent string, files map[string]string) {
	t.Helper()
	p := snippets.Program{Path: d.program.Path, Bridge: d.bridge, System: d.system}
	all, err := snippets.Hooks(agent, p)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"EXE", d.program.Path, "BRIDGE", d.bridge, "HOME", d.home}
	for _, s := range all {
		words = append(words, strings.ToUpper(s.Name), s.Text)
	}
	for name, text := range files {
		path := filepath.Join(d.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		text = strings.NewReplacer(words...).Replace(text)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// everyHook are the "hooks" of an agent with one entry at each of our events.
func everyHook(agent, entry string) string {
	kind, _ := agents.KindNamed(agent)
	all, err := snippets.Hooks(agent, snippets.Program{Path: "/playpets", System: runtime.GOOS})
	if err != nil {
		panic(err)
	}
	s, err := newShape(kind, all)
	if err != nil {
		panic(err)
	}
	var hooks []string
	for _, event := range s.events {
		hooks = append(hooks, fmt.Sprintf("%q: %s", event, entry))
	}
	return `"hooks": {` + strings.Join(hooks, ", ") + "}"
}

// hookFile is a hooks file in Claude's form with one command.
func hookFile(command string) string {
	return "{" + everyHook("claude", fmt.Sprintf(`[{"hooks": [{"type": "command", "command": %q}]}]`, command)) + "}"
}

// TestAgentSetups has one real set of files a row.
func TestAgentSetups(t *testing.T) {
	const claude, gemini, cursor = ".claude/settings.json", ".gemini/settings.json", ".cursor/hooks.json"
	const codexTOML, codexJSON = ".codex/config.toml", ".codex/hooks.json"
	ofGemini := everyHook("gemini", `[{"hooks": [{"type": "command", "name": "pp", "command": "'EXE' hook gemini"}]}]`)
	ofCursor := everyHook("cursor", `[{"command": "'EXE' hook cursor"}]`)
	trusted := func(more string) string {
		b := "NOTIFY"
		for _, event := range []string{"user_prompt_submit", "pre_tool_use", "permission_request", "post_tool_use", "stop", "interrupt"} {
			b += "\n[hooks.state.\"HOME/.codex/hooks.json:" + event + ":0:0\"]\ntrusted_hash = \"sha256:1\"\n" + more
		}
		return b
	}
	for _, test := range []struct {
		name, agent string
		files       map[string]string
		want        installer.Status
		detail, fix string // a part of it
	}{
		{"no folder", "claude", nil, installer.OK, "not here", ""},
		{"no entry", "claude", map[string]string{claude: `{"theme": "dark"}`}, installer.Warn, "not connected", "playpets connect claude"},
		{"no file", "cursor", map[string]string{".cursor/x": ""}, installer.Warn, "not connected", "playpets connect cursor"},
		{"empty file", "gemini", map[string]string{gemini: " \n"}, installer.Warn, "not connected", "playpets connect gemini"},
		{"pasted", "claude", map[string]string{claude: "HOOKS"}, installer.OK, "connected, no event yet", ""},
		{"pasted", "codex", map[string]string{codexTOML: "NOTIFY", codexJSON: `{}`}, installer.OK, "connected, no event yet", ""},
		{"pasted and trusted", "codex", map[string]string{codexTOML: trusted(""), codexJSON: "HOOKS"}, installer.OK, "connected", ""},
		{"pasted", "gemini", map[string]string{gemini: "HOOKS"}, installer.OK, "connected, no event yet", ""},
		{"pasted", "cursor", map[string]string{cursor: "HOOKS"}, installer.OK, "connected, no event yet", ""},
		{"comments and a mark", "claude", map[string]string{claude: "\ufeff// mine\r\nHOOKS"}, installer.OK, "connected", ""},
		{"without the bridge", "claude", map[string]string{claude: hookFile(`"EXE" hook claude`)}, installer.OK, "connected", ""},
		{"by ~", "claude", map[string]string{claude: hookFile(`~/bin/playpets hook claude`), "bin/playpets": "x"}, installer.Warn, "another copy of PlayPets (~/bin/playpets)", "playpets connect claude"},

		{"broken JSON", "claude", map[string]string{claude: "{\n  \"hooks\": {,}\n}"}, installer.Fail, "~/.claude/settings.json: line 2, column", "Claude Code cannot read it either"},
		{"a list", "gemini", map[string]string{gemini: "[]"}, installer.Fail, "line 1: it is no object", "Gemini CLI cannot"},
		{"broken TOML", "codex", map[string]string{codexTOML: "notify = [\"a\"]\nnotify = [\"b\"]\n"}, installer.Fail, "line 2", "Codex cannot"},
		{"moved program", "claude", map[string]string{claude: hookFile(`'HOME/old/playpets' hook claude`)}, installer.Fail, "starts a program that is not there any more", "playpets connect claude"},
		{"moved program", "codex", map[string]string{codexTOML: `notify = ["/old/secret/playpets", "hook", "codex"]`}, installer.Fail, "starts a program that is not there any more", "playpets connect codex"},
		{"another copy", "gemini", map[string]string{gemini: `{` + strings.ReplaceAll(ofGemini, "EXE", "HOME/b/playpets") + `}`, "b/playpets": "x"}, installer.Warn, "another copy of PlayPets (~/b/playpets)", "playpets connect gemini"},
		{"another bridge", "claude", map[string]string{claude: hookFile(`'EXE' hook claude --bridge '/elsewhere/bridge.json'`)}, installer.Warn, "another bridge.json", "playpets connect claude"},
		{"longer bridge", "claude", map[string]string{claude: hookFile(`'EXE' hook claude --bridge 'BRIDGE.old'`)}, installer.Warn, "another bridge.json", "playpets connect claude"},
		{"moved MCP program", "claude", map[string]string{claude: "HOOKS", ".claude.json": `{"mcpServers": {"playpets": {"command": "/gone/playpets", "args": ["mcp"]}}}`}, installer.Fail, "the MCP entry in ~/.claude.json starts a program that is not there", "playpets connect claude --mcp"},
		{"MCP alone", "gemini", map[string]string{gemini: `{"mcpServers": {"playpets": {"command": "EXE", "args": ["mcp"]}}}`}, installer.Warn, "not connected", "playpets connect gemini"},
		{"MCP alone", "cursor", map[string]string{".cursor/mcp.json": `{"mcpServers": {"playpets": {"command": "EXE", "args": ["mcp"]}}}`}, installer.Warn, "not connected", "playpets connect cursor"},

		{"all hooks off", "claude", map[string]string{claude: `{"disableAllHooks": true, ` + hookFile(`'EXE' hook claude`)[1:]}, installer.Fail, `"disableAllHooks": true: no hook runs`, "Take that line out"},
		{"managed", "claude", map[string]string{claude: "HOOKS", "managed.json": `{"allowManagedHooksOnly": true}`}, installer.Fail, "your administrator manages", "manages this computer"},
		{"hooks off", "gemini", map[string]string{gemini: `{"hooksConfig": {"enabled": false}, ` + ofGemini + `}`}, installer.Fail, `"hooksConfig": no hook runs`, "true"},
		{"disabled by name", "gemini", map[string]string{gemini: `{"hooksConfig": {"disabled": ["pp"]}, ` + ofGemini + `}`}, installer.Fail, "among the disabled hooks", `"disabled"`},
		{"disabled by command", "gemini", map[string]string{gemini: `{"hooksConfig": {"disabled": ["'EXE' hook gemini"]}, ` + ofGemini + `}`}, installer.Fail, "among the disabled hooks", `"disabled"`},
		{"disabled by an older version's switch", "gemini", map[string]string{gemini: `{` + strings.Replace(ofGemini, "{", `{"disabled": ["pp"], `, 1) + `}`}, installer.Fail, "among the disabled hooks", `in "hooks"`},
		{"hooks off by an older version's switch", "gemini", map[string]string{gemini: `{"tools": {"enableHooks": false}, ` + ofGemini + `}`}, installer.Fail, `"tools": no hook runs`, "true"},
		{"others disabled", "gemini", map[string]string{gemini: `{"hooksConfig": {"disabled": ["x"]}, ` + ofGemini + `}`}, installer.OK, "connected", ""},
		{"no version", "cursor", map[string]string{cursor: `{` + ofCursor + `}`}, installer.Fail, `no "version": 1`, `Add "version": 1`},
		{"odd version", "cursor", map[string]string{cursor: `{"version": "1", ` + ofCursor + `}`}, installer.Fail, `no "version": 1`, `Add "version": 1`},
		{"unknown event", "cursor", map[string]string{cursor: `{"version": 1, ` + strings.Replace(ofCursor, "{", `{"onStop": [], `, 1) + `}`}, installer.Warn, `an event "onStop"`, "Take that event out"},
		{"two slashes", "cursor", map[string]string{cursor: `{"version": 1, "hooks": {"stop": [{"command": "echo http://a"}, {"command": "'EXE' hook cursor"}]}}`}, installer.Fail, "// inside a text", "Take that out"},
		{"a comma too many", "cursor", map[string]string{cursor: `{"version": 1, "hooks": {"stop": [{"command": "'EXE' hook cursor"},]}}`}, installer.Fail, "a comma too many", "Take that out"},
		{"commented", "cursor", map[string]string{cursor: "// mine\n" + `{"version": 1, ` + ofCursor + `}`}, installer.OK, "connected", ""},
		{"notify in a table", "codex", map[string]string{codexTOML: "[projects.\"/secret/x\"]\nNOTIFY"}, installer.Fail, "notify stands below [projects …]", "first line"},
		{"notify is a text", "codex", map[string]string{codexTOML: "notify = \"EXE hook codex\"\n", codexJSON: "HOOKS"}, installer.Fail, "notify takes a list", "playpets snippet codex"},
		{"somebody else's notify", "codex", map[string]string{codexTOML: `notify = ["terminal-notifier"]`}, installer.Warn, "not connected", "playpets connect codex"},
		{"not trusted", "codex", map[string]string{codexTOML: "", codexJSON: "HOOKS"}, installer.Fail, "wait for your trust", "/hooks"},
		{"not trusted, but notify", "codex", map[string]string{codexTOML: "NOTIFY", codexJSON: "HOOKS"}, installer.Warn, "wait for your trust", "/hooks"},
		{"switched off in Codex", "codex", map[string]string{codexTOML: trusted("enabled = false\n"), codexJSON: "HOOKS"}, installer.Warn, "6 of its 6 hooks are switched off", "/hooks"},
		{"feature off", "codex", map[string]string{codexTOML: "[features]\nhooks = false\n", codexJSON: "HOOKS"}, installer.Fail, "hooks = false in [features]", "Take that line out"},
		{"hooks in config.toml", "codex", map[string]string{codexTOML: "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"'EXE' hook codex\"\n"}, installer.Fail, "wait for your trust", "/hooks"},
		{"$schema", "codex", map[string]string{codexTOML: "NOTIFY", codexJSON: `{"$schema": "x", "hooks": {}}`}, installer.Fail, `has "$schema"`, "Take that line out"},
		{"comments", "codex", map[string]string{codexTOML: "NOTIFY", codexJSON: "// x\n{\"hooks\": {}}"}, installer.Fail, "plain JSON only", "Take those out"},
		{"a folder", "claude", map[string]string{claude + "/x": ""}, installer.Warn, "~/.claude/settings.json cannot be looked at: it is no file", ""},
	} {
		t.Run(test.agent+"/"+test.name, func(t *testing.T) {
			checkSetup(t, test.agent, test.files, test.want, test.detail, test.fix)
		})
	}
}

// TestMovedFolder follows the variables by which people move an agent's folder.
func TestMovedFolder(t *testing.T) {
	d := newTestDoctor(t)
	d.write(t, "claude", map[string]string{"moved/settings.json": "HOOKS"})
	d.getenv = func(key string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(d.home, "moved")}[key]
	}
	kind, _ := agents.KindNamed("claude")
	if got := d.agent(kind); got.Status != installer.OK || !strings.HasPrefix(got.Detail, "connected") {
		t.Errorf("%+v", got)
	}
}

func TestLastEvent(t *testing.T) {
	d := newTestDoctor(t)
	then := func(ago time.Duration) []agents.Activity {
		return []agents.Activity{{Agent: "claude", Time: noon.Add(-ago)}, {Agent: "codex", Time: noon}, {Agent: "claude", Time: noon.Add(-1000 * time.Hour)}}
	}
	kind, _ := agents.KindNamed("claude")
	d.write(t, "claude", map[string]string{".claude/x": ""})
	d.statuses = []agents.Status{{Activities: then(3 * time.Minute)}}
	if got := d.agent(kind); got.Status != installer.OK || got.Detail != "not connected in its own settings, yet heard of: last event 3 min ago" {
		t.Errorf("%+v", got)
	}
	d.write(t, "claude", map[string]string{".claude/settings.json": "HOOKS"})
	for ago, want := range map[time.Duration]string{
		-time.Second: "just now", 59 * time.Second: "just now", time.Hour - 1: "59 min ago",
		47 * time.Hour: "47 h ago", 49 * time.Hour: "2 days ago",
	} {
		d.statuses = []agents.Status{{}, {Activities: then(ago)}}
		if got := d.agent(kind); got.Detail != "connected, last event "+want {
			t.Errorf("%v: %+v", ago, got)
		}
	}
	d.statuses, d.heard = []agents.Status{}, map[string]time.Time{"claude": noon.Add(-2 * time.Minute)}
	if got := d.agent(kind); got.Detail != "connected, last event 2 min ago" {
		t.Errorf("others said more since: %+v", got)
	}
	d.statuses, d.heard = nil, nil
	if got := d.agent(kind); got.Detail != "connected" {
		t.Errorf("no app: %+v", got)
	}
}

// TestLineToTheApp breaks the line to the app at each of its joints.
func TestLineToTheApp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	for _, test := range []struct {
		name, kind string // kind of the fake app, empty for none
		then       func(path string) error
		want       string // id and status of each row
		detail     string // a part of the last one's
	}{
		{"all well", "honest", nil, "app ok, bridge ok, answer ok, version ok", "both " + installer.Version()},
		{"off", "", nil, "app fail", "not running"},
		{"killed", "", func(path string) error { return os.WriteFile(path, []byte(`{"port":1,"token":"t"}`), 0o600) }, "app fail", "ended early"},
		{"stale lock file", "", func(path string) error { return os.WriteFile(path+".lock", nil, 0o600) }, "app fail", "not running"},
		{"lock is a folder", "", func(path string) error { return os.Mkdir(path+".lock", 0o700) }, "app fail", "not a plain file"},
		{"readable by all", "honest", func(path string) error { return os.Chmod(path, 0o644) }, "app ok, bridge fail", "other users can read it"},
		{"file removed", "honest", os.Remove, "app ok, bridge fail", "is missing"},
		{"file cut", "broken", nil, "app ok, bridge fail", "bridge.json: "},
		{"a link", "honest", func(path string) error {
			if err := os.Rename(path, path+".real"); err != nil {
				return err
			}
			return os.Symlink(path+".real", path)
		}, "app ok, bridge fail", "bridge.json: "},
		{"dead port", "honest", func(path string) error {
			return line.Publish(path, line.Endpoint{Port: 1, Token: strings.Repeat("2", 64)})
		}, "app ok, bridge ok, answer fail", "the port of bridge.json: connection refused"},
		{"wrong token", "stranger", nil, "app ok, bridge ok, token fail", "does not take the token"},
		{"hangs", "hung", nil, "app ok, bridge ok, answer fail", "does not answer in time"},
		{"a web server on the port", "impostor", nil, "app ok, bridge ok, answer fail", "is not PlayPets"},
		{"a mail server on the port", "chatter", nil, "app ok, bridge ok, answer fail", "not an HTTP/1.1 reply"},
		{"an older app", "older", nil, "app ok, bridge ok, answer ok, version warn", "the app is of an unknown version, this command is "},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "bridge.json")
			if test.kind != "" {
				stop, err := new(fakeApp).start(test.kind, path)
				if err != nil {
					t.Fatal(err)
				}
				defer stop()
			}
			if test.then != nil {
				if err := test.then(path); err != nil {
					t.Fatal(err)
				}
			}
			var rows []string
			report := checkApp(path)
			for _, c := range report.checks {
				rows = append(rows, c.ID+" "+string(c.Status))
				if (c.Fix == "") != (c.Status == installer.OK) {
					t.Errorf("%s is %s, fix %q", c.ID, c.Status, c.Fix)
				}
				if strings.Contains(c.Detail+c.Fix, filepath.Dir(path)) || strings.Contains(c.Detail+c.Fix, "2222") {
					t.Errorf("it shows a path or the token: %+v", c)
				}
			}
			if got := strings.Join(rows, ", "); got != test.want || !strings.Contains(report.checks[len(rows)-1].Detail, test.detail) {
				t.Errorf("%s (%s), not %s (%s)", got, report.checks[len(rows)-1].Detail, test.want, test.detail)
			}
			if (report.statuses != nil) != strings.Contains(test.want, "answer ok") {
				t.Errorf("statuses %v", report.statuses)
			}
		})
	}
}

func TestShowable(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for text, want := range map[string]string{
		"read " + home + "/x: no":                    "read ~/x: no",
		"open /etc/claude-code/managed.json: denied": "open managed.json: denied",
		`("C:\Users\kim\secret\a.exe")`:              `("a.exe")`,
		"[projects./home/me/secret/app]":             "[projects./home/me/secret/app]",
		"~/.config/playpets/config.toml: line 3":     "~/.config/playpets/config.toml: line 3",
		"Type /hooks in Codex and/or elsewhere":      "Type /hooks in Codex and/or elsewhere",
		"a\x1b[31m/b/c":                              "a[31m/b/c",
	} {
		if got := showable(text); got != want {
			t.Errorf("showable(%q) = %q, not %q", text, got, want)
		}
	}
}
