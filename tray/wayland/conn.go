//go:build unix

package wayland

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// A Kind is an interface of the protocol, as far as we know it.
type Kind struct {
	Name    string
	Least   uint32 // the oldest version that knows all our requests
	Version uint32 // the newest that tells us anything more
	// Events turn the events of an object into values, by their code. Those that
	// are nil or beyond the end are nobody's concern.
	Events []func(id uint32, r *Reader) any
}

// A Conn is a connection to a compositor. Next may run beside one goroutine that
// does everything else.
type Conn struct {
	socket *net.UnixConn
	in     *bufio.Reader
	out    []byte // requests that were not sent yet

	mu      sync.Mutex
	objects map[uint32]*object
	free    []uint32 // numbers that can be given again
	top     uint32   // the highest number given

	files files // came, and their events were not read yet
}

// An object is one of ours. After its end there may still be events on their way,
// whose files have to be taken.
type object struct {
	kind  *Kind
	ended bool
}

// display is the number of the object that is there from the start.
const display = 1

// Dial connects to the compositor that WAYLAND_DISPLAY names.
func Dial() (*Conn, error) {
	name := os.Getenv("WAYLAND_DISPLAY")
	if name == "" {
		return nil, errors.New("WAYLAND_DISPLAY is not set")
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), name)
	}
	socket, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: name, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return newConn(socket), nil
}

func newConn(socket *net.UnixConn) *Conn {
	c := &Conn{
		socket:  socket,
		objects: map[uint32]*object{},
		top:     display,
	}
	c.in = bufio.NewReader(fileReader{socket, &c.files})
	return c
}

// Close ends the connection, and with it every object. Next returns an error
// from then on.
func (c *Conn) Close() {
	c.socket.Close()
	c.files.close()
}

// Next waits for the next event that somebody asked for. After an error there
// are no more.
func (c *Conn) Next() (any, error) {
	for {
		m, err := readMessage(c.in)
		if err != nil {
			return nil, fmt.Errorf("read from the compositor: %w", err)
		}
		e, err := c.event(m)
		if err != nil || e != nil {
			return e, err
		}
	}
}

// event is what m says, nil when it is nobody's concern.
func (c *Conn) event(m message) (e any, err error) {
	if m.from == display {
		return nil, c.displayEvent(m)
	}
	kind, ended := c.find(m.from)
	if kind == nil || int(m.code) >= len(kind.Events) || kind.Events[m.code] == nil {
		return nil, nil
	}
	m.args.next = c.files.take
	e = kind.Events[m.code](m.from, &m.args)
	if m.args.err != nil {
		m.args.drop()
		return nil, fmt.Errorf("read event %d of %s: %w", m.code, kind.Name, m.args.err)
	}
	if ended {
		m.args.drop()
		return nil, nil
	}
	return e, nil
}

// find is what an object is, nil for none of ours.
func (c *Conn) find(id uint32) (k *Kind, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.objects[id]
	if o == nil {
		return nil, false
	}
	return o.kind, o.ended
}

func (c *Conn) displayEvent(m message) error {
	const failed, deleted = 0, 1
	switch m.code {
	case failed:
		id, code, text := m.args.Uint(), m.args.Uint(), m.args.Text()
		return fmt.Errorf("the compositor refuses us: object %d, error %d: %q", id, code, text)
	case deleted:
		c.forget(m.args.Uint())
	}
	return m.args.err
}

// New gives a number to an object of the given kind. The next request must be
// the one that creates it, since compositors want numbers in their order.
func (c *Conn) New(k *Kind) Object {
	c.mu.Lock()
	defer c.mu.Unlock()
	var id uint32
	if n := len(c.free); n > 0 {
		id, c.free = c.free[n-1], c.free[:n-1]
	} else {
		c.top++
		id = c.top
	}
	c.objects[id] = &object{kind: k}
	return Object{c, id}
}

// retire keeps an object's events away; its number is given again only when the
// compositor knows.
func (c *Conn) retire(id uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.objects[id]; o != nil {
		o.ended = true
	}
}

func (c *Conn) forget(id uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.objects[id]; known {
		delete(c.objects, id)
		c.free = append(c.free, id)
	}
}

// Flush sends what was asked for since the last time. An error is final, and
// Next has it too.
func (c *Conn) Flush() error { return c.send(nil) }

// send sends what was asked for; rights are files that go with it.
func (c *Conn) send(rights []byte) error {
	b := c.out
	c.out = c.out[:0]
	for len(b) > 0 {
		n, _, err := c.socket.WriteMsgUnix(b, rights, nil)
		if err != nil {
			return fmt.Errorf("write to the compositor: %w", err)
		}
		b, rights = b[n:], nil
	}
	return nil
}

// An Object is something of the compositor's that we talk to.
type Object struct {
	conn *Conn
	id   uint32
}

// Exists is false of the zero Object.
func (o Object) Exists() bool { return o.conn != nil }

// ID is its number on the connection; events name it.
func (o Object) ID() uint32 { return o.id }

// Send asks the object for something. Arguments are int, uint32, Fixed, string,
// and objects, nil for none. It takes effect with the next Flush.
func (o Object) Send(code uint16, args ...any) {
	o.conn.out = appendRequest(o.conn.out, o.id, code, args...)
}

// SendFile is Send with a file, which goes to the compositor at once.
func (o Object) SendFile(f *os.File, code uint16, args ...any) error {
	o.Send(code, args...)
	return o.conn.send(syscall.UnixRights(int(f.Fd())))
}

// End is Send for requests after which the object is no more.
func (o Object) End(code uint16) {
	o.Send(code)
	o.conn.retire(o.id)
}
