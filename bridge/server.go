// Package bridge is the loopback HTTP door between agents and the app: both
// ends of it. It holds no state but its token, and it lets in nobody but
// programs of this user that have read bridge.json: no browser, no other
// computer, no other user.
package bridge

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

// ErrNoFriend is what a Backend returns when no friend has that id or name.
var ErrNoFriend = errors.New("no such friend")

// ErrUnknownLease is what a Backend returns for a lease that it never gave, or
// that has ended; a Client, when the app said so.
var ErrUnknownLease = errors.New("no such lease")

// Backend is what the bridge speaks to: the app. Every method may be called
// from many goroutines at once. A pet is an id, a name in any case, or empty;
// the string returned is the id of the friend that took it. Messages arrive
// cleaned: valid UTF-8, one line, no control or bidi characters, at most
// agents.MaxMessage code points. A message to Say, and any that comes with a lease, is
// text, never a code; one with a lease keeps to the rules of agents/speech. An *Error is
// passed on to the caller as it is; any other error is the app's own trouble and is
// logged, so it must not quote messages.
type Backend interface {
	Friends() []agents.Friend
	Status() []agents.Status
	Report(r agents.Report) (petID string, err error)
	Say(to agents.Target, message string) (petID string, err error)
	React(to agents.Target, r agents.Reaction) (petID string, err error)
	Lease(agents.LeaseRequest) agents.Lease
	Renew(lease string) (agents.Lease, error)
	// Release ends a lease and reports whether there was one.
	Release(lease string) bool
	Open(link string) error
	// Copy puts a snippet on the clipboard: agent and name as snippets have them.
	Copy(agent, name string) (message string, err error)
	// Notify shows a test notification.
	Notify() (message string, err error)
	Version() string
	// Heard is when each agent reported last.
	Heard() map[string]time.Time
}

// Server is the app's end of the bridge.
type Server struct {
	path     string
	endpoint line.Endpoint
	digest   [sha256.Size]byte // of the token
	backend  Backend
	log      *slog.Logger
	http     *http.Server
	served   chan struct{} // closed when nothing is accepted any more
}

// Start listens on a free port of 127.0.0.1 and says so in bridge.json at path,
// with a new token. The caller holds the lock beside path (line.Acquire) from
// before Start until after Close. Neither messages nor the token are logged.
func Start(path string, b Backend, log *slog.Logger) (*Server, error) {
	// tcp4 and the address, never a name or 0.0.0.0: no other computer and no
	// other interface reaches it.
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the bridge: %w", err)
	}
	secret := make([]byte, 32)
	rand.Read(secret) // never fails, says its documentation
	s := newServer(path, line.Endpoint{
		Port:  listener.Addr().(*net.TCPAddr).Port,
		Token: hex.EncodeToString(secret),
		PID:   os.Getpid(),
	}, b, log)
	if err := line.Publish(path, s.endpoint); err != nil {
		listener.Close()
		return nil, fmt.Errorf("publish the bridge: %w", err)
	}
	go s.serve(listener)
	return s, nil
}

// newServer sets the limits. None of them blocks Accept: then a flood would
// make honest requests wait for the timeouts of the dishonest.
func newServer(path string, e line.Endpoint, b Backend, log *slog.Logger) *Server {
	s := &Server{path: path, endpoint: e, digest: sha256.Sum256([]byte(e.Token)), backend: b, log: log, served: make(chan struct{})}
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       3 * time.Second,
		WriteTimeout:      3 * time.Second,
		IdleTimeout:       5 * time.Second,
		MaxHeaderBytes:    4 << 10,
		ConnContext:       introduce,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		// OPTIONS * is refused like everything else.
		DisableGeneralOptionsHandler: true,
	}
	return s
}

func (s *Server) serve(l net.Listener) {
	defer close(s.served)
	if err := s.http.Serve(newDoor(l)); !errors.Is(err, http.ErrServerClosed) {
		s.log.Error("bridge: stopped serving", "err", err)
	}
}

// Close withdraws bridge.json and stops, within about a second.
func (s *Server) Close() error {
	err := line.Withdraw(s.path, s.endpoint)
	ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		// Somebody still holds a connection open; nothing honest takes that long.
		s.http.Close()
	}
	<-s.served
	return err
}

// hosts are the only names by which the bridge answers.
func (s *Server) hosts() [2]string {
	port := ":" + strconv.Itoa(s.endpoint.Port)
	return [2]string{"127.0.0.1" + port, "localhost" + port}
}
