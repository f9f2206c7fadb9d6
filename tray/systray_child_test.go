//go:build unix && !darwin

package tray

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// far is longer than anything here takes on the slowest machine.
const far = 30 * time.Second

// A process can have one icon: each test has it in a process of its own, which
// is this test program.
const trayChild = "PLAYPETS_TEST_TRAY"

func TestMain(m *testing.M) {
	if os.Getenv(trayChild) != "" {
		os.Exit(beTray(os.Stdin, os.Stdout, os.Stderr))
	}
	place, err := os.MkdirTemp("", "playpets-tests-")
	if err != nil {
		panic(err)
	}
	os.Setenv("OPENPETS_DISCOVERY_FILE", filepath.Join(place, "ipc.json")) // the person's own is theirs
	code := m.Run()
	os.RemoveAll(place)
	os.Exit(code)
}

// views are what a child can be told to show, made from the sample.
var views = map[string]func(*view){
	"plain": func(*view) {},
	"crowd": func(v *view) { v.friends = crowd(maxSeats + 2) },
	"fewer": func(v *view) { v.friends = crowd(maxSeats + 2)[1:] },
	"odd":   func(v *view) { v.friends[0].name = "snake_case & <b>co</b> _ __" },
	"left":  func(v *view) { v.friends = append(v.friends[:1:1], v.friends[2]) },
	"new": func(v *view) {
		v.friends = []friendView{{id: "new", name: "New"}, v.friends[0], v.friends[2]}
	},
	"quiet": func(v *view) {
		v.friends, v.quiet, v.display = v.friends[:1], noEnd, false
		v.friends[0].state, v.friends[0].sessions, v.friends[0].last = agents.Idle, nil, true
	},
}

func viewNamed(t testing.TB, lang, name string) view {
	t.Helper()
	v := sample(lang)
	change, ok := views[name]
	if !ok {
		t.Fatalf("no view %q", name)
	}
	change(&v)
	return v
}

// told is a line of a child: what was clicked, or an answer.
type told struct {
	Do, Arg, Value string
	Answer         string
	Goroutines     int
	Heap           uint64
}

// beTray shows what it is told on standard input and tells what is clicked.
func beTray(in io.Reader, out, stderr io.Writer) int {
	lines := make(chan told, 1000)
	written := make(chan struct{})
	go func() {
		defer close(written)
		for l := range lines {
			json.NewEncoder(out).Encode(l)
		}
	}()
	log := slog.New(slog.NewTextHandler(stderr, nil))
	icon := openTray(log, func(c command) { lines <- told{Do: c.do, Arg: c.arg, Value: c.value} })
	for s := bufio.NewScanner(in); s.Scan(); {
		word, rest, _ := strings.Cut(s.Text(), " ")
		switch word {
		case "show":
			lang, name, _ := strings.Cut(rest, " ")
			v := sample(lang)
			views[name](&v)
			icon.Set(v)
		case "storm":
			storm(icon, 10_000)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		lines <- told{Answer: s.Text(), Goroutines: runtime.NumGoroutine(), Heap: m.HeapAlloc}
	}
	icon.Close()
	close(lines)
	<-written
	return 0
}

// storm shows n views as fast as they come, each unlike the one before.
func storm(icon *trayIcon, n int) {
	names := []string{"plain", "crowd", "left", "new", "quiet", "odd"}
	for i := range n {
		v := sample([]string{"en", "ko"}[i%2])
		views[names[i%len(names)]](&v)
		icon.Set(v)
	}
}

// child is a process with an icon.
type child struct {
	t      testing.TB
	cmd    *exec.Cmd
	in     io.WriteCloser
	told   chan told
	stderr *syncBuffer
}

func startTray(t testing.TB, lang, name string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command(os.Args[0]), told: make(chan told, 1000), stderr: &syncBuffer{}}
	races := filepath.Join(t.TempDir(), "race")
	c.cmd.Env, c.cmd.Stderr = append(os.Environ(), trayChild+"=1", "GORACE=exitcode=0 log_path="+races), c.stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.told)
		for d := json.NewDecoder(out); ; {
			var l told
			if d.Decode(&l) != nil {
				return
			}
			c.told <- l
		}
	}()
	t.Cleanup(func() { c.in.Close(); c.cmd.Wait(); noRaces(t, races) })
	c.tell("show " + lang + " " + name)
	return c
}

// noRaces looks at what the race detector found in a child. systray v1.12.2 has one
// that shows now and then: soon after it was first read, it counts the versions of its
// menu without the lock under which GetLayout reads that number.
func noRaces(t testing.TB, path string) {
	t.Helper()
	files, _ := filepath.Glob(path + ".*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for report := range strings.SplitSeq(string(text), "==================\n") {
			if strings.Contains(report, "DATA RACE") && !strings.Contains(report, "systray.(*tray).GetLayout()") {
				t.Error(report)
			}
		}
	}
}

// tell has the child do something and waits for its answer.
func (c *child) tell(line string) told {
	c.t.Helper()
	fmt.Fprintln(c.in, line)
	for {
		if l := c.next(); l.Answer == line {
			return l
		}
	}
}

// next is what the child tells next.
func (c *child) next() told {
	c.t.Helper()
	select {
	case l, ok := <-c.told:
		if !ok {
			c.t.Fatalf("the child is gone: %s", c.stderr)
		}
		return l
	case <-time.After(far):
		c.t.Fatalf("the child says nothing: %s", c.stderr)
	}
	panic("unreachable")
}

// clicked expects commands, in this order.
func (c *child) clicked(want ...command) {
	c.t.Helper()
	for _, w := range want {
		if l := c.next(); l.Answer != "" || (command{l.Do, l.Arg, l.Value}) != w {
			c.t.Errorf("did %+v, want %+v", l, w)
		}
	}
}

// close ends the child, which must leave without a word.
func (c *child) close() {
	c.t.Helper()
	c.in.Close()
	for l := range c.told {
		c.t.Errorf("at the end it tells %+v", l)
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("the child ends with %v: %s", err, c.stderr)
	}
}
