//go:build unix && !darwin

package clipboard

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const waylandWay = "Wayland data-control"

func (c *Clipboard) wayland(t testing.TB) *waylandSource {
	t.Helper()
	s, ok := c.held.(*waylandSource)
	if !ok {
		t.Fatalf("the holder is %T", c.held)
	}
	return s
}

func paste(t testing.TB, args ...string) string {
	t.Helper()
	return output(t, "wl-paste", append([]string{"--no-newline"}, args...)...)
}

func TestWaylandTexts(t *testing.T) {
	startSway(t, false)
	expectWay(t, waylandWay)
	c := open(t)
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			c.mustCopy(t, text, waylandWay)
			expectText(t, paste(t), text)
		})
	}
	for _, form := range textForms {
		expectText(t, paste(t, "--type", form), c.wayland(t).text)
	}
	if got := paste(t, "--list-types"); got != strings.Join(textForms, "\n")+"\n" {
		t.Errorf("the forms are %q", got)
	}
}

func TestWaylandTaken(t *testing.T) {
	startSway(t, false)
	c := open(t)
	c.mustCopy(t, "ours", waylandWay)
	s := c.wayland(t)
	start(t, "wl-copy", "--foreground", "theirs")
	shut(t, "the connection ended", s.gone)
	expectText(t, paste(t), "theirs")
	c.mustCopy(t, "ours again", waylandWay)
	expectText(t, paste(t), "ours again")
}

func TestWaylandSecondCopy(t *testing.T) {
	startSway(t, false)
	c := open(t)
	c.mustCopy(t, "first", waylandWay)
	s := c.wayland(t)
	c.mustCopy(t, "second", waylandWay)
	shut(t, "the first connection ended", s.gone)
	expectText(t, paste(t), "second")
	c.Close()
	if out, err := exec.Command(tool(t, "wl-paste")).Output(); err == nil {
		t.Errorf("after the end there is %q", out)
	}
}

// wish asks for the text, which then comes into a pipe.
func wish(t testing.TB) *os.File {
	t.Helper()
	d, keep, err := openDataControl(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer d.conn.Close()
	defer keep()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := d.device.Offer(d.offer).Receive(utf8Form, w); err != nil {
		t.Fatal(err)
	}
	if err := d.sync(); err != nil { // else the end of the connection may come first
		t.Fatal(err)
	}
	return r
}

// Those who do not read keep nobody from reading, until there are too many of
// them, and get all of the text when they read after all; those who are gone do
// no harm; all are let go of at the end.
func TestWaylandBadReaders(t *testing.T) {
	startSway(t, false)
	c := open(t)
	c.mustCopy(t, texts["long"], waylandWay)
	for range 20 {
		wish(t).Close()
	}
	until(t, "nobody of them is served", func() bool { return len(c.wayland(t).readers) == 0 })
	var slow []*os.File
	for range mostReaders - 1 {
		slow = append(slow, wish(t))
	}
	expectText(t, paste(t), texts["long"])
	for _, r := range slow[:2] {
		b, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Error(err)
		}
		expectText(t, string(b), texts["long"])
	}
	c.Close()
	for _, r := range slow[2:] {
		b, err := io.ReadAll(r)
		r.Close()
		if err != nil || len(b) >= len(texts["long"]) {
			t.Errorf("after the end came %d bytes with error %v", len(b), err)
		}
	}
}

// A hoard of readers gets no more of us than it should.
func TestWaylandTooManyReaders(t *testing.T) {
	startSway(t, false)
	c := open(t)
	c.mustCopy(t, texts["long"], waylandWay)
	empty := 0
	for range 2 * mostReaders {
		r := wish(t)
		defer r.Close()
		r.SetReadDeadline(time.Now().Add(far))
		if n, _ := r.Read(make([]byte, 1)); n == 0 {
			empty++
		}
	}
	if empty != mostReaders {
		t.Errorf("%d of %d got nothing, want %d", empty, 2*mostReaders, mostReaders)
	}
}

func TestWaylandServerDies(t *testing.T) {
	server, _ := startSway(t, false)
	c := open(t)
	c.mustCopy(t, "text", waylandWay)
	s := c.wayland(t)
	kill(server)
	shut(t, "the connection ended", s.gone)
	c.expectError(t, waylandWay+": ")
}

// wlroots takes a selection of XWayland's only from a window with the focus. With
// XWayland alone that is noticed, although X11 programs see the text.
func TestXWaylandRefused(t *testing.T) {
	_, display := startSway(t, true)
	c := open(t)
	wayland := os.Getenv("WAYLAND_DISPLAY")
	t.Setenv("DISPLAY", display)
	c.mustCopy(t, "over Wayland", waylandWay)
	t.Setenv("WAYLAND_DISPLAY", "")
	c.limit = far / 10
	c.expectError(t, "X11: the Wayland compositor does not take it")
	t.Setenv("WAYLAND_DISPLAY", wayland)
	expectText(t, paste(t), "over Wayland")
}

// Where a window of XWayland's has the focus the selection is taken.
func TestXWaylandTaken(t *testing.T) {
	_, display := startSway(t, true)
	wayland := os.Getenv("WAYLAND_DISPLAY")
	t.Setenv("DISPLAY", display)
	start(t, "xterm", "-e", "sleep", "1000")
	until(t, "a window has the focus", func() bool {
		return strings.Contains(output(t, "xprop", "-root", "_NET_ACTIVE_WINDOW"), "window id # 0x") &&
			!strings.Contains(output(t, "xprop", "-root", "_NET_ACTIVE_WINDOW"), "0x0\n")
	})
	c := open(t)
	t.Setenv("WAYLAND_DISPLAY", "")
	c.mustCopy(t, texts["Korean"], "X11")
	t.Setenv("WAYLAND_DISPLAY", wayland)
	until(t, "the compositor takes it over", func() bool { return exec.Command("wl-paste", "--list-types").Run() == nil })
	expectText(t, paste(t), texts["Korean"])
}

// A compositor with both protocols is talked to by the newer one; without any, or
// without a seat, the error says so.
func TestWaylandProtocols(t *testing.T) {
	for _, c := range []struct {
		offers []string
		want   string // what is bound first, or the error
	}{
		{[]string{"zwlr_data_control_manager_v1", "ext_data_control_manager_v1", "wl_seat"}, "ext_data_control_manager_v1"},
		{[]string{"ext_data_control_manager_v1", "zwlr_data_control_manager_v1", "wl_seat"}, "ext_data_control_manager_v1"},
		{[]string{"zwlr_data_control_manager_v1", "wl_seat"}, "zwlr_data_control_manager_v1"},
		{[]string{"ext_data_control_manager_v1"}, "the compositor has no seat"},
		{[]string{"wl_seat"}, "the compositor does not offer it"},
	} {
		bound := pretend(t, c.offers)
		d, keep, err := openDataControl(t.Context())
		switch {
		case err != nil && err.Error() != c.want:
			t.Errorf("%v: the error is %v, want %s", c.offers, err, c.want)
		case err == nil:
			keep()
			if got := <-bound; got != c.want {
				t.Errorf("%v: bound %s, want %s", c.offers, got, c.want)
			}
			d.conn.Close()
		}
	}
}

// pretend is a compositor that offers just this. It sends what is bound.
func pretend(t testing.TB, offers []string) <-chan string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "w")
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	t.Setenv("WAYLAND_DISPLAY", name)
	bound := make(chan string, len(offers))
	go func() {
		peer, err := l.Accept()
		if err != nil {
			return
		}
		defer peer.Close()
		for registry := uint32(0); ; {
			from, code, args, err := request(peer)
			if err != nil {
				return
			}
			const display, sync, getRegistry = 1, 0, 1
			switch {
			case from == display && code == getRegistry:
				registry = args[0]
				for i, offer := range offers {
					peer.Write(global(registry, uint32(i), offer))
				}
			case from == display && code == sync:
				peer.Write(event(args[0], 0, 0))
			case from == registry:
				bound <- offers[args[0]]
			}
		}
	}()
	return bound
}

// request reads one, of whose arguments only numbers are of use.
func request(r io.Reader) (from uint32, code uint16, args []uint32, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, nil, err
	}
	word := binary.NativeEndian.Uint32(head[4:])
	body := make([]byte, word>>16-8)
	if _, err := io.ReadFull(r, body); err != nil {
		return 0, 0, nil, err
	}
	for ; len(body) > 0; body = body[4:] {
		args = append(args, binary.NativeEndian.Uint32(body))
	}
	return binary.NativeEndian.Uint32(head[:]), uint16(word), args, nil
}

func event(from uint32, code uint16, args ...uint32) (b []byte) {
	for _, w := range append([]uint32{from, uint32(8+4*len(args))<<16 | uint32(code)}, args...) {
		b = binary.NativeEndian.AppendUint32(b, w)
	}
	return b
}

// global is the event that offers an interface in a version of today's.
func global(registry, number uint32, name string) []byte {
	padded := make([]byte, (len(name)/4+1)*4)
	copy(padded, name)
	args := []uint32{number, uint32(len(name) + 1)}
	for ; len(padded) > 0; padded = padded[4:] {
		args = append(args, binary.NativeEndian.Uint32(padded))
	}
	return event(registry, 0, append(args, 5)...)
}
