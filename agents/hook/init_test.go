package hook

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// early is the one third-party package that nothing of ours can overtake: it
// needs only package time, which a hook needs as well, and its path sorts first.
// It reads the time zone, 0.3 ms.
const early = "github.com/BurntSushi/toml/internal"

// TestInitialisesLittle holds the door open: before a hook is answered, no
// third-party package may initialise, and few others.
func TestInitialisesLittle(t *testing.T) {
	const most = 30 // of the more than 100 packages of the whole program
	program := wholeProgram(t)
	cmd, folder := hookCommand(t, "claude")
	cmd.Path = program
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	cmd.Stdin = strings.NewReader(`{"hook_event_name":"Stop"}`)
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(trace)) {
		path, found := strings.CutPrefix(line, "init ")
		if !found {
			t.Errorf("no trace: %s", line)
			continue
		}
		n++
		path, _, _ = strings.Cut(path, " ")
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ".") && !strings.HasPrefix(path, "github.com/playpets/playpets/") && path != early {
			t.Errorf("%s initialises before a hook is answered", path)
		}
	}
	if n == 0 || n > most {
		t.Errorf("%d packages initialise, %d are allowed:\n%s", n, most, trace)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("leaves %v (%v)", left, err)
	}
}

// wholeProgram is the real program, built for this test.
func wholeProgram(t *testing.T) string {
	t.Helper()
	gotool, err := exec.LookPath("go")
	if err != nil {
		missing(t, "no go tool to build the program with")
	}
	module := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(module, "main.go")); err != nil {
		missing(t, "no program yet: "+err.Error())
	}
	exe := filepath.Join(t.TempDir(), "playpets.exe")
	build := exec.Command(gotool, "build", "-o", exe, ".")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return exe
}
