package openpets

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestFind: the places are those where OpenPets' clients look.
func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the other systems' paths cannot be joined here")
	}
	run, open := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "open")
	for dir, mode := range map[string]os.FileMode{run: 0o700, open: 0o755} {
		if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(run, link); err != nil {
		t.Fatal(err)
	}
	tmp := fmt.Sprintf("/tmp/openpets-%d", os.Getuid())
	sockets := run + "/openpets"
	if len(run) > maxRun {
		sockets = tmp
	}
	type env map[string]string
	for _, c := range []struct {
		goos          string
		env           env
		file, sockets string // no file: an error
	}{
		{"linux", env{"HOME": "/h", "XDG_RUNTIME_DIR": run}, run + "/openpets/ipc.json", sockets},
		{"linux", env{"HOME": "/h", "XDG_RUNTIME_DIR": open}, "/h/.config/OpenPets/runtime/ipc.json", tmp},
		{"linux", env{"HOME": "/h", "XDG_RUNTIME_DIR": link}, "/h/.config/OpenPets/runtime/ipc.json", tmp},
		{"linux", env{"HOME": "/h", "XDG_RUNTIME_DIR": "/nowhere"}, "/h/.config/OpenPets/runtime/ipc.json", tmp},
		{"linux", env{"HOME": "/h", "XDG_RUNTIME_DIR": "."}, "/h/.config/OpenPets/runtime/ipc.json", tmp},
		{"linux", env{"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "/c/OpenPets/runtime/ipc.json", tmp},
		{"linux", env{"OPENPETS_DISCOVERY_FILE": "/x/y.json", "XDG_RUNTIME_DIR": run}, "/x/y.json", sockets},
		{"linux", env{"OPENPETS_DISCOVERY_FILE": "y.json", "HOME": "/h"}, "", ""},
		{"linux", env{}, "", ""},
		{"darwin", env{"HOME": "/h", "XDG_RUNTIME_DIR": run}, "/h/Library/Application Support/OpenPets/runtime/ipc.json", tmp},
		{"darwin", env{}, "", ""},
		{"windows", env{"APPDATA": "/a"}, "/a/OpenPets/runtime/ipc.json", ""},
		{"windows", env{"HOME": "/h"}, "", ""},
	} {
		at, err := find(c.goos, func(key string) string { return c.env[key] })
		if c.file == "" {
			if err == nil {
				t.Errorf("%s %v: %+v, want an error", c.goos, c.env, at)
			}
			continue
		}
		if err != nil || at.file != c.file || at.sockets != c.sockets {
			t.Errorf("%s %v: %+v %v, want %s and %s", c.goos, c.env, at, err, c.file, c.sockets)
		}
	}
}

// TestReach: no door of another computer is knocked at.
func TestReach(t *testing.T) {
	for _, endpoint := range []string{"", "tcp://8.8.8.8:53", "tcp://example.com:80", "tcp://0.0.0.0:1", "tcp://[2001:db8::1]:1", "relative.sock"} {
		if conn, err := reach(endpoint); err == nil {
			conn.Close()
			t.Errorf("%q is reached", endpoint)
		}
	}
}
