package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// nobody is the app that is not there.
type nobody struct{}

func (nobody) Friends() ([]agents.Friend, error)                     { return nil, bridge.ErrNotRunning }
func (nobody) Status() ([]agents.Status, error)                      { return nil, bridge.ErrNotRunning }
func (nobody) Report(agents.Report) (string, error)                  { return "", bridge.ErrNotRunning }
func (nobody) Say(agents.Target, string) (string, error)             { return "", bridge.ErrNotRunning }
func (nobody) React(agents.Target, agents.Reaction) (string, error)  { return "", bridge.ErrNotRunning }
func (nobody) Lease(agents.LeaseRequest) (l agents.Lease, err error) { return l, bridge.ErrNotRunning }
func (nobody) Renew(string) (l agents.Lease, err error)              { return l, bridge.ErrNotRunning }
func (nobody) Release(string) error                                  { return bridge.ErrNotRunning }

// serve has a server read a text to its end, and returns what it wrote.
func serve(t testing.TB, app App, in string) string {
	t.Helper()
	var out bytes.Buffer
	err := Serve(t.Context(), Options{App: app, Version: "v1", In: strings.NewReader(in), Out: &out})
	if err != nil {
		t.Error(err)
	}
	return out.String()
}

// ids are those of the answers, in order; of a batch in brackets. Every line
// must be an answer.
func ids(t testing.TB, out string) string {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("no UTF-8: %.300q", out)
	}
	var all []string
	for line := range strings.Lines(out) {
		if line[0] != '[' {
			all = append(all, answerID(t, []byte(line)))
			continue
		}
		var batch []json.RawMessage
		if err := json.Unmarshal([]byte(line), &batch); err != nil || len(batch) == 0 {
			t.Fatalf("no batch: %.300s", line)
		}
		var some []string
		for _, one := range batch {
			some = append(some, answerID(t, one))
		}
		all = append(all, "["+strings.Join(some, " ")+"]")
	}
	return strings.Join(all, " ")
}

// answerID is the id of an answer; with the code if it is an error.
func answerID(t testing.TB, answer []byte) string {
	t.Helper()
	var f map[string]json.RawMessage
	if err := json.Unmarshal(answer, &f); err != nil {
		t.Fatalf("%v: %.300s", err, answer)
	}
	if string(f["jsonrpc"]) != `"2.0"` || f["id"] == nil || (f["result"] == nil) == (f["error"] == nil) || len(f) != 3 {
		t.Fatalf("no answer: %.300s", answer)
	}
	id := string(f["id"])
	if f["error"] != nil {
		var e struct {
			Code    int
			Message string
		}
		if json.Unmarshal(f["error"], &e) != nil || e.Message == "" {
			t.Fatalf("no error: %.300s", answer)
		}
		id += fmt.Sprintf("!%d", -e.Code-32000)
	}
	return id
}

// TestCases runs what broke other servers.
func TestCases(t *testing.T) {
	for name, want := range map[string]string{
		"34-ping.jsonl":                `"a" 0 1 2`,
		"36-notifications.jsonl":       "0 5",
		"38-versions.jsonl":            "0 1 2 3 4 5",
		"40-crlf-bom.txt":              "0 1",
		"43-unknown-capabilities.json": "0",
	} {
		in, err := os.ReadFile(filepath.Join("testdata/cases", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, openpets := range []bool{false, true} {
			var out bytes.Buffer
			if err := Serve(t.Context(), Options{App: nobody{}, OpenPets: openpets, In: bytes.NewReader(in), Out: &out}); err != nil {
				t.Error(err)
			}
			if got := ids(t, out.String()); got != want {
				t.Errorf("%s: answers %s, want %s", name, got, want)
			}
		}
	}
}

// TestMessages: who is answered, with which id, and what is an error.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// Ids are echoed as they came.
		{`{"jsonrpc":"2.0","id":1152921504606846977,"method":"ping"}`, "1152921504606846977"},
		{`{"jsonrpc":"2.0","id":-1.50e3,"method":"ping"}`, "-1.50e3"},
		{`{"jsonrpc":"2.0","id":"","method":"ping"}`, `""`},
		{`{"jsonrpc":"2.0","id":"a<b>&\u2028\u00e9","method":"ping"}`, `"a<b>&\u2028\u00e9"`},
		{`{"jsonrpc":"2.0","id":99999999999999999999999999,"method":"tools/list"}`, "99999999999999999999999999"},
		{`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, `"\ud800"`},
		{`{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}`, "1.0"},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\u2028\",\"method\":\"ping\"}", "\"\u2028\""},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null!600"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null!600"},
		{`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null!600"},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null!600"},
		// What is no request.
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, ""},
		{`{"jsonrpc":"2.0","method":"ping"}`, ""},
		{`{"jsonrpc":"2.0","method":5}`, ""},
		{`{"jsonrpc":"2.0","id":1}`, "1!600"},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, "1!600"},
		{`{"jsonrpc":"2.0"}`, "null!600"},
		{`{}`, "null!600"},
		{`null`, "null!600"},
		{`"x"`, "null!600"},
		{`5`, "null!600"},
		{`{"id":1,"method":"ping"}`, "1!600"},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1!600"},
		{`{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, "1!600"},
		{`{"jsonrpc":"2.0","id":1,"method":null}`, "1!600"},
		{`{"jsonrpc":null,"id":1,"method":"ping"}`, "1!600"},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, ""},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"ping"}`, "2"},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"on"}}`, ""},
		{`{"jsonrpc":"2.0","method":"tools/call","params":5}`, ""},
		{`{"method":"ping"}`, ""},
		// Params.
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null,"more":{"x":1}},"more":1}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":"me","capabilities":[]}}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":null,"arguments":{}}}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":5,"_meta":5,"task":7,"inputResponses":"x","requestState":[]}}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"NAME":"list_pets"}}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"message":1e999}}}`, "1!602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":[]}}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":null,"task":{"ttl":1},"_meta":5}}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","_meta":{"io.modelcontextprotocol/protocolVersion":"9999"}}}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x","_meta":5}}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":{}}}}`, "1"},
		// Methods that there are not, and lists of nothing.
		{`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"what/ever"}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///x"}}`, "1!601"},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"x"}}`, "1"},
		// Batches.
		{`[]`, "null!600"},
		{`[1,{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"3","method":"tools/list"}]`, `[null!600 2 "3"]`},
		{`[{"jsonrpc":"2.0","method":"x"}]`, ""},
		{`[[]]`, "[null!600]"},
		{"[" + strings.Repeat(`{"jsonrpc":"2.0","id":2,"method":"ping"},`, maxBatch) + "1]", "null!600"},
		// No JSON, or no UTF-8.
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", "\"\uFFFD\""},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\xe2\x82\"}", "1"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\xff}", "null!700"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\x00", "null!700"},
		{`{`, "null!700"},
		{`[{]`, "null!700"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, "null!700"},
		{"\x00", "null!700"},
		{"hello", "null!700"},
		{"\xff\xfe{\x00", "null!700"},
		{strings.Repeat("[", 100_000), "null!700"},
		{strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "null!700"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_001), "null!700"},
		{strings.Repeat("x", maxLine+1), "null!600"},
	} {
		got := ids(t, serve(t, nobody{}, c.in+"\n"+`{"jsonrpc":"2.0","id":"on","method":"ping"}`))
		if want := strings.TrimSpace(c.want + ` "on"`); got != want {
			t.Errorf("%.120s: answered %s, want %s", c.in, got, want)
		}
	}
}

// TestVersions: those that are known are spoken; to all else the newest is offered.
func TestVersions(t *testing.T) {
	for asked, want := range map[string]string{
		`"2024-11-05"`: "2024-11-05", `"2025-03-26"`: "2025-03-26", `"2025-06-18"`: "2025-06-18", `"2025-11-25"`: "2025-11-25",
		`"2026-07-28"`: "2025-11-25", `"9999-01-01"`: "2025-11-25", `""`: "2025-11-25", `7`: "2025-11-25", `null`: "2025-11-25", `{}`: "2025-11-25",
	} {
		out := serve(t, nobody{}, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":`+asked+`,"capabilities":{},"clientInfo":{"name":"t"}}}`)
		var r struct {
			Result struct {
				ProtocolVersion string
				Capabilities    map[string]map[string]any
				ServerInfo      struct{ Name, Version string }
				Instructions    string
			}
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		got := r.Result
		if got.ProtocolVersion != want {
			t.Errorf("asked for %s: %q, want %q", asked, got.ProtocolVersion, want)
		}
		tools, offered := got.Capabilities["tools"]
		if !offered || tools["listChanged"] != nil || len(got.Capabilities) != 1 {
			t.Errorf("capabilities %v", got.Capabilities)
		}
		if got.ServerInfo.Name != "playpets" || got.ServerInfo.Version != "v1" || got.Instructions == "" {
			t.Errorf("%+v", got)
		}
	}
}

// TestPipelined: 200 calls and the end of input at once are 200 answers in order.
func TestPipelined(t *testing.T) {
	var in, want []string
	for i := range 200 {
		in = append(in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"say","arguments":{"message":"hello %d"}}}`, i, i))
		want = append(want, fmt.Sprint(i))
	}
	if got := ids(t, serve(t, nobody{}, strings.Join(in, "\n"))); got != strings.Join(want, " ") {
		t.Errorf("answered %s", got)
	}
}

// holder counts what happens to its one lease; a call hangs until it is let go.
type holder struct {
	nobody
	leases, releases atomic.Int32
	hang             chan struct{} // nil: nothing hangs
	entered          chan struct{} // closed when a call hangs
}

func (h *holder) Lease(agents.LeaseRequest) (agents.Lease, error) {
	h.leases.Add(1)
	return agents.Lease{ID: "L", PetID: "mochi", PetName: "Mochi"}, nil
}
func (h *holder) Renew(string) (agents.Lease, error) { return agents.Lease{ID: "L"}, nil }
func (h *holder) Release(id string) error {
	if id != "L" {
		return errors.New("not that one")
	}
	h.releases.Add(1)
	return nil
}
func (h *holder) Say(agents.Target, string) (string, error) {
	if h.hang != nil {
		close(h.entered)
		<-h.hang
	}
	return "mochi", nil
}

const callSay = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"message":"hi"}}}` + "\n"

// TestEnds: whatever ends a server, its lease was taken and is given back once.
func TestEnds(t *testing.T) {
	broken := errors.New("broken")
	for name, end := range map[string]func(t *testing.T, h *holder) error{
		"end of input": func(t *testing.T, h *holder) error {
			return Serve(t.Context(), Options{App: h, In: strings.NewReader(callSay), Out: io.Discard})
		},
		"no input at all": func(t *testing.T, h *holder) error {
			return Serve(t.Context(), Options{App: h, In: strings.NewReader(""), Out: io.Discard})
		},
		"a signal": func(t *testing.T, h *holder) error {
			ctx, stop := context.WithCancel(t.Context())
			in, write := io.Pipe()
			defer write.Close()
			go func() {
				io.WriteString(write, callSay)
				io.WriteString(write, callSay) // the first one is read and answered
				stop()
			}()
			return Serve(ctx, Options{App: h, In: in, Out: io.Discard})
		},
		"a signal while a call hangs": func(t *testing.T, h *holder) error {
			ctx, stop := context.WithCancel(t.Context())
			h.hang, h.entered = make(chan struct{}), make(chan struct{})
			go func() {
				<-h.entered
				stop()
			}()
			defer close(h.hang)
			return Serve(ctx, Options{App: h, In: strings.NewReader(callSay), Out: io.Discard})
		},
		"output that fails": func(t *testing.T, h *holder) error {
			in, write := io.Pipe()
			defer write.Close()
			go io.WriteString(write, callSay)
			return Serve(t.Context(), Options{App: h, In: in, Out: failing{}})
		},
		"output that nobody reads": func(t *testing.T, h *holder) error {
			in, write := io.Pipe()
			defer write.Close()
			r, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			r.Close()
			if closed(t.Context(), out) == nil { // not where only a write tells
				go io.WriteString(write, callSay)
			}
			return Serve(t.Context(), Options{App: h, In: in, Out: out})
		},
		"a socket whose other end is gone": func(t *testing.T, h *holder) error {
			return Serve(t.Context(), Options{App: h, In: failing{os.NewSyscallError("read", syscall.ECONNRESET)}, Out: io.Discard})
		},
		"a terminal that is gone": func(t *testing.T, h *holder) error {
			return Serve(t.Context(), Options{App: h, In: failing{&os.PathError{Op: "read", Path: "stdin", Err: syscall.EIO}}, Out: io.Discard})
		},
		"input that fails": func(t *testing.T, h *holder) error {
			err := Serve(t.Context(), Options{App: h, In: io.MultiReader(strings.NewReader(callSay), failing{broken}), Out: io.Discard})
			if !errors.Is(err, broken) {
				t.Errorf("%v, want %v", err, broken)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := &holder{}
			if err := end(t, h); err != nil {
				t.Error(err)
			}
			if h.leases.Load() > 2 || h.releases.Load() > 1 || h.leases.Load() > 0 != (h.releases.Load() == 1) {
				t.Errorf("%d leases taken, %d released", h.leases.Load(), h.releases.Load())
			}
		})
	}
}

// hanging is an app that answers nothing: every call is in vain after the
// bridge's three seconds.
type hanging struct{ nobody }

func (hanging) wait() error {
	time.Sleep(3 * time.Second)
	return fmt.Errorf("say: %w", os.ErrDeadlineExceeded)
}
func (h hanging) Say(agents.Target, string) (string, error)             { return "", h.wait() }
func (h hanging) Lease(agents.LeaseRequest) (l agents.Lease, err error) { return l, h.wait() }
func (h hanging) Renew(string) (l agents.Lease, err error)              { return l, h.wait() }
func (h hanging) Release(string) error                                  { return h.wait() }

// hangsLater is one that gave a lease before.
type hangsLater struct{ hanging }

func (hangsLater) Lease(agents.LeaseRequest) (agents.Lease, error) { return agents.Lease{ID: "L"}, nil }

// TestHungApp: at the end of input all is answered and the server ends within a
// second, though the app answers nothing.
func TestHungApp(t *testing.T) {
	in := strings.Repeat(callSay, 199) + `[{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","id":3,"method":"ping"},` + strings.TrimSpace(callSay) + "]"
	for _, app := range []App{hanging{}, hangsLater{}} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			out := serve(t, app, in)
			if took := time.Since(began); took > time.Second {
				t.Errorf("%T: it ends after %v", app, took)
			}
			if got := ids(t, out); got != strings.Repeat("1 ", 199)+"[2 3 1]" {
				t.Errorf("%T: answered %s", app, got)
			}
			if n := strings.Count(out, late); n != 200 {
				t.Errorf("%T: %d answers say that there is none", app, n)
			}
			time.Sleep(time.Minute) // what hangs is left behind, and ends by itself
		})
	}
}

// TestSlowApp: as long as the app answers, its answers are waited for, however
// long all of them take together.
func TestSlowApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := serve(t, slow{}, strings.Repeat(callSay, 100))
		if n := strings.Count(out, `"ok":true`); n != 100 {
			t.Errorf("%d of 100 calls were answered by the app", n)
		}
	})
}

type slow struct{ nobody }

func (slow) Lease(agents.LeaseRequest) (agents.Lease, error) { return agents.Lease{ID: "L"}, nil }
func (slow) Renew(string) (agents.Lease, error)              { return agents.Lease{ID: "L"}, nil }
func (slow) Release(string) error                            { return nil }
func (slow) Say(agents.Target, string) (string, error) {
	time.Sleep(lastCall / 2)
	return "mochi", nil
}

// failing is a pipe whose other end is gone, or broken.
type failing struct{ err error }

func (failing) Write([]byte) (int, error)  { return 0, os.ErrClosed }
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestPanic: a tool that panics is an error, and the next is answered.
func TestPanic(t *testing.T) {
	out := serve(t, panicking{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_pets"}}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if got := ids(t, out); got != "1!603 2" || strings.Contains(out, "secret") {
		t.Errorf("%s", out)
	}
}

type panicking struct{ nobody }

func (panicking) Friends() ([]agents.Friend, error) { panic("secret") }

// FuzzServe: whatever comes, each line that goes out is an answer.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		callSay, "Content-Length: 2\r\n\r\n{}", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "\uFEFF\r\n{}",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7,"clientInfo":{"name":5}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_pet_state","arguments":{"state":"done","pet":null,"message":""}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		ids(t, serve(t, nobody{}, string(in)))
	})
}
