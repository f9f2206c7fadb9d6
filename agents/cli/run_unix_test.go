//go:build unix

package cli

import (
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playpets/playpets/bridge/line"
)

func TestRunLeavesBytesAlone(t *testing.T) {
	blob := make([]byte, 3<<20)
	rand.Read(blob)
	file := filepath.Join(t.TempDir(), "blob")
	if err := os.WriteFile(file, blob, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, out, errs := playpets(t, "run", "--", "sh", "-c", `cat; cat "$0" >&2`, file)
	cmd.Stdin = bytes.NewReader(blob)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), blob) || !bytes.Equal(errs.Bytes(), blob) {
		t.Errorf("%d and %d bytes came out, not the %d that went in", out.Len(), errs.Len(), len(blob))
	}
}

// TestRunPassesSignals sends signals to playpets alone, without a terminal, with
// a child that catches them and with one that does not.
func TestRunPassesSignals(t *testing.T) {
	for _, s := range passed {
		t.Run(s.String(), func(t *testing.T) {
			if signal.Ignored(s) { // as under nohup; who is started so does not heed it
				t.Skip("the tests were started to ignore this signal")
			}
			cmd, stdin, stdout := startRun(t, "listener")
			readUntil(t, stdout, "ready\n")
			cmd.Process.Signal(s)
			readUntil(t, stdout, "got "+s.String()+"\n")
			io.WriteString(stdin, "go\n")
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != 42 {
				t.Errorf("exit code %d, not the child's 42", got)
			}

			cmd, _, stdout = startRun(t, "sh", "-c", "echo ready; read line")
			readUntil(t, stdout, "ready\n")
			cmd.Process.Signal(s)
			cmd.Wait()
			if got, want := cmd.ProcessState.ExitCode(), 128+int(s.(syscall.Signal)); got != want {
				t.Errorf("exit code %d, not %d", got, want)
			}
		})
	}
}

// startRun starts `playpets run` in a session without a terminal: the tests may
// have one.
func startRun(t *testing.T, command ...string) (cmd *exec.Cmd, stdin io.Writer, stdout io.Reader) {
	t.Helper()
	cmd, _, _ = playpets(t, append([]string{"run", "--"}, command...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, out
}

// TestRunWhileTheAppHangs shows that the child is there and done before an app
// that takes its report and never answers lets go of it.
func TestRunWhileTheAppHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	app := &fakeApp{}
	stop, err := app.start("hung", path)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if _, err := line.Find(path); err != nil {
		t.Fatal(err)
	}
	cmd, out, errs := playpets(t, "run", "--bridge", path, "--", "sh", "-c", "echo out; exit 3")
	cmd.Path, _ = exec.LookPath("hastypets")
	cmd.Args[0] = "hastypets"
	cmd.Run()
	if out.String() != "out\n" || errs.Len() > 0 || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("stdout %q, stderr %q, exit code %d", out, errs, cmd.ProcessState.ExitCode())
	}
}

// readUntil reads until word has come, and returns everything up to it.
func readUntil(t *testing.T, r io.Reader, word string) string {
	t.Helper()
	if f, ok := r.(*os.File); ok { // a guard against hanging
		f.SetReadDeadline(time.Now().Add(time.Minute))
	}
	var got strings.Builder
	b := make([]byte, 1)
	for !strings.HasSuffix(got.String(), word) {
		if _, err := r.Read(b); err != nil {
			t.Fatalf("read %q, then %v, before %q", got.String(), err, word)
		}
		got.Write(b)
	}
	return got.String()
}
