package line

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAcquireOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "bridge.json")
	first, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(path); err != ErrLocked {
		t.Errorf("a second app: %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := Acquire(path)
	if err != nil {
		t.Fatalf("after Release: %v", err)
	}
	again.Release()
}

// Of apps that start at the same moment, exactly one runs.
func TestAcquireTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	var apps sync.WaitGroup
	locks := make(chan *Lock, 20)
	for range 20 {
		apps.Go(func() {
			switch l, err := Acquire(path); {
			case err == nil:
				locks <- l
			case err != ErrLocked:
				t.Error(err)
			}
		})
	}
	apps.Wait()
	close(locks)
	got := 0
	for l := range locks {
		got++
		l.Release()
	}
	if got != 1 {
		t.Errorf("%d apps run", got)
	}
}

// A client that tests the lock just then does not keep the app from starting.
func TestAcquirePastClients(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	write(t, path+".lock", "")
	f, err := open(path+".lock", os.O_RDONLY)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tryLock(f, shared); !got || err != nil {
		t.Fatal(got, err)
	}
	var client sync.WaitGroup
	client.Go(func() {
		time.Sleep(50 * time.Millisecond) // Acquire has met the shared lock by then
		unlock(f)
		f.Close()
	})
	l, err := Acquire(path)
	if err != nil {
		t.Error(err)
	} else {
		l.Release()
	}
	client.Wait()
}

// While an app starts, clients must not read the file that a killed one left:
// its port may be a stranger's.
func TestAcquireRemovesWhatTheDeadLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	for _, name := range []string{"bridge.json", "bridge.json.123.tmp", "bridge.json.x.tmp", "other.json.123.tmp", "bridge.jsonx.tmp"} {
		write(t, filepath.Join(filepath.Dir(path), name), "{}")
	}
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	entries, _ := os.ReadDir(filepath.Dir(path))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "bridge.json.lock bridge.jsonx.tmp other.json.123.tmp" {
		t.Errorf("left: %s", got)
	}
}

func TestWithdraw(t *testing.T) {
	path := folder(t)
	mine := Endpoint{Port: 1, Token: token}
	if err := Withdraw(path, mine); err != nil {
		t.Errorf("nothing there: %v", err)
	}
	other := Endpoint{Port: 2, Token: strings.Repeat("f", 64)}
	if err := Publish(path, other); err != nil {
		t.Fatal(err)
	}
	if err := Withdraw(path, mine); err != nil {
		t.Errorf("another's file: %v", err)
	}
	if got, err := Find(path); err != nil || got.Port != 2 {
		t.Errorf("another's file is gone: %v", err)
	}
	if err := Withdraw(path, other); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
}

func TestPublishSaysWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "bridge.json")
	err := Publish(path, Endpoint{Port: 1, Token: token})
	if !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), token) {
		t.Errorf("no folder: %v", err)
	}
	path = folder(t)
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Publish(path, Endpoint{Port: 1, Token: token}); err == nil {
		t.Error("published over a folder")
	}
	if left, _ := filepath.Glob(path + ".*.tmp"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Whatever kills the app while it writes, bridge.json is a whole one, and the
// next app starts at once.
func TestKilledWhilePublishing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	for round := range 50 {
		child, out := again(t, "LINE_TEST_PUBLISH="+path)
		for range 1 + round%7*3 { // at ever another moment
			if _, err := out.ReadByte(); err != nil {
				t.Fatal(err)
			}
		}
		// Windows lets nobody look while it replaces a file.
		if _, err := Find(path); err != nil && runtime.GOOS != "windows" {
			t.Fatalf("round %d, alive: %v", round, err)
		}
		if _, err := Acquire(path); err != ErrLocked {
			t.Fatalf("round %d, alive: a second app: %v", round, err)
		}
		child.Process.Kill()
		child.Wait()
		if e, err := read(path); err != nil || e.Token != token {
			t.Fatalf("round %d: %+v, %v", round, e, err)
		}
		if _, err := Find(path); err != ErrNotRunning {
			t.Fatalf("round %d: the dead app still runs: %v", round, err)
		}
	}
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// again runs this test program as a child of that environment.
func again(t *testing.T, env string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), env)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	return child, bufio.NewReader(out)
}

func publishForEver(path string) {
	l, err := Acquire(path)
	if err != nil {
		panic(err)
	}
	defer l.Release()
	for port := 1; ; port = port%65535 + 1 {
		if err := Publish(path, Endpoint{Port: port, Token: token}); err != nil {
			panic(err)
		}
		os.Stdout.Write([]byte{'.'})
	}
}
