package openpets

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

// server is an open door.
type server struct {
	card     card
	at       places
	listener net.Listener
	door     *Door
	shut     chan struct{} // closed when nobody is let in any more
	serving  sync.WaitGroup

	mu      sync.Mutex // guards clients
	clients []client   // the one that came first is the first
}

// client is a connection, and when it came.
type client struct {
	net.Conn
	came time.Time
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
	return s, nil
}

func (s *server) accept() {
	told := ""
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
		case err.Error() != told:
			told = err.Error()
			s.door.log.Warn("openpets: nobody can come in", "error", err) // no file is left, say
		}
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
	now := time.Now()
	_ = conn.SetDeadline(now.Add(patience)) // where that fails the reading does, too
	select {
	case <-s.shut: // just now
		_ = conn.SetReadDeadline(now)
	default:
	}
	for n := len(s.clients); n >= maxCrowd || n >= maxClients && now.Sub(s.clients[0].came) > grace; n-- {
		s.clients[0].Close()
		s.clients = s.clients[1:]
	}
	s.clients = append(s.clients, client{conn, now})
}

func (s *server) leave(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = slices.DeleteFunc(s.clients, func(c client) bool { return c.Conn == conn })
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
	for _, c := range s.clients {
		_ = c.SetReadDeadline(time.Now()) // one that is being answered is told so still
	}
	s.mu.Unlock()
	s.serving.Wait()
}
