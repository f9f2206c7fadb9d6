package tray

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/playpets/playpets/tray/desktop"
)

// TestTemplate: as it is it changes nothing; with every # away it has every key.
func TestTemplate(t *testing.T) {
	s, odd, err := parseSettings(template)
	if err != nil || len(odd) > 0 || len(s.AgentPets) > 0 {
		t.Errorf("got %+v, %q, %v", s, odd, err)
	}
	if s.AgentPets = nil; !reflect.DeepEqual(s, defaults()) {
		t.Errorf("it sets %+v", s)
	}
	s, odd, err = parseSettings(fullTemplate())
	if err != nil || len(odd) > 0 {
		t.Fatalf("every key: %q, %v", odd, err)
	}
	if s.Notifications != defaults().Notifications {
		t.Errorf("what stands there is not what happens without it: %+v", s.Notifications)
	}
	none := settings{Size: 100}
	strict := desktop.State{Dark: true, ReducedMotion: true}
	if s.look(strict) != none.look(strict) || s.look(desktop.State{}) != none.look(desktop.State{}) {
		t.Errorf("what stands there is not what happens without it: %+v", s)
	}
}

func TestOpeners(t *testing.T) {
	for goos, want := range map[string]string{"linux": "xdg-open", "freebsd": "xdg-open", "darwin": "open", "windows": "rundll32"} {
		if got := openers(goos); got[0] != want {
			t.Errorf("%s: %q", goos, got)
		}
	}
}

// fakeDesktop puts a program in place of xdg-open that runs script.
func fakeDesktop(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("xdg-open is for Linux")
	}
	bin := t.TempDir()
	if script != "" {
		if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
}

func TestEditSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new; touch x", "folder")
	path := filepath.Join(dir, "config.toml")
	fakeDesktop(t, `printf '%s|' "$@" > "$1.opened"`)
	for _, mine := range []string{string(template), "size = 150\n"} {
		if err := editSettings(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path + ".opened"); err != nil || string(got) != path+"|" {
			t.Errorf("opened %q, %v", got, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != mine {
			t.Errorf("config.toml is %q, %v, want %q", got, err, mine)
		}
		write(t, path, "size = 150\n")
	}
}

func TestNoEditor(t *testing.T) {
	for what, script := range map[string]string{"missing": "", "failing": "exit 3"} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			fakeDesktop(t, script)
			if err := editSettings(dir); err == nil || !strings.HasPrefix(err.Error(), "open config.toml: ") {
				t.Errorf("got %v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "config.toml")); err != nil {
				t.Error(err)
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if err := editSettings(filepath.Join(file, "below")); err == nil || !strings.HasPrefix(err.Error(), "write config.toml: ") {
		t.Errorf("a folder that cannot be: %v", err)
	}
}
