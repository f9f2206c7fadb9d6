//go:build unix && !darwin

package overlay

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playpets/playpets/tray/wayland"
)

// A sway is a real compositor of the test's own, with one monitor of 800×600
// filled with the colour behind, and a hand that moves its pointer.
type sway struct {
	t       testing.TB
	process *exec.Cmd
	dir     string
	hand    *wlClient // also the backdrop
	pointer wayland.Object
	keys    wayland.Object
}

// startSway starts a compositor and makes it the display of the test.
func startSway(t testing.TB) *sway {
	t.Helper()
	w := runSway(t, "WLR_BACKENDS=headless", "WAYLAND_DISPLAY=")
	w.hand = w.client()
	w.hand.backdrop()
	w.pointer, w.keys = w.hand.devices()
	w.move(image.Pt(790, 590), image.Pt(800, 600))
	w.hand.sync()
	until(t, "the backdrop is seen", func() bool { return w.at(image.Pt(400, 300)) == behind })
	return w
}

// runSway starts a compositor somewhere.
func runSway(t testing.TB, where ...string) *sway {
	t.Helper()
	path := tool(t, "sway")
	dir, err := os.MkdirTemp("", "playpets-sway-") // short: sockets' names are
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	config := filepath.Join(dir, "config")
	text := "xwayland disable\noutput HEADLESS-1 resolution 800x600 position 0 0\nfocus_follows_mouse no\ndefault_border none\nexec echo $WAYLAND_DISPLAY > ready\n"
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", config)
	if os.Geteuid() == 0 { // which sway refuses to be
		cmd = exec.Command(tool(t, "setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups", path, "-c", config)
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "SWAYSOCK="+filepath.Join(dir, "ipc"),
		"WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman", "DISPLAY=")
	cmd.Env = append(cmd.Env, where...)
	var said lockedBuffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := &sway{t: t, process: cmd, dir: dir}
	t.Cleanup(w.kill)
	t.Setenv("DISPLAY", "")
	t.Setenv("XDG_RUNTIME_DIR", dir)
	until(t, "sway runs: "+said.String(), func() bool {
		name, err := os.ReadFile(filepath.Join(dir, "ready"))
		if err != nil || !bytes.HasSuffix(name, []byte("\n")) {
			return false
		}
		t.Setenv("WAYLAND_DISPLAY", filepath.Join(dir, strings.TrimSpace(string(name))))
		return true
	})
	return w
}

// until waits for something to become true; it fails when that takes far too
// long.
func until(t testing.TB, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

// kill ends the compositor, as a crash would.
func (w *sway) kill() {
	w.process.Process.Signal(syscall.SIGKILL)
	w.process.Wait()
}

// say has the compositor do something.
func (w *sway) say(words string) {
	w.t.Helper()
	cmd := exec.Command(tool(w.t, "swaymsg"), words)
	cmd.Env = append(os.Environ(), "SWAYSOCK="+filepath.Join(w.dir, "ipc"))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("swaymsg %s: %v\n%s", words, err, out)
	}
}

// look is what is to be seen on all monitors.
func (w *sway) look() *image.RGBA {
	w.t.Helper()
	out, err := exec.Command(tool(w.t, "grim"), "-t", "ppm", "-").Output()
	if err != nil {
		w.t.Fatalf("grim: %v", err)
	}
	var width, height, most int
	r := bytes.NewReader(out)
	if _, err := fmt.Fscanf(r, "P6\n%d %d\n%d\n", &width, &height, &most); err != nil {
		w.t.Fatalf("grim's picture: %v", err)
	}
	pixels, _ := io.ReadAll(r)
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		copy(img.Pix[4*i:], []byte{pixels[3*i], pixels[3*i+1], pixels[3*i+2], 255})
	}
	return img
}

func (w *sway) at(p image.Point) color.RGBA { return w.look().RGBAAt(p.X, p.Y) }

// move puts the pointer somewhere on the only monitor, or both of 800×600 side by
// side.
func (w *sway) move(p image.Point, extent image.Point) {
	w.pointer.Send(1, uint32(0), uint32(p.X), uint32(p.Y), uint32(extent.X), uint32(extent.Y))
	w.pointer.Send(4)
	w.hand.sync()
}

func (w *sway) button(code uint32, down bool) {
	state := uint32(0)
	if down {
		state = 1
	}
	w.pointer.Send(2, uint32(0), code, state)
	w.pointer.Send(4)
	w.hand.sync()
}

// key presses and releases a key.
func (w *sway) key(code uint32) {
	w.keys.Send(1, uint32(0), code, uint32(1))
	w.keys.Send(1, uint32(0), code, uint32(0))
	w.hand.sync()
}

// A wlClient is another program.
type wlClient struct {
	t          testing.TB
	conn       *wayland.Conn
	registry   wayland.Registry
	offered    map[string]wayland.Global
	compositor wayland.Compositor
	shm        wayland.Shm
	seat       wayland.Seat
	pointer    wayland.Pointer
	surface    wayland.Surface
	layer      wayland.LayerSurface
	window     wayland.Object
	color      color.RGBA
	clicks     int // that came to it
	inside     bool
}

func (w *sway) client() *wlClient {
	w.t.Helper()
	conn, err := wayland.Dial()
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(conn.Close)
	c := &wlClient{t: w.t, conn: conn, registry: conn.Registry(), offered: map[string]wayland.Global{}, color: behind}
	c.sync()
	c.compositor = wayland.Compositor{Object: c.bind(&wayland.CompositorKind)}
	c.shm = wayland.Shm{Object: c.bind(&wayland.ShmKind)}
	c.seat = wayland.Seat{Object: c.bind(&wayland.SeatKind)}
	return c
}

func (c *wlClient) bind(k *wayland.Kind) wayland.Object {
	c.t.Helper()
	o := c.registry.Bind(c.offered[k.Name], k)
	if !o.Exists() {
		c.t.Fatalf("sway offers no %s", k.Name)
	}
	return o
}

// sync handles everything that was sent up to now.
func (c *wlClient) sync() {
	c.t.Helper()
	done := wayland.Done{Sync: c.conn.Sync()}
	for {
		if err := c.conn.Flush(); err != nil {
			c.t.Fatal(err)
		}
		e, err := c.conn.Next()
		if err != nil {
			c.t.Fatal(err)
		}
		switch e := e.(type) {
		case wayland.Done:
			if e == done {
				return
			}
		case wayland.Global:
			c.offered[e.Interface] = e
		case wayland.Capabilities:
			if e.Pointer && !c.pointer.Exists() {
				c.pointer = c.seat.Pointer()
			}
		case wayland.PointerEnter:
			c.inside = true
			c.pointer.Send(0, e.Serial, nil, 0, 0) // its picture is in no test
		case wayland.PointerLeave:
			c.inside = false
		case wayland.PointerButton:
			if e.Down {
				c.clicks++
			}
		case wayland.LayerConfigure:
			c.layer.Ack(e.Serial)
			c.fill(e.Size)
		case shellConfigure:
			c.window.Send(4, uint32(e))
			c.fill(image.Pt(800, 600))
		}
	}
}

// fill shows the client's colour.
func (c *wlClient) fill(size image.Point) {
	img := image.NewRGBA(image.Rectangle{Max: size})
	for i := range img.Pix {
		img.Pix[i] = []byte{c.color.R, c.color.G, c.color.B, 255}[i%4]
	}
	b, err := c.shm.Store([]*image.RGBA{img}, 1)
	if err != nil {
		c.t.Fatal(err)
	}
	c.surface.Attach(b[0])
	c.surface.Commit()
}

// backdrop fills the monitor behind everything.
func (c *wlClient) backdrop() {
	c.surface = c.compositor.NewSurface()
	layers := wayland.LayerShell{Object: c.bind(&wayland.LayerShellKind)}
	c.layer = layers.Put(c.surface, nil, wayland.Background, "backdrop")
	c.layer.Fill(false)
	c.surface.Commit()
	c.sync()
	c.sync()
}

// panel takes the upper edge of the monitor.
func (c *wlClient) panel(height int) {
	c.surface = c.compositor.NewSurface()
	layers := wayland.LayerShell{Object: c.bind(&wayland.LayerShellKind)}
	c.layer = layers.Put(c.surface, nil, wayland.Top, "panel")
	const topLeftRight = 13
	c.layer.SetSize(image.Pt(0, height))
	c.layer.Send(1, uint32(topLeftRight))
	c.layer.Send(2, height)
	c.surface.Commit()
	c.sync()
	c.sync()
}

// lock takes keyboard and screen, as a screen locker does.
func (c *wlClient) lock() {
	c.surface = c.compositor.NewSurface()
	layers := wayland.LayerShell{Object: c.bind(&wayland.LayerShellKind)}
	c.layer = layers.Put(c.surface, nil, wayland.Over, "lock")
	c.layer.Fill(false)
	c.layer.SetKeyboard(true)
	c.surface.Commit()
	c.sync()
	c.sync()
}

// What only tests need of the protocol.
var (
	pointersKind  = wayland.Kind{Name: "zwlr_virtual_pointer_manager_v1", Version: 1}
	pointerKind   = wayland.Kind{Name: "zwlr_virtual_pointer_v1", Version: 1}
	keyboardsKind = wayland.Kind{Name: "zwp_virtual_keyboard_manager_v1", Version: 1}
	keyboardKind  = wayland.Kind{Name: "zwp_virtual_keyboard_v1", Version: 1}
	shellKind     = wayland.Kind{Name: "xdg_wm_base", Version: 1}
	windowKind    = wayland.Kind{Name: "xdg_surface", Version: 1, Events: []func(uint32, *wayland.Reader) any{
		func(_ uint32, r *wayland.Reader) any { return shellConfigure(r.Uint()) },
	}}
	toplevelKind = wayland.Kind{Name: "xdg_toplevel", Version: 1}
)

// A shellConfigure wants its number back.
type shellConfigure uint32

// devices makes a mouse and a keyboard.
func (c *wlClient) devices() (pointer, keys wayland.Object) {
	c.t.Helper()
	pointers, keyboards := c.bind(&pointersKind), c.bind(&keyboardsKind)
	pointer = c.conn.New(&pointerKind)
	pointers.Send(0, nil, pointer)
	keys = c.conn.New(&keyboardKind)
	keyboards.Send(0, c.seat, keys)
	f, err := os.CreateTemp(c.t.TempDir(), "")
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close()
	layout := `xkb_keymap { xkb_keycodes { include "evdev" }; xkb_types { include "complete" }; xkb_compat { include "complete" }; xkb_symbols { include "pc+us" }; };` + "\x00"
	if _, err := f.WriteString(layout); err != nil {
		c.t.Fatal(err)
	}
	const xkb = 1
	if err := keys.SendFile(f, 0, uint32(xkb), uint32(len(layout))); err != nil {
		c.t.Fatal(err)
	}
	c.sync()
	return pointer, keys
}

// fullScreen opens a window in full screen.
func (c *wlClient) fullScreen(fill color.RGBA) {
	c.color = fill
	c.surface = c.compositor.NewSurface()
	shell := c.bind(&shellKind)
	c.window = c.conn.New(&windowKind)
	shell.Send(2, c.window, c.surface)
	toplevel := c.conn.New(&toplevelKind)
	c.window.Send(1, toplevel)
	toplevel.Send(11, nil)
	c.surface.Commit()
	c.sync()
	c.sync()
}
