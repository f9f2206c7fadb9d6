package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

// hang is when a hook counts as hung. It is no measure of speed.
const hang = 10 * time.Second

var token = strings.Repeat("0123456789abcdef", 4)

// app is what a hook speaks to: the real lock and bridge.json, and a server
// that writes down what it gets.
type app struct {
	bridge string

	mu       sync.Mutex
	requests []request
}

type request struct{ route, authorization, body string }

func startApp(t *testing.T) *app {
	t.Helper()
	a := &app{bridge: lockedBridge(t)}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	publish(t, a.bridge, server.Listener)
	return a
}

// lockedBridge is the path of a bridge.json whose lock is held, as an app does.
func lockedBridge(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data", "bridge.json")
	lock, err := line.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Release() })
	return path
}

func publish(t *testing.T, bridge string, l net.Listener) {
	t.Helper()
	e := line.Endpoint{Port: l.Addr().(*net.TCPAddr).Port, Token: token, PID: os.Getpid()}
	if err := line.Publish(bridge, e); err != nil {
		t.Fatal(err)
	}
}

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, request{r.Method + " " + r.URL.Path, r.Header.Get("Authorization"), string(body)})
	io.WriteString(w, `{"ok":true,"petId":"mochi"}`)
}

// secrets is what stands in prompts, tool inputs and paths of the payloads.
var secrets = []string{"second", "echo hi", "demo\\\\", "line of text", "fix it", "rm -rf", "transcript", "/home", "pages\":"}

// take returns the reports that came since the last call, and checks how they
// came.
func (a *app) take(t *testing.T) (reports []agents.Report) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.requests {
		if r.route != "POST /events" || r.authorization != "Bearer "+token {
			t.Errorf("the app was asked %+v", r)
		}
		d := json.NewDecoder(strings.NewReader(r.body))
		d.DisallowUnknownFields()
		var report agents.Report
		if err := d.Decode(&report); err != nil {
			t.Errorf("body %s: %v", r.body, err)
		}
		for _, secret := range secrets {
			if strings.Contains(r.body, secret) {
				t.Errorf("%q came through: %s", secret, r.body)
			}
		}
		reports = append(reports, report)
	}
	a.requests = nil
	return reports
}

// hookCommand is `playpets hook …` as a process: this test binary, whose init
// is the fast door. It runs in a folder of its own, with an environment of its
// own; its context is the hang guard.
func hookCommand(t *testing.T, args ...string) (cmd *exec.Cmd, folder string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, program(t), append([]string{"hook"}, args...)...)
	folder = t.TempDir()
	cmd.Dir = folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "TMPDIR=" + folder, "TMP=" + folder,
		"LOCALAPPDATA=" + folder, "SystemRoot=" + os.Getenv("SystemRoot"),
		"GORACE=atexit_sleep_ms=0"} // or a race-enabled process stays a second longer
	return cmd, folder
}

func program(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// quiet runs a hook and holds it to what is true of every hook: exit code 0,
// nothing on either stream but the answer, no file left.
func quiet(t *testing.T, cmd *exec.Cmd, folder, answer string) {
	t.Helper()
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); err != nil {
		t.Errorf("%v: %v", cmd.Args, err)
	}
	if out.String() != answer || words.Len() > 0 {
		t.Errorf("%v: prints %q and %q, want %q", cmd.Args, &out, &words, answer)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v: leaves %v (%v)", cmd.Args, left, err)
	}
}

// hook runs `playpets hook` with input on its standard input.
func hook(t *testing.T, answer string, input []byte, args ...string) {
	t.Helper()
	cmd, folder := hookCommand(t, args...)
	cmd.Stdin = bytes.NewReader(input)
	quiet(t, cmd, folder, answer)
}

// says is the reports as "state message".
func says(reports []agents.Report) (all []string) {
	for _, r := range reports {
		all = append(all, strings.TrimSpace(string(r.State)+" "+r.Message))
	}
	return all
}

// missing stops a test that needs something this machine lacks: aloud on a
// laptop, for good where nothing may be missing.
func missing(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
