//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sessionBus starts a session bus of the test's own.
func sessionBus(t *testing.T) (bus *exec.Cmd, address string) {
	t.Helper()
	needs(t, "dbus-daemon")
	bus = exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1")
	out, err := bus.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		bus.Process.Signal(syscall.SIGCONT)
		end(bus)
	})
	if address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("dbus-daemon names no address: %v", err)
	}
	return bus, strings.TrimSpace(address)
}

// TestEndsWhileTheBusHangs: SIGTERM ends the app while nobody reads what it says to the
// desktop, and what it must remember is on disk.
func TestEndsWhileTheBusHangs(t *testing.T) {
	needs(t, "Xvfb")
	bus, address := sessionBus(t)
	_, display := xServer(t)
	h := newHome(t, "DBUS_SESSION_BUS_ADDRESS="+address, "DISPLAY="+display, "PLAYPETS_LANG=", "LC_ALL=C.UTF-8")
	app := h.start()
	hook := func(event string) {
		h.run(payload(t, "claude/"+event+".json"), "hook", "claude")
	}
	speaks := func(language, sentence string) {
		t.Helper()
		settings := fmt.Sprintf("language = %q\n", language)
		if err := os.WriteFile(filepath.Join(h.data, "config.toml"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		h.until("it speaks "+language, func() bool { return h.status().Friends[0].Sentence == sentence })
		time.Sleep(400 * time.Millisecond) // the menu changes that often at most
	}
	hook("PermissionRequest")
	speaks("en", "I need your OK")
	bus.Process.Signal(syscall.SIGSTOP)
	for range 6 { // each changes every label of the menu, more than the socket takes
		speaks("ko", "확인이 필요해요")
		speaks("en", "I need your OK")
	}
	hook("PostToolUse")
	app.Process.Signal(syscall.SIGTERM)
	if err := app.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if !strings.Contains(h.file("activity.json"), "Thinking") {
		t.Errorf("the last activity is not remembered: %s", h.file("activity.json"))
	}
	if _, err := os.Lstat(filepath.Join(h.data, "bridge.json")); err == nil {
		t.Error("bridge.json is left behind")
	}
}
