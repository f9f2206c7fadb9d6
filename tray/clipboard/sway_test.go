//go:build unix && !darwin

package clipboard

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// startSway starts a real Wayland compositor without a screen, and makes it the
// only display of the test. Its XWayland, if wanted, is at xDisplay.
func startSway(t testing.TB, xwayland bool) (server *exec.Cmd, xDisplay string) {
	t.Helper()
	path := tool(t, "sway")
	dir, err := os.MkdirTemp("", "playpets-sway-") // short: sockets' names are
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	config := filepath.Join(dir, "config")
	text := "xwayland disable\nexec echo $WAYLAND_DISPLAY > ready\n"
	if xwayland {
		tool(t, "Xwayland")
		text = "xwayland force\nexec " + tool(t, "xhost") + " +local: && echo $WAYLAND_DISPLAY $DISPLAY > ready\n" // which else is for who runs it
	}
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", config)
	if os.Geteuid() == 0 { // which sway refuses to be
		cmd = exec.Command(tool(t, "setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups", path, "-c", config)
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "SWAYSOCK="+filepath.Join(dir, "ipc"),
		"WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman", "DISPLAY=", "WAYLAND_DISPLAY=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	t.Setenv("DISPLAY", "")
	t.Setenv("XAUTHORITY", os.DevNull)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("XDG_SESSION_TYPE", "wayland")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	until(t, "sway runs", func() bool {
		line, err := os.ReadFile(filepath.Join(dir, "ready"))
		if err != nil || !bytes.HasSuffix(line, []byte("\n")) {
			return false
		}
		names := strings.Fields(string(line))
		t.Setenv("WAYLAND_DISPLAY", filepath.Join(dir, names[0]))
		if xwayland {
			xDisplay = names[1]
		}
		return true
	})
	return cmd, xDisplay
}
