package mcpserver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
)

// home is the app behind a real bridge, with two friends. A friend called torn is
// a broken one.
type home struct {
	path string // of bridge.json

	mu     sync.Mutex // guards the rest
	fail   error      // every deed ends so, if it is set
	empty  bool       // nobody was invited yet
	unseen string
	given  int
	leases map[string]agents.LeaseRequest
	told   []string
}

// open starts an app.
func open(t *testing.T) *home {
	t.Helper()
	h := &home{path: filepath.Join(t.TempDir(), "bridge.json")}
	h.start(t)
	return h
}

// start starts the app, once more too; the function ends it.
func (h *home) start(t *testing.T) (end func()) {
	t.Helper()
	h.mu.Lock()
	h.leases = map[string]agents.LeaseRequest{}
	h.mu.Unlock()
	lock, err := line.Acquire(h.path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := bridge.Start(h.path, h, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		if err := errors.Join(s.Close(), lock.Release()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

func (h *home) Friends() []agents.Friend {
	if h.empty {
		return nil
	}
	return []agents.Friend{{ID: "mochi", Name: "Mochi", State: agents.Idle}, {ID: "bori", Name: "Bori", State: agents.Working}}
}

func (h *home) Status() (all []agents.Status) {
	for _, f := range h.Friends() {
		all = append(all, agents.Status{Friend: f, Unseen: h.unseen})
	}
	return all
}

// does writes a deed down, for the friend of the lease or another.
func (h *home) does(pet, lease string, deed ...string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fail != nil {
		return "", h.fail
	}
	r, ok := h.leases[lease]
	if !ok {
		return "", bridge.ErrUnknownLease
	}
	if pet == "" {
		pet = h.resolve(r).PetID
	}
	for _, f := range h.Friends() {
		if strings.EqualFold(pet, f.Name) {
			h.told = append(h.told, strings.Join(append(deed, f.ID), " "))
			return f.ID, nil
		}
	}
	return "", bridge.ErrNoFriend
}

func (h *home) Report(r agents.Report) (string, error) {
	return h.does(r.Pet, r.Lease, strings.TrimSpace(string(r.State)+" "+r.Message))
}
func (h *home) Say(to agents.Target, message string) (string, error) {
	return h.does(to.Pet, to.Lease, "say", message)
}
func (h *home) React(to agents.Target, r agents.Reaction) (string, error) {
	return h.does(to.Pet, to.Lease, string(r))
}

func (h *home) resolve(r agents.LeaseRequest) agents.Lease {
	l := agents.Lease{Requested: r.Pet, PetID: "mochi", PetName: "Mochi", UsingDefault: true}
	switch {
	case strings.EqualFold(r.Pet, "bori"):
		l.PetID, l.PetName, l.UsingDefault = "bori", "Bori", false
	case r.Pet == "torn":
		l.Fallback = agents.FallbackBroken
	case strings.Contains(r.Pet, " "):
		l.Fallback = agents.FallbackInvalid
	case r.Pet != "":
		l.Fallback = agents.FallbackMissing
	}
	return l
}

func (h *home) Lease(r agents.LeaseRequest) agents.Lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := ""
	for held, by := range h.leases {
		if by.Nonce == r.Nonce {
			id = held
		}
	}
	if id == "" {
		h.given++
		id = fmt.Sprint("lease-", h.given)
	}
	h.leases[id] = r
	l := h.resolve(r)
	l.ID = id
	return l
}

func (h *home) Renew(id string) (agents.Lease, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.leases[id]
	if !ok {
		return agents.Lease{}, bridge.ErrUnknownLease
	}
	l := h.resolve(r)
	l.ID = id
	return l, nil
}

func (h *home) Release(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, held := h.leases[id]
	delete(h.leases, id)
	return held
}

func (h *home) Open(string) error                   { return nil }
func (h *home) Copy(string, string) (string, error) { return "", nil }
func (h *home) Notify() (string, error)             { return "", nil }
func (h *home) Version() string                     { return "v1" }
func (h *home) Heard() map[string]time.Time         { return nil }

// heard is what was done since it was last asked.
func (h *home) heard() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	told := strings.Join(h.told, ", ")
	h.told = nil
	return told
}

// client is the way to the app.
func (h *home) client() *bridge.Client { return bridge.NewClient(h.path) }

// agents are those that hold a friend.
func (h *home) agents() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var names []string
	for _, r := range h.leases {
		names = append(names, r.Agent)
	}
	return strings.Join(names, " ")
}

// holds is how many leases are held.
func (h *home) holds() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.leases)
}

// model is an agent that speaks to a server.
type model struct {
	t   testing.TB
	in  io.WriteCloser
	out *bufio.Reader
	end func() // ends the server, by the end of its input
}

// connect starts a server. What o does not say is for the app at home.
func (h *home) connect(t testing.TB, o Options) *model {
	t.Helper()
	if o.App == nil {
		o.App = h.client()
	}
	c := &model{t: t}
	o.In, c.in = io.Pipe()
	read, out := io.Pipe()
	o.Out, c.out = out, bufio.NewReader(read)
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := Serve(t.Context(), o); err != nil {
			t.Error(err)
		}
	})
	c.end = sync.OnceFunc(func() {
		c.in.Close()
		serving.Wait()
	})
	t.Cleanup(c.end)
	return c
}

// ask sends a request and returns its answer, as it came.
func (c *model) ask(method, params string) string {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params); err != nil {
		c.t.Fatal(err)
	}
	answer, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// answered is what a tool answers.
type answered struct {
	IsError           bool
	Content           []struct{ Type, Text string }
	StructuredContent json.RawMessage
}

// text is the answer's only words.
func (a answered) text() string {
	if len(a.Content) != 1 || a.Content[0].Type != "text" {
		return fmt.Sprintf("not one text: %+v", a.Content)
	}
	return a.Content[0].Text
}

// call calls a tool. arguments are JSON; empty for none at all.
func (c *model) call(tool, arguments string) answered {
	c.t.Helper()
	params := fmt.Sprintf(`{"name":%q}`, tool)
	if arguments != "" {
		params = fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)
	}
	answer := c.ask("tools/call", params)
	var r struct{ Result *answered }
	if err := json.Unmarshal([]byte(answer), &r); err != nil || r.Result == nil {
		c.t.Fatalf("%s %s: no result: %s", tool, arguments, answer)
	}
	return *r.Result
}
