package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

// playpets prepares a call of the program as a process of its own.
func playpets(t *testing.T, args ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	t.Helper()
	cmd, out, errs = exec.Command("playpets", args...), new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.Env = append(os.Environ(), "PLAYPETS_BRIDGE="+filepath.Join(t.TempDir(), "bridge.json"))
	return cmd, out, errs
}

func TestBrokenBridgeFiles(t *testing.T) {
	const token = "deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef"
	files := map[string]string{
		"empty":    "",
		"blank":    " \n",
		"cut":      `{`,
		"cut late": `{"port":1,"token":"` + token,
		"types":    `{"port":"x","token":5}`,
		"range":    `{"port":70000,"token":"` + token + `"}`,
		"negative": `{"port":-1,"token":"` + token + `"}`,
		"bom":      "\ufeff" + `{"port":1,"token":"t"}`,
		"array":    `[1,"` + token + `"]`,
		"control":  "{\"port\":1,\"token\":\"" + token + "\x1b[31m\r\n\"}",
		"huge":     `{"port":1,"token":"` + strings.Repeat(token, 1000) + `"}`,
		"nobody":   `{"port":1,"token":"` + token + `"}`,
	}
	for name, content := range files {
		checkRefused(t, name, func(path string) error { return os.WriteFile(path, []byte(content), 0o600) })
	}
	checkRefused(t, "folder", func(path string) error { return os.Mkdir(path, 0o700) })
	checkRefused(t, "unreadable", func(path string) error { return os.WriteFile(path, nil, 0) })
	checkRefused(t, "readable by all", func(path string) error {
		if runtime.GOOS == "windows" {
			return os.WriteFile(path, nil, 0o644)
		}
		return os.WriteFile(path, []byte(`{"port":1,"token":"`+token+`"}`), 0o644)
	})
}

// checkRefused expects a failure in one sentence that does not quote the file,
// whether an app holds the lock beside it or not.
func checkRefused(t *testing.T, name string, write func(path string) error) {
	for who, want := range map[string]int{"nobody holds": exitNotRunning.code, "an app holds": exitOther.code} {
		t.Run(name+"/"+who, func(t *testing.T) {
			cmd, out, errs := playpets(t, "pets")
			path := filepath.Join(t.TempDir(), "bridge.json")
			cmd.Args = append(cmd.Args, "--bridge", path)
			if want == exitOther.code {
				// First the lock: taking it sweeps away what a killed app has left.
				lock, err := line.Acquire(path)
				if err != nil {
					t.Fatal(err)
				}
				defer lock.Release()
			}
			if err := write(path); err != nil {
				t.Fatal(err)
			}
			cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("exit code %d, not %d", got, want)
			}
			if out.Len() > 0 {
				t.Errorf("stdout %q", out)
			}
			first, rest, _ := strings.Cut(errs.String(), "\n")
			if !strings.HasPrefix(first, "playpets: ") || strings.Count(rest, "\n") > 1 {
				t.Errorf("stderr %q is not a sentence and a hint", errs)
			}
			if strings.Contains(errs.String(), "deadbeef") || strings.Contains(errs.String(), "goroutine") {
				t.Errorf("stderr %q quotes the file or panics", errs)
			}
		})
	}
}

// TestCommands walks the table: every command explains itself and owns its words.
func TestCommands(t *testing.T) {
	root := newRoot(&common{}, standIns)
	seen := 0
	for _, cmd := range root.Commands() {
		seen++
		if cmd.Short == "" || len(cmd.Short) > 64 {
			t.Errorf("%s: short help %q", cmd.Name(), cmd.Short)
		}
		if cmd.Runnable() && (cmd.Example == "" || cmd.GroupID == "" || !strings.Contains(cmd.Example, "playpets")) {
			t.Errorf("%s: no example or no group", cmd.Name())
		}
		if !cmd.Runnable() && cmd.Long == "" {
			t.Errorf("%s: a topic without text", cmd.Name())
		}
		if cmd.Runnable() && cmd.Args == nil && !cmd.DisableFlagParsing && cmd.Name() != "help" {
			t.Errorf("%s: takes any word", cmd.Name())
		}
	}
	if seen < 12 {
		t.Errorf("%d commands", seen)
	}
	for _, s := range agents.States {
		if stateWords[s] == "" {
			t.Errorf("state %s has no words", s)
		}
	}
	for _, r := range agents.Reactions {
		if reactionWords[r] == "" {
			t.Errorf("reaction %s has no words", r)
		}
	}
}

func TestExitsAreDistinct(t *testing.T) {
	codes, names := map[int]bool{}, map[string]bool{}
	for _, e := range exits {
		if codes[e.code] || names[e.name] || e.meaning == "" {
			t.Errorf("row %+v stands twice or means nothing", e)
		}
		codes[e.code], names[e.name] = true, true
	}
}

func TestMousetrapIsOff(t *testing.T) {
	cobra.MousetrapHelpText = "set"
	cmd, _, _ := playpets(t, "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	defer func(args []string) { os.Args = args }(os.Args)
	os.Args = []string{"playpets", "version", "-q", "--json"}
	if code := Main(standIns); code != 0 || cobra.MousetrapHelpText != "" {
		t.Errorf("code %d, mousetrap %q", code, cobra.MousetrapHelpText)
	}
}

func TestLostArguments(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, mark := range agentMarks {
		env := func(key string) string { return map[string]string{mark: "1"}[key] }
		if !lostArguments(r, env) {
			t.Errorf("a pipe and %s: an agent dropped the arguments", mark)
		}
		if lostArguments(file, env) {
			t.Errorf("a file and %s: a person started the app", mark)
		}
	}
	if lostArguments(r, func(string) string { return "" }) {
		t.Error("a pipe and no mark: somebody started the app")
	}
	file.Close()
	if lostArguments(file, func(string) string { return "1" }) {
		t.Error("a closed input: somebody started the app")
	}
}

func TestHookWord(t *testing.T) {
	for args, want := range map[string]int{
		"hook":                   0,
		"--nope hook claude":     1,
		"--bridge x hook":        2,
		"--bridge=x -q hook":     2,
		"-q x --pet y hook":      4,
		"":                       -1,
		"say hook":               -1,
		"stauts hook":            -1,
		"--pet x y hook":         -1,
		"status done hook --pet": -1,
	} {
		if got := hookWord(strings.Fields(args)); got != want {
			t.Errorf("hookWord(%q) = %d, not %d", args, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	friends := []agents.Friend{
		{ID: "a1", Name: "Dubu"}, {ID: "bori", Name: "보리"}, {ID: "mochi", Name: "Mochi"}, {ID: "zed", Name: "Zed"},
	}
	for word, want := range map[string]string{
		"mochy": "Mochi", "MOCHI": "Mochi", "보라": "보리", "bory": "보리", "dub": "Dubu", "a2": "Dubu",
	} {
		got := nearest(word, friends)
		if len(got) != 3 || got[0] != want {
			t.Errorf("nearest(%q) = %v, not %s first", word, got, want)
		}
	}
	if got := nearest("x", nil); len(got) != 0 {
		t.Errorf("nearest of nobody = %v", got)
	}
}

func TestExplain(t *testing.T) {
	c := &common{}
	for _, test := range []struct {
		err  error
		want exit
	}{
		{errors.New("x"), exitOther},
		{usage("x", "y"), exitUsage},
		{line.ErrNotRunning, exitNotRunning},
		{os.ErrDeadlineExceeded, exitOther},
	} {
		var f *failure
		if !errors.As(c.explain(test.err), &f) || f.exit != test.want {
			t.Errorf("explain(%v) = %+v, not %s", test.err, f, test.want.name)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"npm test", "npm test"},
		{"/usr/bin/go test ./...", "go test"},
		{"docker compose up", "docker compose"},
		{"make", "make"},
		{"./run-dev build-all", "run-dev build-all"},
		{"mysql -psecret", "mysql"},
		{"login hunter2", "login"},
		{"login Secret", "login"},
		{"echo correct-horse-battery-staple", "echo"},
		{"curl https://a.test/?token=x", "curl"},
		{"env PASSWORD=x go test", "env"},
		{"cat /home/me/key", "cat"},
		{"node.exe server", "node server"},
	} {
		if got := title(strings.Fields(test.command)); got != test.want {
			t.Errorf("title(%q) = %q, not %q", test.command, got, test.want)
		}
	}
}

func TestOutcome(t *testing.T) {
	for _, test := range []struct {
		code        int
		interrupted bool
		state       agents.State
		message     string
	}{
		{0, false, agents.Done, "@done"},
		{0, true, agents.Done, "@done"},
		{3, false, agents.Error, "@failed 3"},
		{3, true, agents.Idle, ""},
		{130, false, agents.Idle, ""},
		{129, false, agents.Idle, ""},
		{143, false, agents.Error, "@failed 143"},
	} {
		if s, m := outcome(test.code, test.interrupted); s != test.state || m != test.message {
			t.Errorf("outcome(%d, %t) = %s %q", test.code, test.interrupted, s, m)
		}
	}
}

// TestWithin shows the longest that a run waits for an app that hangs.
func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		within(lastWord, make(chan struct{}))
		if waited := time.Since(begin); waited != lastWord {
			t.Errorf("waited %v for an app that never answers", waited)
		}
		heard := make(chan struct{})
		close(heard)
		within(lastWord, heard)
		if waited := time.Since(begin); waited != lastWord {
			t.Errorf("waited though the app had answered: %v", waited)
		}
	})
}
