package bridge

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// app is a Backend with one friend, Momo, that remembers what it was told.
type app struct {
	mu   sync.Mutex // guards told
	told []string
	fail func() error // nil: all goes well
}

func (a *app) tell(pet string, what ...string) (string, error) {
	if a.fail != nil {
		return "", a.fail()
	}
	if pet != "" && !strings.EqualFold(pet, "momo") {
		return "", ErrNoFriend
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.told = append(a.told, strings.Join(what, "|"))
	return "momo", nil
}

func (a *app) last() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.told) == 0 {
		return ""
	}
	return a.told[len(a.told)-1]
}

func (a *app) Friends() []agents.Friend {
	return []agents.Friend{{ID: "momo", Name: "Momo", State: agents.Idle}}
}
func (a *app) Status() []agents.Status { return []agents.Status{{Friend: a.Friends()[0]}} }
func (a *app) Report(r agents.Report) (string, error) {
	return a.tell(r.Pet, "report", string(r.State), r.Message, r.Agent, r.Session, r.Project)
}
func (a *app) Say(pet, message string) (string, error) { return a.tell(pet, "say", message) }
func (a *app) React(pet string, r agents.Reaction) (string, error) {
	return a.tell(pet, "react", string(r))
}
func (a *app) Open(link string) error {
	_, err := a.tell("", "open", link)
	return err
}

// rig is a running bridge with its folder, lock, app and log.
type rig struct {
	*Server
	t    testing.TB
	path string
	app  *app
	log  *bytes.Buffer // read it after Close only
}

func start(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, path: filepath.Join(t.TempDir(), "bridge.json"), app: &app{}, log: &bytes.Buffer{}}
	r.hold()
	log := slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := Start(r.path, r.app, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	r.Server = s
	return r
}

// hold takes the app's lock until the test ends.
func (r *rig) hold() {
	lock, err := line.Acquire(r.path)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { lock.Release() })
}

func (r *rig) address() string { return "127.0.0.1:" + strconv.Itoa(r.endpoint.Port) }

func TestBurst(t *testing.T) {
	r := start(t)
	var wg sync.WaitGroup
	errs := make(chan error, 1000)
	for range 1000 {
		wg.Go(func() {
			_, err := NewClient(r.path).Report(agents.Report{State: agents.Working})
			if err != nil {
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	n := 0
	for err := range errs {
		if n == 0 {
			t.Error(err)
		}
		n++
	}
	t.Log(n, len(r.app.told))
	_ = os.Getpid
}
