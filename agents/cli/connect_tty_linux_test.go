package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestConnectAsks answers the question at a terminal.
func TestConnectAsks(t *testing.T) {
	for answer, want := range map[string]struct {
		code  int
		wrote bool
	}{
		"y\n": {0, true}, "YES\n": {0, true}, "n\n": {1, false}, "\n": {1, false}, "\x04": {2, false}, "\x03": {-1, false},
	} {
		home := t.TempDir()
		t.Setenv("HOME", home)
		cmd, keyboard := atTerminal(t, "playpets", "connect", "claude")
		if shown := readUntil(t, keyboard, "Write this? [y/N] "); !strings.Contains(shown, "+++ ~/.claude/settings.json") {
			t.Errorf("shown before the question: %q", shown)
		}
		keyboard.WriteString(answer)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != want.code {
			t.Errorf("%q: exit code %d, not %d", answer, code, want.code)
		}
		_, err := os.Stat(filepath.Join(home, ".claude", "settings.json"))
		if (err == nil) != want.wrote {
			t.Errorf("%q: %v", answer, err)
		}
	}
}

// TestReplaceKeepsTheOwner needs root, who edits other people's files.
func TestReplaceKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	path := put(t, "settings.json", "old")
	if err := os.Chown(path, 1234, 5678); err != nil {
		t.Fatal(err)
	}
	f, err := readAgentFile(path)
	if err != nil {
		t.Fatal(err)
	}
	backup, err := f.replace([]byte("new"), day)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, backup} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if is := info.Sys().(*syscall.Stat_t); is.Uid != 1234 || is.Gid != 5678 {
			t.Errorf("%s belongs to %d:%d", filepath.Base(p), is.Uid, is.Gid)
		}
	}
}

// TestPipeIsNotOpened would wait for its other end.
func TestPipeIsNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readAgentFile(path); err == nil {
		t.Error("read a pipe")
	}
}

// TestChainRuns hands one event to both programs, through the real shell.
func TestChainRuns(t *testing.T) {
	const event = `{"type": "it's \"done\"", "cwd": "/a b"}`
	c := newChain("linux", t.TempDir(), []string{"printf", "%s it's\n"}, []string{"echo", "o'u\"r  s"})
	if err := os.WriteFile(c.file, []byte(c.script), 0o600); err != nil {
		t.Fatal(err)
	}
	var config struct{ Notify []string }
	if err := toml.Unmarshal([]byte(c.notify), &config); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(config.Notify[0], append(config.Notify[1:], event)...).CombinedOutput()
	if want := event + " it's\no'u\"r  s " + event + "\n"; err != nil || string(out) != want {
		t.Errorf("got %q (%v), not %q", out, err, want)
	}
}
