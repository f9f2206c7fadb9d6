package bridge

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// app is a Backend with one friend, Momo, that remembers what it was told.
type app struct {
	fail func() error // set before Start; nil: all goes well
	mu   sync.Mutex   // guards told
	told []string
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

func (a *app) heard() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.told...)
}

func (a *app) Friends() []agents.Friend {
	return []agents.Friend{{ID: "momo", Name: "Momo", State: agents.Idle}}
}
func (a *app) Status() []agents.Status { return []agents.Status{{Friend: a.Friends()[0]}} }
func (a *app) Report(r agents.Report) (string, error) {
	told := []string{"report", string(r.State), r.Message, r.Agent, r.Session, r.Project}
	if r.Part != "" {
		told = append(told, r.Part)
	}
	if r.Begins {
		told = append(told, "begins")
	}
	return a.tellBy(agents.Target{Pet: r.Pet, Lease: r.Lease}, told...)
}
func (a *app) Say(to agents.Target, message string) (string, error) {
	return a.tellBy(to, "say", message)
}
func (a *app) React(to agents.Target, r agents.Reaction) (string, error) {
	return a.tellBy(to, "react", string(r))
}

// tellBy knows one lease.
func (a *app) tellBy(to agents.Target, what ...string) (string, error) {
	switch to.Lease {
	case "":
	case "lease-1":
		what = append(what, to.Lease)
	default:
		return "", ErrUnknownLease
	}
	return a.tell(to.Pet, what...)
}

// lent is the one lease there is, until the first of December.
func lent(r agents.LeaseRequest) agents.Lease {
	l := agents.Lease{ID: "lease-1", Requested: r.Pet, PetID: "momo", PetName: "Momo", UsingDefault: r.Pet == "",
		Expires: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	if r.Pet != "" && r.Pet != "momo" {
		l.UsingDefault, l.Fallback = true, agents.FallbackMissing
	}
	return l
}

func (a *app) Lease(r agents.LeaseRequest) agents.Lease {
	a.tell("", "lease", r.Pet, r.Agent, r.Project, fmt.Sprint(r.PID), r.Nonce)
	return lent(r)
}

func (a *app) Renew(id string) (agents.Lease, error) {
	if id != "lease-1" {
		return agents.Lease{}, ErrUnknownLease
	}
	_, err := a.tell("", "renew", id)
	return lent(agents.LeaseRequest{}), err
}

func (a *app) Release(id string) bool {
	a.tell("", "release", id)
	return id == "lease-1"
}

func (a *app) Open(link string) error {
	_, err := a.tell("", "open", link)
	return err
}

func (a *app) Copy(agent, name string) (string, error) {
	_, err := a.tell("", "copy", agent, name)
	return "Copied.", err
}
func (a *app) Notify() (string, error) {
	_, err := a.tell("", "notify")
	return "Shown.", err
}
func (a *app) Version() string { return "v1" }
func (a *app) Heard() map[string]time.Time {
	return map[string]time.Time{"claude": time.Date(2026, 11, 30, 12, 4, 0, 0, time.UTC)}
}

// rig is a running bridge with its folder, lock, app and log.
type rig struct {
	*Server
	t    testing.TB
	path string
	app  *app
	log  bytes.Buffer // to be read after Close
}

func start(t testing.TB) *rig { return startWith(t, &app{}) }

func startWith(t testing.TB, a *app) *rig {
	t.Helper()
	r := &rig{t: t, path: filepath.Join(t.TempDir(), "bridge.json"), app: a}
	lock, err := line.Acquire(r.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Release() })
	r.Server, err = Start(r.path, a, r.logger())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func (r *rig) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(&r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (r *rig) host() string { return fmt.Sprintf("127.0.0.1:%d", r.endpoint.Port) }

func TestStartPublishesAndCloseWithdraws(t *testing.T) {
	r := start(t)
	e, err := line.Find(r.path)
	if err != nil {
		t.Fatal(err)
	}
	if e.Port != r.endpoint.Port || len(e.Token) != 64 {
		t.Fatalf("found %+v", e)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(r.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close, bridge.json: %v", err)
	}
	if conn, err := net.Dial("tcp4", r.host()); err == nil {
		conn.Close()
		t.Error("after Close, somebody still listens")
	}
}

func TestCloseLeavesAnothersFile(t *testing.T) {
	r := start(t)
	other := line.Endpoint{Port: 1, Token: strings.Repeat("ab", 32)}
	if err := line.Publish(r.path, other); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := line.Find(r.path); err != nil || got.Token != other.Token {
		t.Errorf("bridge.json of another: %+v, %v", got, err)
	}
}

// A token that leaked is dead at the next start.
func TestEveryStartHasItsOwnToken(t *testing.T) {
	a, b := start(t), start(t)
	if a.endpoint.Token == b.endpoint.Token {
		t.Error("two starts, one token")
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	r := start(t)
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, a := range addresses {
		ip := a.(*net.IPNet).IP
		if ip.Equal(net.IPv4(127, 0, 0, 1)) || ip.IsLinkLocalUnicast() {
			continue
		}
		tried++
		conn, err := net.Dial("tcp", net.JoinHostPort(ip.String(), fmt.Sprint(r.endpoint.Port)))
		if err == nil {
			conn.Close()
			t.Errorf("reached through %v", ip)
		}
	}
	// 127.0.0.2 is this computer too, and stands for all its other addresses.
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.2:%d", r.endpoint.Port))
	if err == nil {
		conn.Close()
		t.Error("reached through 127.0.0.2")
	}
	t.Logf("tried %d other addresses", tried)
}

func TestStartSaysWhyItCannotPublish(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "bridge.json")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := Start(path, &app{}, slog.New(slog.DiscardHandler))
	if err == nil {
		s.Close()
		t.Fatal("started without bridge.json")
	}
	if !strings.Contains(err.Error(), "bridge.json") {
		t.Errorf("error: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Somebody who never finishes a request must not keep the app from ending.
func TestCloseDoesNotWaitForTheSlow(t *testing.T) {
	r := unhurried(t)
	conn := r.send(slow["slow body"])
	if status, _ := r.ask("GET", "/pets", ""); status != 200 { // the slow one is being read by now
		t.Fatalf("GET /pets: %d", status)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.rest(conn)
}

func TestPanicAnswersAndLives(t *testing.T) {
	const secret = "a message that nobody may log"
	broken := true
	r := startWith(t, &app{fail: func() error {
		if broken {
			panic(secret)
		}
		return nil
	}})
	status, body := r.ask("POST", "/say", `{"message":"`+secret+`"}`)
	if status != 500 || errorCode(t, body) != "internal" {
		t.Errorf("panic: %d %s", status, body)
	}
	broken = false
	if status, _ := r.ask("POST", "/say", `{"message":"x"}`); status != 200 {
		t.Errorf("after a panic: %d", status)
	}
	r.Close()
	if log := r.log.String(); !strings.Contains(log, "panic") || strings.Contains(log, secret) {
		t.Errorf("log: %s", log)
	}
}

// What the app cannot do is its own trouble; what it refuses, the caller's.
func TestBackendErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{ErrNoFriend, 404, "no_such_friend"},
		{fmt.Errorf("find friend: %w", ErrNoFriend), 404, "no_such_friend"},
		{&Error{400, "bad_link", "Only https links."}, 400, "bad_link"},
		{errors.New("write activity.json: no space left on device"), 500, "internal"},
	} {
		r := startWith(t, &app{fail: func() error { return c.err }})
		status, body := r.ask("POST", "/open", `{}`)
		if status != c.status || errorCode(t, body) != c.code {
			t.Errorf("%v: %d %s", c.err, status, body)
		}
	}
}

// Neither the token nor a message is ever logged or answered.
func TestKeepsSecrets(t *testing.T) {
	const message = "zebra sentence"
	r := start(t)
	var answers strings.Builder
	for _, request := range []string{
		"GET /pets?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n",
		"GET /{token} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"GET /pets HTTP/1.1\r\nHost: {token}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"GET /pets HTTP/1.1\r\nHost: {host}\r\nAuthorization: Basic {token}\r\n\r\n",
		"{token} /pets HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"GET /pets HTTP/1.1\r\nHost: {host}\r\nBad {token}\r\n\r\n",
		post("/say", `{"message":"`+message+`"}`),
		post("/say", `{"message":"`+message+`","message":"{token}"}`),
		post("/say", `{"pet":"`+message+`","message":"{token}"}`),
		post("/events", `{"state":"`+message+`","message":"`+message+`"}`),
		post("/react", `{"action":"`+message+`"}`),
		post("/open", `{"link":"`+message+`\n"}`),
	} {
		answers.WriteString(r.raw(request))
	}
	r.Close()
	for what, text := range map[string]string{"answers": answers.String(), "log": r.log.String()} {
		if strings.Contains(text, r.endpoint.Token) || strings.Contains(text, message) {
			t.Errorf("%s: %s", what, text)
		}
	}
}
