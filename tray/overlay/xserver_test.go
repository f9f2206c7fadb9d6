//go:build unix && !darwin

package overlay

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/res"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// An xserver is a real X server of the test's own, and a look at it through a
// connection of its own.
type xserver struct {
	t      testing.TB
	server *exec.Cmd
	conn   *xgb.Conn
	root   xproto.Window
	back   xproto.Window // behind all others
}

// The colour of everything behind the friends.
var behind = color.RGBA{0x20, 0x60, 0xA0, 0xFF}

// tool is the path of a program that the test needs.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + ", which tools/test-deps brings"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

// startX starts an empty X server and makes it the display of the test. Options
// are further arguments of Xvfb.
func startX(t testing.TB, options ...string) *xserver {
	t.Helper()
	arguments := append([]string{"-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"}, options...)
	cmd := exec.Command(tool(t, "Xvfb"), arguments...)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	x := &xserver{t: t, server: cmd}
	t.Cleanup(x.kill)
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	r.Close()
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	os.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Cleanup(func() { os.Unsetenv("DISPLAY") })
	t.Setenv("XAUTHORITY", os.DevNull)
	t.Setenv("WAYLAND_DISPLAY", "")
	xgb.Logger.SetOutput(io.Discard)
	if x.conn, err = xgb.NewConn(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.conn.Close)
	x.root = xproto.Setup(x.conn).DefaultScreen(x.conn).Root
	// Before any event is wanted: xgb has one table of them for all connections.
	for _, extend := range []func(*xgb.Conn) error{xtest.Init, res.Init, randr.Init} {
		if err := extend(x.conn); err != nil && len(options) == 0 {
			t.Fatal(err)
		}
	}
	x.back = x.window(image.Rect(0, 0, 800, 600), true)
	return x
}

// kill ends the server, as a crash would.
func (x *xserver) kill() {
	x.server.Process.Kill()
	x.server.Wait()
}

// run starts a program on the display; end kills it.
func (x *xserver) run(name string, args ...string) (end func()) {
	x.t.Helper()
	cmd := exec.Command(tool(x.t, name), args...)
	if err := cmd.Start(); err != nil {
		x.t.Fatal(err)
	}
	ended := false
	end = func() {
		if !ended {
			ended = true
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	x.t.Cleanup(end)
	return end
}

func (x *xserver) compositor() (end func()) {
	end = x.run("picom", "--backend", "xrender", "--config", os.DevNull)
	x.until("a compositor runs", func() bool {
		owner, err := xproto.GetSelectionOwner(x.conn, x.atom("_NET_WM_CM_S0")).Reply()
		return err == nil && owner.Owner != xproto.WindowNone
	})
	return end
}

// windowManager starts one, and returns a window that it manages. The window is
// there first: a window manager that is starting loses requests.
func (x *xserver) windowManager(r image.Rectangle) xproto.Window {
	id := x.window(r, false)
	x.run("openbox", "--sm-disable")
	x.until("a window is managed", func() bool { return slices.Equal(x.clients(), []xproto.Window{id}) })
	return id
}

// activate gives a managed window the focus, and waits until the window manager
// has said so: an open menu closes at that.
func (x *xserver) activate(id xproto.Window) {
	x.t.Helper()
	xproto.SetInputFocus(x.conn, xproto.InputFocusParent, id, xproto.TimeCurrentTime)
	x.until("the window has the focus", func() bool {
		active := []byte(x.text(x.root, "_NET_ACTIVE_WINDOW"))
		return x.focus() == id && len(active) == 4 && xproto.Window(binary.LittleEndian.Uint32(active)) == id
	})
}

// until waits for something to become true; it fails when that takes far too
// long.
func (x *xserver) until(what string, true func() bool) {
	x.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("it never came that %s", what)
		}
	}
}

func (x *xserver) atom(name string) xproto.Atom {
	reply, err := xproto.InternAtom(x.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	return reply.Atom
}

// window maps a window filled with the colour behind, managed or not.
func (x *xserver) window(r image.Rectangle, override bool) xproto.Window {
	id, _ := xproto.NewWindowId(x.conn)
	screen := xproto.Setup(x.conn).DefaultScreen(x.conn)
	unmanaged := uint32(0)
	if override {
		unmanaged = 1
	}
	xproto.CreateWindow(x.conn, 0, id, x.root, int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()), 0,
		xproto.WindowClassInputOutput, screen.RootVisual, xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwEventMask,
		[]uint32{uint32(behind.R)<<16 | uint32(behind.G)<<8 | uint32(behind.B), unmanaged, xproto.EventMaskButtonPress})
	if err := xproto.MapWindowChecked(x.conn, id).Check(); err != nil {
		x.t.Fatal(err)
	}
	return id
}

// at is what is to be seen at a point.
func (x *xserver) at(p image.Point) color.RGBA {
	reply, err := xproto.GetImage(x.conn, xproto.ImageFormatZPixmap, xproto.Drawable(x.root), int16(p.X), int16(p.Y), 1, 1, 0xFFFFFFFF).Reply()
	if err != nil {
		x.t.Fatalf("read the screen at %v: %v", p, err)
	}
	return color.RGBA{reply.Data[2], reply.Data[1], reply.Data[0], 255}
}

// An xwindow is one of the overlay's windows that is mapped.
type xwindow struct {
	id   xproto.Window
	rect image.Rectangle
}

// ours are the overlay's mapped windows, from bottom to top.
func (x *xserver) ours() (all []xwindow) {
	tree, err := xproto.QueryTree(x.conn, x.root).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	for _, id := range tree.Children {
		if !strings.HasPrefix(x.text(id, "WM_CLASS"), "playpets\x00") {
			continue
		}
		attributes, err := xproto.GetWindowAttributes(x.conn, id).Reply()
		if err != nil || attributes.MapState != xproto.MapStateViewable {
			continue
		}
		if g, err := xproto.GetGeometry(x.conn, xproto.Drawable(id)).Reply(); err == nil {
			all = append(all, xwindow{id, box(int(g.X), int(g.Y), int(g.Width), int(g.Height))})
		}
	}
	return all
}

func (x *xserver) text(id xproto.Window, property string) string {
	reply, err := xproto.GetProperty(x.conn, false, id, x.atom(property), xproto.GetPropertyTypeAny, 0, 64).Reply()
	if err != nil {
		return "" // the window is gone
	}
	return string(reply.Value)
}

// clients are the windows that the window manager lists.
func (x *xserver) clients() (all []xproto.Window) {
	for v := []byte(x.text(x.root, "_NET_CLIENT_LIST")); len(v) >= 4; v = v[4:] {
		all = append(all, xproto.Window(binary.LittleEndian.Uint32(v)))
	}
	return all
}

func (x *xserver) focus() xproto.Window {
	reply, err := xproto.GetInputFocus(x.conn).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	return reply.Focus
}

// fake does what a person would with the pointer or the keyboard.
func (x *xserver) fake(kind, detail byte, at image.Point) {
	x.t.Helper()
	if err := xtest.FakeInputChecked(x.conn, kind, detail, 0, x.root, int16(at.X), int16(at.Y), 0).Check(); err != nil {
		x.t.Fatal(err)
	}
}

func (x *xserver) point(at image.Point) { x.fake(xproto.MotionNotify, 0, at) }

func (x *xserver) press(button byte) { x.fake(xproto.ButtonPress, button, image.Point{}) }

func (x *xserver) release(button byte) { x.fake(xproto.ButtonRelease, button, image.Point{}) }

func (x *xserver) click(at image.Point) {
	x.point(at)
	x.press(leftButton)
	x.release(leftButton)
}

// clicks are the presses on windows of the test since the last call, as
// "x,y" each.
func (x *xserver) clicks() (all []string) {
	x.focus() // a round trip: what came before is here
	for {
		event, _ := x.conn.PollForEvent()
		if event == nil {
			return all
		}
		if e, ok := event.(xproto.ButtonPressEvent); ok {
			all = append(all, fmt.Sprintf("%d,%d", e.RootX, e.RootY))
		}
	}
}

// key presses and releases the key of a keysym.
func (x *xserver) key(sym xproto.Keysym) {
	x.t.Helper()
	const first = 8
	reply, err := xproto.GetKeyboardMapping(x.conn, first, 248).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	for i := 0; i < len(reply.Keysyms); i += int(reply.KeysymsPerKeycode) {
		if reply.Keysyms[i] == sym {
			code := byte(first + i/int(reply.KeysymsPerKeycode))
			x.fake(xproto.KeyPress, code, image.Point{})
			x.fake(xproto.KeyRelease, code, image.Point{})
			return
		}
	}
	x.t.Fatalf("no key has keysym %#x", sym)
}

// grabPointer takes the pointer as any other program would.
func (x *xserver) grabPointer() (status byte) {
	x.t.Helper()
	reply, err := xproto.GrabPointer(x.conn, false, x.root, 0, xproto.GrabModeAsync, xproto.GrabModeAsync,
		xproto.WindowNone, xproto.CursorNone, xproto.TimeCurrentTime).Reply()
	if err != nil {
		x.t.Fatal(err)
	}
	return reply.Status
}

// free checks that nobody has the pointer or the keys.
func (x *xserver) free(when string) {
	x.t.Helper()
	x.until("the pointer is free", func() bool { return x.grabPointer() == xproto.GrabStatusSuccess })
	xproto.UngrabPointer(x.conn, xproto.TimeCurrentTime)
	reply, err := xproto.GrabKeyboard(x.conn, false, x.root, xproto.TimeCurrentTime, xproto.GrabModeAsync, xproto.GrabModeAsync).Reply()
	if err != nil || reply.Status != xproto.GrabStatusSuccess {
		x.t.Errorf("%s, but somebody has the keys (%v)", when, err)
	}
	xproto.UngrabKeyboard(x.conn, xproto.TimeCurrentTime)
}
