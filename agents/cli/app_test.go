package cli

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/installer"
)

// fakeApp is the app behind a real bridge: it knows four friends and notes what
// it is told.
type fakeApp struct {
	mu    sync.Mutex
	notes strings.Builder
}

var zoo = []agents.Friend{
	{ID: "mochi", Name: "Mochi", State: agents.Working},
	{ID: "bori", Name: "보리", State: agents.Idle},
	{ID: "dubu", Name: "Dubu the Great", State: agents.Waiting},
	{ID: "evil", Name: "Ev\x1b[31mil\u202e\u009b1m\x07", State: agents.Done},
}

func (a *fakeApp) Friends() []agents.Friend { return zoo }

func (a *fakeApp) Status() []agents.Status {
	then := time.Date(2026, 11, 30, 12, 4, 0, 0, time.UTC)
	all := []agents.Status{}
	for _, f := range zoo {
		s := agents.Status{Friend: f, Sessions: []agents.Session{}, Activities: []agents.Activity{}}
		switch f.ID {
		case "mochi":
			s.Sentence = "Using Bash"
			s.Sessions = []agents.Session{{Agent: "claude", Session: "s1", Project: "api", State: agents.Working}}
			s.Activities = []agents.Activity{{Time: then, Agent: "claude", State: agents.Done, Sentence: "All done!"}, {Time: then, State: agents.Idle}}
		case "bori":
			s.Unseen = "it is quiet until 15:04"
		case "evil":
			s.Unseen = "hid\x1bden"
			s.Sentence = "\x1b]0;title\x07sentence\u2066"
			s.Sessions = []agents.Session{{Agent: "a\x1b[2Jgent", Session: "s\x9b", Project: "p\u202eq", State: "x\x1b"}}
			s.Activities = []agents.Activity{{Time: then, Agent: "a\rb", State: agents.Done, Sentence: "x\ny\u0085z"}}
		}
		all = append(all, s)
	}
	return all
}

func (a *fakeApp) Report(r agents.Report) (string, error) {
	return a.note(r.Pet, "report state=%s message=%q agent=%q session=%t project=%q", r.State, r.Message, r.Agent, r.Session != "", r.Project)
}

func (a *fakeApp) Say(to agents.Target, message string) (string, error) {
	return a.note(to.Pet, "say %q", message)
}

func (a *fakeApp) React(to agents.Target, r agents.Reaction) (string, error) {
	return a.note(to.Pet, "react %s", r)
}

func (a *fakeApp) Lease(agents.LeaseRequest) agents.Lease { return agents.Lease{} }

func (a *fakeApp) Renew(string) (agents.Lease, error) { return agents.Lease{}, bridge.ErrUnknownLease }

func (a *fakeApp) Release(string) bool { return false }

func (a *fakeApp) Open(string) error { return nil }

func (a *fakeApp) Copy(agent, name string) (string, error) {
	_, err := a.note("", "copy %q %q", agent, name)
	return "Copied; paste it there.", err
}

func (a *fakeApp) Notify() (string, error) {
	_, err := a.note("", "notify")
	return "The test shows it.", err
}

func (a *fakeApp) Heard() map[string]time.Time { return nil }

func (a *fakeApp) Version() string { return installer.Version() }

func (a *fakeApp) note(pet, format string, args ...any) (string, error) {
	for _, f := range zoo {
		if pet == "" || strings.EqualFold(pet, f.ID) || strings.EqualFold(pet, f.Name) {
			a.mu.Lock()
			defer a.mu.Unlock()
			fmt.Fprintf(&a.notes, f.ID+" "+format+"\n", args...)
			return f.ID, nil
		}
	}
	return "", bridge.ErrNoFriend
}

// heard is what was noted since the last call.
func (a *fakeApp) heard() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.notes.Reset()
	return a.notes.String()
}

// start runs an app of that kind at path: an honest one; one whose bridge.json
// holds a wrong token (stranger); one that accepts and never answers (hung); one
// that holds the lock beside a bridge.json that is cut off (broken); one whose
// port is another program's, which speaks HTTP (impostor) or not (chatter); one
// that is too old to tell its version (older).
func (a *fakeApp) start(kind, path string) (stop func(), err error) {
	lock, err := line.Acquire(path)
	if err != nil {
		return nil, err
	}
	stops := []func(){func() { lock.Release() }}
	stop = func() {
		for i := range stops {
			stops[len(stops)-1-i]()
		}
	}
	if kind == "honest" || kind == "stranger" {
		server, err := bridge.Start(path, a, slog.New(slog.DiscardHandler))
		if err != nil {
			return stop, err
		}
		stops = append(stops, func() { server.Close() })
	}
	switch kind {
	case "stranger":
		e, err := line.Find(path)
		if err != nil {
			return stop, err
		}
		e.Token = strings.Repeat("0", len(e.Token))
		return stop, line.Publish(path, e)
	case "broken":
		return stop, os.WriteFile(path, []byte(`{"port":`), 0o600)
	case "hung", "impostor", "chatter", "older":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return stop, err
		}
		stops = append(stops, func() { l.Close() })
		if answer := answers[kind]; answer != "" {
			go replyAlways(l, answer)
		}
		port := l.Addr().(*net.TCPAddr).Port
		return stop, line.Publish(path, line.Endpoint{Port: port, Token: strings.Repeat("1", 64), PID: os.Getpid()})
	}
	return stop, nil
}

// answers are what those who are no app of today say to any request.
var answers = map[string]string{
	"impostor": "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nnot found",
	"chatter":  "220 mail.example ESMTP\r\n\r\n",
	"older":    "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"friends\":[]}",
}

// replyAlways reads a request and gives that answer, until the listener closes.
func replyAlways(l net.Listener, answer string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		conn.Read(make([]byte, 4<<10))
		io.WriteString(conn, answer)
		conn.Close()
	}
}
