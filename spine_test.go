//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// These tests run the program itself: a real agent's payload goes into a real
// hook process, and comes out as pixels of a real X server.

// program is playpets as it is released, built once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "playpets-test-")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "playpets")
	cmd := exec.Command("go", "build", "-trimpath", "-o", out, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", &exec.Error{Name: "go build", Err: errorText(text)}
	}
	return out, nil
})

type errorText string

func (e errorText) Error() string { return string(e) }

func TestMain(m *testing.M) {
	os.Unsetenv("WAYLAND_DISPLAY")   // whoever runs the tests does not want friends
	xgb.Logger.SetOutput(io.Discard) // it tells of authority files that an Xvfb has not
	place, err := os.MkdirTemp("", "playpets-tests-")
	if err != nil {
		panic(err)
	}
	os.Setenv("OPENPETS_DISCOVERY_FILE", filepath.Join(place, "ipc.json")) // the person's own is theirs
	code := m.Run()
	os.RemoveAll(place)
	if built, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// needs skips the test on a machine that lacks a tool, and fails in CI.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing", tool)
			}
			t.Skipf("%s is missing: make test brings it", tool)
		}
	}
}

// home is one person's computer: an environment and a data folder.
type home struct {
	t       *testing.T
	program string
	data    string
	env     []string
}

func newHome(t *testing.T, env ...string) home {
	t.Helper()
	needs(t, "go")
	built, err := program()
	if err != nil {
		t.Fatal(err)
	}
	h := home{t: t, program: built, data: t.TempDir()}
	h.env = append(os.Environ(), "PLAYPETS_DATA="+h.data, "PLAYPETS_BRIDGE=", "PLAYPETS_PET=", "PLAYPETS_LANG=en", "DISPLAY=")
	h.env = append(h.env, env...)
	return h
}

func (h home) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a guard against hanging
	h.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, h.program, args...)
	cmd.Env = h.env
	return cmd
}

// run runs playpets and returns what it prints and its exit code.
func (h home) run(stdin string, args ...string) (stdout, stderr string, code int) {
	h.t.Helper()
	cmd := h.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		h.t.Fatalf("%v: %v", args, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// start starts the app and waits until it answers.
func (h home) start() *exec.Cmd {
	h.t.Helper()
	app := h.command()
	app.Stderr = &bytes.Buffer{}
	if err := app.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		if app.ProcessState == nil {
			app.Process.Kill()
			app.Wait()
		}
	})
	h.until("the app answers", func() bool { _, _, code := h.run("", "pets"); return code == 0 })
	return app
}

// until waits for something to become true; it gives up after a while.
func (h home) until(what string, true func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !true(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("in vain: %s", what)
		}
	}
}

type status struct {
	Friends []struct {
		ID, Name, State, Sentence string
		Sessions                  []struct{ Agent, Session, Project, State string }
		Activities                []struct{ Time, Agent, State, Sentence string }
	}
}

func (h home) status() (s status) {
	h.t.Helper()
	out, errs, code := h.run("", "status", "--json")
	if err := json.Unmarshal([]byte(out), &s); err != nil || code != 0 {
		h.t.Fatalf("status: %d, %v\n%s%s", code, err, out, errs)
	}
	return s
}

func payload(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("agents/testdata/payloads", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSpine is the way from four agents' payloads to what a friend says.
func TestSpine(t *testing.T) {
	h := newHome(t)
	app := h.start()
	steps := []struct{ agent, payload, state, sentence string }{
		{"claude", "claude/UserPromptSubmit.json", "working", "Thinking…"},
		{"claude", "claude/PreToolUse.json", "working", "Using Bash…"},
		{"claude", "claude/PermissionRequest.json", "waiting", "I need your OK"},
		{"codex", "codex/PreToolUse.json", "waiting", "I need your OK"}, // the other one still waits
	}
	for _, step := range steps {
		out, errs, code := h.run(payload(t, step.payload), "hook", step.agent)
		if out+errs != "" || code != 0 {
			t.Errorf("hook %s: %q %q %d", step.agent, out, errs, code)
		}
		if first := h.status().Friends[0]; first.State != step.state || first.Sentence != step.sentence {
			t.Errorf("after %s: %s, %q; want %s, %q", step.payload, first.State, first.Sentence, step.state, step.sentence)
		}
	}
	first := h.status().Friends[0]
	if len(first.Sessions) != 3 || len(first.Activities) < 3 {
		t.Errorf("sessions %+v, activities %+v", first.Sessions, first.Activities)
	}
	for _, s := range first.Sessions {
		if s.Project != "project" {
			t.Errorf("session %+v: want its folder's last name", s)
		}
	}
	app.Process.Signal(syscall.SIGTERM)
	if err := app.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(h.data, "bridge.json")); err == nil {
		t.Error("bridge.json is left behind")
	}
	if _, errs, code := h.run("", "pets"); code != 3 || !strings.Contains(errs, "playpets: ") {
		t.Errorf("pets without the app: %d, %q", code, errs)
	}
}

// TestKilledAndStartedAgain: a crash leaves a stale bridge.json and a free lock.
func TestKilledAndStartedAgain(t *testing.T) {
	h := newHome(t)
	app := h.start()
	h.run(payload(t, "claude/PermissionRequest.json"), "hook", "claude")
	app.Process.Kill()
	app.Wait()
	if _, err := os.Lstat(filepath.Join(h.data, "bridge.json")); err != nil {
		t.Fatal("a killed app leaves its bridge.json: this test is about that")
	}
	if out, errs, code := h.run(payload(t, "claude/Stop.json"), "hook", "claude"); out+errs != "" || code != 0 {
		t.Errorf("hook after the crash: %q %q %d", out, errs, code)
	}
	h.start()
	first := h.status().Friends[0]
	if first.State != "idle" || len(first.Sessions) != 0 {
		t.Errorf("a crash must not leave anyone busy: %+v", first)
	}
}

// TestAgentDroppedTheArguments: some agents start a hook's program bare.
func TestAgentDroppedTheArguments(t *testing.T) {
	for _, variable := range []string{"CLAUDECODE", "CLAUDE_PROJECT_DIR", "CURSOR_VERSION", "GEMINI_SESSION_ID", "COPILOT_CLI"} {
		h := newHome(t, variable+"=1")
		if out, errs, code := h.run(payload(t, "claude/Stop.json")); out+errs != "" || code != 0 {
			t.Errorf("%s: %q %q %d", variable, out, errs, code)
		}
		if left, _ := os.ReadDir(h.data); len(left) != 0 {
			t.Errorf("%s: it left %v", variable, left)
		}
	}
}

// TestPayloadToPixel is the whole way to a screen: the friend moves and says it.
func TestPayloadToPixel(t *testing.T) {
	needs(t, "Xvfb")
	server, display := xServer(t)
	h := newHome(t, "DISPLAY="+display)
	h.start()
	var before *image.RGBA
	h.until("three friends stand there", func() bool { before = h.screen(); return colours(before) > 400 })
	h.run(payload(t, "claude/PermissionRequest.json"), "hook", "claude")
	h.until("a bubble above the first friend", func() bool {
		now := h.screen()
		return paper(now) > paper(before)+1500
	})

	// The X server goes away and comes back: so do the friends, and the question.
	end(server)
	again := exec.Command("Xvfb", display, "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset")
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(again) })
	h.until("the friends are back, and the bubble", func() bool {
		now := h.screen()
		return colours(now) > 400 && paper(now) > paper(before)+1500
	})
	if out, errs, code := h.run(""); out != "" || !strings.Contains(errs, "running already") || code != 0 {
		t.Errorf("second start: %q %q %d", out, errs, code)
	}
	if first := h.status().Friends[0]; first.State != "waiting" {
		t.Errorf("the first app's friend is %s, want it to wait still", first.State)
	}
}

// screen is a picture of the display, read from its X server; an empty one while
// there is none.
func (h home) screen() *image.RGBA {
	h.t.Helper()
	display := h.env[len(h.env)-1] // newHome was given it
	x, err := xgb.NewConnDisplay(strings.TrimPrefix(display, "DISPLAY="))
	if err != nil {
		return &image.RGBA{}
	}
	defer x.Close()
	root := xproto.Setup(x).DefaultScreen(x)
	w, height := int(root.WidthInPixels), int(root.HeightInPixels)
	got, err := xproto.GetImage(x, xproto.ImageFormatZPixmap, xproto.Drawable(root.Root), 0, 0, root.WidthInPixels, root.HeightInPixels, ^uint32(0)).Reply()
	if err != nil {
		h.t.Fatal(err)
	}
	picture := image.NewRGBA(image.Rect(0, 0, w, height))
	for i := 0; i < len(got.Data); i += 4 {
		picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], picture.Pix[i+3] = got.Data[i+2], got.Data[i+1], got.Data[i], 0xff
	}
	return picture
}

// colours counts the different colours in a picture.
func colours(m *image.RGBA) int {
	seen := map[[4]byte]bool{}
	for i := 0; i < len(m.Pix); i += 4 {
		seen[[4]byte(m.Pix[i:])] = true
	}
	return len(seen)
}

// paper counts the pixels of a light bubble's ground.
func paper(m *image.RGBA) (n int) {
	for i := 0; i < len(m.Pix); i += 4 {
		if [4]byte(m.Pix[i:]) == [4]byte{0xff, 0xff, 0xff, 0xff} {
			n++
		}
	}
	return n
}

// xServer starts an X server and returns its display.
func xServer(t testing.TB) (server *exec.Cmd, display string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	// A number of its own: servers that look for a free one at the same time, as
	// other packages' tests do, can take it from each other.
	display = fmt.Sprintf(":%d", 1000+os.Getpid()%20000)
	server = exec.Command("Xvfb", display, "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{w}
	err = server.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(server) })
	if _, err := r.Read(make([]byte, 16)); err != nil { // it writes its number when it is ready
		t.Fatalf("Xvfb did not start: %v", err)
	}
	for range 500 {
		if x, err := xgb.NewConnDisplay(display); err == nil {
			x.Close()
			return server, display
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("Xvfb %s takes no connection", display)
	return nil, ""
}

// end asks a server to end, so that it leaves no lock behind.
func end(server *exec.Cmd) {
	server.Process.Signal(syscall.SIGTERM)
	server.Wait()
}

// TestDemo plays the demo without a display, into an animation and into frames.
func TestDemo(t *testing.T) {
	h := newHome(t, "TMPDIR="+t.TempDir())
	folder := t.TempDir()
	cmd := h.command("demo")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "playpets-demo.gif") {
		t.Fatalf("demo: %v\n%s", err, out)
	}
	f, err := os.Open(filepath.Join(folder, "playpets-demo.gif"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	animation, err := gif.DecodeAll(f)
	if err != nil || len(animation.Image) < 50 {
		t.Fatalf("the animation has %d pictures, %v", len(animation.Image), err)
	}
	var hundredths int
	for _, d := range animation.Delay {
		hundredths += d
	}
	if hundredths < 1500 {
		t.Errorf("the animation lasts %d hundredths of a second", hundredths)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("the demo left %v", left)
	}
	tmp := h.env[len(h.env)-1][len("TMPDIR="):]
	if left, _ := os.ReadDir(tmp); len(left) != 0 {
		t.Errorf("the demo left %v among the temporary files", left)
	}
	if left, _ := os.ReadDir(h.data); len(left) != 0 {
		t.Errorf("the demo touched the data folder: %v", left)
	}
	frames := filepath.Join(t.TempDir(), "new", "frames")
	if out, errs, code := h.run("", "demo", "--frames", frames); code != 0 || !strings.Contains(out, frames) {
		t.Errorf("demo --frames: %q %q %d", out, errs, code)
	}
	pictures, err := filepath.Glob(filepath.Join(frames, "frame-*.png"))
	if err != nil || len(pictures) < 50 {
		t.Errorf("%d frames, %v", len(pictures), err)
	}
}

// TestReadmeIsTrue: every command that the README's table names is there.
func TestReadmeIsTrue(t *testing.T) {
	h := newHome(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `playpets ([a-z-]+)").FindAllStringSubmatch(string(readme), -1)
	if len(rows) < 8 {
		t.Fatalf("the table has %d commands", len(rows))
	}
	for _, row := range rows {
		if out, errs, code := h.run("", "help", row[1]); code != 0 || out == "" {
			t.Errorf("help %s: %d, %q %q", row[1], code, out, errs)
		}
	}
}

// TestContributingIsTrue: every file that it names is there.
func TestContributingIsTrue(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("`([a-z0-9_/]+\\.(?:go|toml|md))`").FindAllStringSubmatch(string(text), -1)
	if len(files) < 8 {
		t.Fatalf("it names %d files", len(files))
	}
	for _, file := range files {
		if _, err := os.Stat(file[1]); err != nil {
			t.Error(err)
		}
	}
}
