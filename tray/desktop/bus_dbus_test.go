//go:build unix && !darwin

package desktop

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// far is longer than anything here takes on the slowest machine.
const far = 20 * time.Second

// A bus is a real one of the test's own, session and system bus in one.
type bus struct {
	t       testing.TB
	dir     string
	address string
	daemon  *exec.Cmd
}

// It knows no programs that it could start.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

func startBus(t testing.TB) *bus {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // short: a socket's path has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &bus{t: t, dir: dir, address: "unix:path=" + filepath.Join(dir, "socket")}
	config := fmt.Sprintf(busConfig, filepath.Join(dir, "socket"))
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.address)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", b.address)
	b.start()
	t.Cleanup(b.kill)
	return b
}

func (b *bus) start() {
	b.t.Helper()
	b.daemon = exec.Command(tool(b.t, "dbus-daemon"), "--config-file="+filepath.Join(b.dir, "config"), "--nofork", "--print-address=1")
	out, err := b.daemon.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.daemon.Start(); err != nil {
		b.t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.t.Fatalf("dbus-daemon names no address: %v", err)
	}
}

func (b *bus) kill() {
	b.daemon.Process.Signal(syscall.SIGTERM)
	b.daemon.Wait()
}

// tool is the path of a program that the test needs.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + " (apt-get install dbus-daemon)"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

func (b *bus) connect() *dbus.Conn {
	b.t.Helper()
	conn, err := dbus.Connect(b.address)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { conn.Close() })
	return conn
}

// A program stands in for a portal, a screen saver or the login manager.
type program struct {
	t      testing.TB
	conn   *dbus.Conn
	mu     sync.Mutex
	values map[string]any // what is answered, by the last argument of the question
	hang   chan struct{}  // closed: answers come
}

// program starts one that answers what the facts of this name ask. What it has
// no value for it does not know.
func (b *bus) program(name string, values map[string]any) *program {
	b.t.Helper()
	p := b.hanging(name, values)
	close(p.hang)
	return p
}

// hanging starts a program that does not answer until the test is over.
func (b *bus) hanging(name string, values map[string]any) *program {
	b.t.Helper()
	p := &program{t: b.t, conn: b.connect(), values: values, hang: make(chan struct{})}
	for _, f := range allFacts() {
		if f.peer == name && f.method != "" {
			dot := strings.LastIndexByte(f.method, '.')
			table := map[string]any{f.method[dot+1:]: p.method(f)}
			if err := p.conn.ExportMethodTable(table, f.path, f.method[:dot]); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	if reply, err := p.conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		b.t.Fatal(reply, err)
	}
	return p
}

// method is what answers f: settings come in a variant in a variant, properties
// in a variant, anything else bare.
func (p *program) method(f *fact) any {
	unknown := dbus.NewError("org.freedesktop.portal.Error.NotFound", nil)
	if len(f.args) == 0 {
		return func() (any, *dbus.Error) {
			v, ok := p.answer("")
			if !ok {
				return false, unknown
			}
			return v, nil
		}
	}
	return func(_, key string) (dbus.Variant, *dbus.Error) {
		v, ok := p.answer(key)
		if !ok {
			return dbus.MakeVariant(""), unknown
		}
		if f.peer == portalName {
			v = dbus.MakeVariant(v)
		}
		return dbus.MakeVariant(v), nil
	}
}

func (p *program) answer(key string) (any, bool) {
	<-p.hang
	p.mu.Lock()
	defer p.mu.Unlock()
	v, ok := p.values[key]
	return v, ok
}

func (p *program) set(key string, value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.values[key] = value
}

// emit sends a signal from where such a program sends it.
func (p *program) emit(signal string, body ...any) {
	p.t.Helper()
	if err := p.conn.Emit("/somewhere", signal, body...); err != nil {
		p.t.Fatal(err)
	}
}

func allFacts() (all []*fact) {
	for _, facts := range [][]fact{sessionFacts, systemFacts} {
		for i := range facts {
			all = append(all, &facts[i])
		}
	}
	return all
}

// key is what a fact's value is called among a program's values.
func (f *fact) key() string {
	if len(f.args) == 0 {
		return ""
	}
	return f.args[len(f.args)-1].(string)
}

// An ear is a watcher at work, and what it told.
type ear struct {
	t      testing.TB
	states chan State
	end    func() // and waits for the end
}

// listen runs a watcher until the test is over; nil means an ordinary one.
func listen(t testing.TB, change func(*watcher)) *ear {
	t.Helper()
	e := &ear{t: t, states: make(chan State, 1000)}
	w := newWatcher(slog.New(slog.DiscardHandler), func(s State) { e.states <- s })
	if change != nil {
		change(w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.run(ctx) })
	e.end = func() { cancel(); running.Wait() }
	t.Cleanup(e.end)
	return e
}

// expect fails unless exactly these are told next.
func (e *ear) expect(states ...State) {
	e.t.Helper()
	for i, want := range states {
		if got := receive(e.t, e.states); got != want {
			e.t.Fatalf("told %+v as number %d, not %+v", got, i+1, want)
		}
	}
}

// receive waits for what must come.
func receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(far):
		t.Fatal("it never came")
	}
	panic("unreachable")
}
