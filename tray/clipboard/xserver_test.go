//go:build unix && !darwin

package clipboard

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// startX starts an empty X server and makes it the only display of the test.
func startX(t testing.TB) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(tool(t, "Xvfb"), "-displayfd", "3", "-screen", "0", "320x200x24", "-nolisten", "tcp", "-noreset")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	r.Close()
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("XAUTHORITY", os.DevNull)
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("XDG_SESSION_TYPE", "x11")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	return cmd
}

// kill ends a program of the test, as a crash would.
func kill(cmd *exec.Cmd) {
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
}

// start runs a program until the test is over.
func start(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(tool(t, name), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

// A guest is another program on the display.
type guest struct {
	*x11
	t testing.TB
}

func visit(t testing.TB) guest {
	t.Helper()
	x, _, err := openX11(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.conn.Close)
	return guest{x, t}
}

func (g guest) atom(name string) xproto.Atom {
	g.t.Helper()
	reply, err := xproto.InternAtom(g.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		g.t.Fatal(err)
	}
	return reply.Atom
}

// ask wants a target of the clipboard in a property, and waits for the answer.
func (g guest) ask(target, property xproto.Atom) xproto.SelectionNotifyEvent {
	g.t.Helper()
	xproto.ConvertSelection(g.conn, g.window, g.atoms.clipboard, target, property, xproto.TimeCurrentTime)
	for {
		e, err := g.event()
		if err != nil {
			g.t.Fatal(err)
		}
		if e, ok := e.(xproto.SelectionNotifyEvent); ok {
			return e
		}
	}
}

// property takes what is in a property of the guest's window.
func (g guest) property(name xproto.Atom) *xproto.GetPropertyReply {
	g.t.Helper()
	reply, err := xproto.GetProperty(g.conn, true, g.window, name, xproto.GetPropertyTypeAny, 0, 1<<20).Reply()
	if err != nil {
		g.t.Fatal(err)
	}
	return reply
}

// take makes the guest the owner of a selection.
func (g guest) take(selection xproto.Atom) {
	g.t.Helper()
	at, err := g.now()
	if err != nil {
		g.t.Fatal(err)
	}
	if err := xproto.SetSelectionOwnerChecked(g.conn, g.window, selection, at).Check(); err != nil {
		g.t.Fatal(err)
	}
}
