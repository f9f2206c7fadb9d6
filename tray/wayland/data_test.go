//go:build unix

package wayland

import (
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

// sendFile has the compositor send bytes together with one end of a pipe, whose
// other end is returned.
func sendFile(t *testing.T, peer *net.UnixConn, b []byte) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	t.Cleanup(func() { r.Close() })
	if _, _, err := peer.WriteMsgUnix(b, syscall.UnixRights(int(w.Fd())), nil); err != nil {
		t.Fatal(err)
	}
	return r
}

func expectRead(t *testing.T, r *os.File, want string) {
	t.Helper()
	if b, err := io.ReadAll(r); string(b) != want || err != nil {
		t.Errorf("read %q with error %v, want %q", b, err, want)
	}
}

// Each event gets its own file, also when another comes for what has none to say
// any more.
func TestFilesOfEvents(t *testing.T) {
	c, peer := dial(t)
	seat := Seat{c.New(&SeatKind)}
	keyboard := seat.Keyboard()
	control := DataControl{c.New(DataControlKinds[0])}
	ended, source := control.NewSource(), control.NewSource()
	ended.End(1)
	layout := sendFile(t, peer, appendRequest(nil, keyboard.ID(), 0, 1, 10))
	lost := sendFile(t, peer, appendRequest(nil, ended.ID(), 0, "text/plain"))
	first := sendFile(t, peer, appendRequest(nil, source.ID(), 0, "text/plain"))
	second := sendFile(t, peer, appendRequest(nil, source.ID(), 0, "UTF8_STRING"))
	for _, form := range []string{"text/plain", "UTF8_STRING"} {
		e, err := c.Next()
		send, ok := e.(DataSend)
		if err != nil || !ok || send.Type != form {
			t.Fatalf("got %+v with error %v, want %s", e, err, form)
		}
		io.WriteString(send.To, form)
		send.To.Close()
	}
	expectRead(t, layout, "")
	expectRead(t, lost, "")
	expectRead(t, first, "text/plain")
	expectRead(t, second, "UTF8_STRING")
}

func TestFileIsMissing(t *testing.T) {
	c, peer := dial(t)
	source := DataControl{c.New(DataControlKinds[0])}.NewSource()
	peer.Write(appendRequest(nil, source.ID(), 0, "text/plain"))
	if e, err := c.Next(); err == nil || !strings.Contains(err.Error(), "data control source") {
		t.Errorf("got %+v with error %v", e, err)
	}
}

// A compositor that sends files with nothing that takes them is hung up on before
// we have none left.
func TestTooManyFiles(t *testing.T) {
	c, peer := dial(t)
	go func() {
		for {
			r, w, err := os.Pipe()
			if err != nil {
				return
			}
			_, _, err = peer.WriteMsgUnix(appendRequest(nil, 50, 0), syscall.UnixRights(int(w.Fd())), nil)
			w.Close()
			r.Close()
			if err != nil {
				return
			}
		}
	}()
	if e, err := c.Next(); err == nil || !strings.Contains(err.Error(), "files") {
		t.Errorf("got %+v with error %v", e, err)
	}
}

func TestDataControlRequests(t *testing.T) {
	c, peer := dial(t)
	control := DataControl{c.New(DataControlKinds[0])}
	source, device := control.NewSource(), control.Device(Seat{c.New(&SeatKind)})
	source.Offer("text/plain")
	device.SetSelection(source)
	device.Offer(0xFF000001).Destroy()
	c.Flush()
	for _, want := range []struct {
		from Object
		code uint16
	}{{control.Object, 0}, {control.Object, 1}, {source.Object, 0}, {device.Object, 0}, {Object{c, 0xFF000001}, 1}} {
		if m, err := readMessage(peer); err != nil || m.from != want.from.id || m.code != want.code {
			t.Fatalf("the compositor heard %+v with error %v, want request %d of %d", m, err, want.code, want.from.id)
		}
	}
	peer.Write(appendRequest(nil, device.ID(), 0, uint32(0xFF000001)))
	peer.Write(appendRequest(nil, device.ID(), 1, uint32(0xFF000001)))
	peer.Write(appendRequest(nil, device.ID(), 2))
	peer.Write(appendRequest(nil, source.ID(), 1))
	for _, want := range []any{DataOffered{0xFF000001}, Selection{0xFF000001}, DataFinished{}, DataCancelled{}} {
		if e, err := c.Next(); err != nil || e != want {
			t.Fatalf("got %+v with error %v, want %+v", e, err, want)
		}
	}
}
