//go:build unix && !darwin

package clipboard

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
)

// It knows no programs that it could start.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

// startBus starts a session bus of the test's own, where there is no display.
func startBus(t testing.TB) *exec.Cmd {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // short: a socket's path has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	config, socket := filepath.Join(dir, "config"), filepath.Join(dir, "socket")
	if err := os.WriteFile(config, fmt.Appendf(nil, busConfig, socket), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command(tool(t, "dbus-daemon"), "--config-file="+config, "--nofork", "--print-address=1")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(daemon) })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("dbus-daemon names no address: %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	return daemon
}

// A klipper is a stand-in for the real one, which is a part of KDE.
type klipper struct {
	texts chan string   // what was copied
	hang  chan struct{} // closed: answers come
	lie   bool          // what is read is something else
	last  string
}

func (k *klipper) SetClipboardContents(text string) *dbus.Error {
	<-k.hang
	k.last = text
	k.texts <- text
	return nil
}

func (k *klipper) GetClipboardContents() (string, *dbus.Error) {
	if k.lie {
		return "something else", nil
	}
	return k.last, nil
}

func startKlipper(t testing.TB, lie bool) *klipper {
	t.Helper()
	k := &klipper{texts: make(chan string, 10), hang: make(chan struct{}), lie: lie}
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	methods := map[string]string{"SetClipboardContents": "setClipboardContents", "GetClipboardContents": "getClipboardContents"}
	if err := conn.ExportWithMap(k, methods, klipperPath, "org.kde.klipper.klipper"); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(klipperName, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return k
}

func TestKlipper(t *testing.T) {
	startBus(t)
	c := open(t)
	c.expectError(t, "; Klipper: it does not run")
	k := startKlipper(t, false)
	close(k.hang)
	expectWay(t, "Klipper")
	if len(k.texts) != 0 {
		t.Errorf("looking for the way copied %q", <-k.texts)
	}
	for name, text := range texts {
		c.mustCopy(t, text, "Klipper")
		if got := <-k.texts; got != text {
			t.Errorf("%s: it got %.40q…", name, got)
		}
	}
}

func TestKlipperLies(t *testing.T) {
	startBus(t)
	close(startKlipper(t, true).hang)
	open(t).expectError(t, "; Klipper: something else is in the clipboard")
}

func TestKlipperHangs(t *testing.T) {
	startBus(t)
	k := startKlipper(t, false)
	defer close(k.hang)
	c := open(t)
	c.limit = far / 60
	c.expectError(t, "; Klipper: no answer in time")
}

// A bus that takes the connection and says nothing is given up on.
func TestSilentBus(t *testing.T) {
	daemon := startBus(t)
	daemon.Process.Signal(syscall.SIGSTOP)
	defer daemon.Process.Signal(syscall.SIGCONT)
	c := open(t)
	c.limit = far / 60
	c.expectError(t, "; Klipper: no answer in time")
}
