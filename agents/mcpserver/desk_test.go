package mcpserver

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

// desk is an app that gives leases: the other end of a keeper. It writes down
// when it was asked for what.
type desk struct {
	nobody
	start time.Time
	slow  time.Duration // how long an answer takes

	mu    sync.Mutex // guards the rest
	down  error      // what it answers instead; nil: it is there
	given int
	lives map[string]agents.LeaseRequest
	told  []string
}

func newDesk() *desk { return &desk{start: time.Now(), lives: map[string]agents.LeaseRequest{}} }

// tell writes down, and takes its time. What is asked of an app that is not there
// costs nothing.
func (d *desk) tell(format string, a ...any) error {
	d.mu.Lock()
	d.told = append(d.told, fmt.Sprintf("%v ", time.Since(d.start).Seconds())+fmt.Sprintf(format, a...))
	down := d.down
	d.mu.Unlock()
	if !errors.Is(down, bridge.ErrNotRunning) {
		time.Sleep(d.slow)
	}
	return down
}

func (d *desk) Lease(r agents.LeaseRequest) (agents.Lease, error) {
	if err := d.tell("lease %s", r.Agent); err != nil {
		return agents.Lease{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	id := ""
	for held, by := range d.lives {
		if by.Nonce == r.Nonce && by.PID == r.PID {
			id = held
		}
	}
	if id == "" {
		d.given++
		id = fmt.Sprint("L", d.given)
	}
	d.lives[id] = r
	return agents.Lease{ID: id, PetID: "of-" + r.Agent}, nil
}

func (d *desk) Renew(id string) (agents.Lease, error) {
	if err := d.tell("renew %s", id); err != nil {
		return agents.Lease{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.lives[id]
	if !ok {
		return agents.Lease{}, &bridge.Error{Status: 404, Code: "unknown_lease"}
	}
	return agents.Lease{ID: id, PetID: "of-" + r.Agent}, nil
}

func (d *desk) Release(id string) error {
	err := d.tell("release %s", id)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.lives, id)
	return err
}

func (d *desk) Say(to agents.Target, message string) (string, error) {
	if err := d.tell("say %s", to.Lease); err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.lives[to.Lease]
	if !ok {
		return "", &bridge.Error{Status: 404, Code: "unknown_lease"}
	}
	return "of-" + r.Agent, nil
}

// restart forgets every lease, as a new app does.
func (d *desk) restart() { d.set(func() { clear(d.lives); d.down = nil }) }

func (d *desk) set(do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	do()
}

// heard is what was told since the last time, without the pauses between.
func (d *desk) heard() string {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	told := strings.Join(d.told, ", ")
	d.told = nil
	return told
}

func (d *desk) expect(t *testing.T, when, want string) {
	t.Helper()
	if got := d.heard(); got != want {
		t.Errorf("%s: the app heard %q, want %q", when, got, want)
	}
}
