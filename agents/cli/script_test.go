package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/playpets/playpets/installer"
)

// TestMain makes this test binary the program as well: the scripts run it by
// the name playpets, with stand-ins for the app and the demo.
func TestMain(m *testing.M) {
	// Under the race detector every process would sleep for a second at its end.
	os.Setenv("GORACE", noSleep)
	testscript.Main(m, map[string]func(){
		"playpets": func() {
			lastWord = time.Minute
			os.Exit(Main(standIns))
		},
		"hastypets": func() { os.Exit(Main(standIns)) },
		"listener":  listener,
	})
}

var standIns = Apps{
	Run: func(ctx context.Context, bridgePath, link string, stderr io.Writer) int {
		fmt.Fprintf(stderr, "app bridge=%q link=%q\n", bridgePath, link)
		return 0
	},
	Demo: func(ctx context.Context, framesDir string, stdout, stderr io.Writer) int {
		fmt.Fprintf(stdout, "demo frames=%q\n", framesDir)
		return 9
	},
	Config: func(explain bool, stdout, stderr io.Writer) int {
		fmt.Fprintf(stdout, "config explain=%t\n", explain)
		return 0
	},
	Picked: func(string) string { return os.Getenv("PICKED") },
	Check: func(context.Context) []installer.Check {
		detail := os.Getenv("DESKTOP_DETAIL")
		if detail == "" {
			detail = "drawn"
		}
		return []installer.Check{{ID: "display", Status: installer.OK, Detail: detail}}
	},
}

// listener is a command to run: it says which signals come, and ends with 42 at
// the line "go".
func listener() {
	signals, lines := make(chan os.Signal, 8), make(chan string)
	signal.Notify(signals, passed...)
	go func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			lines <- in.Text()
		}
		close(lines)
	}()
	fmt.Println("ready")
	for {
		select {
		case s := <-signals:
			fmt.Println("got", s)
		case line, more := <-lines:
			if line == "go" {
				fmt.Println("end")
				os.Exit(42)
			}
			if !more {
				os.Exit(1)
			}
		}
	}
}

const noSleep = "atexit_sleep_ms=0"

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PLAYPETS_BRIDGE", filepath.Join(env.WorkDir, "bridge.json"))
			env.Setenv("ESC", "\x1b")
			env.Setenv("GORACE", noSleep)
			env.Values[appKey{}] = &fakeApp{}
			return os.WriteFile(filepath.Join(env.WorkDir, "9k.txt"), bytes.Repeat([]byte("x"), 9000), 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"app":   appCommand,
			"heard": heardCommand,
			"rc":    exitCommand,
			"clean": cleanCommand,
			"hides": hidesCommand,
		},
	})
}

type appKey struct{}

// appCommand starts an app: `app [honest|stranger|hung|broken] [bridge.json]`.
func appCommand(ts *testscript.TestScript, neg bool, args []string) {
	kind, path := "honest", ts.Getenv("PLAYPETS_BRIDGE")
	if len(args) > 0 {
		kind = args[0]
	}
	if len(args) > 1 {
		path = ts.MkAbs(args[1])
	}
	stop, err := ts.Value(appKey{}).(*fakeApp).start(kind, path)
	ts.Check(err)
	ts.Defer(stop)
}

// heardCommand matches what the app was told since the last time, one a line.
func heardCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: heard regexp")
	}
	heard := ts.Value(appKey{}).(*fakeApp).heard()
	if regexp.MustCompile(`(?m)`+args[0]).MatchString(heard) == neg {
		ts.Fatalf("heard %q", heard)
	}
}

// exitCommand runs a program that must end with this code: `rc 3 playpets pets`.
func exitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: rc code program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
}

// cleanCommand fails when a stream of the last program holds anything that
// could steer a terminal.
func cleanCommand(ts *testscript.TestScript, neg bool, args []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		for _, r := range ts.ReadFile(stream) {
			control := r != '\n' && r < 0x20 || 0x7f <= r && r <= 0x9f
			bidi := 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
			if control || bidi {
				ts.Fatalf("%s holds %U", stream, r)
			}
		}
	}
}

// hidesCommand fails when a stream of the last program holds the app's token.
func hidesCommand(ts *testscript.TestScript, neg bool, args []string) {
	file := ts.ReadFile(ts.Getenv("PLAYPETS_BRIDGE"))
	token := regexp.MustCompile(`[0-9a-f]{32,}`).FindString(file)
	if token == "" {
		ts.Fatalf("bridge.json holds no token")
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(stream), token) {
			ts.Fatalf("%s holds the token", stream)
		}
	}
}
