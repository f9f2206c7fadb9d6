package bridge

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
	"github.com/playpets/playpets/bridge/line"
)

func TestClientLeases(t *testing.T) {
	r := start(t)
	c := NewClient(r.path)
	l, err := c.Lease(agents.LeaseRequest{Pet: "momo", Agent: "claude", Project: "shop", PID: 7, Nonce: "n"})
	if want := lent(agents.LeaseRequest{Pet: "momo"}); err != nil || l != want {
		t.Errorf("Lease: %+v, %v; want %+v", l, err, want)
	}
	if l, err = c.Renew(l.ID); err != nil || l.ID != "lease-1" || l.PetName != "Momo" || !l.UsingDefault {
		t.Errorf("Renew: %+v, %v", l, err)
	}
	to := agents.Target{Lease: l.ID}
	_, reported := c.Report(agents.Report{Lease: l.ID, State: agents.Waiting, Message: "Which one?"})
	_, said := c.Say(to, "hi")
	_, reacted := c.React(agents.Target{Pet: "momo", Lease: l.ID}, agents.Jump)
	released := c.Release(l.ID)
	again := c.Release("lease-2") // that it has ended is what was wanted
	for _, err := range []error{reported, said, reacted, released, again} {
		if err != nil {
			t.Error(err)
		}
	}
	want := []string{"lease|momo|claude|shop|7|n", "renew|lease-1", "report|waiting|Which one?||||lease-1", "say|hi|lease-1",
		"react|jump|lease-1", "release|lease-1", "release|lease-2"}
	if told := r.app.heard(); !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// Who speaks with a lease that has ended can tell that from all other trouble.
func TestClientUnknownLease(t *testing.T) {
	r := start(t)
	c := NewClient(r.path)
	gone := agents.Target{Lease: "lease-2"}
	_, renewed := c.Renew("lease-2")
	_, reported := c.Report(agents.Report{Lease: "lease-2", State: agents.Done})
	_, said := c.Say(gone, "hi")
	_, reacted := c.React(gone, agents.Jump)
	for what, err := range map[string]error{"renew": renewed, "report": reported, "say": said, "react": reacted} {
		var e *Error
		if !errors.Is(err, ErrUnknownLease) || !errors.As(err, &e) || e.Status != http.StatusNotFound || e.Code != "unknown_lease" {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, unsafe := c.Say(agents.Target{Lease: "lease-1"}, "cat /etc/passwd/x")
	_, nobody := c.Say(agents.Target{Lease: "lease-1", Pet: "nobody"}, "hi")
	for code, err := range map[string]error{"unsafe_message": unsafe, "no_such_friend": nobody} {
		var e *Error
		if errors.Is(err, ErrUnknownLease) || !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	if rule := speech.Check("cat /etc/passwd/x", speech.PlayPets); rule == nil || unsafe.Error() != rule.Error() {
		t.Errorf("refused with %q, the rule says %q", unsafe, rule)
	}
}

// A lease that makes no sense is none, and nothing odd in one gets through.
func TestClientTrustsNoLease(t *testing.T) {
	for _, reply := range []string{`{}`, `[]`, `{"leaseId":""}`, `{"leaseId":"\u0007","petId":"momo"}`, `{"leaseId":"a"}`, `{"leaseId":1}`,
		`{"leaseId":"a","petId":"b","expiresAt":"soon"}`, `{"leaseId":"a","petId":"b","usingDefault":"no"}`, ``} {
		c := NewClient(impostor(t, 200, reply))
		if l, err := c.Lease(agents.LeaseRequest{}); err == nil || !strings.Contains(err.Error(), "another version") {
			t.Errorf("%s: %+v, %v", reply, l, err)
		}
	}
	c := NewClient(impostor(t, 200, `{"leaseId":"a\u001b","requestedPetId":"b\u202e","petId":"c\n","petName":"d\u0007","fallbackReason":"e\u0000"}`))
	if l, err := c.Renew("a"); err != nil || l.ID != "a" || l.Requested != "b" || l.PetID != "c" || l.PetName != "d" || l.Fallback != "e" {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := NewClient(impostor(t, 404, `{"error":{"code":"unknown_lease","message":"x"}}`)).Renew("a"); !errors.Is(err, ErrUnknownLease) {
		t.Errorf("a newer app's refusal: %v", err)
	}
}

// Within is how long a call takes at most, with an app that hangs.
func TestClientWithin(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // nobody ever accepts
	path := filepath.Join(t.TempDir(), "bridge.json")
	lock, err := line.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if err := line.Publish(path, line.Endpoint{Port: listener.Addr().(*net.TCPAddr).Port, Token: strings.Repeat("ab", 32)}); err != nil {
		t.Fatal(err)
	}
	c := NewClient(path)
	began := time.Now()
	if err := c.Within(20 * time.Millisecond).Release("a"); err == nil || errors.Is(err, ErrNotRunning) {
		t.Errorf("an app that hangs: %v", err)
	}
	if took := time.Since(began); took >= patience {
		t.Errorf("it took %v", took)
	}
	if c.patience != patience {
		t.Error("the client itself is hasty now")
	}
}

// What a body asks for is within its bounds when it reaches the app.
func FuzzLeaseBody(f *testing.F) {
	for _, body := range []string{
		`{"pet":"momo","agent":"claude","project":"/a/b","pid":7,"nonce":"n"}`, `{}`, `{"pid":1e3}`, `{"pid":-0}`, `{"pid":99999999999999999999}`,
		`{"petId":"a\u0000"}`, `{"leaseId":"lease-1"}`, `{"leaseId":"lease-1","state":"done","message":"see https://x.y"}`,
		`{"leaseId":"lease-1","state":"done","message":"@done","action":"wave"}`, "{\"leaseId\":\"\xff\",\"message\":\"x\"}", `{"leaseId":"x","leaseId":"lease-1"}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, path := range []string{"/leases", "/leases/renew", "/leases/release", "/events", "/say", "/react"} {
			got := &lender{}
			request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body)))
			request.Host = "127.0.0.1:1234"
			request.Header.Set("Authorization", "Bearer "+strings.Repeat("ab", 32))
			request.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			fuzzed(got).ServeHTTP(w, request)
			switch w.Code {
			case 200, 400, 404, 413:
			default:
				t.Errorf("%s %q: %d", path, body, w.Code)
			}
			if w.Code == 200 && (len(body) > maxBody || !json.Valid(body)) {
				t.Errorf("%s: accepted %q", path, body)
			}
			for _, name := range []string{got.request.Agent, got.request.Project, got.request.Nonce, got.request.Pet, got.lease} {
				if len(name) > agents.MaxField || strings.ContainsFunc(name, unicode.IsControl) {
					t.Errorf("%s %q: name %q", path, body, name)
				}
			}
			if got.request.PID < 0 || int64(got.request.PID) > 1<<31-1 || strings.ContainsAny(got.request.Project, `/\`) {
				t.Errorf("%s %q: %+v", path, body, got.request)
			}
			if got.lease != "" && got.message != "" && speech.Check(got.message, speech.PlayPets) != nil {
				t.Errorf("%s %q: said %q", path, body, got.message)
			}
		}
	})
}

// lender keeps what it is asked last.
type lender struct {
	app
	request        agents.LeaseRequest
	lease, message string
}

func (l *lender) Lease(r agents.LeaseRequest) agents.Lease {
	l.request = r
	return l.app.Lease(r)
}

func (l *lender) Report(r agents.Report) (string, error) {
	l.lease, l.message = r.Lease, r.Message
	return l.app.Report(r)
}

func (l *lender) Say(to agents.Target, message string) (string, error) {
	l.lease, l.message = to.Lease, message
	return l.app.Say(to, message)
}

func (l *lender) React(to agents.Target, r agents.Reaction) (string, error) {
	l.lease = to.Lease
	return l.app.React(to, r)
}
