package bridge

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

func TestClient(t *testing.T) {
	r := start(t)
	c := NewClient(r.path)

	friends, err := c.Friends()
	if want := r.app.Friends(); err != nil || !reflect.DeepEqual(friends, want) {
		t.Errorf("Friends = %+v, %v", friends, err)
	}
	status, err := c.Status()
	if err != nil || len(status) != 1 || status[0].Friend != friends[0] {
		t.Errorf("Status = %+v, %v", status, err)
	}
	for _, step := range []struct {
		do   func() (string, error)
		pet  string
		told string
	}{
		{func() (string, error) {
			return c.Report(agents.Report{Pet: "MOMO", State: agents.Done, Message: "@done", Agent: "claude", Session: "s", Project: "p"})
		}, "momo", "report|done|@done|claude|s|p"},
		{func() (string, error) { return c.Say(agents.Target{Pet: "momo"}, "안녕 \u2028<b>") }, "momo", "say|안녕 <b>"},
		{func() (string, error) { return c.React(agents.Target{}, agents.Jump) }, "momo", "react|jump"},
		{func() (string, error) { return "", c.Open("playpets://x") }, "", "open|playpets://x"},
		{func() (string, error) { return "", c.Open("") }, "", "open|"},
	} {
		pet, err := step.do()
		told := r.app.heard()
		if err != nil || pet != step.pet || told[len(told)-1] != step.told {
			t.Errorf("%s: %q, %v, told %q", step.told, pet, err, told)
		}
	}
}

// What a command needs for its exit code.
func TestClientErrors(t *testing.T) {
	r := start(t)
	c := NewClient(r.path)
	refused := func(status int, code string, err error) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || e.Status != status || e.Code != code || e.Error() == "" {
			t.Errorf("%#v, want %d %s", err, status, code)
		}
	}
	_, err := c.Say(agents.Target{Pet: "nobody"}, "hi")
	refused(404, "no_such_friend", err)
	_, err = c.Say(agents.Target{}, " ")
	refused(400, "bad_request", err)
	_, err = c.Say(agents.Target{}, strings.Repeat("x", maxBody))
	refused(413, "too_large", err)
	_, err = c.Say(agents.Target{}, strings.Repeat("x", 10<<20))
	refused(413, "too_large", err)
	_, err = c.Report(agents.Report{State: "busy"})
	refused(400, "bad_request", err)
	_, err = c.React(agents.Target{}, "dance")
	refused(400, "bad_request", err)

	other := r.endpoint
	other.Token = strings.Repeat("0", 64)
	if err := line.Publish(r.path, other); err != nil {
		t.Fatal(err)
	}
	_, err = c.Friends()
	refused(401, "token_refused", err)
}

func TestClientWithoutApp(t *testing.T) {
	r := start(t)
	c := NewClient(r.path)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Friends(); !errors.Is(err, ErrNotRunning) { // withdrawn
		t.Errorf("withdrawn: %v", err)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none", "bridge.json"), t.TempDir(), ""} {
		if _, err := NewClient(path).Friends(); !errors.Is(err, ErrNotRunning) {
			t.Errorf("--bridge %q: %v", path, err)
		}
	}
}

// A killed app leaves bridge.json behind, and its port may be anybody's by now:
// whoever it is hears nothing, not even a connection.
func TestClientNeverSpeaksToStrangers(t *testing.T) {
	stranger, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	port := stranger.Addr().(*net.TCPAddr).Port
	path := filepath.Join(t.TempDir(), "bridge.json")
	lock, err := line.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := line.Publish(path, line.Endpoint{Port: port, Token: strings.Repeat("ab", 32)}); err != nil {
		t.Fatal(err)
	}
	lock.Release() // as the kernel does at any death

	c := NewClient(path)
	if _, err := c.Friends(); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Friends: %v", err)
	}
	if _, err := c.Say(agents.Target{}, "secret"); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Say: %v", err)
	}
	// The first connection that the stranger gets must be this one.
	mine, err := net.Dial("tcp4", stranger.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	first, err := stranger.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if first.RemoteAddr().String() != mine.LocalAddr().String() {
		t.Error("the stranger got a connection")
	}
}

// Even what answers on our own port is not believed.
func TestClientTrustsNoReply(t *testing.T) {
	const secret = "0123456789abcdef"
	for name, c := range map[string]struct {
		reply string // the body of GET /pets
		code  int
		want  string // what the error says
	}{
		"another shape":     {`{"id":"momo"}`, 200, "another version"},
		"a number":          {`[{"id":1}]`, 200, "another version"},
		"not JSON":          {`<html>`, 200, "another version"},
		"two":               {`[] []`, 200, "another version"},
		"empty":             {``, 200, "another version"},
		"refusal unlike us": {`oops`, 500, "HTTP status 500"},
		"redirect":          {``, 302, "HTTP status 302"},
		"refusal in colour": {`{"error":{"code":"\u001b[31m","message":"\u001b[31mred\u202e"}}`, 400, "[31mred"},
	} {
		path := impostor(t, c.code, c.reply)
		_, err := NewClient(path).Friends()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\x1b\u202e") || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
	friends, err := NewClient(impostor(t, 200, `[{"id":"\u001b[2J","name":"a\nb\u202e","state":"\u0007"}]`)).Friends()
	if want := []agents.Friend{{ID: "[2J", Name: "a b", State: ""}}; err != nil || !reflect.DeepEqual(friends, want) {
		t.Errorf("names in colour: %+v, %v", friends, err)
	}
	status, err := NewClient(impostor(t, 200, `{"friends":[{"id":"a\u0007","sentence":"b\u0007","sessions":[{"agent":"c\u0007","session":"d\u0007","project":"e\u0007","state":"f\u0007"}],"activities":[{"agent":"g\u0007","state":"h\u0007","sentence":"i\u0007"}]}]}`)).Status()
	if got := fmt.Sprintf("%+v", status); err != nil || strings.Contains(got, "\a") || !strings.Contains(got, "i") {
		t.Errorf("status in colour: %q, %v", got, err)
	}
}

// impostor answers every request the same, and has a bridge.json and its lock.
func impostor(t *testing.T, status int, body string) (path string) {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://127.0.0.1:1/")
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(status)
		io.WriteString(w, body)
	})}
	var serving sync.WaitGroup
	serving.Go(func() { s.Serve(listener) })
	path = filepath.Join(t.TempDir(), "bridge.json")
	lock, err := line.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := line.Publish(path, line.Endpoint{Port: listener.Addr().(*net.TCPAddr).Port, Token: strings.Repeat("0123456789abcdef", 4)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		serving.Wait()
		lock.Release()
	})
	return path
}

// The reply to GET /status of many friends who said much comes through whole.
func TestClientReadsLongReplies(t *testing.T) {
	long := strings.Repeat("한", agents.MaxMessage)
	r := startWith(t, &app{})
	many := make([]agents.Status, 50)
	for i := range many {
		many[i].Friend = agents.Friend{ID: fmt.Sprint(i), Name: "n", State: agents.Idle}
		many[i].Sentence = long
		for range agents.MaxActivities {
			many[i].Activities = append(many[i].Activities, agents.Activity{Time: time.Unix(1, 0).UTC(), Agent: "claude", State: agents.Done, Sentence: long})
		}
	}
	r.backend = talkative{r.app, many}
	got, err := NewClient(r.path).Status()
	if err != nil || len(got) != len(many) || got[49].Activities[7].Sentence != long {
		t.Errorf("%d of %d friends, %v", len(got), len(many), err)
	}
}

type talkative struct {
	*app
	status []agents.Status
}

func (t talkative) Status() []agents.Status { return t.status }
