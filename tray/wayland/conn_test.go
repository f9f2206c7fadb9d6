//go:build unix

package wayland

import (
	"errors"
	"image"
	"image/color"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// dial connects to a compositor that is the test itself.
func dial(t testing.TB) (*Conn, *net.UnixConn) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "w")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("WAYLAND_DISPLAY", "w")
	t.Setenv("XDG_RUNTIME_DIR", filepath.Dir(name))
	c, err := Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	peer, err := l.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { peer.Close() })
	return c, peer
}

func TestDialNowhere(t *testing.T) {
	for _, name := range []string{"", "/nonexistent/w"} {
		t.Setenv("WAYLAND_DISPLAY", name)
		if c, err := Dial(); err == nil {
			c.Close()
			t.Errorf("connected to %q", name)
		}
	}
}

func TestEvents(t *testing.T) {
	c, peer := dial(t)
	r := c.Registry()
	peer.Write(appendRequest(nil, 99, 0, "of nobody"))
	peer.Write(appendRequest(nil, r.ID(), 7, "of a newer version"))
	peer.Write(appendRequest(nil, r.ID(), 0, 3, "wl_seat", 8))
	want := Global{3, "wl_seat", 8}
	if e, err := c.Next(); err != nil || e != any(want) {
		t.Fatalf("got %+v with error %v, want %+v", e, err, want)
	}
	o := r.Bind(want, &SeatKind)
	if old := r.Bind(Global{4, "wl_seat", 2}, &SeatKind); !o.Exists() || old.Exists() {
		t.Errorf("bound %v, and %v of too old a version", o, old)
	}
	if other := r.Bind(want, &ShmKind); other.Exists() {
		t.Error("bound a seat as something else")
	}
	c.Flush()
	m, err := readMessage(peer)
	if err != nil || m.from != display || m.code != 1 || m.args.Uint() != r.ID() {
		t.Errorf("the compositor heard %+v with error %v", m, err)
	}
	m, err = readMessage(peer)
	name, kind, version := m.args.Uint(), m.args.Text(), m.args.Uint()
	if err != nil || m.from != r.ID() || name != 3 || kind != "wl_seat" || version != SeatKind.Version || m.args.Uint() != o.ID() {
		t.Errorf("the compositor heard of %d, %q, %d with error %v", name, kind, version, err)
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		event []byte
		want  string
	}{
		"refused":                      {appendRequest(nil, display, 0, 2, 1, "bad luck"), "bad luck"},
		"cut short":                    {appendRequest(nil, 2, 0, 3), "wl_registry"},
		"text longer than the message": {appendRequest(nil, 2, 0, 3, -1), "wl_registry"},
		"gone":                         {nil, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, peer := dial(t)
			conn.Registry()
			peer.Write(c.event)
			peer.Close()
			if e, err := conn.Next(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v with error %v, want one about %q", e, err, c.want)
			}
		})
	}
}

func TestNumbersAreGivenAgain(t *testing.T) {
	c, peer := dial(t)
	compositor := Compositor{c.New(&CompositorKind)}
	s := compositor.NewSurface()
	s.Destroy()
	if next := compositor.NewSurface(); next.ID() == s.ID() {
		t.Error("a number is given again before the compositor knows that it is free")
	}
	peer.Write(appendRequest(nil, display, 1, s.ID()))
	peer.Write(appendRequest(nil, display, 1, s.ID())) // a second time is a lie
	peer.Write(appendRequest(nil, display, 0, 0, 0, "end"))
	if _, err := c.Next(); err == nil {
		t.Fatal("no error")
	}
	if a, b := compositor.NewSurface(), compositor.NewSurface(); a.ID() != s.ID() || b.ID() == s.ID() {
		t.Errorf("the next numbers are %d and %d, want %d once", a.ID(), b.ID(), s.ID())
	}
}

func TestPictures(t *testing.T) {
	c, peer := dial(t)
	shm := Shm{c.New(&ShmKind)}
	img := image.NewRGBA(image.Rect(0, 0, 3, 1))
	img.SetRGBA(2, 0, color.RGBA{1, 2, 3, 4})
	buffers, err := shm.Store([]*image.RGBA{image.NewRGBA(img.Rect), img}, 2)
	if err != nil || len(buffers) != 2 || buffers[1].Size != image.Pt(4, 2) {
		t.Fatalf("stored %+v with error %v", buffers, err)
	}
	c.Flush()
	b, rights := make([]byte, 1000), make([]byte, 100)
	n, rn, _, _, err := peer.ReadMsgUnix(b, rights)
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	messages, err := syscall.ParseSocketControlMessage(rights[:rn])
	if err != nil || len(messages) != 1 {
		t.Fatal(messages, err)
	}
	files, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	f := os.NewFile(uintptr(files[0]), "pool")
	defer f.Close()
	const picture = 4 * 4 * 2
	pixels := make([]byte, 2*picture)
	if _, err := f.ReadAt(pixels, 0); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pixels); i += 4 {
		want := uint32(0)
		if i == picture+2*4 {
			want = 0x04010203
		}
		if got := order.Uint32(pixels[i:]); got != want {
			t.Errorf("word %d is %#x, want %#x", i/4, got, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "playpets-*")); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
	huge := &image.RGBA{Rect: image.Rect(0, 0, 1<<15, 1<<15)}
	if _, err := shm.Store([]*image.RGBA{huge}, 1); err == nil {
		t.Error("stored a picture of 4 GB")
	}
}

func TestFilesOfTheCompositorAreClosed(t *testing.T) {
	c, peer := dial(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, _, err := peer.WriteMsgUnix(appendRequest(nil, 50, 0, 1), syscall.UnixRights(int(w.Fd())), nil); err != nil {
		t.Fatal(err)
	}
	w.Close()
	peer.Close()
	if _, err := c.Next(); err == nil {
		t.Fatal("no error")
	}
	c.Close()
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("somebody still has the file: read %d with error %v", n, err)
	}
}

func TestCloseEndsNext(t *testing.T) {
	c, _ := dial(t)
	ended := make(chan error)
	go func() {
		_, err := c.Next()
		ended <- err
	}()
	c.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

// FuzzEvents has a compositor say anything to objects of every kind.
func FuzzEvents(f *testing.F) {
	kinds := []*Kind{&registryKind, &callbackKind, &OutputKind, &placeKind, &SeatKind, &pointerKind, &keyboardKind, &layerSurfaceKind,
		&dataSourceKind, &dataDeviceKind}
	for i, k := range kinds {
		for code := range k.Events {
			f.Add(uint32(i+2), uint16(code), []byte("\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00"))
		}
	}
	f.Add(uint32(display), uint16(1), []byte("\x02\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, from uint32, code uint16, args []byte) {
		c := newConn(nil)
		for _, k := range kinds {
			c.New(k)
		}
		e, err := c.event(message{from, code, Reader{rest: args}})
		if e != nil && err != nil {
			t.Errorf("%+v came with the error %v", e, err)
		}
	})
}
