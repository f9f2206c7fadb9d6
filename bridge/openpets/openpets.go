// Package openpets is the door for programs that were made for OpenPets: its
// local IPC, version 1, so that they drive our friends as they are.
//
// It is open to programs of this user that have read the discovery file, and to
// nobody else: no other user, no other computer. It keeps no state but its token,
// and it stays shut while a live OpenPets has the place.
package openpets

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/playpets/playpets/agents"
)

const (
	protocol   = "openpets-ipc"
	version    = 1
	maxMessage = 16 << 10        // bytes, each way
	patience   = 3 * time.Second // for a whole connection
	maxClients = 64              // at once; beyond, the one that came first is let go
	look       = time.Minute     // how often the door looks whether the place is free
	knock      = time.Second / 3 // how long a door that may be another's is tried
)

// Pet is a friend as OpenPets' clients see it. Unseen says why nobody can see what
// it does now; empty: it can be seen.
type Pet struct {
	ID, Name string
	Builtin  bool
	Unseen   string
}

// Backend is what the door speaks to: the app. Every method may be called from
// many goroutines at once. Errors are the app's own trouble and are logged, so
// they must not quote messages.
type Backend interface {
	Version() string
	Pets() []Pet // the default one first; never empty
	Lease(agents.LeaseRequest) agents.Lease
	Renew(lease string) (agents.Lease, error)
	Release(lease string) bool
	// Held is a lease that lives.
	Held(lease string) (agents.Lease, bool)
	Report(agents.Report) (petID string, err error)
	Say(to agents.Target, message string) (petID string, err error)
	React(to agents.Target, r agents.Reaction) (petID string, err error)
}

// The modes of a Door, as the settings have them.
const (
	Auto = "auto" // open unless a live OpenPets has the place
	On   = "on"   // open, and the place is ours
	Off  = "off"
)

// Modes lists them, the default first.
var Modes = []string{Auto, On, Off}

// Door opens and shuts as its mode and its neighbours want it.
type Door struct {
	backend Backend
	log     *slog.Logger
	places  func() (places, error)
	modes   chan string
	ended   chan struct{} // closed when nothing is open any more
	stop    context.CancelFunc
	other   int // the process that has the place; 0: none that was told of
}

// New returns a Door that is shut. Neither messages nor the token are logged.
func New(b Backend, log *slog.Logger) *Door {
	return newDoor(b, log, func() (places, error) { return find(runtime.GOOS, os.Getenv) })
}

func newDoor(b Backend, log *slog.Logger, at func() (places, error)) *Door {
	ctx, stop := context.WithCancel(context.Background())
	d := &Door{backend: b, log: log, stop: stop, places: at, modes: make(chan string), ended: make(chan struct{})}
	go d.run(ctx)
	return d
}

// SetMode opens the door or shuts it; another word than one of Modes is Auto.
func (d *Door) SetMode(mode string) {
	select {
	case d.modes <- mode:
	case <-d.ended:
	}
}

// Close shuts the door for good, within about a second.
func (d *Door) Close() {
	d.stop()
	<-d.ended
}

// run has one timer, and none while the door is off.
func (d *Door) run(ctx context.Context) {
	defer close(d.ended)
	var open *server
	defer func() { open.close() }()
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	mode := Off
	for {
		select {
		case <-ctx.Done():
			return
		case mode = <-d.modes:
		case <-timer.C:
		}
		if mode == Off {
			open.close()
			open = nil
			timer.Stop()
			continue
		}
		open = d.attend(mode, open)
		timer.Reset(look)
	}
}

// attend opens the door where it may be open, and shuts it where somebody else
// has come.
func (d *Door) attend(mode string, open *server) *server {
	at, err := d.places()
	if err != nil {
		d.log.Info("openpets: no place for the door", "error", err)
		return open
	}
	if open != nil && at.ours(open.card) {
		return open
	}
	if other, live := at.owner(); live && mode != On {
		if other.PID != d.other {
			d.log.Info("openpets: another program answers OpenPets' clients", "pid", other.PID)
		}
		d.other = other.PID
		open.close()
		return nil
	}
	d.other = 0
	open.close()
	open, err = d.open(at)
	if err != nil {
		d.log.Warn("openpets: the door cannot be opened", "error", err)
	}
	return open
}

// server is an open door.
type server struct {
	card     card
	at       places
	listener net.Listener
	door     *Door
	shut     chan struct{} // closed when nobody is let in any more
	serving  sync.WaitGroup

	mu      sync.Mutex // guards clients
	clients []net.Conn // the one that came first is the first
}

func (d *Door) open(at places) (*server, error) {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails, says its documentation
	c := card{
		Protocol: protocol, ProtocolVersion: version, AppVersion: d.backend.Version(), PID: os.Getpid(),
		Platform: platform(runtime.GOOS), Token: base64.RawURLEncoding.EncodeToString(secret),
	}
	listener, endpoint, err := listen(at.sockets)
	if err != nil {
		return nil, err
	}
	c.Endpoint = endpoint
	if err := at.publish(c); err != nil {
		listener.Close()
		return nil, err
	}
	s := &server{card: c, at: at, listener: listener, door: d, shut: make(chan struct{})}
	s.serving.Go(s.accept)
	d.log.Info("openpets: OpenPets' clients can reach the friends")
	return s, nil
}

func (s *server) accept() {
	for {
		conn, err := s.listener.Accept()
		switch {
		case err == nil:
			s.enter(conn)
			s.serving.Go(func() {
				defer s.leave(conn)
				s.serve(conn)
			})
			continue
		case errors.Is(err, net.ErrClosed):
			return
		}
		s.door.log.Warn("openpets: nobody can come in", "error", err) // no file is left, say
		select {
		case <-s.shut:
			return
		case <-time.After(knock):
		}
	}
}

// enter notes a client. A flood of silent ones must not keep the next waiting.
func (s *server) enter(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.clients) == maxClients {
		s.clients[0].Close()
		s.clients = s.clients[1:]
	}
	s.clients = append(s.clients, conn)
}

func (s *server) leave(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = slices.DeleteFunc(s.clients, func(c net.Conn) bool { return c == conn })
}

// close shuts the door; nil is shut already. Who has sent nothing yet is let go.
func (s *server) close() {
	if s == nil {
		return
	}
	s.at.withdraw(s.card)
	close(s.shut)
	s.listener.Close()
	s.mu.Lock()
	for _, conn := range s.clients {
		_ = conn.SetReadDeadline(time.Unix(1, 0)) // one that is being answered is told so still
	}
	s.mu.Unlock()
	s.serving.Wait()
}
