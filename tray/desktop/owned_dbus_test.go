//go:build unix && !darwin

package desktop

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

func TestOwned(t *testing.T) {
	const name = "org.example.Host"
	b := startBus(t)
	if owned, err := Owned(t.Context(), name); owned || err != nil {
		t.Errorf("nobody: %t, %v", owned, err)
	}
	conn := b.connect()
	if reply, err := conn.RequestName(name, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	if owned, err := Owned(t.Context(), name); !owned || err != nil {
		t.Errorf("somebody: %t, %v", owned, err)
	}
	b.kill()
	if owned, err := Owned(t.Context(), name); owned || err == nil {
		t.Errorf("no bus: %t, %v", owned, err)
	}
}

// TestOwnedHangs asks a bus that accepts and never answers.
func TestOwnedHangs(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if owned, err := Owned(ctx, "org.example.Host"); owned || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%t, %v", owned, err)
	}
}
