//go:build unix && !darwin

package tray

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/playpets/playpets/installer"
)

// checkTool is the path of a program that the test needs.
func checkTool(t *testing.T, name string) string {
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

// background starts a server that names its address in its first line on file
// descriptor 3, and ends it with the test.
func background(t *testing.T, name string, args ...string) (address string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(checkTool(t, name), args...)
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	w.Close()
	address, err = bufio.NewReader(r).ReadString('\n')
	r.Close()
	if err != nil {
		t.Fatalf("%s names no address: %v", name, err)
	}
	return strings.TrimSpace(address)
}

// checkHome gives the checks a home of their own, and a desktop of nothing.
func checkHome(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("HOME", home)
	for _, key := range []string{"PLAYPETS_DATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CURRENT_DESKTOP", "DISPLAY", "WAYLAND_DISPLAY"} {
		t.Setenv(key, "")
	}
	t.Setenv("XDG_RUNTIME_DIR", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	t.Setenv("XAUTHORITY", os.DevNull)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(home, "nobus"))
	t.Setenv("PLAYPETS_LANG", "en")
	return home
}

// wantChecks compares checks with lines of id, status and a part of the detail,
// and looks that no path gets out.
func wantChecks(t *testing.T, got []installer.Check, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d checks, not %d: %+v", len(got), len(want), got)
	}
	for i, c := range got {
		words := strings.SplitN(want[i], " ", 3)
		if c.ID != words[0] || string(c.Status) != words[1] || !strings.Contains(c.Detail, words[2]) {
			t.Errorf("%s %s %q, not %s", c.ID, c.Status, c.Detail, want[i])
		}
		if c.Status == installer.OK && c.Fix != "" || c.Status == installer.Fail && c.Fix == "" {
			t.Errorf("%s is %s, fix %q", c.ID, c.Status, c.Fix)
		}
		if home := os.Getenv("HOME"); home != "" && strings.Contains(c.Detail+c.Fix, home) {
			t.Errorf("%s shows a path: %q, %q", c.ID, c.Detail, c.Fix)
		}
	}
}

func TestChecksOfNothing(t *testing.T) {
	checkHome(t)
	wantChecks(t, Checks(t.Context()),
		"display warn sees no display",
		"bus warn no session bus",
		"clipboard warn nothing takes what is copied",
		"fonts ok the letters of English",
		"data ok ~/.local/share/playpets is made at the first start",
		"settings ok no ~/.config/playpets/config.toml",
		"openpets ok reach the friends when the app runs",
		"login ok does not start")
}

func TestCheckDisplay(t *testing.T) {
	checkHome(t)
	check := func() []installer.Check { return []installer.Check{checkDisplay(t.Context())} }
	t.Setenv("DISPLAY", ":nobody")
	wantChecks(t, check(), "display fail no display")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "nobody")
	wantChecks(t, check(), "display fail this Wayland desktop shows no friends")
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", ":"+background(t, "Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"))
	wantChecks(t, check(), "display warn X11, without a compositor")
	saver := func(on byte) {
		t.Helper()
		conn, err := xgb.NewConnDisplay(os.Getenv("DISPLAY"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := xproto.ForceScreenSaverChecked(conn, on).Check(); err != nil {
			t.Fatal(err)
		}
	}
	saver(xproto.ScreenSaverActive)
	wantChecks(t, check(), "display warn X11, whose screen saver is on: friends stand still")
	saver(xproto.ScreenSaverReset)
	wantChecks(t, check(), "display warn X11, without a compositor")
	wantChecks(t, []installer.Check{checkClipboard(t.Context())}, "clipboard ok by X11")
}

// freshBus is a real session bus that knows no programs to start.
func freshBus(t *testing.T) *dbus.Conn {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // short: a socket's path has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	config := filepath.Join(dir, "config")
	write(t, config, fmt.Sprintf(`<busconfig><listen>unix:path=%s/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`, dir))
	address := background(t, "dbus-daemon", "--config-file="+config, "--nofork", "--print-address=3")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func own(t *testing.T, conn *dbus.Conn, name string) {
	t.Helper()
	if reply, err := conn.RequestName(name, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
}

func TestCheckBus(t *testing.T) {
	checkHome(t)
	conn := freshBus(t)
	wantChecks(t, checkBus(t.Context()), "bus ok answers", "tray warn no panel takes icons", "notices warn nobody shows notifications: ")
	t.Setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
	wantChecks(t, checkBus(t.Context()), "bus ok answers", "tray warn GNOME shows no icons", "notices warn nobody")
	own(t, conn, trayHost)
	if err := conn.Export(server{}, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	own(t, conn, "org.freedesktop.Notifications")
	wantChecks(t, checkBus(t.Context()), "bus ok answers", "tray ok the panel takes icons", "notices ok shown by sparrow 1.2")
}

// server is a notification daemon that shows nothing.
type server struct{}

func (server) GetServerInformation() (name, vendor, version, spec string, e *dbus.Error) {
	return "sparrow", "nobody", "1.2", "1.2", nil
}

func (server) GetCapabilities() ([]string, *dbus.Error) { return []string{"body"}, nil }

// TestLookAt has a look that never ends. The clock is the bubble's.
func TestLookAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		forever := make(chan struct{})
		defer close(forever)
		ctx, cancel := context.WithTimeout(t.Context(), looksLimit)
		defer cancel()
		begin := time.Now()
		got := lookAt(ctx, []look{
			{"hangs", func(context.Context) []installer.Check { <-forever; return nil }},
			{"two", func(context.Context) []installer.Check {
				return []installer.Check{good("two", "x"), broken("three", "y", "z")}
			}},
		})
		wantChecks(t, got, "hangs warn no answer in time", "two ok x", "three fail y")
		if took := time.Since(begin); took != looksLimit {
			t.Errorf("took %v", took)
		}
	})
}

func TestCheckFonts(t *testing.T) {
	checkHome(t)
	t.Setenv("PLAYPETS_LANG", "ko")
	if out, _ := exec.Command(checkTool(t, "fc-list"), ":lang=ko", "family").Output(); len(out) > 0 {
		wantChecks(t, []installer.Check{checkFonts(t.Context())}, "fonts ok the letters of 한국어")
	}
	const nobodys = "\U000F1234"
	wantChecks(t, []installer.Check{checkLetters(t.Context(), "ko", nobodys)}, "fonts warn no font has the letters of 한국어")
}

func TestCheckData(t *testing.T) {
	home := checkHome(t)
	check := func() []installer.Check { return []installer.Check{checkData(t.Context())} }
	data := filepath.Join(home, "data")
	t.Setenv("PLAYPETS_DATA", data)
	wantChecks(t, check(), "data ok ~/data is made")
	write(t, data, "a file in its place")
	wantChecks(t, check(), "data fail ~/data cannot be written: not a directory")
	os.Remove(data)
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	wantChecks(t, check(), "data ok ~/data can be written")
	if left, err := os.ReadDir(data); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	t.Setenv("PLAYPETS_DATA", "")
	t.Setenv("HOME", "")
	wantChecks(t, check(), "data fail HOME is not set")
}

func TestCheckSettings(t *testing.T) {
	home := checkHome(t)
	file := filepath.Join(home, ".config", "playpets", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                       "settings ok ~/.config/playpets/config.toml",
		"size = 120\n":           "settings ok ~/.config/playpets/config.toml",
		"size = 1\n":             "settings warn size",
		"\nlanguage = [":         "settings warn line",
		"size = 100\nsise = 1\n": "settings warn line 2",
	} {
		write(t, file, text)
		wantChecks(t, []installer.Check{checkSettings(t.Context())}, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) != 1 {
		t.Errorf("it left %q", left)
	}
}

func TestCheckLogin(t *testing.T) {
	home := checkHome(t)
	file := filepath.Join(home, ".config", "autostart", "playpets.desktop")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(home, "other", "playpets")
	if err := os.MkdirAll(filepath.Dir(other), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, other, "x")
	for program, want := range map[string]string{
		exe:                  "login ok starts at login",
		other:                "login warn another copy starts at login (~/other/playpets)",
		"/gone/far/playpets": "login warn what starts at login is not there any more",
		"/bin/true":          "login warn is not PlayPets",
	} {
		write(t, file, "[Desktop Entry]\nType=Application\nName=PlayPets\nExec=\""+program+"\"\n")
		wantChecks(t, []installer.Check{checkLogin(t.Context())}, want)
	}
	os.Remove(file)
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	wantChecks(t, []installer.Check{checkLogin(t.Context())}, "login warn what starts at login cannot be read: playpets.desktop is no file")
}
