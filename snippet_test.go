//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
)

// listener is an app that hears reports and does nothing else.
type listener struct {
	mu      sync.Mutex // guards reports
	reports []agents.Report
}

func (l *listener) Report(r agents.Report) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reports = append(l.reports, r)
	return "mochi", nil
}

func (l *listener) take() []agents.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.reports
	l.reports = nil
	return all
}

var errNot = errors.New("not here")

func (*listener) Friends() []agents.Friend                             { return nil }
func (*listener) Status() []agents.Status                              { return nil }
func (*listener) Say(agents.Target, string) (string, error)            { return "", errNot }
func (*listener) Lease(agents.LeaseRequest) agents.Lease               { return agents.Lease{} }
func (*listener) Renew(string) (agents.Lease, error)                   { return agents.Lease{}, errNot }
func (*listener) Release(string) bool                                  { return false }
func (*listener) React(agents.Target, agents.Reaction) (string, error) { return "", errNot }
func (*listener) Open(string) error                                    { return errNot }
func (*listener) Copy(string, string) (string, error)                  { return "", errNot }
func (*listener) Notify() (string, error)                              { return "", errNot }
func (*listener) Version() string                                      { return "" }

func (*listener) Heard() map[string]time.Time { return nil }

// TestSnippets takes what `playpets snippet` prints, finds the command in it as
// the agent does, and gives it to each shell with a recorded event: the report
// must reach the bridge that the snippet names.
func TestSnippets(t *testing.T) {
	needs(t, "sh", "bash", "dash", "zsh", "fish")
	h := newHome(t)
	path := filepath.Join(t.TempDir(), "it's a bridge", "bridge.json")
	lock, err := line.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	var app listener
	server, err := bridge.Start(path, &app, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	snippet := func(args ...string) string {
		out, errs, code := h.run("", append([]string{"snippet", "--pet", "my friend", "--bridge", path}, args...)...)
		if code != 0 {
			t.Fatalf("snippet %q: %d, %s", args, code, errs)
		}
		return out
	}
	for _, c := range []struct {
		agent, event, payload string
		state                 agents.State
	}{
		{"claude", "PermissionRequest", "claude/PermissionRequest.json", agents.Waiting},
		{"codex", "PreToolUse", "codex/PreToolUse.json", agents.Working},
		{"gemini", "AfterAgent", "gemini/AfterAgent.json", agents.Done},
		{"cursor", "stop", "cursor/stop.json", agents.Done},
	} {
		var file struct{ Hooks map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(snippet(c.agent, "--file", "hooks")), &file); err != nil {
			t.Fatal(err)
		}
		for _, shell := range []string{"sh", "bash", "dash", "zsh", "fish"} {
			var got []agents.Report
			// A hook gives up when a busy machine keeps it waiting: the next one may not.
			for try := 0; try < 20 && len(got) == 0; try++ {
				cmd := exec.Command(shell, "-lc", commandIn(t, file.Hooks[c.event]))
				cmd.Env, cmd.Dir, cmd.Stdin = append(h.env, "HOME="+h.data), h.data, strings.NewReader(payload(t, c.payload))
				out, err := cmd.CombinedOutput()
				if kind, _ := agents.KindNamed(c.agent); string(out) != kind.Answer || err != nil {
					t.Errorf("%s in %s: %q, %v", c.agent, shell, out, err)
				}
				got = app.take()
			}
			if len(got) != 1 || got[0].Agent != c.agent || got[0].State != c.state || got[0].Pet != "my friend" {
				t.Errorf("%s in %s: reports %+v", c.agent, shell, got)
			}
		}
	}

	var config struct{ Notify []string }
	if _, err := toml.Decode(snippet("codex"), &config); err != nil {
		t.Fatal(err)
	}
	args := append(config.Notify[1:], strings.TrimSpace(payload(t, "codex/notify.json")))
	var got []agents.Report
	for try := 0; try < 20 && len(got) == 0; try++ {
		if out, err := exec.Command(config.Notify[0], args...).CombinedOutput(); len(out) > 0 || err != nil {
			t.Errorf("notify: %q, %v", out, err)
		}
		got = app.take()
	}
	if len(got) != 1 || got[0].Agent != "codex" || got[0].State != agents.Done {
		t.Errorf("notify: reports %+v", got)
	}
}

// commandIn finds the one command in what stands at an event.
func commandIn(t *testing.T, event json.RawMessage) string {
	t.Helper()
	var entries []struct {
		Command string
		Hooks   []struct{ Command string }
	}
	if err := json.Unmarshal(event, &entries); err != nil || len(entries) != 1 {
		t.Fatalf("%v in %s", err, event)
	}
	if len(entries[0].Hooks) == 1 {
		return entries[0].Hooks[0].Command
	}
	return entries[0].Command
}
