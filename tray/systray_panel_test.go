//go:build linux

package tray

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
)

// start starts a program that lasts until the test is over or it is ended.
func start(t *testing.T, name string, args ...string) (end func()) {
	t.Helper()
	cmd := exec.Command(tool(t, name), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end = func() {
		if !ended {
			cmd.Process.Signal(syscall.SIGTERM)
			cmd.Wait()
			ended = true
		}
	}
	t.Cleanup(end)
	return end
}

// startScreen starts an X server with a window manager, and a home of its own
// with a panel's settings.
func startScreen(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	settings := filepath.Join(home, "config", "xfce4", "xfconf", "xfce-perchannel-xml")
	run := filepath.Join(home, "run")
	for _, dir := range []string{settings, run} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	panel, err := os.ReadFile("testdata/xfce4-panel.xml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(settings, "xfce4-panel.xml"), string(panel))
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_CACHE_HOME": filepath.Join(home, "cache"),
		"XDG_RUNTIME_DIR": run, "NO_AT_BRIDGE": "1", "WAYLAND_DISPLAY": "", "GTK_THEME": "Adwaita",
	} {
		t.Setenv(name, value)
	}
	number, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer number.Close()
	server := exec.Command(tool(t, "Xvfb"), "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{theirs}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Signal(syscall.SIGTERM); server.Wait() })
	theirs.Close()
	display, err := bufio.NewReader(number).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(display))
}

// TestRealPanel: the icon stands in a panel of people's own, once; its menu is
// opened and chosen from by hand; and it comes back with the panel.
func TestRealPanel(t *testing.T) {
	panel, hand := tool(t, "xfce4-panel"), tool(t, "xdotool")
	startScreen(t)
	startBus(t)
	start(t, "openbox", "--sm-disable")
	endPanel := start(t, panel, "--disable-wm-check")
	bus := connect(t)
	icons := func() (known []string) {
		var v dbus.Variant
		watcher := bus.Object(watcherName, "/StatusNotifierWatcher")
		if watcher.Call("org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, watcherName, "RegisteredStatusNotifierItems").Store(&v) == nil {
			v.Store(&known)
		}
		return known
	}
	c := startTray(t, "ko", "plain")
	until(t, "the panel has the icon", func() bool { return len(icons()) == 1 })
	first := icons()[0]

	// The last of the menu is Quit. Until the panel has drawn the icon and has read
	// the menu there is nothing to choose.
	chosen := false
	until(t, "Quit was chosen", func() bool {
		for _, step := range [][]string{{"mousemove", "785", "15", "click", "1"}, {"sleep", "0.5"}, {"key", "Up"}, {"key", "Return"}, {"sleep", "0.5"}, {"key", "Escape"}} {
			if out, err := exec.Command(hand, step...).CombinedOutput(); err != nil {
				t.Fatalf("xdotool: %v\n%s", err, out)
			}
		}
		select {
		case l := <-c.told:
			chosen = l.Do == "quit"
		default:
		}
		return chosen
	})

	endPanel()
	until(t, "the panel is gone", func() bool { return icons() == nil })
	start(t, panel, "--disable-wm-check")
	until(t, "the panel has the icon again", func() bool { return len(icons()) > 0 })
	if again := icons(); len(again) != 1 || again[0] != first {
		t.Errorf("the panel has %q, had %q", again, first)
	}
}
