package installer

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestShort(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for path, want := range map[string]string{
		filepath.Join(home, "a b", "c.json"): filepath.Join("~", "a b", "c.json"),
		home:                                 "~",
		home + "x":                           filepath.Base(home) + "x",
		filepath.Join(home, "..", "secret"):  "secret",
		"/etc/claude-code/managed.json":      "managed.json",
		`D:\work\secret\playpets.exe`:        "playpets.exe",
		"playpets":                           "playpets",
		"":                                   "",
	} {
		if got := Short(path); got != want {
			t.Errorf("Short(%q) = %q, not %q", path, got, want)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if got := Short("/secret/a"); got != "a" {
		t.Errorf("without a home: %q", got)
	}
}

func TestReason(t *testing.T) {
	_, missing := os.Open("/secret/missing")
	_, refused := net.Dial("unix", "/secret/socket")
	for _, err := range []error{
		missing, fmt.Errorf("read it: %w", missing), refused, fmt.Errorf("reach it: %w", refused),
		&os.LinkError{Op: "rename", Old: "/secret/a", New: "/secret/b", Err: fs.ErrPermission},
	} {
		if err == nil {
			t.Fatal("no error")
		}
		if got := Reason(err); got == "" || filepath.Base(got) != got && runtime.GOOS != "windows" {
			t.Errorf("Reason(%v) = %q", err, got)
		}
	}
	if got := Reason(errors.New("line 3: no value")); got != "line 3: no value" {
		t.Errorf("%q", got)
	}
}
