package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// TestConnectAsksNoDevice: nobody is behind one that is no terminal.
func TestConnectAsksNoDevice(t *testing.T) {
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	e := edits{common: &common{terminal: terminal{in: in, err: said}}}
	if err := e.ask(); err == nil || err.Error() != "there is nobody to ask" {
		t.Error(err)
	}
	mustHold(t, said.Name(), "")
}

// TestIsTerminal has a device whose input never ends.
func TestIsTerminal(t *testing.T) {
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer zero.Close()
	if isTerminal(zero) {
		t.Error("a person is behind /dev/zero")
	}
}

// TestReplaceWithAnotherGroup needs root, to leave a file to a person with a group
// that this person is not in.
func TestReplaceWithAnotherGroup(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for mode, want := range map[os.FileMode]os.FileMode{0o664: 0o644, 0o640: 0o600, 0o604: 0o600, 0o600: 0o600} {
		path := put(t, "settings.json", "old")
		folder := filepath.Dir(path)
		for _, err := range []error{os.Chmod(path, mode), os.Chown(path, 1234, 5678), os.Chown(folder, 1234, 1234), os.Chmod(filepath.Dir(folder), 0o755)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // it ends with the goroutine, and so does its being somebody else
			if err := syscall.Setfsuid(1234); err != nil {
				done <- err
				return
			}
			f, err := readAgentFile(path)
			if err == nil {
				_, err = f.replace([]byte("new"), day)
			}
			done <- err
		}()
		if err := <-done; err != nil {
			t.Errorf("%v: %v", mode, err)
		}
		mustHold(t, path, "new")
		if info, err := os.Stat(path); err != nil || info.Mode() != want || info.Sys().(*syscall.Stat_t).Gid == 5678 {
			t.Errorf("%v: became %v, not %v (%v)", mode, info.Mode(), want, err)
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
