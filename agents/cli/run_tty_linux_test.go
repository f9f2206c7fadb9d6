package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal makes a pseudo-terminal: what a person types goes into keyboard,
// which also gives what they see. Twelve lines of pty(7); there is no library
// for it among ours.
func openTerminal(t *testing.T) (keyboard, tty *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return keyboard, tty
}

// atTerminal starts a program as the first one of a new terminal session.
func atTerminal(t *testing.T, name string, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	keyboard, tty := openTerminal(t)
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(os.Environ(), "PLAYPETS_BRIDGE="+t.TempDir()+"/bridge.json")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, keyboard
}

// TestRunAtATerminal shows that the child has the terminal, that Ctrl-C reaches
// it once, and that its answer to that is the run's.
func TestRunAtATerminal(t *testing.T) {
	cmd, keyboard := atTerminal(t, "playpets", "run", "--", "sh", "-c", "test -t 0 && test -t 1 && test -t 2 && exec listener")
	readUntil(t, keyboard, "ready\r\n")
	keyboard.WriteString("\x03")
	readUntil(t, keyboard, "got interrupt\r\n")
	keyboard.WriteString("go\n")
	if rest := readUntil(t, keyboard, "end\r\n"); strings.Contains(rest, "got") {
		t.Errorf("the child got Ctrl-C twice: %q", rest)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 42 {
		t.Errorf("exit code %d", code)
	}
}

// TestRunIsAJob stops a run with Ctrl-Z and takes it up again, as a shell does.
func TestRunIsAJob(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("job control needs bash: ", err)
		}
		t.Skip("job control needs bash: ", err)
	}
	cmd, keyboard := atTerminal(t, "bash", "--norc", "-mc",
		`playpets run -- sh -c 'echo ready; read line; echo "line=$line"; exit 5'
		echo "stopped=$?"; fg >/dev/null; echo "ended=$?"`)
	readUntil(t, keyboard, "ready\r\n")
	keyboard.WriteString("\x1a")
	readUntil(t, keyboard, "stopped=148\r\n")
	keyboard.WriteString("hello\n")
	readUntil(t, keyboard, "line=hello\r\n")
	readUntil(t, keyboard, "ended=5\r\n")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
