package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

// TestCases walks the inputs that other programs have stumbled over. Each line
// of a .jsonl is one payload.
func TestCases(t *testing.T) {
	tests := []struct {
		file   string
		agent  string
		answer string
		want   []string // what is reported, one for each payload that says something
	}{
		{"01-claude-raw-control-chars.json", "claude", "", []string{"working @thinking"}},
		{"03-claude-lone-surrogates.json", "claude", "", []string{"waiting before \ufffd middle \ufffd after \ufffd\ufffd end"}},
		{"05-cursor-bom.json", "cursor", "{}", []string{"working @tool Write"}},
		{"08-truncated.json", "claude", "", nil},
		{"12-claude-mcp-tool-name.json", "claude", "", []string{"working @tool mcp__claude_ai_Notion__notion-create-pages"}},
		{"14-claude-other-events.jsonl", "claude", "", []string{"working @subtask", "waiting @confirm", "working @thinking"}},
		{"16-claude-notification-types.jsonl", "claude", "", []string{
			"waiting Claude needs your permission to use Bash", "waiting A server asks something",
			"waiting Claude needs your permission", "waiting @confirm"}},
		{"17-gemini-beforetool.json", "gemini", "", []string{"working @tool mcp_github_create_issue"}},
	}
	a := startApp(t)
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			for _, payload := range payloads(t, tt.file) {
				hook(t, tt.answer, payload, tt.agent, "--bridge", a.bridge)
			}
			if got := says(a.take(t)); !slices.Equal(got, tt.want) {
				t.Errorf("reports %q, want %q", got, tt.want)
			}
		})
	}
}

// TestCodexArgument: Codex' notices come as the last argument.
func TestCodexArgument(t *testing.T) {
	tests := []struct {
		file string
		want []string
	}{
		{"23-codex-key-spellings.jsonl", []string{"done All **tests** pass. - one - two", "done Snake", "done Camel",
			"done @done", "done @done", "done @done"}},
		{"24-codex-other-types.jsonl", nil},
	}
	a := startApp(t)
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			for _, payload := range payloads(t, tt.file) {
				hook(t, "", nil, "codex", "--bridge", a.bridge, string(payload))
			}
			if got := says(a.take(t)); !slices.Equal(got, tt.want) {
				t.Errorf("reports %q, want %q", got, tt.want)
			}
		})
	}
}

func payloads(t *testing.T, file string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/cases", file))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(file) == ".jsonl" {
		return bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	}
	return [][]byte{data}
}

// TestReport: everything that travels, from wherever it is said.
func TestReport(t *testing.T) {
	const payload = `{"hook_event_name":"Stop","session_id":"s1","cwd":"/home/user/project"}`
	a := startApp(t)
	tests := []struct {
		name string
		env  []string
		args []string
		pet  string
	}{
		{"flags", nil, []string{"claude", "--bridge", a.bridge, "--pet", `Mo "chi"`}, `Mo "chi"`},
		{"flags with =", nil, []string{"--pet=a=b", "claude", "--bridge=" + a.bridge}, "a=b"},
		{"environment", []string{"PLAYPETS_PET=bori", "PLAYPETS_BRIDGE=" + a.bridge}, []string{"claude"}, "bori"},
		{"flags win", []string{"PLAYPETS_PET=bori", "PLAYPETS_BRIDGE=/nowhere"}, []string{"claude", "--pet", "ssak", "--bridge", a.bridge}, "ssak"},
		{"data folder", []string{"PLAYPETS_DATA=" + filepath.Dir(a.bridge)}, []string{"claude"}, ""},
		{"codex hook", nil, []string{"codex", "--bridge", a.bridge}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd, folder := hookCommand(t, tt.args...)
			cmd.Env = append(cmd.Env, tt.env...)
			cmd.Stdin = strings.NewReader(payload)
			quiet(t, cmd, folder, "")
			agent := "claude"
			if tt.args[0] == "codex" {
				agent = "codex"
			}
			want := agents.Report{Pet: tt.pet, State: agents.Done, Message: "@done", Agent: agent, Session: "s1", Project: "project", Part: "main"}
			if got := a.take(t); len(got) != 1 || got[0] != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestBody(t *testing.T) {
	for _, r := range []agents.Report{
		{State: agents.Idle},
		{Pet: "p", State: agents.Working, Message: "@tool Bash", Agent: "claude", Session: "s", Project: "x", Part: "a1", Begins: true},
		{State: agents.Waiting, Message: "\"\\\b\n<&>\u2028é😀\x00\x7f", Pet: "\xff"},
	} {
		reference, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got, want map[string]any
		if err := json.Unmarshal(body(r), &got); err != nil {
			t.Fatalf("%s: %v", body(r), err)
		}
		if err := json.Unmarshal(reference, &want); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%s has other members than %s", body(r), reference)
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s: %q, encoding/json %q", k, got[k], v)
			}
		}
	}
}

// TestWrongUsage is as silent as everything else.
func TestWrongUsage(t *testing.T) {
	a := startApp(t)
	for _, args := range [][]string{
		{}, {"nosuchagent"}, {"--help"}, {"-h"}, {"help"}, {"claude", "--help"}, {"claude", "--no-such-flag"},
		{"claude", "more"}, {"claude", "--bridge"}, {"claude", "--bridge", "/no/such/bridge.json"},
		{"claude", "--bridge", os.DevNull}, {"claude", "--bridge", "/"}, {"claude", "--bridge", t.TempDir()},
		{"codex", "not-json"}, {"codex", "{", "{"}, {"gemini", "--pet"}, {"", ""},
	} {
		cmd, folder := hookCommand(t, args...)
		if !slices.Contains(args, "/no/such/bridge.json") {
			cmd.Env = append(cmd.Env, "PLAYPETS_BRIDGE="+a.bridge)
		}
		cmd.Stdin = strings.NewReader(`{"hook_event_name":"Stop","session_id":"s"}`)
		quiet(t, cmd, folder, "")
		if got := a.take(t); len(got) > 0 {
			t.Errorf("%q reports %+v", args, got)
		}
	}
	for _, args := range [][]string{{"cursor"}, {"cursor", "--bridge"}, {"--bad", "cursor"}, {"cursor", "{}"}, {"cursor", "--pet", "no-such-friend"}} {
		hook(t, "{}", []byte(`no JSON`), args...)
	}
}

// TestBrokenBridge: whatever stands in bridge.json, nobody is disturbed.
func TestBrokenBridge(t *testing.T) {
	for _, content := range []string{"", "{", "[]", "\x00", `{"port":"x","token":5}`, `{"port":70000,"token":"t"}`,
		`{"port":-1}`, strings.Repeat("x", 1<<20), `{"port":1,"token":"a\r\nb"}`} {
		bridge := lockedBridge(t)
		if err := os.WriteFile(bridge, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		hook(t, "", []byte(`{"hook_event_name":"Stop"}`), "claude", "--bridge", bridge)
		hook(t, "{}", []byte(`{"hook_event_name":"stop"}`), "cursor", "--bridge", bridge)
	}
}

// TestStaleBridge: an app that was killed leaves a file and no lock. Nobody
// connects to the port it names, which may be a stranger's.
func TestStaleBridge(t *testing.T) {
	stranger, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	called := make(chan struct{})
	go func() {
		if c, err := stranger.Accept(); err == nil {
			c.Close()
			close(called)
		}
	}()
	stale := filepath.Join(t.TempDir(), "bridge.json")
	publish(t, stale, stranger)
	for _, lock := range []bool{false, true} {
		if lock {
			if err := os.WriteFile(stale+".lock", nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		hook(t, "", []byte(`{"hook_event_name":"Stop"}`), "claude", "--bridge", stale)
	}
	select {
	case <-called:
		t.Error("the hook called a stranger")
	default:
	}
}

// TestSilentApp: a port that is closed, one that takes the call and never
// answers, and one that answers nonsense.
func TestSilentApp(t *testing.T) {
	payload := []byte(`{"hook_event_name":"Stop"}`)
	t.Run("closed", func(t *testing.T) {
		bridge := lockedBridge(t)
		data, err := os.ReadFile("testdata/cases/20-bridge-silent-port.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(bridge, data, 0o600); err != nil {
			t.Fatal(err)
		}
		hook(t, "", payload, "claude", "--bridge", bridge)
	})
	for _, reply := range []string{"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nno\n", "\x00\xff", strings.Repeat("a", 1<<20)} {
		bridge := lockedBridge(t)
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		called := make(chan struct{}, 8)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				defer c.Close()
				called <- struct{}{}
				io.WriteString(c, reply)
			}
		}()
		publish(t, bridge, l)
		hook(t, "", payload, "claude", "--bridge", bridge)
		if n := len(called); n != 1 {
			t.Errorf("%.20q: called %d times", reply, n)
		}
	}
}

// TestEmptyEnvironment: without a home there is no app to find, and nothing to
// say about it.
func TestEmptyEnvironment(t *testing.T) {
	for _, env := range [][]string{{}, {"HOME="}, {"HOME=/nonexistent", "TMPDIR=/nonexistent"}} {
		cmd, folder := hookCommand(t, "claude")
		cmd.Env = env
		cmd.Stdin = strings.NewReader(`{"hook_event_name":"Stop"}`)
		quiet(t, cmd, folder, "")
	}
}

// TestScripts runs the cases that are shell scripts.
func TestScripts(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		missing(t, "no sh on this machine")
	}
	for script, want := range map[string]string{
		"19-hook-usage-errors.sh": " rc=0 out=[",
		"21-no-desktop-env.sh":    "rc=0",
	} {
		cmd, _ := hookCommand(t)
		cmd.Path = sh
		args := []string{"sh", filepath.Join(workingFolder(t), "testdata/cases", script), program(t)}
		if script[:2] == "21" {
			args = append(args, "hook", "claude")
		}
		cmd.Args = args
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v", script, err)
		}
		for line := range strings.Lines(string(out)) {
			answer := "]"
			if strings.Contains(line, "<- hook cursor") {
				answer = "{}]"
			}
			if !strings.Contains(line, want) || strings.Contains(line, "out=[") && !strings.Contains(line, "out=["+answer) {
				t.Errorf("%s: %s", script, line)
			}
		}
		if len(out) == 0 {
			t.Errorf("%s prints nothing", script)
		}
	}
}

func workingFolder(t *testing.T) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return wd
}

func TestSurvive(t *testing.T) {
	ran := false
	survive(func() { ran = true; panic("a defect") })
	if !ran {
		t.Error("nothing ran")
	}
}
