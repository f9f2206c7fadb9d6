package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)

// put writes a file below a new folder, and gives its path.
func put(t *testing.T, name, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(data), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustHold expects a file to hold this, and no half-written one to lie about.
func mustHold(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), not %q", filepath.Base(path), got, err, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".playpets-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func link(t *testing.T, to, path string) string {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links need a privilege here: ", err)
		}
		t.Fatal(err)
	}
	return path
}

func TestReplaceKeepsACopy(t *testing.T) {
	path := put(t, "settings.json", "old")
	for n, want := range []string{".playpets-20261130-140000.bak", ".playpets-20261130-140000-2.bak"} {
		f, err := readAgentFile(path)
		if err != nil {
			t.Fatal(err)
		}
		was := string(f.data)
		backup, err := f.replace([]byte{'a' + byte(n)}, day)
		if err != nil || backup != f.target+want {
			t.Fatalf("copy %q, %v", backup, err)
		}
		mustHold(t, backup, was)
		mustHold(t, path, string(rune('a'+n)))
		for _, p := range []string{path, backup} {
			if info, err := os.Stat(p); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 {
				t.Errorf("%s: mode %v, %v", filepath.Base(p), info.Mode(), err)
			}
		}
	}
}

func TestReplaceMakesWhatIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "settings.json")
	f, err := readAgentFile(path)
	if err != nil || f.exists() {
		t.Fatalf("%+v, %v", f, err)
	}
	if backup, err := f.replace([]byte("new"), day); err != nil || backup != "" {
		t.Fatalf("copy %q, %v", backup, err)
	}
	mustHold(t, path, "new")
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// TestReplaceBehindLinks writes where links lead, and leaves them.
func TestReplaceBehindLinks(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"dots", "home"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	folder := link(t, filepath.Join("..", "dots"), filepath.Join(dir, "home", "link"))
	path := link(t, filepath.Join("link", "two"), filepath.Join(dir, "home", "one"))
	link(t, filepath.Join("..", "dots", "gone", "file"), filepath.Join(dir, "dots", "two"))
	for _, data := range []string{"first", "second"} {
		f, err := readAgentFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.replace([]byte(data), day); err != nil {
			t.Fatal(err)
		}
		mustHold(t, filepath.Join(dir, "dots", "gone", "file"), data)
	}
	for _, p := range []string{folder, path} {
		if info, err := os.Lstat(p); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", filepath.Base(p))
		}
	}
	circle := link(t, "circle", filepath.Join(dir, "circle"))
	if _, err := readAgentFile(circle); err == nil {
		t.Error("read a circle of links")
	}
}

func TestReplaceRefusesWhatChanged(t *testing.T) {
	path := put(t, "settings.json", "old")
	f, err := readAgentFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, now := range []string{"theirs", ""} {
		if err := os.WriteFile(path, []byte(now), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.replace([]byte("new"), day); err == nil {
			t.Error("wrote over somebody else's change")
		}
		mustHold(t, path, now)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := f.replace([]byte("new"), day); err == nil {
		t.Error("wrote a file that somebody has removed")
	}
	missing, err := readAgentFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := missing.replace([]byte("new"), day); err == nil {
		t.Error("wrote over a file that somebody has made")
	}
	mustHold(t, path, "theirs")
	if copies, _ := filepath.Glob(path + ".playpets-*"); len(copies) > 0 {
		t.Errorf("copies of what was not written: %q", copies)
	}
}

func TestReplaceRefusesReadOnly(t *testing.T) {
	path := put(t, "settings.json", "old")
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	f, err := readAgentFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.replace([]byte("new"), day); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("%v", err)
	}
	mustHold(t, path, "old")
}

// TestReplaceInReadOnlyFolder needs a user who may not do everything.
func TestReplaceInReadOnlyFolder(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("root and Windows write into any folder")
	}
	path := put(t, "settings.json", "old")
	f, err := readAgentFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(path), 0o700)
	if _, err := f.replace([]byte("new"), day); err == nil || strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	mustHold(t, path, "old")
}

func TestReadAgentFileRefuses(t *testing.T) {
	if _, err := readAgentFile(t.TempDir()); err == nil {
		t.Error("read a folder")
	}
	if _, err := readAgentFile(put(t, "large", strings.Repeat("x", maxSettings+1))); err == nil {
		t.Error("read a file that is too large")
	}
	if f, err := readAgentFile(put(t, "fits", strings.Repeat("x", maxSettings))); err != nil || len(f.data) != maxSettings {
		t.Errorf("%d bytes, %v", len(f.data), err)
	}
	under := filepath.Join(put(t, "file", ""), "settings.json")
	if f, err := readAgentFile(under); err == nil {
		if _, err = f.replace([]byte("x"), day); err == nil {
			t.Error("wrote below a file")
		}
	}
}

func TestChain(t *testing.T) {
	theirs, ours := []string{"bell", "it's done"}, []string{"/x/playpets", "hook", "codex"}
	for system, want := range map[string]*chain{
		"linux": {
			file:   "/h/.codex/notify-both.sh",
			script: `'bell' 'it'\''s done' "$@"` + "\n" + `'/x/playpets' 'hook' 'codex' "$@"` + "\n",
			notify: `notify = ["sh", "/h/.codex/notify-both.sh"]`,
		},
		"windows": {
			file: `/h/.codex\notify-both.ps1`,
			script: "$OutputEncoding = [Text.UTF8Encoding]::new($false)\n" +
				`& 'bell' 'it''s done' ($args[-1] -replace '(\\*)"', '$1$1\"')` + "\n" +
				"$args[-1] | & '/x/playpets' 'hook' 'codex'\n",
			notify: `notify = ["powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "/h/.codex\\notify-both.ps1"]`,
		},
	} {
		if got := newChain(system, "/h/.codex", theirs, ours); *got != *want {
			t.Errorf("%s: %+v\nnot %+v", system, *got, *want)
		}
	}
}

// FuzzVisible: nothing that is shown steers a terminal.
func FuzzVisible(f *testing.F) {
	f.Add("a\x1b[31m\r\n\u202e\x9b")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range visible(text) {
			if r != '\n' && r != '\t' && (r < 0x20 || 0x7f <= r && r < 0xa0 || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069) {
				t.Fatalf("%q shows %U", text, r)
			}
		}
		if bytes.Count([]byte(visible(text)), []byte("\n")) != strings.Count(text, "\n") {
			t.Fatalf("%q has other lines", text)
		}
	})
}
