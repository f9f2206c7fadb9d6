//go:build unix && !darwin

package notify

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// dunst's messages are here, the first at the top, and a click does what a click
// on the message is for.
const dunstConfig = `[global]
    monitor = 0
    origin = top-left
    offset = 0x0
    width = 300
    height = 300
    font = DejaVu Sans 10
    markup = full
    format = "<b>%s</b>\n%b"
    mouse_left_click = do_action, close_current
`

// startX starts an empty X server for what the bus starts.
func startX(t testing.TB) {
	t.Helper()
	cmd := exec.Command(tool(t, "Xvfb"), "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("XAUTHORITY", os.DevNull)
	t.Setenv("WAYLAND_DISPLAY", "")
}

// startDunst has a bus on which dunst is started by whoever needs it, and
// returns how many messages dunst has on the screen.
func startDunst(t testing.TB) (b *testBus, displayed func() uint32) {
	t.Helper()
	dunst := tool(t, "dunst")
	startX(t)
	t.Setenv("HOME", t.TempDir())
	b = startBus(t) // with the display, for those whom it starts
	b.write("dunstrc", dunstConfig)
	b.write("services/dunst.service", fmt.Sprintf("[D-BUS Service]\nName=%s\nExec=%s -config %s\n", busName, dunst, filepath.Join(b.dir, "dunstrc")))
	conn := b.connect()
	t.Cleanup(func() {
		var pid int
		if conn.BusObject().Call(driver+".GetConnectionUnixProcessID", 0, busName).Store(&pid) == nil {
			syscall.Kill(pid, syscall.SIGTERM)
		}
	})
	return b, func() (n uint32) {
		t.Helper()
		err := conn.Object(busName, busPath).StoreProperty("org.dunstproject.cmd0.displayedLength", &n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// until waits for what must come about.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(far); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// The whole way with a real notification daemon and a real click.
func TestDunst(t *testing.T) {
	xdotool := tool(t, "xdotool")
	_, displayed := startDunst(t)
	if name, err := Server(t.Context()); err != nil || !strings.HasPrefix(name, "dunst ") {
		t.Fatal(name, err)
	}
	clicks := make(chan string, 10)
	c := Open(Options{
		Rules: allRules,
		Icon:  paw(t),
		Write: func(n Notice) Message {
			return Message{Title: "Claude Code <needs> you & me", Body: n.Text}
		},
		Clicked: func(friend string) { clicks <- friend },
	})
	defer c.Close()
	c.Report(Event{Friend: "mochi", Agent: "claude", State: "waiting", Text: "May I <b>run</b> a && b?\n해도 될까요?"})
	until(t, "a notice is shown", func() bool { return displayed() == 1 })
	if _, err := c.Send(t.Context(), Message{Key: "claude\x00\x00mochi", Title: "in its place", Body: "a < b"}); err != nil {
		t.Fatal(err)
	}
	if n := displayed(); n != 1 {
		t.Errorf("%d are shown after one took the place of the other", n)
	}
	c.Report(Event{Friend: "bori", Agent: "claude", State: "error", Text: "exit code 1"})
	until(t, "another one is shown", func() bool { return displayed() == 2 })
	if out, err := exec.Command(xdotool, "mousemove", "50", "20", "click", "1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if friend := receive(t, clicks); friend != "" { // the first one is what Send put there
		t.Errorf("clicked %q", friend)
	}
	until(t, "the first one is gone", func() bool { return displayed() == 1 })
	if out, err := exec.Command(xdotool, "mousemove", "60", "20", "click", "1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if friend := receive(t, clicks); friend != "bori" {
		t.Errorf("clicked %q", friend)
	}
	until(t, "the other one is gone", func() bool { return displayed() == 0 })
	c.Report(Event{Friend: "ssak", Agent: "claude", State: "waiting"})
	until(t, "a question is shown", func() bool { return displayed() == 1 })
	c.Report(Event{Friend: "ssak", Agent: "claude", State: "working"})
	until(t, "it is gone when it is answered", func() bool { return displayed() == 0 })
}

// dunst is killed and started again by the next notice.
func TestDunstRestarts(t *testing.T) {
	b, displayed := startDunst(t)
	d := openDesk(t, nil)
	m := Message{Key: "mochi", Title: "Mochi"}
	for range 2 {
		if server, err := d.show(t.Context(), m, "mochi"); err != nil || !strings.HasPrefix(server, "dunst ") {
			t.Fatal(server, err)
		}
		if n := displayed(); n != 1 {
			t.Errorf("%d are shown", n)
		}
		var pid int
		bus := b.connect().BusObject()
		if err := bus.Call(driver+".GetConnectionUnixProcessID", 0, busName).Store(&pid); err != nil {
			t.Fatal(err)
		}
		syscall.Kill(pid, syscall.SIGKILL)
		until(t, "dunst is gone", func() bool {
			var there bool
			return bus.Call(driver+".NameHasOwner", 0, busName).Store(&there) == nil && !there
		})
	}
}
