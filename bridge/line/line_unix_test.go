//go:build unix

package line

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is not a plain file of ours is not read, and nothing of it is waited for.
func TestFindRefusesOddFiles(t *testing.T) {
	whole := `{"port":4321,"token":"` + token + `"}`
	for name, c := range map[string]struct {
		prepare func(path string) error
		want    string
	}{
		"symbolic link": {func(path string) error {
			write(t, path+".real", whole)
			return os.Symlink(path+".real", path)
		}, "symbolic link"},
		"pipe": {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "not a plain file"},
		"group reads": {func(path string) error {
			write(t, path, whole)
			return os.Chmod(path, 0o640)
		}, "other users can read it"},
		"others write": {func(path string) error {
			write(t, path, whole)
			return os.Chmod(path, 0o602)
		}, "other users can read it"},
	} {
		path := folder(t)
		if err := c.prepare(path); err != nil {
			t.Fatal(err)
		}
		_, err := Find(path)
		if err == nil || errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFindInDevNull(t *testing.T) {
	if _, err := Find(os.DevNull); err != ErrNotRunning {
		t.Error(err)
	}
}

// The same for the lock.
func TestFindRefusesOddLocks(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"symbolic link": func(path string) error { return os.Symlink(path+".real", path) },
		"pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder":        func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		path := filepath.Join(t.TempDir(), "bridge.json")
		write(t, path+".lock.real", "")
		if err := prepare(path + ".lock"); err != nil {
			t.Fatal(err)
		}
		if _, err := Find(path); err == nil || errors.Is(err, ErrNotRunning) {
			t.Errorf("%s: Find: %v", name, err)
		}
		if l, err := Acquire(path); err == nil {
			l.Release()
			t.Errorf("%s: Acquire took it", name)
		}
	}
}

func TestFindRefusesOthersFiles(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to somebody else")
	}
	path := folder(t)
	if err := Publish(path, Endpoint{Port: 4321, Token: token}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + ".lock"} {
		if err := os.Chown(name, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if _, err := Find(path); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("%s of another user: %v", filepath.Base(name), err)
		}
		if err := os.Chown(name, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPublishedForOneUser(t *testing.T) {
	path := folder(t)
	if err := Publish(path, Endpoint{Port: 4321, Token: token}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + ".lock": 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// Whoever plants a link or a file under our names gains nothing by it.
func TestPublishFollowsNoLink(t *testing.T) {
	path := folder(t)
	trap := filepath.Join(t.TempDir(), "trap")
	write(t, trap, "as it was")
	if err := os.Symlink(trap, path); err != nil {
		t.Fatal(err)
	}
	if err := Publish(path, Endpoint{Port: 4321, Token: token}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(trap); err != nil || string(got) != "as it was" {
		t.Errorf("the link was followed: %q, %v", got, err)
	}
	if _, err := Find(path); err != nil {
		t.Error(err)
	}
}

func TestDataFolder(t *testing.T) {
	real := filepath.Join(t.TempDir(), "real")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	l, err := Acquire(filepath.Join(link, "bridge.json"))
	if err != nil {
		t.Errorf("a link to a folder of ours: %v", err)
	} else {
		l.Release()
	}
	for mode, ok := range map[os.FileMode]bool{0o755: true, 0o770: true, 0o777 | os.ModeSticky: true, 0o777: false, 0o702: false} {
		if err := os.Chmod(real, mode); err != nil {
			t.Fatal(err)
		}
		l, err := Acquire(filepath.Join(real, "bridge.json"))
		if (err == nil) != ok {
			t.Errorf("folder of mode %v: %v", mode, err)
		}
		if err == nil {
			l.Release()
		} else if !strings.Contains(err.Error(), "chmod 700") {
			t.Errorf("folder of mode %v: %v", mode, err)
		}
	}
}

// A child must not keep the app's lock when the app dies.
func TestLockIsNotInherited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { child.Process.Kill(); child.Wait() }()
	l.file.Close() // as at death, without a word to the kernel
	if _, err := Find(path); err != ErrNotRunning {
		t.Errorf("the child holds the lock: %v", err)
	}
}
