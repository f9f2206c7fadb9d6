package openpets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/playpets/playpets/agents"
)

func TestMain(m *testing.M) {
	// On Windows one waits for all pipes, for as long as the program runs.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/Microsoft/go-winio.ioCompletionProcessor"))
}

// app is a Backend with two friends that remembers what it was told.
type app struct {
	mu     sync.Mutex // guards the rest
	told   []string
	unseen string
	more   []Pet
	fail   func() error // called with mu held
	ended  bool         // every lease
}

func (a *app) tell(to agents.Target, what ...string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fail != nil {
		return "", a.fail()
	}
	a.told = append(a.told, strings.Join(append(what, to.Lease), "|"))
	return "momo", nil
}

func (a *app) heard() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	told := a.told
	a.told = nil
	return told
}

func (a *app) Version() string { return "v1" }
func (a *app) Pets() []Pet {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Pet{{ID: "momo", Name: "Momo", Builtin: true, Unseen: a.unseen}, {ID: "kiki", Name: "Kiki"}}, a.more...)
}
func (a *app) Lease(r agents.LeaseRequest) agents.Lease {
	l := agents.Lease{ID: "L1", Requested: r.Pet, PetID: "momo", PetName: "Momo", UsingDefault: true, Expires: time.UnixMilli(1234)}
	switch r.Pet {
	case "kiki":
		l.PetID, l.PetName, l.UsingDefault = "kiki", "Kiki", false
	case "":
	default:
		l.Fallback = agents.FallbackMissing
	}
	a.tell(agents.Target{}, "lease", r.Pet, r.Agent, fmt.Sprint(r.PID), r.Nonce)
	return l
}
func (a *app) Renew(id string) (agents.Lease, error) {
	if id != "L1" {
		return agents.Lease{}, errors.New("no such lease")
	}
	return a.Lease(agents.LeaseRequest{}), nil
}
func (a *app) Release(id string) bool { return id == "L1" }
func (a *app) Held(id string) (agents.Lease, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if id == "D1" {
		return agents.Lease{ID: id, PetID: "momo", PetName: "Momo", UsingDefault: true}, true
	}
	return agents.Lease{ID: id, Requested: "kiki", PetID: "kiki", PetName: "Kiki", Expires: time.UnixMilli(1234)}, id == "L1" && !a.ended
}
func (a *app) Report(r agents.Report) (string, error) {
	return a.tell(agents.Target{Lease: r.Lease}, "report", string(r.State), r.Message, r.Agent)
}
func (a *app) Say(to agents.Target, message string) (string, error) {
	return a.tell(to, "say", message)
}
func (a *app) React(to agents.Target, r agents.Reaction) (string, error) {
	return a.tell(to, "react", string(r))
}

// rig is a Door with its app, its places and its log.
type rig struct {
	*Door
	t   *testing.T
	app *app
	at  places
	log *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func newRig(t *testing.T) *rig {
	dir, err := os.MkdirTemp("", "op") // short: the path of a socket is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &rig{t: t, app: &app{}, log: &syncBuffer{}, at: places{file: filepath.Join(dir, "run", "ipc.json"), sockets: filepath.Join(dir, "openpets")}}
	r.Door = newDoor(r.app, slog.New(slog.NewTextHandler(r.log, nil)), func() (places, error) { return r.at, nil })
	t.Cleanup(r.Close)
	return r
}

// set returns once the door is as the mode wants it.
func (r *rig) set(mode string) {
	r.t.Helper()
	r.SetMode(mode)
	r.SetMode(mode) // it is taken when the first has been done
}

func (r *rig) card() card {
	r.t.Helper()
	c, err := r.at.read()
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// send sends bytes and returns the answer, without its token.
func (r *rig) send(line string) string {
	r.t.Helper()
	answer, err := send(r.card().Endpoint, line)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer
}

// send sends a line to a door, without its end if it has none, and returns the answer.
func send(endpoint, line string) (answer string, err error) {
	conn, err := dial(endpoint)
	for tries := 0; err != nil && tries < 5; tries++ { // clients wait two seconds
		conn, err = dial(endpoint)
	}
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_, unsent := io.WriteString(conn, line)
	if c, ok := conn.(interface{ CloseWrite() error }); ok && !strings.HasSuffix(line, "\n") {
		c.CloseWrite()
	}
	all, err := io.ReadAll(conn)
	if len(all) > 0 { // too much was sent, say: that is an error behind the answer
		return strings.TrimSuffix(string(all), "\n"), nil
	}
	return "", errors.Join(unsent, err)
}

func (r *rig) ask(method, params string) string {
	r.t.Helper()
	return r.send(fmt.Sprintf(`{"id":"1","version":1,"token":%q,"method":%q,"params":%s}`+"\n", r.card().Token, method, params))
}

// write publishes a file that is another program's.
func (r *rig) write(c card) {
	r.t.Helper()
	if err := r.at.publish(c); err != nil {
		r.t.Fatal(err)
	}
}

// TestModes: who has the place, and what becomes of it.
func TestModes(t *testing.T) {
	r := newRig(t)
	none := func(when string) {
		t.Helper()
		if c, err := r.at.read(); err == nil && c.PID == os.Getpid() {
			t.Errorf("%s: the place is taken", when)
		}
	}
	none("at the start")
	r.set(Off)
	none("off")
	r.set("")
	first := r.card()
	if first.PID != os.Getpid() || first.AppVersion != "v1" || len(first.Token) < 43 || first.Platform == "windows" {
		t.Errorf("%+v", first)
	}
	r.set(Auto)
	if r.card() != first {
		t.Error("the same mode again changes the token")
	}
	r.set(Off)
	none("off again")
	if _, err := dial(first.Endpoint); err == nil {
		t.Error("off, and somebody answers")
	}

	// A dead OpenPets has left its file.
	stale := first
	stale.PID, stale.Token = 1<<30, "of somebody else, long gone"
	r.write(stale)
	r.set(Auto)
	if now := r.card(); now.Token == stale.Token {
		t.Error("a stale file keeps the door shut")
	}

	// A live one comes and takes the place.
	other := newRig(t)
	other.set(On)
	theirs := other.card()
	r.write(theirs)
	r.set(Auto)
	if r.card() != theirs {
		t.Error("a live stranger's file is changed")
	}
	r.set(Auto)
	if strings.Count(r.log.String(), "another program answers") != 1 {
		t.Errorf("told more than once: %s", r.log)
	}
	r.set(Off)
	if r.card() != theirs {
		t.Error("off removes a stranger's file")
	}
	r.set(On)
	if r.card() == theirs {
		t.Error("on does not take the place")
	}
	if !strings.Contains(r.log.String(), "the place of another program is taken") {
		t.Errorf("on takes the place in silence: %s", r.log)
	}
	r.set(Off)
	none("off after on")

	// It goes, and the place is free.
	r.write(theirs)
	r.set(Auto)
	other.Close()
	r.set(Auto)
	if r.card() == theirs {
		t.Error("a place that was left stays empty")
	}
	r.Close()
	none("closed")
	r.SetMode(On) // does not hang, nor open
	none("set when closed")
}
