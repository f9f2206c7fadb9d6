package openpets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/playpets/playpets/agents"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// app is a Backend with two friends that remembers what it was told.
type app struct {
	mu     sync.Mutex // guards the rest
	told   []string
	unseen string
	fail   func() error
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
	return []Pet{{ID: "momo", Name: "Momo", Builtin: true, Unseen: a.unseen}, {ID: "kiki", Name: "Kiki"}}
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
	return agents.Lease{ID: id, Requested: "kiki", PetID: "kiki", PetName: "Kiki", Expires: time.UnixMilli(1234)}, id == "L1"
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
	conn, err := dial(r.card().Endpoint)
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, line); err != nil {
		r.t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil && len(answer) == 0 {
		r.t.Fatal(err)
	}
	return strings.TrimSuffix(string(answer), "\n")
}

func (r *rig) ask(method, params string) string {
	r.t.Helper()
	return r.send(fmt.Sprintf(`{"id":"1","version":1,"token":%q,"method":%q,"params":%s}`+"\n", r.card().Token, method, params))
}

// TestMethods walks every method with good and bad params.
func TestMethods(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	const lease = `"actualTargetPetId":"momo","actualTargetPetName":"Momo","expiresAt":1234,"leaseActive":true,"leaseId":"L1","ok":true,`
	const explicit = `"actualTargetPetId":"kiki","actualTargetPetName":"Kiki",`
	asked := map[string]bool{}
	for _, c := range []struct{ method, params, want, told string }{
		{"hello", `{}`, `{"appVersion":"v1","ok":true,"protocol":"openpets-ipc","protocolVersion":1}`, ""},
		{"hello", `null`, `{"appVersion":"v1","ok":true,"protocol":"openpets-ipc","protocolVersion":1}`, ""},
		{"status", `{"leaseId":null}`, `{"actualTargetPetId":"momo","actualTargetPetName":"Momo","appRunning":true,"appVersion":"v1",` +
			`"defaultPet":{"broken":false,"builtIn":true,"displayName":"Momo","id":"momo"},"ok":true,"openOnLaunch":true,"paused":false,` +
			`"routingImplemented":true,"speechBubblesEnabled":true,"usingDefaultPet":true,"visible":true}`, ""},
		{"status", `{"leaseId":"L1"}`, `{` + explicit + `"appRunning":true,"configuredPetId":"kiki","expiresAt":1234,"leaseActive":true,"leaseId":"L1",` +
			`"ok":true,"requestedPetId":"kiki","routingImplemented":true,"targetKind":"explicit","usingDefaultPet":false}`, ""},
		{"status", `{"leaseId":"gone"}`, `{"appRunning":true,"leaseActive":false,"leaseId":"gone","ok":false,"routingImplemented":true,` +
			`"staleReason":"unknown_lease","usingDefaultPet":true}`, ""},
		{"status", `{"leaseId":5}`, "invalid_params", ""},
		{"status", `{"leaseId":"a\nb"}`, "invalid_params", ""},
		{"status", `{"leaseId":"` + strings.Repeat("x", 121) + `"}`, "invalid_params", ""},
		{"pets.list", `{}`, `{"defaultPetId":"momo","ok":true,"pets":[{"broken":false,"builtIn":true,"displayName":"Momo","id":"momo"},` +
			`{"broken":false,"builtIn":false,"displayName":"Kiki","id":"kiki"}]}`, ""},
		{"pets.install", `{"petId":"x"}`, "install_failed", ""},
		{"pets.install-local", `{"path":"/x","kind":"zip"}`, "install_failed", ""},
		{"lease.acquire", `{}`, `{` + lease + `"targetKind":"default","usingDefaultPet":true}`, "lease||openpets|0||"},
		{"lease.acquire", `{"requestedPetId":"kiki","clientPid":7,"sessionNonce":"n"}`, `{` + explicit + lease[len(`"actualTargetPetId":"momo","actualTargetPetName":"Momo",`):] +
			`"requestedPetId":"kiki","targetKind":"explicit","usingDefaultPet":false}`, "lease|kiki|openpets|7|n|"},
		{"lease.acquire", `{"requestedPetId":"nobody"}`, `{"actualTargetPetId":"momo","actualTargetPetName":"Momo","expiresAt":1234,` +
			`"fallbackReason":"pet_not_installed","leaseActive":true,"leaseId":"L1","ok":true,"requestedPetId":"nobody","targetKind":"default","usingDefaultPet":true}`,
			"lease|nobody|openpets|0||"},
		{"lease.acquire", `{"requestedPetId":["kiki"]}`, "invalid_params", ""},
		{"lease.acquire", `{"clientPid":-1}`, "invalid_params", ""},
		{"lease.acquire", `{"clientPid":"7"}`, "invalid_params", ""},
		{"lease.acquire", `{"sessionNonce":"` + strings.Repeat("n", 129) + `"}`, "invalid_params", ""},
		{"lease.heartbeat", `{"leaseId":"L1"}`, `{` + lease + `"targetKind":"default","usingDefaultPet":true}`, "lease|||0||"},
		{"lease.heartbeat", `{"leaseId":"gone"}`, "unknown_lease", ""},
		{"lease.heartbeat", `{}`, "unknown_lease", ""},
		{"lease.release", `{"leaseId":"L1"}`, `{"leaseId":"L1","ok":true,"released":true}`, ""},
		{"lease.release", `{"leaseId":"gone"}`, `{"leaseId":"gone","ok":true,"released":false}`, ""},
		{"pet.react", `{"reaction":"editing"}`, `{"ok":true,"reaction":"editing","shown":true}`, "report|working||openpets|"},
		{"pet.react", `{"reaction":"celebrating","leaseId":"L1"}`, `{"leaseId":"L1","ok":true,"reaction":"celebrating","shown":true}`, "react|jump|L1"},
		{"pet.react", `{"reaction":"dance"}`, "invalid_params", ""},
		{"pet.react", `{}`, "invalid_params", ""},
		{"pet.react", `{"reaction":"editing","leaseId":"gone"}`, "unknown_lease", ""},
		{"pet.say", `{"message":"hello"}`, `{"ok":true,"shown":true}`, "say|hello|"},
		{"pet.say", `{"message":"@all of it","reaction":"error","leaseId":"L1"}`, `{"leaseId":"L1","ok":true,"reaction":"error","shown":true}`, "report|error|＠all of it|openpets|L1"},
		{"pet.say", `{"message":"hello","reaction":"waving"}`, `{"ok":true,"reaction":"waving","shown":true}`, "react|wave| say|hello|"},
		{"pet.say", `{"message":"see https://x.example"}`, "invalid_params", ""},
		{"pet.say", `{"message":"a\nb"}`, "invalid_params", ""},
		{"pet.say", `{"message":"` + strings.Repeat("long ", 29) + `"}`, "invalid_params", ""},
		{"pet.say", `{"message":" "}`, "invalid_params", ""},
		{"pet.say", `{"message":7}`, "invalid_params", ""},
		{"pet.say", `{"message":"hello","reaction":"dance"}`, "invalid_params", ""},
		{"pet.showMedia", `{"path":"/x.png"}`, `{"ok":true,"reason":"PlayPets shows no pictures.","shown":false}`, ""},
		{"pet.dance", `{}`, "unknown_method", ""},
		{"", `{}`, "unknown_method", ""},
	} {
		asked[c.method] = true
		want := `{"id":"1","ok":true,"result":` + c.want + `}`
		if c.want[0] != '{' {
			want = `{"id":"1","ok":false,"error":{"code":"` + c.want + `","message":"`
		}
		if got := r.ask(c.method, c.params); !strings.HasPrefix(got, want) {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.method, c.params, got, want)
		}
		if told := strings.Join(r.app.heard(), " "); told != c.told {
			t.Errorf("%s %s: the app was told %q, want %q", c.method, c.params, told, c.told)
		}
	}
	for name := range methods {
		if !asked[name] {
			t.Errorf("nobody has asked for %s", name)
		}
	}
}

// TestRequests: what is no request is refused, in the order of the checks.
func TestRequests(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	token := r.card().Token
	for _, c := range []struct{ line, code string }{
		{"hello\n", "invalid_request"},
		{"{}\n", "invalid_request"},
		{"null\n", "invalid_request"},
		{"[]\n", "invalid_request"},
		{"\n", "invalid_request"},
		{"\x00\xff\n", "invalid_request"},
		{`{"id":"","version":1,"token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":5,"version":1,"token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"` + strings.Repeat("i", 121) + `","version":1,"token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"1","version":"1","token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"1","version":1,"token":"x","method":"hello","params":[]}` + "\n", "invalid_request"},
		{`{"id":"1","version":1,"method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"1","version":2,"token":"x","method":"nothing"}` + "\n", "invalid_version"},
		{`{"id":"1","version":1,"token":"x","method":"nothing"}` + "\n", "invalid_token"},
		{`{"id":"1","version":1,"token":"` + token[1:] + `","method":"hello"}` + "\n", "invalid_token"},
		{`{"id":"1","version":1,"token":"` + token + `","method":"hello","more":1}` + "\n", ""},
		{`{"id":"1","version":1,"token":"` + token + `","method":"hello"}`, ""}, // the end of input ends a line
		{strings.Repeat(" ", maxMessage) + "\n", "invalid_request"},
		{strings.Repeat("[", maxMessage-1) + "\n", "invalid_request"},
	} {
		conn, err := dial(r.card().Endpoint)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, c.line)
		if c, ok := conn.(interface{ CloseWrite() error }); ok {
			c.CloseWrite()
		}
		answer, _ := io.ReadAll(conn)
		conn.Close()
		var got struct {
			OK    bool
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal(answer, &got); err != nil || got.Error.Code != c.code || got.OK != (c.code == "") || got.OK == (got.Error.Message != "") {
			t.Errorf("%.100q: %s, want %s", c.line, answer, c.code)
		}
		if strings.Contains(string(answer), token) {
			t.Errorf("%.100q: the token is told", c.line)
		}
	}
}

// TestTrouble: the app's own trouble and panics are logged and not told.
func TestTrouble(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	token := r.card().Token
	for _, fail := range []func() error{
		func() error { return errors.New("the cause") },
		func() error { panic("a secret message") },
	} {
		r.app.mu.Lock()
		r.app.fail = fail
		r.app.mu.Unlock()
		if got := r.ask("pet.react", `{"reaction":"error"}`); !strings.Contains(got, "internal_error") || strings.Contains(got, "cause") || strings.Contains(got, "secret") {
			t.Error(got)
		}
		r.app.mu.Lock()
		r.app.fail = nil
		r.app.mu.Unlock()
		r.ask("hello", "{}")
	}
	log := r.log.String()
	if !strings.Contains(log, "the cause") || !strings.Contains(log, "panic") || strings.Contains(log, "secret") || strings.Contains(log, token) {
		t.Error(log)
	}
}

// TestUnseen: what nobody sees is told so.
func TestUnseen(t *testing.T) {
	r := newRig(t)
	r.app.unseen = "it is quiet"
	r.set(Auto)
	if got := r.ask("pet.say", `{"message":"hello"}`); !strings.Contains(got, `"reason":"it is quiet","shown":false`) {
		t.Error(got)
	}
}

// TestFlood: silent clients keep nobody waiting, and leave nothing behind.
func TestFlood(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	var silent []net.Conn
	for range 5 * maxClients {
		conn, err := dial(r.card().Endpoint)
		if err != nil {
			t.Fatal(err)
		}
		silent = append(silent, conn)
		if len(silent)%40 == 0 {
			if got := r.ask("hello", "{}"); !strings.Contains(got, "v1") {
				t.Fatalf("after %d silent ones: %s", len(silent), got)
			}
		}
	}
	r.Close() // with clients that say nothing
	for _, conn := range silent {
		conn.Close()
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
	if strings.Count(r.log.String(), "another program") != 1 {
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

func (r *rig) write(c card) {
	r.t.Helper()
	if err := r.at.publish(c); err != nil {
		r.t.Fatal(err)
	}
}

// TestPrivate: nobody else reads the token or reaches the socket.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not what protects a file on Windows")
	}
	r := newRig(t)
	os.MkdirAll(filepath.Dir(r.at.file), 0o755)
	r.set(Auto)
	for path, want := range map[string]os.FileMode{
		r.at.file: 0o600, filepath.Dir(r.at.file): 0o700 | os.ModeDir, r.at.sockets: 0o700 | os.ModeDir, r.card().Endpoint: 0o600 | os.ModeSocket,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v, want %v", filepath.Base(path), info.Mode(), err, want)
		}
	}
	r.set(Off)
	left, _ := filepath.Glob(filepath.Join(r.at.sockets, "*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// A folder behind a link may be anybody's.
	elsewhere := t.TempDir()
	os.RemoveAll(r.at.sockets)
	if err := os.Symlink(elsewhere, r.at.sockets); err != nil {
		t.Fatal(err)
	}
	r.set(On)
	if _, err := r.at.read(); err == nil || !strings.Contains(r.log.String(), "not our folder") {
		t.Errorf("a linked folder is used: %s", r.log)
	}
}

// TestStaleSockets: those of killed apps go, those of live ones stay.
func TestStaleSockets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes go with their process")
	}
	r := newRig(t)
	if err := os.MkdirAll(r.at.sockets, 0o700); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(r.at.sockets, name) }
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: at("openpets-playpets-1.sock")})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	live, err := net.Listen("unix", at("openpets-playpets-2.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	foreign := at("openpets-1.sock")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.set(Auto)
	for name, want := range map[string]bool{at("openpets-playpets-1.sock"): false, at("openpets-playpets-2.sock"): true, foreign: true} {
		if _, err := os.Lstat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(name), err == nil, want)
		}
	}
}

// FuzzAnswer: whatever is asked, the answer is one response that tells no token.
func FuzzAnswer(f *testing.F) {
	s := &server{card: card{Token: "the token of tokens"}, door: &Door{backend: &app{}, log: slog.New(slog.DiscardHandler)}}
	for name := range methods {
		f.Add([]byte(fmt.Sprintf(`{"id":"1","version":1,"token":%q,"method":%q,"params":{"leaseId":"L1","reaction":"error","message":"hi"}}`, s.card.Token, name)))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		out, err := json.Marshal(s.answer(line))
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			ID     *string
			OK     bool
			Result json.RawMessage
			Error  *struct{ Code, Message string }
		}
		if err := json.Unmarshal(out, &r); err != nil || r.OK == (r.Error != nil) || r.OK != (r.Result != nil) {
			t.Errorf("%s", out)
		}
	})
}
