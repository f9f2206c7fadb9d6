// Package openpets is the door for programs that were made for OpenPets: its
// local IPC, version 1, so that they drive our friends as they are.
//
// It is open to programs of this user that have read the discovery file, and to
// nobody else: no other user, no other computer. It keeps no state but its token,
// and it stays shut while a live OpenPets has the place.
package openpets

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/playpets/playpets/agents"
)

const (
	protocol   = "openpets-ipc"
	version    = 1
	maxMessage = 16 << 10        // bytes, each way
	patience   = 3 * time.Second // for a whole connection
	maxClients = 64              // beyond these, who came first is let go, but for
	grace      = time.Second / 2 // those that came just now, a burst of honest ones,
	maxCrowd   = 512             // unless it is this many
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
	noted   string // what was told last of the door
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
			open, d.noted = nil, ""
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
	if err == nil && open != nil && at.ours(open.card) && reached(open.card) {
		return open
	}
	open.close()
	if err != nil {
		d.note("openpets: no place for the door", "error", err)
		return nil
	}
	other, live, _ := at.owner() // what cannot be read is nobody's
	if live && mode != On {
		d.note("openpets: another program answers OpenPets' clients", "pid", other.PID)
		return nil
	}
	open, err = d.open(at)
	switch {
	case err != nil:
		d.note("openpets: the door cannot be opened", "error", err)
	case live:
		d.note("openpets: the place of another program is taken, as the settings say", "pid", other.PID)
	default:
		d.note("openpets: OpenPets' clients can reach the friends")
	}
	return open
}

// note logs what has become of the door, once: it is looked at each minute.
func (d *Door) note(what string, args ...any) {
	if now := fmt.Sprint(what, args); now != d.noted {
		d.noted = now
		d.log.Info(what, args...)
	}
}
