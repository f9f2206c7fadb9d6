package line

import (
	"path/filepath"
	"testing"
)

func TestDataDir(t *testing.T) {
	type env map[string]string
	for _, c := range []struct {
		goos string
		env  env
		want string // "" is an error
	}{
		{"linux", env{"HOME": "/home/me"}, "/home/me/.local/share/playpets"},
		{"linux", env{"HOME": "/home/me", "XDG_DATA_HOME": "/data"}, "/data/playpets"},
		{"linux", env{"HOME": "/home/me", "XDG_DATA_HOME": "relative"}, "/home/me/.local/share/playpets"},
		{"linux", env{"HOME": "/home/me", "XDG_DATA_HOME": ""}, "/home/me/.local/share/playpets"},
		{"linux", env{"XDG_DATA_HOME": "/data"}, "/data/playpets"},
		{"linux", env{"HOME": "/home/한 글 😀"}, "/home/한 글 😀/.local/share/playpets"},
		{"linux", env{"HOME": "/home/me", "PLAYPETS_DATA": "/else"}, "/else"},
		{"linux", env{"PLAYPETS_DATA": "else"}, "else"},
		{"linux", env{}, ""},
		{"linux", env{"XDG_DATA_HOME": "relative"}, ""},
		{"freebsd", env{"HOME": "/home/me"}, "/home/me/.local/share/playpets"},
		{"darwin", env{"HOME": "/Users/me", "XDG_DATA_HOME": "/data"}, "/Users/me/Library/Application Support/PlayPets"},
		{"darwin", env{"XDG_DATA_HOME": "/data"}, ""},
		{"darwin", env{"PLAYPETS_DATA": "/else"}, "/else"},
		{"windows", env{"LOCALAPPDATA": `C:\Users\me\AppData\Local`, "HOME": `/c/Users/me`}, `C:\Users\me\AppData\Local\PlayPets`},
		{"windows", env{"HOME": `/c/Users/me`, "XDG_DATA_HOME": "/data"}, ""},
		{"windows", env{"PLAYPETS_DATA": `D:\p`}, `D:\p`},
	} {
		got, err := dataDir(c.goos, func(name string) string { return c.env[name] })
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %v: %q, %v", c.goos, c.env, got, err)
		}
	}
}

func TestDefaultPath(t *testing.T) {
	t.Setenv("PLAYPETS_DATA", "folder")
	t.Setenv("PLAYPETS_BRIDGE", "")
	if got, err := DefaultPath(); err != nil || got != filepath.Join("folder", "bridge.json") {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("PLAYPETS_BRIDGE", "named.json")
	if got, err := DefaultPath(); err != nil || got != "named.json" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSplit(t *testing.T) {
	for path, want := range map[string][2]string{
		"":              {".", ""},
		"bridge.json":   {".", "bridge.json"},
		"/bridge.json":  {"/", "bridge.json"},
		"a/bridge.json": {"a/", "bridge.json"},
		"a/b/":          {"a/b/", ""},
	} {
		if dir, name := split(path); dir != want[0] || name != want[1] {
			t.Errorf("%q: %q %q", path, dir, name)
		}
	}
}
