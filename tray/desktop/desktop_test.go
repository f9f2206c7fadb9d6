package desktop

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Where nothing can be heard, the zero State is told, the log has a line at most,
// and Watch stays until it is ended.
func TestNothingToHear(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/bus")
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	states := make(chan State, 8)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Watch(ctx, slog.New(slog.NewTextHandler(&log, nil)), func(s State) { states <- s })
	}()
	if s := <-states; s != (State{}) {
		t.Errorf("first told: %+v", s)
	}
	select {
	case <-ended:
		t.Error("Watch ends by itself")
	default:
	}
	cancel()
	<-ended
	if n := strings.Count(log.String(), "\n"); n > 1 {
		t.Errorf("%d lines: %s", n, log.String())
	}
}
