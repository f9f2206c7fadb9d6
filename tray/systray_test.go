//go:build unix && !darwin

package tray

import (
	"bytes"
	"fmt"
	"image/png"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/tray/icon"
)

// openMenu starts an icon and a panel that shows it.
func openMenu(t *testing.T, lang, name string) (*host, *child, remote) {
	t.Helper()
	startBus(t)
	h := newHost(t)
	h.start()
	c := startTray(t, lang, name)
	service, _, _ := strings.Cut(h.expect(), "/")
	return h, c, remote{t, h.conn, service}
}

// TestEveryItemClicked reads the menu as a panel does and clicks all of it.
func TestEveryItemClicked(t *testing.T) {
	_, c, panel := openMenu(t, "en", "plain")
	var s seating
	for _, look := range []struct{ lang, name string }{{"en", "plain"}, {"ko", "plain"}, {"ko", "odd"}, {"en", "quiet"}, {"en", "plain"}} {
		c.tell("show " + look.lang + " " + look.name)
		v := viewNamed(t, look.lang, look.name)
		want := trayMenu(v, s.sit(v.friends, time.Now()))
		root := panel.settle(want)
		if n := clickAll(c, panel, root.below, want); n < 30 {
			t.Errorf("%v: %d items to click", look, n)
		}
	}
	c.close()
	if got := c.stderr.String(); got != "" {
		t.Errorf("it says %s", got)
	}
}

// clickAll clicks what can be seen and chosen.
func clickAll(c *child, panel remote, got []entry, want []item) (n int) {
	c.t.Helper()
	for i, w := range want {
		switch {
		case w.hidden || w.disabled || w.slot == "":
		case w.items != nil:
			n += clickAll(c, panel, got[i].below, w.items)
		default:
			panel.click(got[i].id)
			c.clicked(w.do)
			n++
		}
	}
	return n
}

func TestIconOnTheBus(t *testing.T) {
	_, c, panel := openMenu(t, "en", "plain")
	for name, want := range map[string]any{
		"Id": "PlayPets", "Title": "PlayPets", "Category": "ApplicationStatus", "Status": "Active",
		"ItemIsMenu": true, // so that a left click opens the menu as well
	} {
		if got := panel.property(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	shows := func(b icon.Badge, tip string) {
		t.Helper()
		until(t, tip, func() bool { return panel.property("ToolTip").([]any)[2] == tip }) // which is set last
		m, err := png.Decode(bytes.NewReader(icon.PNG(b, 64)))
		if err != nil {
			t.Fatal(err)
		}
		pixmap := panel.property("IconPixmap").([][]any)[0]
		got := pixmap[2].([]byte)
		if pixmap[0] != int32(64) || pixmap[1] != int32(64) || len(got) != 64*64*4 {
			t.Fatalf("the picture has %v×%v pixels", pixmap[0], pixmap[1])
		}
		for y := range 64 {
			for x := range 64 {
				r, g, b, a := m.At(x, y).RGBA()
				if at := got[4*(y*64+x):][:4]; !bytes.Equal(at, []byte{byte(a >> 8), byte(r >> 8), byte(g >> 8), byte(b >> 8)}) && a == 0xFFFF {
					t.Fatalf("badge %v: another picture at %d,%d", b, x, y)
				}
			}
		}
	}
	shows(icon.Waiting, "PlayPets – 1 working, 1 needs you")
	c.tell("show ko quiet")
	shows(icon.Quiet, "PlayPets – 모두 쉬는 중 · 방해 금지 끌 때까지")
}

// TestNoClickIsLost: clicks that come in one go, as from a held key or a double
// click, all count.
func TestNoClickIsLost(t *testing.T) {
	_, c, panel := openMenu(t, "en", "plain")
	want := seated(sample("en"))
	test := panel.settle(want).find(t, want, "notices/test")
	const clicks = 60
	calls := make(chan *dbus.Call, clicks)
	menu := panel.conn.Object(panel.name, "/StatusNotifierItem/menu")
	for range clicks {
		menu.Go("com.canonical.dbusmenu.Event", 0, calls, test.id, "clicked", dbus.MakeVariant(int32(0)), uint32(0))
	}
	for range clicks {
		if err := receive(t, calls).Err; err != nil {
			t.Fatal(err)
		}
		c.clicked(command{do: "test"})
	}
	type event struct {
		ID   int32
		Name string
		Data dbus.Variant
		Time uint32
	}
	double := event{test.id, "clicked", dbus.MakeVariant(int32(0)), 0}
	if err := menu.Call("com.canonical.dbusmenu.EventGroup", 0, []event{double, double}).Err; err != nil {
		t.Fatal(err)
	}
	c.clicked(command{do: "test"}, command{do: "test"})
}

// TestStaleMenu: a click in a menu that is still open does what the item showed,
// also when its friend has left and another one has come.
func TestStaleMenu(t *testing.T) {
	_, c, panel := openMenu(t, "en", "plain")
	var s seating
	menu := trayMenu(sample("en"), s.sit(sample("en").friends, time.Now()))
	bori := panel.settle(menu).find(t, menu, "friends/1/away/yes")
	for _, name := range []string{"left", "new"} {
		c.tell("show en " + name)
		v := viewNamed(t, "en", name)
		panel.settle(trayMenu(v, s.sit(v.friends, time.Now())))
		panel.click(bori.id)
		c.clicked(command{"sendaway", "bori", ""})
	}
	if s.seats != (seats{"mochi", "", "ssak", "new"}) {
		t.Errorf("seats %q", s.seats)
	}
}

// TestStaleCrowd: the second click of a double click sends nobody away who waited for
// the place.
func TestStaleCrowd(t *testing.T) {
	_, c, panel := openMenu(t, "en", "crowd")
	all := viewNamed(t, "en", "crowd").friends
	menu := seated(viewNamed(t, "en", "crowd"))
	first := panel.settle(menu).find(t, menu, "friends/0/away/yes")
	c.tell("show en fewer")
	var s seating
	s.sit(all, time.Now())
	v := viewNamed(t, "en", "fewer")
	panel.settle(trayMenu(v, s.sit(v.friends, time.Now())))
	panel.click(first.id)
	c.clicked(command{"sendaway", all[0].id, ""})
}

// TestCrowd: more friends than places, and back again.
func TestCrowd(t *testing.T) {
	_, c, panel := openMenu(t, "ko", "crowd")
	panel.settle(seated(viewNamed(t, "ko", "crowd")))
	c.tell("show ko plain")
	var s seating
	s.sit(crowd(maxSeats+2), time.Now())
	v := viewNamed(t, "ko", "plain")
	panel.settle(trayMenu(v, s.sit(v.friends, time.Now())))
}

// TestPanelComesBack: whatever happens to the panel, the icon is there once, and
// is the same one.
func TestPanelComesBack(t *testing.T) {
	h, c, panel := openMenu(t, "en", "plain")
	first := panel.name + "/StatusNotifierItem"
	for range 3 {
		h.stop()
		h.start()
		if again := h.expect(); again != first {
			t.Errorf("registered as %s, was %s", again, first)
		}
	}
	// systray listens no more after a signal of an unexpected form.
	odd := &dbus.Message{
		Type: dbus.TypeSignal,
		Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldDestination: dbus.MakeVariant(panel.name),
			dbus.FieldPath:        dbus.MakeVariant(dbus.ObjectPath("/")),
			dbus.FieldInterface:   dbus.MakeVariant("org.freedesktop.Notifications"),
			dbus.FieldMember:      dbus.MakeVariant("ActionInvoked"),
		},
	}
	if call := h.conn.Send(odd, nil); call != nil && call.Err != nil {
		t.Fatal(call.Err)
	}
	panel.property("Id") // answered behind the signal
	for range 2 {
		h.stop()
		h.start()
		if again := h.expect(); again != first {
			t.Errorf("registered as %s, was %s", again, first)
		}
	}
	menu := seated(sample("en"))
	panel.click(panel.settle(menu).find(t, menu, "quit").id)
	c.clicked(command{do: "quit"})
}

func TestPanelComesLater(t *testing.T) {
	startBus(t)
	c := startTray(t, "en", "plain")
	h := newHost(t)
	h.start()
	service, _, _ := strings.Cut(h.expect(), "/")
	panel := remote{t, h.conn, service}
	menu := seated(sample("en"))
	panel.click(panel.settle(menu).find(t, menu, "quit").id)
	c.clicked(command{do: "quit"})
}

// TestStorm: views that come faster than a panel can show them cost nothing in
// the end, and the last one is shown.
func TestStorm(t *testing.T) {
	_, c, panel := openMenu(t, "en", "plain")
	before := c.tell("storm")
	c.tell("storm")
	until(t, fmt.Sprintf("it takes no more than before: %+v", before), func() bool { // when the last view is shown
		after := c.tell("rest")
		return after.Goroutines <= before.Goroutines+5 && after.Heap <= before.Heap+1<<20
	})
	c.tell("show en crowd")
	menu := seated(viewNamed(t, "en", "crowd"))
	until(t, "the last view is shown", func() bool {
		return panel.menu().find(t, menu, "summary").text("label") == at(t, menu, "summary").label
	})
}

func TestNoSessionBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	icon := openTray(slog.New(slog.DiscardHandler), nil)
	defer icon.Close()
	icon.Set(sample("en"))
	if why := receive(t, icon.Missing()); !strings.Contains(why.Error(), "session bus") {
		t.Errorf("missing: %v", why)
	}
}

// TestBridgeFirst: agents are heard before a desktop is asked that may not answer.
func TestBridgeFirst(t *testing.T) {
	silent, err := net.Listen("unix", filepath.Join(t.TempDir(), "bus"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+silent.Addr().String())
	heard := make(chan error, 1)
	startApp(t, func(data string) {
		go func() {
			_, err := silent.Accept()
			if err == nil {
				_, err = bridge.NewClient(filepath.Join(data, "bridge.json")).Friends()
			}
			heard <- err
		}()
	})
	if err := receive(t, heard); err != nil {
		t.Errorf("the bus is asked before the bridge is open: %v", err)
	}
}

// TestBusIsLate: a bus that does not answer at the start, or goes away and comes back,
// has the icon when it does, as it is then.
func TestBusIsLate(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "bus"))
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	c := startTray(t, "en", "plain")
	var s seating
	for _, look := range []struct{ lang, name string }{{"en", "plain"}, {"ko", "quiet"}, {"en", "crowd"}} {
		c.tell("show " + look.lang + " " + look.name) // another badge, too
		kill := startBusAt(t, address)
		h := newHost(t)
		h.start()
		service, _, _ := strings.Cut(h.expect(), "/")
		panel := remote{t, h.conn, service}
		v := viewNamed(t, look.lang, look.name)
		menu := trayMenu(v, s.sit(v.friends, time.Now()))
		panel.click(panel.settle(menu).find(t, menu, "quit").id)
		c.clicked(command{do: "quit"})
		kill()
	}
	c.close()
}

// TestBusDies: the app goes on, says so once, and ends well.
func TestBusDies(t *testing.T) {
	kill := startBus(t)
	h := newHost(t)
	h.start()
	c := startTray(t, "en", "plain")
	h.expect()
	kill()
	for range 20 {
		c.tell("show ko plain")
		c.tell("show en plain")
	}
	c.close()
	// systray has a word on each item that it was about to change.
	if got := c.stderr.String(); strings.Count(got, "the session bus is gone") != 1 {
		t.Errorf("it says %s", got)
	}
}
