package hook

import (
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestTerminal: a hook never waits for a person.
func TestTerminal(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		missing(t, "no terminals on this machine: "+err.Error())
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	a := startApp(t)
	if _, err := master.WriteString(`{"hook_event_name":"Stop"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"claude", "codex"} {
		cmd, folder := hookCommand(t, agent, "--bridge", a.bridge)
		cmd.Stdin = terminal
		quiet(t, cmd, folder, "")
	}
	if got := a.take(t); len(got) > 0 {
		t.Errorf("took %+v from a terminal", got)
	}
}

// TestStandardFiles: closed ones, a folder, and /dev/null, which Codex gives.
func TestStandardFiles(t *testing.T) {
	a := startApp(t)
	const event = `'{"hook_event_name":"Stop"}'`
	for script, want := range map[string][]string{
		`"$0" hook claude --bridge "$1" <&-`:                                 nil,
		`"$0" hook claude --bridge "$1" </dev/null`:                          nil,
		`"$0" hook claude --bridge "$1" </`:                                  nil,
		`"$0" hook cursor --bridge "$1" <&- >&- 2>&-`:                        nil,
		`printf ` + event + ` | "$0" hook claude --bridge "$1" >&- 2>&-`:     {"done @done"},
		`"$0" hook codex --bridge "$1" '{"type":"agent-turn-complete"}' <&-`: {"done @done"},
	} {
		cmd, folder := hookCommand(t)
		cmd.Path = "/bin/sh"
		cmd.Args = []string{"sh", "-c", script, program(t), a.bridge}
		quiet(t, cmd, folder, "")
		if got := says(a.take(t)); !slices.Equal(got, want) {
			t.Errorf("%s: reports %q, want %q", script, got, want)
		}
	}
}

// TestNobodyReads: an agent that has gone already makes no signal of the
// answer.
func TestNobodyReads(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd, _ := hookCommand(t, "cursor")
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}

// TestSocket: Node gives its children sockets that do not block.
func TestSocket(t *testing.T) {
	a := startApp(t)
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	defer theirs.Close()
	if _, err := ours.WriteString(`{"hook_event_name":"Stop"}`); err != nil {
		t.Fatal(err)
	}
	cmd, folder := hookCommand(t, "claude", "--bridge", a.bridge)
	cmd.Stdin = theirs
	quiet(t, cmd, folder, "")
	if got := says(a.take(t)); !slices.Equal(got, []string{"done @done"}) {
		t.Errorf("through a socket: %q", got)
	}
}

// TestFullQueue: an app so hung that the kernel takes no call for it any more.
func TestFullQueue(t *testing.T) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	l, err := net.FileListener(os.NewFile(uintptr(fd), "queue"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	full := false
	for i := 0; i < 16 && !full; i++ {
		c, err := net.DialTimeout("tcp4", l.Addr().String(), 100*time.Millisecond)
		if full = err != nil; !full {
			defer c.Close()
		}
	}
	if !full {
		t.Fatal("the queue takes everything")
	}
	bridge := lockedBridge(t)
	publish(t, bridge, l)
	hook(t, "", []byte(`{"hook_event_name":"Stop"}`), "claude", "--bridge", bridge)
	hook(t, "{}", []byte(`{"hook_event_name":"stop"}`), "cursor", "--bridge", bridge)
}
