package tray

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

// syncBuffer may be read while another goroutine writes.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// running is the app without a display, in a folder of its own.
type running struct {
	data, bridge string
	stderr       *syncBuffer
	stop         func() (exit int)
}

func startApp(t *testing.T, prepare func(data string)) running {
	t.Helper()
	data := t.TempDir()
	t.Setenv("PLAYPETS_DATA", data)
	t.Setenv("PLAYPETS_BRIDGE", "")
	t.Setenv("PLAYPETS_LANG", "en")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if prepare != nil {
		prepare(data)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := running{data: data, bridge: filepath.Join(data, "bridge.json"), stderr: &syncBuffer{}}
	exit := make(chan int, 1)
	go func() { exit <- Run(ctx, "", "", r.stderr) }()
	r.stop = sync.OnceValue(func() int { cancel(); return <-exit })
	t.Cleanup(func() { r.stop() })
	for {
		if _, err := bridge.NewClient(r.bridge).Friends(); err == nil {
			return r
		}
		select {
		case code := <-exit:
			t.Fatalf("the app ended at once: %d\n%s", code, r.stderr)
		case <-time.After(time.Millisecond):
		}
	}
}

func TestRun(t *testing.T) {
	app := startApp(t, nil)
	client := bridge.NewClient(app.bridge)
	if _, err := client.Report(agents.Report{State: agents.Working, Message: "@tool Bash", Agent: "claude", Session: "s"}); err != nil {
		t.Fatal(err)
	}
	all, err := client.Status()
	if err != nil || len(all) != 3 || all[0].State != agents.Working || all[0].Sentence != "Using Bash…" {
		t.Errorf("status: %+v, %v", all, err)
	}
	if _, err := client.Say(agents.Target{Pet: "nobody"}, "hi"); err == nil || !strings.Contains(err.Error(), "friend") {
		t.Errorf("an unknown friend: %v", err)
	}
	becomes(t, "a word on the icon", func() bool { return strings.Contains(app.stderr.String(), "no icon in the tray") })
	if text := app.stderr.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "no friend on screen") {
		t.Errorf("without a display it says %q, want a line for each", text)
	}
	if code := app.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Lstat(app.bridge); err == nil {
		t.Error("bridge.json is left behind")
	}
	log, err := os.ReadFile(filepath.Join(app.data, "playpets.log"))
	if err != nil || !strings.Contains(string(log), "started") || strings.Contains(string(log), "Bash") {
		t.Errorf("log: %v\n%s", err, log)
	}
	if info, err := os.Stat(filepath.Join(app.data, "playpets.log")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("log: %v, %v", info.Mode(), err)
	}
}

func TestSecondStartWithoutDisplay(t *testing.T) {
	app := startApp(t, nil)
	var stderr syncBuffer
	if code := Run(t.Context(), "", "", &stderr); code != 0 || !strings.Contains(stderr.String(), "DISPLAY is not set") {
		t.Errorf("second start: %d, %q", code, stderr.String())
	}
	if _, err := bridge.NewClient(app.bridge).Friends(); err != nil {
		t.Errorf("the first app after a second start: %v", err)
	}
}

func TestStartsWithBrokenFiles(t *testing.T) {
	app := startApp(t, func(data string) {
		write(t, filepath.Join(data, "config.toml"), "language = [")
		write(t, filepath.Join(data, "activity.json"), `{"version":99}`)
		write(t, filepath.Join(data, "bridge.json"), "not JSON")
	})
	if text := app.stderr.String(); !strings.Contains(text, "config.toml") || !strings.Contains(text, "activity.json") {
		t.Errorf("it says %q", text)
	}
	kept, err := filepath.Glob(filepath.Join(app.data, "*.*.*"))
	var all string
	for _, name := range kept {
		text, _ := os.ReadFile(name)
		all += string(text)
	}
	if err != nil || !strings.Contains(all, "language = [") || !strings.Contains(all, `{"version":99}`) {
		t.Errorf("kept aside %q: %q", kept, all)
	}
}

// TestNoBridgeNoDisplay starts where nothing can be written and nothing shown.
func TestNoBridgeNoDisplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	t.Setenv("PLAYPETS_DATA", filepath.Join(file, "below"))
	t.Setenv("PLAYPETS_BRIDGE", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	var stderr syncBuffer
	if code := Run(t.Context(), "", "", &stderr); code != 1 || !strings.Contains(stderr.String(), "not a directory") {
		t.Errorf("%d, %q", code, stderr.String())
	}
}

func TestUnknownFriendInSettings(t *testing.T) {
	app := startApp(t, func(data string) {
		write(t, filepath.Join(data, "config.toml"), "[agent_pets]\nclaude = \"Bori\"\ncodex = \"nobody\"\n")
	})
	if text := app.stderr.String(); !strings.Contains(text, `"nobody", the one for codex`) || strings.Contains(text, "Bori") {
		t.Errorf("it says %q", text)
	}
}

// TestOddFiles: a link in place of the log is not followed, a folder in place of
// the settings is said.
func TestOddFiles(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "mine")
	app := startApp(t, func(data string) {
		if err := os.Symlink(victim, filepath.Join(data, "playpets.log")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(data, "config.toml"), 0o700); err != nil {
			t.Fatal(err)
		}
	})
	app.stop()
	if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
		t.Errorf("the link was followed: %q, %v", text, err)
	}
	if text := app.stderr.String(); !strings.Contains(text, "config.toml is no file") {
		t.Errorf("it says %q", text)
	}
}
