//go:build unix && !darwin

package notify

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// far is longer than anything here takes on the slowest machine.
const far = 20 * time.Second

// A testBus is a real session bus of the test's own.
type testBus struct {
	t       testing.TB
	dir     string
	address string
	daemon  *exec.Cmd
}

// It starts the programs that the folder services names, at first none.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=%[1]s/socket</listen>
  <auth>EXTERNAL</auth>
  <servicedir>%[1]s/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

func startBus(t testing.TB) *testBus {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // short: a socket's path has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, "services"), 0o700); err != nil {
		t.Fatal(err)
	}
	b := &testBus{t: t, dir: dir, address: "unix:path=" + filepath.Join(dir, "socket")}
	b.write("config", fmt.Sprintf(busConfig, dir))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.address)
	return b.start()
}

func (b *testBus) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *testBus) start() *testBus {
	b.t.Helper()
	b.daemon = exec.Command(tool(b.t, "dbus-daemon"), "--config-file="+filepath.Join(b.dir, "config"), "--nofork", "--print-address=1")
	out, err := b.daemon.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.daemon.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(b.kill)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.t.Fatalf("dbus-daemon names no address: %v", err)
	}
	return b
}

func (b *testBus) kill() {
	b.daemon.Process.Signal(syscall.SIGTERM)
	b.daemon.Wait()
}

func (b *testBus) connect() *dbus.Conn {
	b.t.Helper()
	conn, err := dbus.Connect(b.address)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { conn.Close() })
	return conn
}

// tool is the path of a program that the test needs.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + ", which tools/test-deps brings"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

// note is what a daemon was asked to show.
type note struct {
	app      string
	replaces uint32
	icon     string
	title    string
	body     string
	actions  []string
	hints    map[string]dbus.Variant
	expire   int32
	id       uint32 // that it got
}

// A daemon stands in for who shows notifications. It keeps what it is asked.
type daemon struct {
	t    testing.TB
	conn *dbus.Conn

	mu    sync.Mutex
	can   []string
	asked int // for its capabilities
	notes []note
	taken []uint32      // the ids that it was asked to take back
	hang  chan struct{} // not nil: nothing is answered before it is closed
}

// daemon starts one with these capabilities. It takes the name over from the one
// before.
func (b *testBus) startDaemon(can ...string) *daemon {
	b.t.Helper()
	d := &daemon{t: b.t, conn: b.connect(), can: can}
	err := d.conn.ExportMethodTable(map[string]any{
		"GetCapabilities": func() ([]string, *dbus.Error) {
			d.mu.Lock()
			d.asked++
			d.mu.Unlock()
			d.wait()
			return d.can, nil
		},
		"GetServerInformation": func() (string, string, string, string, *dbus.Error) {
			d.wait()
			return "fake", "us", "1.0", "1.2", nil
		},
		"Notify": d.notify,
		"CloseNotification": func(id uint32) *dbus.Error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.taken = append(d.taken, id)
			return nil
		},
	}, busPath, busName)
	if err != nil {
		b.t.Fatal(err)
	}
	if reply, err := d.conn.RequestName(busName, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		b.t.Fatal(reply, err)
	}
	return d
}

func (d *daemon) notify(app string, replaces uint32, icon, title, body string, actions []string, hints map[string]dbus.Variant, expire int32) (uint32, *dbus.Error) {
	d.mu.Lock()
	id := replaces
	if id == 0 {
		id = uint32(100 + len(d.notes))
	}
	d.notes = append(d.notes, note{app, replaces, icon, title, body, actions, hints, expire, id})
	d.mu.Unlock()
	d.wait()
	return id, nil
}

func (d *daemon) wait() {
	d.mu.Lock()
	hang := d.hang
	d.mu.Unlock()
	if hang != nil {
		<-hang
	}
}

// freeze has it answer nothing until it is thawed.
func (d *daemon) freeze() (thaw func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	hang := make(chan struct{})
	d.hang = hang
	thaw = sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.hang = nil
		close(hang)
	})
	d.t.Cleanup(thaw)
	return thaw
}

// count is how often it was asked what it can do, and to show something.
func (d *daemon) count() (asked, notes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked, len(d.notes)
}

// last is what it was asked to show last.
func (d *daemon) last() note {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.notes) == 0 {
		d.t.Fatal("nothing was shown")
	}
	return d.notes[len(d.notes)-1]
}

// emit tells everybody of a message.
func (d *daemon) emit(member string, body ...any) {
	d.t.Helper()
	if err := d.conn.Emit(busPath, busName+"."+member, body...); err != nil {
		d.t.Fatal(err)
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
