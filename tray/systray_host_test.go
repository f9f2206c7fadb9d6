//go:build unix && !darwin

package tray

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const watcherName = "org.kde.StatusNotifierWatcher"

// tool is the path of a program that the test needs.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + " (tools/test-deps brings it)"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

// startBus starts a session bus of the test's own, and returns what ends it.
func startBus(t testing.TB) (kill func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // short: a socket's path has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return startBusAt(t, "unix:path="+filepath.Join(dir, "socket"))
}

// startBusAt starts one where another one was.
func startBusAt(t testing.TB, address string) (kill func()) {
	t.Helper()
	daemon := exec.Command(tool(t, "dbus-daemon"), "--session", "--nofork", "--print-address=1", "--address="+address)
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		daemon.Process.Signal(syscall.SIGTERM)
		daemon.Wait()
	})
	t.Cleanup(kill)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("dbus-daemon names no address: %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	return kill
}

func connect(t testing.TB) *dbus.Conn {
	t.Helper()
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// host stands in for a panel: the watcher that icons register with.
type host struct {
	t      testing.TB
	conn   *dbus.Conn
	mu     sync.Mutex
	items  []string    // as registered, each as often as it was
	came   chan string // the connection and path of each
	looked chan string // properties that were asked for
}

// newHost is a watcher that is not there yet.
func newHost(t testing.TB) *host {
	t.Helper()
	h := &host{t: t, conn: connect(t), came: make(chan string, 100), looked: make(chan string, 100)}
	for face, methods := range map[string]map[string]any{
		watcherName:                       {"RegisterStatusNotifierItem": h.register},
		"org.freedesktop.DBus.Properties": {"Get": h.property},
	} {
		if err := h.conn.ExportMethodTable(methods, "/StatusNotifierWatcher", face); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *host) register(sender dbus.Sender, path string) *dbus.Error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items = append(h.items, string(sender)+path)
	h.came <- string(sender) + path
	return nil
}

func (h *host) property(_, name string) (dbus.Variant, *dbus.Error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looked <- name
	if name == "IsStatusNotifierHostRegistered" {
		return dbus.MakeVariant(true), nil
	}
	return dbus.MakeVariant(slices.Compact(slices.Clone(h.items))), nil
}

// start makes the watcher be there; like a panel that was started, it knows no
// icons.
func (h *host) start() {
	h.t.Helper()
	h.mu.Lock()
	h.items = nil
	h.mu.Unlock()
	if r, err := h.conn.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		h.t.Fatal(r, err)
	}
}

func (h *host) stop() {
	h.t.Helper()
	if _, err := h.conn.ReleaseName(watcherName); err != nil {
		h.t.Fatal(err)
	}
}

// expect waits for an icon to register, and for our own look at whether it has:
// it did once.
func (h *host) expect() (item string) {
	h.t.Helper()
	item = receive(h.t, h.came)
	for len(h.looked) > 0 {
		<-h.looked
	}
	receive(h.t, h.looked)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.items) != 1 {
		h.t.Errorf("registered %q, want it once", h.items)
	}
	return item
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

// entry is an item of a menu as the bus has it.
type entry struct {
	id    int32
	props map[string]dbus.Variant
	below []entry
}

func (e entry) text(property string) string {
	s, _ := e.props[property].Value().(string)
	return s
}

// is reads a property that is true unless it says otherwise.
func (e entry) is(property string) bool {
	yes, said := e.props[property].Value().(bool)
	return yes || !said
}

// find is the entry of the item in a slot.
func (e entry) find(t testing.TB, items []item, slot string) entry {
	t.Helper()
	for n, i := range items {
		switch {
		case i.slot == slot:
			return e.below[n]
		case strings.HasPrefix(slot, i.slot+"/"):
			return e.below[n].find(t, i.items, slot)
		}
	}
	t.Fatalf("no slot %q", slot)
	panic("unreachable")
}

// remote is an icon as a panel sees it.
type remote struct {
	t    testing.TB
	conn *dbus.Conn
	name string // of its connection
}

func (r remote) call(path dbus.ObjectPath, method string, args ...any) *dbus.Call {
	return r.conn.Object(r.name, path).Call(method, 0, args...)
}

// property is one of the icon's.
func (r remote) property(name string) any {
	r.t.Helper()
	var v dbus.Variant
	if err := r.call("/StatusNotifierItem", "org.freedesktop.DBus.Properties.Get", "org.kde.StatusNotifierItem", name).Store(&v); err != nil {
		r.t.Fatal(err)
	}
	return v.Value()
}

// menu reads the menu. The first answer of all is cut short: systray does that
// for the sake of some panels.
func (r remote) menu() entry {
	r.t.Helper()
	var revision uint32
	var root struct {
		ID    int32
		Props map[string]dbus.Variant
		Below []dbus.Variant
	}
	for range 2 {
		if err := r.call("/StatusNotifierItem/menu", "com.canonical.dbusmenu.GetLayout", int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
			r.t.Fatal(err)
		}
	}
	return entry{root.ID, root.Props, entries(r.t, root.Below)}
}

func entries(t testing.TB, below []dbus.Variant) (all []entry) {
	t.Helper()
	for _, v := range below {
		var e entry
		var further []dbus.Variant
		if err := dbus.Store(v.Value().([]any), &e.id, &e.props, &further); err != nil {
			t.Fatal(err)
		}
		e.below = entries(t, further)
		all = append(all, e)
	}
	return all
}

func (r remote) click(id int32) {
	r.t.Helper()
	if err := r.call("/StatusNotifierItem/menu", "com.canonical.dbusmenu.Event", id, "clicked", dbus.MakeVariant(int32(0)), uint32(0)).Err; err != nil {
		r.t.Fatal(err)
	}
}

// settle waits until the menu is what was meant, and returns it.
func (r remote) settle(want []item) (root entry) {
	r.t.Helper()
	difference := ""
	defer func() {
		if r.t.Failed() {
			r.t.Log(difference)
		}
	}()
	until(r.t, "the menu is as it was meant", func() bool {
		root = r.menu()
		difference = differ(root.below, want)
		return difference == ""
	})
	return root
}

// until waits for what must come true.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(far); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// differ says where a menu on the bus differs from items; a hidden item may
// have any label, and any below.
func differ(got []entry, want []item) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d items, want %d", len(got), len(want))
	}
	for n, w := range want {
		g := got[n]
		switch {
		case w.slot == "":
			if g.text("type") != "separator" {
				return fmt.Sprintf("item %d is no line", n)
			}
			continue
		case g.is("visible") == w.hidden:
			return fmt.Sprintf("%s: visible: %v", w.slot, g.is("visible"))
		case w.hidden:
			continue
		case g.text("label") != escape(w.label, "linux"), g.is("enabled") == w.disabled:
			return fmt.Sprintf("%s: %q, enabled: %v; want %q", w.slot, g.text("label"), g.is("enabled"), w.label)
		case (g.text("toggle-type") == "checkmark") != (w.mark != unmarked), (g.props["toggle-state"].Value() == int32(1)) != (w.mark == on):
			return fmt.Sprintf("%s: %v, want mark %v", w.slot, g.props, w.mark)
		}
		if d := differ(g.below, w.items); d != "" {
			return d
		}
	}
	return ""
}
