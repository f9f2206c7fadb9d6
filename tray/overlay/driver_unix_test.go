//go:build unix && !darwin

package overlay

import (
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestWaylandWithoutLayers(t *testing.T) {
	for name, offer := range map[string][]string{
		"no layer shell": {"wl_compositor", "wl_subcompositor", "wl_shm"},
		"too old":        {"zwlr_layer_shell_v1"},
	} {
		t.Run(name, func(t *testing.T) {
			fakeCompositor(t, offer)
			o, err := Open(Options{})
			if o != nil || !errors.Is(err, ErrNoDisplay) {
				t.Fatalf("opened %v with error %v, want ErrNoDisplay", o, err)
			}
			if line := err.Error(); strings.Contains(line, "\n") || !strings.Contains(line, "Wayland") || !strings.Contains(line, "DISPLAY is not set") {
				t.Errorf("the error %q does not say why, on one line", line)
			}
		})
	}
}

func TestLayerShellIsPreferredToX(t *testing.T) {
	startX(t)
	x := os.Getenv("DISPLAY")
	open := func() driver {
		t.Helper()
		t.Setenv("DISPLAY", x)
		d, err := openDriver(slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.close)
		return d
	}
	fakeCompositor(t, []string{"wl_compositor", "wl_subcompositor", "wl_shm"})
	if d, ok := open().(*x11); !ok {
		t.Errorf("without a layer shell friends are shown by %T", d)
	}
	runSway(t, "WLR_BACKENDS=headless", "WAYLAND_DISPLAY=")
	if d, ok := open().(*wl); !ok {
		t.Errorf("with a layer shell friends are shown by %T", d)
	}
}

// TestDisplayThatHangsIsAskedOnce: who tries again leaves nothing more behind.
func TestDisplayThatHangsIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		alive := make(chan struct{})
		open := func() (driver, error) {
			asked.Add(1)
			<-alive
			return nil, errors.New("too late")
		}
		for range 3 {
			if _, err := inTime("hung", open); err == nil || !strings.Contains(err.Error(), "hung does not answer") {
				t.Errorf("it says %v, want that it does not answer", err)
			}
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("it was asked %d times, want once", n)
		}
		close(alive)
		synctest.Wait()
		if _, err := inTime("hung", open); err == nil || err.Error() != "too late" {
			t.Errorf("alive again: %v", err)
		}
	})
}

// fakeCompositor offers objects and nothing behind them.
func fakeCompositor(t *testing.T, offer []string) {
	name := filepath.Join(t.TempDir(), "w")
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", name)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		say := func(object, code uint32, args ...byte) {
			b := binary.NativeEndian.AppendUint32(nil, object)
			b = binary.NativeEndian.AppendUint32(b, uint32(8+len(args))<<16|code)
			c.Write(append(b, args...))
		}
		const registry, sync = 2, 3
		for i, kind := range offer {
			args := binary.NativeEndian.AppendUint32(nil, uint32(i+1))
			args = binary.NativeEndian.AppendUint32(args, uint32(len(kind)+1))
			args = append(append(args, kind...), make([]byte, 4-len(kind)%4)...)
			say(registry, 0, binary.NativeEndian.AppendUint32(args, 4)...)
		}
		say(sync, 0, 0, 0, 0, 0)
		io.Copy(io.Discard, c)
	}()
}
