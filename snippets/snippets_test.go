package snippets

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/agents"
)

// Paths that people have, and worse.
var (
	unixPaths = []string{
		"/usr/local/bin/playpets", "/opt/play pets/playpets", "/home/o'neil/.local/bin/playpets",
		"/home/josé/bin/play$HOME`x`pets/playpets", `/home/a"b/playpets`, "/home/u/new\nline/playpets",
		"/Applications/Play Pets.app/Contents/MacOS/playpets", "/home/u/100%/play!pets/playpets",
		"/home/강아지/🐶/playpets", `/tmp/\back\\slash\'s/playpets`, "/srv//twice///*star*/playpets", "/~/#/-x/*?[a]{b,c}/playpets",
		"/a;b|c&d>e<f(g)h/playpets", "/tab\tand\rreturn/playpets", "/del\x7f\u2028\u00a0/playpets",
	}
	windowsPaths = []string{
		`C:\Users\sam\AppData\Local\PlayPets\playpets.exe`, `C:\Users\With Space\PlayPets\playpets.exe`,
		`C:\Users\O'Neil\pets & co\playpets.exe`, `C:\Users\以日记\playpets.exe`, `\\server\share\playpets.exe`,
		`D:\100%\$HOME\play!pets\playpets.exe`, "C:\\back`tick (x86)\\playpets.exe", `C:\‘curly’ “quotes”\playpets.exe`,
	}
	pets = []string{"", "mochi", "my friend's", "-x", "한글", `\`}
)

// every calls f for each program that people may have.
func every(f func(p Program)) {
	for _, pet := range pets {
		for _, path := range unixPaths {
			folder := path[:strings.LastIndex(path, "/")]
			f(Program{path, folder + "/data/bridge.json", pet, "linux"})
			f(Program{path, "", pet, "darwin"})
		}
		for _, path := range windowsPaths {
			f(Program{path, path[:strings.LastIndex(path, `\`)] + `\data\bridge.json`, pet, "windows"})
			f(Program{path, "", pet, "windows"})
		}
	}
}

func TestAgents(t *testing.T) {
	all := Agents()
	if len(all) != len(agents.Kinds)+1 || all[len(all)-1] != Other {
		t.Errorf("agents are %q", all)
	}
	for _, k := range agents.Kinds {
		if len(forms[k.Name].events) == 0 {
			t.Errorf("%s has no events", k.Name)
		}
		for _, event := range forms[k.Name].events {
			r := k.Reader()
			r.Feed([]byte(`{"hook_event_name":"` + event + `"}`))
			if _, ok := r.Report(); !ok {
				t.Errorf("%s: its %s says nothing to us", k.Name, event)
			}
		}
	}
}

type entry struct {
	Type, Shell, Command string
	Timeout              int
}

// read reads a hooks file as strictly as the strictest agent.
func read(t *testing.T, s Snippet) (entries []entry) {
	t.Helper()
	var file struct {
		Version int
		Hooks   map[string]json.RawMessage
	}
	strictly(t, s.Text, &file)
	if got := slices.Sorted(maps.Keys(file.Hooks)); !slices.Equal(got, slices.Sorted(slices.Values(forms[s.Agent].events))) {
		t.Errorf("%s: events are %q", s.Agent, got)
	}
	if (file.Version == 1) != (s.Agent == "cursor") {
		t.Errorf("%s: version %d", s.Agent, file.Version)
	}
	for _, text := range file.Hooks {
		if s.Agent == "cursor" {
			var steps []entry
			strictly(t, string(text), &steps)
			entries = append(entries, steps...)
			continue
		}
		var groups []struct{ Hooks []entry }
		strictly(t, string(text), &groups)
		for _, g := range groups {
			entries = append(entries, g.Hooks...)
		}
	}
	if len(entries) != len(file.Hooks) {
		t.Errorf("%s: %d entries for %d events", s.Agent, len(entries), len(file.Hooks))
	}
	return entries
}

func strictly(t *testing.T, text string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil || d.More() {
		t.Fatalf("%v in\n%s", err, text)
	}
}

func TestEveryHook(t *testing.T) {
	timeouts := map[string]int{"claude": 5, "codex": 5, "gemini": 5000, "cursor": 0}
	every(func(p Program) {
		for _, k := range agents.Kinds {
			all, err := Hooks(k.Name, p)
			if err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			for _, e := range read(t, all[len(all)-1]) {
				if e.Timeout != timeouts[k.Name] || e.Type == "command" == (k.Name == "cursor") {
					t.Errorf("%s: entry %+v", k.Name, e)
				}
				if e.Command != hookCommand(k.Name, p).line {
					t.Errorf("%s: command is %q", k.Name, e.Command)
				}
				if program, ok := Ours(e.Command); !ok || program != p.Path {
					t.Errorf("of %q we know %q, %t", e.Command, program, ok)
				}
			}
			if text := all[0].Text; k.Name == "cursor" && (strings.Contains(text, "//") || strings.Contains(text, "/*")) {
				t.Errorf("Cursor would cut a comment out of\n%s", text)
			}
		}
	})
	if none, err := Hooks(Other, Program{Path: "/p"}); none != nil || err != nil {
		t.Errorf("other tools have hooks: %v, %v", none, err)
	}
}

// TestNotify puts the snippet where its note says, into a file as people have it.
func TestNotify(t *testing.T) {
	const before = `# my settings
[notice.model_migrations]
"old-model" = "new-model"

[mcp_servers.playwright]
command = "npx"

[features]
multi_agent = true
`
	every(func(p Program) {
		all, err := Hooks("codex", p)
		if err != nil || len(all) != 2 || all[0].Name != "notify" || all[0].Format != "toml" {
			t.Fatalf("%+v, %v", all, err)
		}
		mcp, err := MCP("codex", p)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Notify   []string
			Notice   map[string]any
			Features map[string]bool
			Servers  map[string]server `toml:"mcp_servers"`
		}
		_, err = toml.Decode(all[0].Text+before+"\n"+mcp.Text, &file)
		if err != nil || len(file.Features) != 1 || len(file.Notice) != 1 {
			t.Fatalf("%v, %+v", err, file)
		}
		want := []string{p.Path, "hook", "codex"}
		if p.Bridge != "" {
			want = append(want, "--bridge", p.Bridge)
		}
		if p.Pet != "" {
			want = append(want, "--pet", p.Pet)
		}
		if !slices.Equal(file.Notify, want) {
			t.Errorf("notify is %q", file.Notify)
		}
		if len(file.Servers) != 2 || !reflect.DeepEqual(file.Servers["playpets"], serverOf(p)) {
			t.Errorf("servers are %+v", file.Servers)
		}
	})
}

type server struct {
	Type, Command string
	Args          []string
	Env           map[string]string
}

func serverOf(p Program) server {
	s := server{Command: p.Path, Args: []string{"mcp"}}
	if p.Bridge != "" {
		s.Args = append(s.Args, "--bridge", p.Bridge)
	}
	if p.Pet != "" {
		s.Env = map[string]string{"PLAYPETS_PET": p.Pet}
	}
	return s
}

func TestEveryMCP(t *testing.T) {
	every(func(p Program) {
		for _, agent := range Agents() {
			s, err := MCP(agent, p)
			if err != nil || s.Agent != agent || s.Name != "mcp" {
				t.Fatalf("%+v, %v", s, err)
			}
			if agent == "codex" { // see TestNotify
				continue
			}
			var file struct{ MCPServers map[string]server }
			strictly(t, s.Text, &file)
			want := serverOf(p)
			if agent == "claude" {
				want.Type = "stdio"
			}
			if got := file.MCPServers["playpets"]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v", agent, got)
			}
			if program, ok := Ours(append([]string{p.Path}, want.Args...)...); !ok || program != p.Path {
				t.Errorf("of %+v we know %q, %t", want, program, ok)
			}
		}
	})
}

func TestCommands(t *testing.T) {
	unix := Program{"/opt/play pets/o'neil/playpets", "/d/bridge.json", "mochi", "linux"}
	simple := Program{`C:\Users\sam\playpets.exe`, `C:\d\bridge.json`, "mochi", "windows"}
	odd := Program{`C:\Users\O'Neil\$x\playpets.exe`, `C:\d d\bridge.json`, "my friend", "windows"}
	for _, c := range []struct {
		agent string
		p     Program
		want  command
	}{
		{"claude", unix, command{line: `'/opt/play pets/o'\''neil/playpets' hook claude --bridge '/d/bridge.json' --pet mochi 2>/dev/null || true`}},
		{"codex", unix, command{line: `'/opt/play pets/o'\''neil/playpets' hook codex --bridge '/d/bridge.json' --pet mochi 2>/dev/null; true`}},
		{"gemini", unix, command{line: `'/opt/play pets/o'\''neil/playpets' hook gemini --bridge '/d/bridge.json' --pet mochi 2>/dev/null || true`}},
		{"cursor", unix, command{line: `'/opt/play pets/o'\''neil/playpets' hook cursor --bridge '/d/bridge.json' --pet mochi`}},
		{"claude", simple, command{line: `C:/Users/sam/playpets.exe hook claude --bridge C:/d/bridge.json --pet mochi; exit 0`}},
		{"codex", simple, command{line: `C:\Users\sam\playpets.exe hook codex --bridge C:\d\bridge.json --pet mochi`}},
		{"gemini", simple, command{line: `& 'C:\Users\sam\playpets.exe' hook gemini --bridge 'C:\d\bridge.json' --pet mochi; exit 0`}},
		{"cursor", simple, command{line: `"C:\Users\sam\playpets.exe" hook cursor --bridge "C:\d\bridge.json" --pet mochi`}},
		{"claude", odd, command{`& 'C:\Users\O''Neil\$x\playpets.exe' hook claude --bridge 'C:\d d\bridge.json' --pet 'my friend'; exit 0`, "powershell"}},
		{"codex", odd, command{line: `& 'C:\Users\O''Neil\$x\playpets.exe' hook codex --bridge 'C:\d d\bridge.json' --pet 'my friend'; exit 0`}},
		{"gemini", odd, command{line: `& 'C:\Users\O''Neil\$x\playpets.exe' hook gemini --bridge 'C:\d d\bridge.json' --pet 'my friend'; exit 0`}},
		{"cursor", odd, command{line: "\"C:\\Users\\O'Neil\\`$x\\playpets.exe\" hook cursor --bridge \"C:\\d d\\bridge.json\" --pet \"my friend\""}},
	} {
		if got := hookCommand(c.agent, c.p); got != c.want {
			t.Errorf("%s on %s:\n%+v\n%+v", c.agent, c.p.System, got, c.want)
		}
		all, err := Hooks(c.agent, c.p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range read(t, all[len(all)-1]) {
			if e.Shell != c.want.shell {
				t.Errorf("%s: shell %q", c.agent, e.Shell)
			}
		}
	}
}

// TestRefused: rather none than a wrong snippet.
func TestRefused(t *testing.T) {
	for _, p := range []Program{
		{System: "linux"},
		{Path: "/a\x00b", System: "linux"},
		{Path: "/latin1-\xe9", System: "linux"},
		{Path: "/p", Bridge: "/\xff", System: "darwin"},
		{Path: "/p", Pet: "a\x00", System: "darwin"},
		{Path: "C:\\a\nb\\playpets.exe", System: "windows"},
		{Path: `C:\p.exe`, Bridge: "C:\\\t", System: "windows"},
		{Path: `C:\p.exe`, Pet: `a"b`, System: "windows"},
	} {
		for _, agent := range Agents() {
			if all, err := Hooks(agent, p); err == nil || all != nil || !strings.Contains(err.Error(), "write settings for "+agent) {
				t.Errorf("%s, %+v: %v, %v", agent, p, all, err)
			}
			if s, err := MCP(agent, p); err == nil || s != (Snippet{}) {
				t.Errorf("%s, %+v: %v, %v", agent, p, s, err)
			}
		}
	}
	if _, err := Hooks("emacs", Program{Path: "/p"}); err == nil {
		t.Error("there are snippets for emacs")
	}
}

// TestReadme: what the README shows is what the program writes.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Hooks("claude", Program{Path: "/full/path/playpets", System: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```json\n"+all[0].Text+"```\n") {
		t.Errorf("the README does not have\n%s", all[0].Text)
	}
}
