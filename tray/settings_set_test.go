package tray

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const commented = `# These are mine.
theme = "dark" # at night


# Large, since my eyes are not what they were.
size = 200
#motion = "calm"

[lifetimes] # short
done    = "5s"

# Everybody has one.
[agent_pets]
codex = "bori"  # the bear
# the last line`

func TestSet(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		value      any
		key        string
		gone, here string // what is replaced by what in the file; all of it if gone is empty
	}{
		{"in place", commented, 90, "size", "size = 200", "size = 90"},
		{"new in a table", commented, "mochi", "agent_pets.claude", "# the last line", "# the last line\nclaude = \"mochi\""},
		{"removed", commented, nil, "agent_pets.codex", "codex = \"bori\"  # the bear\n", ""},
		{"removed twice", commented, nil, "agent_pets.claude", "[agent_pets]", "[agent_pets]"},
		{"the same", commented, "dark", "theme", "theme", "theme"},
		{"new at the root", "size = 60\r\n[show]\r\n", "calm", "motion", "size = 60\r\n", "size = 60\r\nmotion = \"calm\"\r\n"},
		{"new table", "\ufeffsize = 60\n", false, "notifications.done", "", "\ufeffsize = 60\n\n[notifications]\ndone = false\n"},
		{"other spelling", "Size = 60\n[Show]\nWhen = \"never\"\n", 70, "size", "Size = 60", "Size = 70"},
		{"other spelling of a table", "Size = 60\n[Show]\n", "never", "show.when", "[Show]\n", "[Show]\nwhen = \"never\"\n"},
		{"agents are spelled one way", "[Agent_pets]\nClaude = \"a\"\n", "b", "agent_pets.claude", "\"a\"\n", "\"a\"\nclaude = \"b\"\n"},
		{"no time to lose", "[notifications]\nmin_task = \"10s\"\n", "0s", "notifications.min_task", "10s", "0s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := settingsPath(dir)
			write(t, path, tt.file)
			f, _ := openSettings(dir, quietDiary())
			if err := f.set(tt.value, strings.Split(tt.key, ".")...); err != nil {
				t.Fatal(err)
			}
			want := tt.here
			if tt.gone != "" {
				want = strings.Replace(tt.file, tt.gone, tt.here, 1)
			}
			if got := read(t, path); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if again, warnings := openSettings(dir, quietDiary()); len(f.wrote) != 1 || fmt.Sprint(again.get()) != fmt.Sprint(f.get()) {
				t.Errorf("get has %+v, the file %+v, %q", f.get(), again.get(), warnings)
			}
			alone(t, dir)
		})
	}
}

// TestSetAgain: what is set and taken back leaves people's words as they were.
func TestSetAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, settingsPath(dir), commented)
	f, _ := openSettings(dir, quietDiary())
	for _, value := range []any{"mochi", "ssak", nil} {
		if err := f.set(value, "agent_pets", "claude"); err != nil {
			t.Fatal(err)
		}
		if got, want := f.get().AgentPets["claude"], fmt.Sprint(value); value != nil && got != want || value == nil && got != "" {
			t.Errorf("set %v: get has %q", value, got)
		}
	}
	if got := read(t, settingsPath(dir)); got != commented {
		t.Errorf("got\n%s", got)
	}
}

func TestSetMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	path := settingsPath(dir)
	f, _ := openSettings(dir, quietDiary())
	if err := f.set(nil, "agent_pets", "claude"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("nothing to remove made a folder")
	}
	if err := f.set("ko", "language"); err != nil || f.get().Language != "ko" {
		t.Fatalf("%+v, %v", f.get(), err)
	}
	got := read(t, path)
	if rest := strings.Replace(got, "language = \"ko\"\n", "", 1); !strings.Contains(rest, "#language") || len(rest) < len(template) {
		t.Errorf("it did not begin as the template:\n%s", got)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestSetRefused: nothing is lost, and the error says what to mend.
func TestSetRefused(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		mode       fs.FileMode
		value      any
		key, want  string
	}{
		{"broken", "size = 60\ntheme = dark\n", 0o600, "ko", "language", "line 2"},
		{"useless", "size = 60\n[show]\nwhen = \"now\"\n", 0o600, "ko", "language", "line 3: show.when"},
		{"newer", "version = 9\n", 0o600, "ko", "language", "version 9 is newer"},
		{"value", "size = 60\n", 0o600, 4000, "size", "size = 4000: use 50 to 300"},
		{"kind", "size = 60\n", 0o600, "big", "size", "size takes a whole number"},
		{"key of another kind", "show = {}\n", 0o600, true, "show", ""},
		{"read-only", "size = 60\n", 0o400, "ko", "language", "read-only"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := settingsPath(dir)
			write(t, path, tt.file)
			f, _ := openSettings(dir, quietDiary())
			os.Remove(path + ".broken-1")
			if err := os.Chmod(path, tt.mode); err != nil {
				t.Fatal(err)
			}
			before := f.get()
			err := f.set(tt.value, tt.key)
			if err == nil || !strings.HasPrefix(err.Error(), "change config.toml: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if got := read(t, path); got != tt.file {
				t.Errorf("the file is %q", got)
			}
			if fmt.Sprint(f.get()) != fmt.Sprint(before) || len(f.wrote) > 0 {
				t.Errorf("get has %+v", f.get())
			}
			alone(t, dir)
		})
	}
}

func TestSetThroughLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	for _, name := range []string{"there", "missing"} {
		t.Run(name, func(t *testing.T) {
			root, dir := t.TempDir(), t.TempDir()
			target, path := filepath.Join(root, "mine.toml"), settingsPath(dir)
			link(t, "mine.toml", filepath.Join(root, "step"))
			link(t, filepath.Join(root, "step"), path)
			mode := fs.FileMode(0o600)
			if name == "there" {
				mode = 0o640
				write(t, target, "size = 60\n")
				if err := os.Chmod(target, mode); err != nil {
					t.Fatal(err)
				}
			}
			f, _ := openSettings(dir, quietDiary())
			if err := f.set(70, "size"); err != nil {
				t.Fatal(err)
			}
			if to, err := os.Readlink(path); err != nil || to != filepath.Join(root, "step") {
				t.Errorf("the link leads to %q, %v", to, err)
			}
			info, err := os.Lstat(target)
			if err != nil || info.Mode() != mode || !strings.Contains(read(t, target), "size = 70\n") {
				t.Errorf("%v, %v", info, err)
			}
			alone(t, dir)
		})
	}
}

// TestSetBeside: many at once leave all their values.
func TestSetBeside(t *testing.T) {
	dir := t.TempDir()
	f, _ := openSettings(dir, quietDiary())
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := f.set("mochi", "agent_pets", fmt.Sprint("agent", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	again, _ := openSettings(dir, quietDiary())
	if len(again.get().AgentPets) != 20 || len(f.get().AgentPets) != 20 {
		t.Errorf("%d in the file, get has %d", len(again.get().AgentPets), len(f.get().AgentPets))
	}
}

// TestSetMeanwhile: what somebody else writes in the meantime stays.
func TestSetMeanwhile(t *testing.T) {
	for _, tt := range []struct{ was, is string }{{"size = 60\n", "size = 80\n"}, {"size = 60\n", ""}, {"", "size = 80\n"}} {
		dir := t.TempDir()
		path := settingsPath(dir)
		f, _ := openSettings(dir, quietDiary())
		if tt.is != "" {
			write(t, path, tt.is)
		}
		if err := f.write([]byte("size = 70\n"), []byte(tt.was), tt.was == ""); !errors.Is(err, errBusy) {
			t.Errorf("%q became %q: %v", tt.was, tt.is, err)
		}
		if got, err := os.ReadFile(path); string(got) != tt.is || (err != nil) != (tt.is == "") {
			t.Errorf("%q became %q: %q, %v", tt.was, tt.is, got, err)
		}
	}
}

// TestSetIsTold: changed hears of the app's own writes as of others'.
func TestSetIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, "size = 60\n# mine\n")
		if err := f.set(70, "size"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		wantSizes(t, f, 70)
		f.edit(t, "size = 70\n# mine too\n", believed)
		wantSizes(t, f)

		// A mistake that was made just before is told all the same, to somebody who
		// may write in return.
		f.warn = func(warning string) {
			if err := f.set(90, "size"); err != nil {
				t.Error(err)
			}
			f.said <- warning
		}
		write(t, f.path, "size = 70\nsiez = 1\n")
		if err := f.set(80, "size"); err != nil {
			t.Fatal(err)
		}
		f.touched <- struct{}{}
		time.Sleep(believed)
		synctest.Wait()
		wantSizes(t, f, 80, 90)
		if len(f.said) != 1 {
			t.Errorf("%d warnings", len(f.said))
		}
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// alone checks that nothing but config.toml was left in dir.
func alone(t *testing.T, dir string) {
	t.Helper()
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("it left %v, %v", all, err)
	}
}
