package openpets

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// TestLook: who has the place, as the doctor tells it.
func TestLook(t *testing.T) {
	r := newRig(t)
	t.Setenv("OPENPETS_DISCOVERY_FILE", r.at.file)
	want := func(when string, want Place, problem string) {
		t.Helper()
		got, err := Look()
		if got != want || (err == nil) != (problem == "") || err != nil && !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %+v, %v; want %+v, %s", when, got, err, want, problem)
		}
	}
	want("nobody", Place{}, "")
	r.set(Auto)
	want("open", Place{PID: os.Getpid(), Ours: true, Live: true}, "")
	left := r.card()
	r.set(Off)
	want("shut", Place{}, "")
	r.write(left)
	want("left behind", Place{PID: os.Getpid(), Ours: true}, "")
	left.Endpoint, left.PID = "tcp://127.0.0.1:1", 7
	r.write(left)
	want("left by another", Place{PID: 7}, "")
	left.Protocol = "sonata"
	r.write(left)
	want("another file", Place{}, "none of OpenPets'")
	if err := os.WriteFile(r.at.file, make([]byte, maxMessage+1), 0o600); err != nil {
		t.Fatal(err)
	}
	want("a large one", Place{}, "too large")
	t.Setenv("OPENPETS_DISCOVERY_FILE", "here")
	want("nowhere", Place{}, "no absolute path")
}

// TestPrivate: nobody else reads the token or reaches the socket.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not what protects a file on Windows")
	}
	r := newRig(t)
	os.MkdirAll(filepath.Dir(r.at.file), 0o755)
	r.set(Auto)
	for path, want := range map[string]os.FileMode{
		r.at.file: 0o600, filepath.Dir(r.at.file): 0o700 | os.ModeDir, r.at.sockets: 0o700 | os.ModeDir, r.card().Endpoint: 0o600 | os.ModeSocket,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v, want %v", filepath.Base(path), info.Mode(), err, want)
		}
	}
	r.set(Off)
	left, _ := filepath.Glob(filepath.Join(r.at.sockets, "*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// A folder behind a link may be anybody's.
	elsewhere := t.TempDir()
	os.RemoveAll(r.at.sockets)
	if err := os.Symlink(elsewhere, r.at.sockets); err != nil {
		t.Fatal(err)
	}
	r.set(On)
	r.set(On)
	if _, err := r.at.read(); err == nil || strings.Count(r.log.String(), "not our folder") != 1 {
		t.Errorf("a linked folder is used: %s", r.log)
	}
}

// TestStaleSockets: those of killed apps go, those of live ones stay.
func TestStaleSockets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes go with their process")
	}
	r := newRig(t)
	if err := os.MkdirAll(r.at.sockets, 0o700); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(r.at.sockets, name) }
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: at("openpets-playpets-1.sock")})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	live, err := net.Listen("unix", at("openpets-playpets-2.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	foreign := at("openpets-1.sock")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.set(Auto)
	for name, want := range map[string]bool{at("openpets-playpets-1.sock"): false, at("openpets-playpets-2.sock"): true, foreign: true} {
		if _, err := os.Lstat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(name), err == nil, want)
		}
	}
}

// TestSocketGone: a door whose socket somebody has removed is opened anew.
func TestSocketGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes go with their process")
	}
	for _, mode := range []string{Auto, On} {
		r := newRig(t)
		r.set(mode)
		if err := os.Remove(r.card().Endpoint); err != nil {
			t.Fatal(err)
		}
		r.set(mode)
		if answer := r.ask("hello", "{}"); !strings.Contains(answer, `"ok":true`) {
			t.Errorf("%s: %s", mode, answer)
		}
	}
}
