//go:build unix

package openpets

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipeInItsPlace: what waits for a writer keeps nobody, and is replaced.
func TestPipeInItsPlace(t *testing.T) {
	r := newRig(t)
	if err := os.MkdirAll(filepath.Dir(r.at.file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(r.at.file, 0o600); err != nil {
		t.Fatal(err)
	}
	r.set(Auto)
	if c := r.card(); c.PID != os.Getpid() {
		t.Errorf("%+v", c)
	}
}
