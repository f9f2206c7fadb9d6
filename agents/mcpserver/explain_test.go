package mcpserver

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
)

// What no model may read, as it stands in errors.
const (
	secretFile  = "/home/kim/.local/share/playpets/bridge.json"
	secretToken = "5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2"
	secretPort  = 43117
)

// leaks are the secrets in a text.
func leaks(text string) (found []string) {
	for _, secret := range []string{
		"/", `\`, "bridge.json", "5ec2", "43117", "127.0.0.1", "token", "socket", "refused by", "connection", "errno", "no such file", "permission denied", "goroutine", "0x",
	} {
		if strings.Contains(strings.ToLower(text), secret) {
			found = append(found, secret)
		}
	}
	return found
}

// failings is an app every answer of which is an error.
type failings struct{ err error }

func (f failings) Friends() ([]agents.Friend, error)                    { return nil, f.err }
func (f failings) Status() ([]agents.Status, error)                     { return nil, f.err }
func (f failings) Report(agents.Report) (string, error)                 { return "", f.err }
func (f failings) Say(agents.Target, string) (string, error)            { return "", f.err }
func (f failings) React(agents.Target, agents.Reaction) (string, error) { return "", f.err }
func (f failings) Lease(agents.LeaseRequest) (agents.Lease, error)      { return agents.Lease{}, f.err }
func (f failings) Renew(string) (agents.Lease, error)                   { return agents.Lease{}, f.err }
func (f failings) Release(string) error                                 { return f.err }

// leased gives leases; all else fails.
type leased struct{ failings }

func (leased) Lease(agents.LeaseRequest) (agents.Lease, error) {
	return agents.Lease{ID: "L", PetID: "mochi", PetName: "Mochi"}, nil
}
func (leased) Renew(string) (l agents.Lease, err error) { return l, bridge.ErrUnknownLease }

// everyCall is each tool, called rightly.
var everyCall = []struct {
	openPets        bool
	tool, arguments string
}{
	{false, "list_pets", ``},
	{false, "set_pet_state", `{"state":"working","message":"hi","pet":"bori"}`},
	{false, "say", `{"message":"hi"}`},
	{false, "react", `{"action":"jump"}`},
	{false, "status", ``},
	{true, "openpets_react", `{"reaction":"waving"}`},
	{true, "openpets_say", `{"message":"hi","reaction":"testing"}`},
	{true, "openpets_status", ``},
}

// TestNothingLeaks: whatever an error has in it, a model reads what to do, and
// nothing is written elsewhere.
func TestNothingLeaks(t *testing.T) {
	stderr := catchStderr(t)
	connect := &os.PathError{Op: "connect to", Path: "the app", Err: &net.OpError{
		Op: "dial", Net: "tcp4", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: secretPort}, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}
	refusal := func(status int, code string) error {
		return fmt.Errorf("say: %w", &bridge.Error{Status: status, Code: code, Message: "See " + secretFile + ", token " + secretToken + ", errno 13."})
	}
	for name, err := range map[string]error{
		"not running":         bridge.ErrNotRunning,
		"a file that is gone": &fs.PathError{Op: "open", Path: secretFile, Err: syscall.ENOENT},
		"a file of others":    &fs.PathError{Op: "read", Path: secretFile, Err: fs.ErrPermission},
		"nobody listens":      fmt.Errorf("reach PlayPets: %w", connect),
		"no answer":           fmt.Errorf("reach PlayPets: %w", &net.OpError{Op: "read", Addr: &net.UnixAddr{Name: secretFile}, Err: os.ErrDeadlineExceeded}),
		"words":               errors.New("token " + secretToken + " of " + secretFile),
		"unknown lease":       refusal(404, "unknown_lease"),
		"unknown friend":      refusal(404, "no_such_friend"),
		"no friend":           bridge.ErrNoFriend,
		"unsafe":              refusal(400, "unsafe_message"),
		"malformed":           refusal(400, "bad_request"),
		"wrong token":         refusal(401, "token_refused"),
		"too large":           refusal(413, "too_large"),
		"broken":              refusal(500, "internal"),
		"a new kind":          refusal(418, secretFile),
		"no code":             refusal(502, ""),
	} {
		for _, app := range []App{failings{err}, leased{failings{err}}} {
			for _, c := range everyCall {
				s := new(home).connect(t, Options{App: app, OpenPets: c.openPets})
				got := s.call(c.tool, c.arguments)
				said := got.text()
				if found := leaks(said + string(got.StructuredContent)); found != nil {
					t.Errorf("%s, %s: %q is in %q %s", name, c.tool, found, said, got.StructuredContent)
				}
				if got.IsError == (got.StructuredContent != nil) || len(said) < 20 || strings.Contains(said, "\n") || !strings.HasSuffix(said, ".") {
					t.Errorf("%s, %s: no sentence: %+v", name, c.tool, got)
				}
				s.end()
			}
		}
	}
	if said := stderr(); said != "" {
		t.Errorf("said elsewhere: %s", said)
	}
}

// catchStderr collects what is logged, and what is written to standard error.
func catchStderr(t *testing.T) (said func() string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stderr
	os.Stderr = f
	log.SetOutput(f)
	t.Cleanup(func() {
		os.Stderr = was
		log.SetOutput(was)
		f.Close()
	})
	return func() string {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(bytes.TrimSpace(text))
	}
}

// TestRealTrouble: the same with files and sockets as they can be.
func TestRealTrouble(t *testing.T) {
	const again = "the person can quit it and start it again."
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string) // beside the lock of an app
		want string
	}{
		{"just starting", func(*testing.T, string) {}, "PlayPets is not running: go on without it; the person can start it."},
		{"broken file", func(t *testing.T, path string) { write(t, path, "{"+secretToken, 0o600) }, "PlayPets cannot be reached: go on without it; " + again},
		{"file for all", func(t *testing.T, path string) { write(t, path, "{}", 0o644) }, "PlayPets cannot be reached: go on without it; " + again},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "PlayPets cannot be reached: go on without it; " + again},
		{"nobody listens", func(t *testing.T, path string) {
			l := listen(t)
			l.Close()
			publish(t, path, l)
		}, "PlayPets cannot be reached: go on without it; " + again},
		{"it hangs", func(t *testing.T, path string) {
			l := listen(t)
			t.Cleanup(func() { l.Close() })
			publish(t, path, l)
		}, "PlayPets does not answer in time: go on without it; " + again},
		{"it speaks another language", func(t *testing.T, path string) {
			l := listen(t)
			t.Cleanup(func() { l.Close() })
			go func() {
				for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
					conn.Write([]byte("220 " + secretFile + "\r\n\r\n"))
					conn.Close()
				}
			}()
			publish(t, path, l)
		}, "PlayPets cannot be reached: go on without it; " + again},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bridge.json")
			lock, err := line.Acquire(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { lock.Release() })
			c.make(t, path)
			app := bridge.NewClient(path)
			if c.name == "it hangs" {
				app = app.Within(50 * time.Millisecond)
			}
			for _, call := range everyCall {
				s := new(home).connect(t, Options{App: app, OpenPets: call.openPets})
				if got := s.call(call.tool, call.arguments); got.text() != c.want {
					t.Errorf("%s: %+v, want %q", call.tool, got, c.want)
				}
				s.end()
			}
		})
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func publish(t *testing.T, path string, l net.Listener) {
	t.Helper()
	if err := line.Publish(path, line.Endpoint{Port: l.Addr().(*net.TCPAddr).Port, Token: secretToken}); err != nil {
		t.Fatal(err)
	}
}

// TestRefusedByTheApp: what the bridge itself refuses, in words for a model.
func TestRefusedByTheApp(t *testing.T) {
	h := open(t)
	s := h.connect(t, Options{})
	for _, c := range []struct {
		fail error
		want string
	}{
		{errors.New("disk " + secretFile), "PlayPets could not do that: go on without it; its log tells the person why."},
		{bridge.ErrNoFriend, nobodyHere},
		{&bridge.Error{Status: 400, Code: "unsafe_message", Message: "See " + secretFile}, "Say it in other words: one short line without code, secrets, URLs or paths."},
		{&bridge.Error{Status: 413, Code: "too_large", Message: "x"}, "That is too long: send one short sentence and a friend's name."},
		{bridge.ErrUnknownLease, "PlayPets forgets this session again and again: go on without it; the person can quit it and start it again."},
	} {
		h.fail = c.fail
		if got := s.call("say", `{"message":"hi"}`); !got.IsError || got.text() != c.want {
			t.Errorf("%v: %+v, want %q", c.fail, got, c.want)
		}
	}
}
