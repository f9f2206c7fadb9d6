//go:build unix && !darwin

package installer

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tool is the path of a program that the test needs.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + ", which tools/test-deps brings"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

// TestAutostartFileStarts has a real desktop library start programs at odd
// paths from the files that we write.
func TestAutostartFileStarts(t *testing.T) {
	gio, validator := tool(t, "gio"), tool(t, "desktop-file-validate")
	for _, folder := range odd {
		dir := filepath.Join(t.TempDir(), strings.ReplaceAll(folder, "/", "|"))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		said, path := filepath.Join(t.TempDir(), "said"), filepath.Join(dir, name)
		script := "#!/bin/sh\nprintf '%s %s' \"$0\" $# > '" + said + ".part' && mv '" + said + ".part' '" + said + "'\n"
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		entry, err := desktopEntry(path)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "x.desktop")
		if err := os.WriteFile(file, entry, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(gio, "launch", file).CombinedOutput(); err != nil {
			t.Errorf("%q: %v: %s", folder, err, out)
			continue
		}
		if got := await(t, said); got != path+" 0" {
			t.Errorf("%q: started %q", path, got)
		}
		if out, err := exec.Command(validator, file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%q: desktop-file-validate: %v: %s", folder, err, out)
		}
	}
}

// await reads a file that somebody is about to make.
func await(t *testing.T, path string) string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if data, err := os.ReadFile(path); err == nil {
			return string(data)
		}
	}
	t.Fatal("nothing was started")
	return ""
}

// newHome is a home of the test's own; file is where ours would be in it.
func newHome(t *testing.T) (file string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	return filepath.Join(home, "config", "autostart", "playpets.desktop")
}

func TestAtLogin(t *testing.T) {
	file := newHome(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if on, err := AtLogin(); on || err != nil {
			t.Errorf("at first: on %t, %v", on, err)
		}
		if err := SetAtLogin(false); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := SetAtLogin(true); err != nil {
			t.Fatal(err)
		}
		if on, err := AtLogin(); !on || err != nil {
			t.Errorf("switched on: on %t, %v", on, err)
		}
		if program, err := LoginProgram(); !sameFile(program, exe) || err != nil {
			t.Errorf("starts %q, %v", program, err)
		}
	}
	for range 2 {
		if err := SetAtLogin(false); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("switched off: %v", err)
		}
	}
}

func TestAtLoginElsewhere(t *testing.T) {
	file := newHome(t)
	write := func(exec string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("[Desktop Entry]\nType=Application\nName=PlayPets\nExec="+exec+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("/old/place/playpets")
	if on, err := AtLogin(); on || !errors.Is(err, ErrElsewhere) {
		t.Errorf("a moved program: on %t, %v", on, err)
	}
	if program, err := LoginProgram(); program != "/old/place/playpets" || err != nil {
		t.Errorf("a moved program: %q, %v", program, err)
	}
	if err := SetAtLogin(true); err != nil {
		t.Fatal(err)
	}
	if on, err := AtLogin(); !on || err != nil {
		t.Errorf("mended: on %t, %v", on, err)
	}
	write("/home/me/my-wrapper.sh")
	for _, on := range []bool{true, false} {
		if err := SetAtLogin(on); !errors.Is(err, ErrForeign) {
			t.Errorf("SetAtLogin(%t) of somebody's own script: %v", on, err)
		}
	}
	if program, _ := LoginProgram(); program != "/home/me/my-wrapper.sh" {
		t.Errorf("somebody's own script became %q", program)
	}
	if err := os.WriteFile(file, []byte("[Desktop Entry]\nHidden=true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if on, err := AtLogin(); on || err != nil {
		t.Errorf("switched off by the desktop: on %t, %v", on, err)
	}
	if program, err := LoginProgram(); program != "" || err != nil {
		t.Errorf("switched off by the desktop: %q, %v", program, err)
	}
}

// TestAtLoginLeavesOthers: what is not surely ours is neither written over nor removed,
// and what a person added to ours stays.
func TestAtLoginLeavesOthers(t *testing.T) {
	file := newHome(t)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		"[Desktop Entry]\nName=Mine\nDBusActivatable=true\n", "garbage", "[Desktop Entry]\nExec=/usr/bin/playpets-other-tool --x\n",
		"[Desktop Entry]\nExec=/usr/bin/playpets say hello\n",
	} {
		write(text)
		if on, err := AtLogin(); on || !errors.Is(err, ErrForeign) {
			t.Errorf("AtLogin of %q: %t, %v", text, on, err)
		}
		for _, on := range []bool{true, false} {
			if err := SetAtLogin(on); !errors.Is(err, ErrForeign) {
				t.Errorf("SetAtLogin(%t) over %q: %v", on, text, err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}

	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dotfile := filepath.Join(t.TempDir(), "dotfile")
	own := "[Desktop Entry]\nType=Application\nExec=\"" + exe + "\" --bridge /x\nX-GNOME-Autostart-Delay=20\n"
	if err := errors.Join(os.Remove(file), os.WriteFile(dotfile, []byte(own), 0o600), os.Symlink(dotfile, file)); err != nil {
		t.Fatal(err)
	}
	if err := SetAtLogin(true); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(dotfile); err != nil || string(got) != own {
		t.Errorf("what a person added became %q, %v", got, err)
	}
	if err := os.WriteFile(dotfile, []byte("[Desktop Entry]\nExec=/old/place/playpets --bridge /x\nX-GNOME-Autostart-Delay=20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SetAtLogin(true); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(dotfile); err != nil || string(got) != "[Desktop Entry]\nExec="+execLine(exe)+" --bridge /x\nX-GNOME-Autostart-Delay=20\n" {
		t.Errorf("moved, it became %q, %v", got, err)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
}

// TestAtLoginRefused has folders in the way.
func TestAtLoginRefused(t *testing.T) {
	file := newHome(t)
	if err := os.MkdirAll(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := AtLogin(); err == nil {
		t.Error("read a folder")
	}
	if err := SetAtLogin(true); err == nil {
		t.Error("wrote over a folder")
	}
	if err := errors.Join(os.Remove(file), os.Symlink("/nowhere/x", file)); err != nil {
		t.Fatal(err)
	}
	if err := SetAtLogin(true); err == nil {
		t.Error("wrote over a link to nothing")
	}
	if err := errors.Join(os.Remove(file), syscall.Mkfifo(file, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := AtLogin(); err == nil { // and does not wait for a writer
		t.Error("read a pipe")
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	if CanStartAtLogin() {
		t.Error("a place that nobody knows")
	}
}
