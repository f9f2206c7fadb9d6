//go:build unix && !darwin

package notify

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// tiny is a picture whose pixels show a mistake in the order or in alpha.
func tiny(t testing.TB) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(3, 5, 5, 6))
	img.Set(3, 5, color.NRGBA{200, 100, 50, 128})
	img.Set(4, 5, color.NRGBA{1, 2, 3, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// paw is a picture of the usual size: a dot, half of it half transparent.
func paw(t testing.TB) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			if (x-32)*(x-32)+(y-32)*(y-32) < 900 {
				img.Set(x, y, color.NRGBA{220, 120, 40, uint8(255 - 127*(x/32))})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// openDesk is a desk for the length of the test.
func openDesk(t testing.TB, icon []byte) *busDesk {
	t.Helper()
	d := newDesk(icon, slog.New(slog.DiscardHandler)).(*busDesk)
	d.limit = far
	t.Cleanup(d.close)
	return d
}

// mustShow fails unless m is shown.
func mustShow(t testing.TB, d *busDesk, m Message) {
	t.Helper()
	if server, err := d.show(t.Context(), m, "mochi"); err != nil || server != "fake 1.0" {
		t.Fatalf("%q, %v", server, err)
	}
}

// mustFail fails if anything is shown, and returns why nothing is.
func mustFail(t testing.TB, d *busDesk, limit time.Duration) error {
	t.Helper()
	defer func(before time.Duration) { d.limit = before }(d.limit)
	d.limit = limit
	server, err := d.show(t.Context(), Message{Key: "mochi", Title: "Mochi"}, "mochi")
	if err == nil {
		t.Fatalf("%s has shown it", server)
	}
	return err
}

func TestNotify(t *testing.T) {
	b := startBus(t)
	silent := map[string]any{"urgency": byte(1), "desktop-entry": "playpets", "suppress-sound": true}
	loud := map[string]any{"urgency": byte(1), "desktop-entry": "playpets", "sound-name": "message-new-instant"}
	for _, test := range []struct {
		name  string
		can   []string
		m     Message
		want  note
		hints map[string]any
	}{
		{"plain", []string{"body"}, Message{Title: "Mochi <1>", Body: "a < b && c > d"},
			note{title: "Mochi <1>", body: "a < b && c > d", actions: []string{}}, silent},
		{"markup", []string{"body", "body-markup"}, Message{Title: "Mochi & <Bori>", Body: "<b>a</b> &amp; 쉬는 중"},
			note{title: "Mochi & <Bori>", body: "&lt;b&gt;a&lt;/b&gt; &amp;amp; 쉬는 중", actions: []string{}}, silent},
		{"actions", []string{"actions"}, Message{Title: "Mochi", Sound: true},
			note{title: "Mochi", actions: []string{"default", "PlayPets"}}, loud},
		{"what no bus takes", nil, Message{Title: "a\x00b\xff", Body: "\xf0\x9f"},
			note{title: "ab\uFFFD", body: "\uFFFD", actions: []string{}}, silent},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := b.startDaemon(test.can...)
			defer server.conn.Close()
			mustShow(t, openDesk(t, nil), test.m)
			got := server.last()
			hints := map[string]any{}
			for key, v := range got.hints {
				hints[key] = v.Value()
			}
			if !reflect.DeepEqual(hints, test.hints) {
				t.Errorf("hints %v, want %v", hints, test.hints)
			}
			test.want.app, test.want.expire, test.want.id = "PlayPets", -1, got.id
			if got.hints = nil; !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestPicture(t *testing.T) {
	b := startBus(t)
	server := b.startDaemon()
	d := openDesk(t, tiny(t))
	if got := dbus.SignatureOf(*d.icon).String(); got != "(iiibiiay)" {
		t.Errorf("its signature is %s", got)
	}
	mustShow(t, d, Message{Title: "Mochi"})
	hint := server.last().hints["image-data"]
	want := []any{int32(2), int32(1), int32(8), true, int32(8), int32(4), []byte{200, 100, 50, 128, 1, 2, 3, 255}}
	if !reflect.DeepEqual(hint.Value(), want) {
		t.Errorf("image-data is %v", hint)
	}
	mustShow(t, openDesk(t, []byte("no picture")), Message{Title: "Mochi"})
	if _, has := server.last().hints["image-data"]; has {
		t.Error("a picture that is none is shown")
	}
}

// A message takes the place of the one with its key, as long as that is there.
func TestReplace(t *testing.T) {
	b := startBus(t)
	server := b.startDaemon("actions")
	d := openDesk(t, nil)
	show := func(key string, replaces uint32) uint32 {
		t.Helper()
		mustShow(t, d, Message{Key: key, Title: "Mochi"})
		if got := server.last().replaces; got != replaces {
			t.Errorf("%s replaces %d, not %d", key, got, replaces)
		}
		return server.last().id
	}
	mochi, bori := show("mochi", 0), show("bori", 0)
	show("mochi", mochi)
	show("", 0)
	show("", 0)
	show("bori", bori)
	server.emit("NotificationClosed", bori, uint32(2))
	if friend, clicked := d.heard(receive(t, d.signals())); clicked {
		t.Errorf("%s is clicked", friend)
	}
	show("mochi", mochi)
	show("bori", 0)
	for range 3 * maxMessages {
		mustShow(t, d, Message{Title: "Mochi"})
	}
	if len(d.shown) > maxMessages {
		t.Errorf("%d messages are remembered", len(d.shown))
	}
	if asked, _ := server.count(); asked != 1 {
		t.Errorf("it was asked %d times what it can do", asked)
	}
}

// TestWithdraw: what is taken back is closed once, and replaced no more.
func TestWithdraw(t *testing.T) {
	b := startBus(t)
	d := openDesk(t, nil)
	d.withdraw(t.Context(), "mochi") // there is no bus yet
	server := b.startDaemon()
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
	id := server.last().id
	mustShow(t, d, Message{Key: "bori", Title: "Bori"})
	for range 2 {
		d.withdraw(t.Context(), "mochi")
	}
	server.mu.Lock()
	taken := slices.Clone(server.taken)
	server.mu.Unlock()
	if !slices.Equal(taken, []uint32{id}) {
		t.Errorf("closed %d, want %d", taken, id)
	}
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
	if got := server.last().replaces; got != 0 {
		t.Errorf("replaces %d, which is closed", got)
	}
	b.kill()
	d.withdraw(t.Context(), "bori")
}

// Only a click on a message of ours counts, said by who shows it.
func TestClicks(t *testing.T) {
	b := startBus(t)
	server := b.startDaemon("actions")
	clicks := make(chan string, 10)
	c := Open(Options{
		Rules:   allRules,
		Write:   func(n Notice) Message { return Message{Title: n.Friend} },
		Clicked: func(friend string) { clicks <- friend },
	})
	defer c.Close()
	if name, err := c.Send(t.Context(), Message{Title: "test"}); name != "fake 1.0" || err != nil {
		t.Fatal(name, err)
	}
	test := server.last().id
	c.Report(Event{Friend: "mochi", Agent: "claude", State: "waiting"})
	for deadline := time.Now().Add(far); ; time.Sleep(time.Millisecond) {
		if _, n := server.count(); n == 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the notice never came")
		}
	}
	mochi := server.last().id
	stranger := b.connect()
	for _, body := range [][]any{{}, {mochi}, {int32(mochi), "default"}, {"x", "default"}, {mochi, "other"}, {mochi, uint32(1)}, {mochi + 1000, "default"}} {
		server.emit("ActionInvoked", body...)
	}
	server.emit("ActionInvoked", mochi, "default")
	if err := stranger.Emit(busPath, busName+".ActionInvoked", mochi, "default"); err != nil {
		t.Fatal(err)
	}
	server.emit("NotificationClosed", mochi, uint32(2))
	server.emit("ActionInvoked", mochi, "default")
	server.emit("ActionInvoked", test, "default")
	for _, want := range []string{"mochi", ""} {
		if got := receive(t, clicks); got != want {
			t.Fatalf("clicked %q, want %q", got, want)
		}
	}
	c.Close()
	if len(clicks) > 0 {
		t.Errorf("clicked %q as well", <-clicks)
	}
}

// A signal sent to us by somebody else is not believed.
func TestStranger(t *testing.T) {
	b := startBus(t)
	server := b.startDaemon("actions")
	d := openDesk(t, nil)
	mustShow(t, d, Message{Title: "Mochi"})
	id := server.last().id
	stranger := b.connect()
	stranger.Send(&dbus.Message{
		Type: dbus.TypeSignal,
		Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldDestination: dbus.MakeVariant(d.conn.Names()[0]),
			dbus.FieldPath:        dbus.MakeVariant(dbus.ObjectPath(busPath)),
			dbus.FieldInterface:   dbus.MakeVariant(busName),
			dbus.FieldMember:      dbus.MakeVariant("ActionInvoked"),
			dbus.FieldSignature:   dbus.MakeVariant(dbus.SignatureOf(id, "default")),
		},
		Body: []any{id, "default"},
	}, nil)
	if friend, clicked := d.heard(receive(t, d.signals())); clicked {
		t.Errorf("%s is clicked", friend)
	}
	server.emit("ActionInvoked", id, "default")
	if friend, clicked := d.heard(receive(t, d.signals())); !clicked || friend != "mochi" {
		t.Errorf("clicked %q, %v", friend, clicked)
	}
}

func TestDaemonComesAndGoes(t *testing.T) {
	b := startBus(t)
	d := openDesk(t, nil)
	if err := mustFail(t, d, far); !errors.As(err, &dbus.Error{}) {
		t.Errorf("nobody is there: %v", err)
	}
	first := b.startDaemon("body-markup")
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi", Body: "<"})
	first.conn.Close()
	second := b.startDaemon()
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi", Body: "<"})
	if got := second.last(); got.replaces != 0 || got.body != "<" {
		t.Errorf("the new one is taken for the old one: %+v", got)
	}
	second.conn.Close()
	mustFail(t, d, far)
}

// A daemon that hangs costs the limit, and finds no pile when it wakes up.
func TestHangingDaemon(t *testing.T) {
	b := startBus(t)
	server := b.startDaemon()
	d := openDesk(t, nil)
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
	id := server.last().id
	thaw := server.freeze()
	for range 5 {
		if err := mustFail(t, d, 50*time.Millisecond); !strings.Contains(err.Error(), "deadline") {
			t.Error(err)
		}
	}
	thaw()
	if _, notes := server.count(); notes != 2 {
		t.Errorf("it finds %d messages", notes-1)
	}
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
	if got := server.last().replaces; got != id {
		t.Errorf("replaces %d, not %d", got, id)
	}
	server.freeze()
	if err := mustFail(t, openDesk(t, nil), time.Second); !strings.Contains(err.Error(), "deadline") {
		t.Error(err)
	}
}

func TestBusComesAndGoes(t *testing.T) {
	b := startBus(t)
	b.startDaemon()
	d := openDesk(t, nil)
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
	b.kill()
	d.heard(receive(t, d.signals())) // as the center does when it is gone
	if d.signals() != nil {
		t.Error("it listens to a bus that is gone")
	}
	mustFail(t, d, far)
	b.start()
	mustFail(t, d, far) // as long as nobody shows notifications there
	server := b.startDaemon()
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
	if server.last().replaces != 0 {
		t.Error("the new one is taken for the old one")
	}
	b.kill() // unnoticed until the next message
	b.start()
	b.startDaemon()
	mustShow(t, d, Message{Key: "mochi", Title: "Mochi"})
}

// No bus is started where there is none, nor any program that could show a
// message without it.
func TestNoBus(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"dbus-launch", "notify-send", "kdialog", "dbus-daemon"} {
		script := "#!/bin/sh\ntouch " + filepath.Join(dir, "started-"+name) + "\nexit 1\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	addresses := []string{"unix:path=" + filepath.Join(dir, "nobody"), "autolaunch:", "nonsense"}
	if _, err := os.Stat("/run/user"); err != nil {
		addresses = append(addresses, "") // else that of whoever runs the test is found
	}
	for _, address := range addresses {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		if err := mustFail(t, openDesk(t, nil), far); !strings.HasPrefix(err.Error(), "reach the session bus: ") {
			t.Errorf("%q: %v", address, err)
		}
		if name, err := Server(t.Context()); err == nil {
			t.Errorf("%q: %s shows notifications", address, name)
		}
	}
	if started, _ := filepath.Glob(filepath.Join(dir, "started-*")); len(started) > 0 {
		t.Errorf("started %v", started)
	}
}

// A bus that takes us and says nothing is hung up on.
func TestSilentBus(t *testing.T) {
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	mustFail(t, openDesk(t, nil), 10*time.Millisecond)
}

func TestServer(t *testing.T) {
	b := startBus(t)
	if name, err := Server(t.Context()); err == nil {
		t.Errorf("nobody is there, it says %q", name)
	}
	server := b.startDaemon("body")
	if name, err := Server(t.Context()); name != "fake 1.0" || err != nil {
		t.Error(name, err)
	}
	if _, notes := server.count(); notes != 0 {
		t.Error("it showed something")
	}
}
