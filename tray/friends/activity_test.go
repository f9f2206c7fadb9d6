package friends

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
)

func remembered(s *Store) []string {
	list := []string{}
	for _, a := range s.Status()[0].Activities {
		list = append(list, a.Sentence)
	}
	return list
}

func TestEightNewest(t *testing.T) {
	h := newHouse(t, Options{})
	if got := h.Status()[0].Activities; got == nil || len(got) != 0 {
		t.Errorf("a new friend remembers %#v", got)
	}
	for i := range 20 {
		h.report(agents.Report{Agent: "claude", State: agents.Working, Message: fmt.Sprint(i)})
		h.report(agents.Report{Agent: "claude", State: agents.Working, Message: fmt.Sprint(i)}) // a duplicate
		h.after(time.Second)
	}
	if got := fmt.Sprint(remembered(h.Store)); got != "[12 13 14 15 16 17 18 19]" {
		t.Errorf("remembers %s", got)
	}
	want := agents.Activity{Time: start.Add(12 * time.Second), Agent: "claude", State: agents.Working, Sentence: "12"}
	if got := h.Status()[0].Activities[0]; got != want {
		t.Errorf("remembers %+v, want %+v", got, want)
	}
	if got := h.Status()[1].Activities; len(got) != 0 {
		t.Errorf("the other friend remembers %+v", got)
	}
}

// TestSameAgainIsOneActivity: what is said again is remembered once.
func TestSameAgainIsOneActivity(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	for range 5 {
		h.hears("a", agents.Working, "@tool Bash")
		h.after(time.Minute)
	}
	h.hears("b", agents.Working, "@tool Bash")
	h.hears("a", agents.Working, "@thinking")
	h.hears("a", agents.Done, "@done")
	want := []string{"Using Bash…", "Using Bash…", "Thinking…", "All done!"}
	if got := remembered(h.Store); !slices.Equal(got, want) {
		t.Errorf("remembers %q, want %q", got, want)
	}
}

// TestScriptsKeepTheirCodes: without a session nobody knows whose work it was.
func TestScriptsKeepTheirCodes(t *testing.T) {
	h := newHouse(t, Options{Translate: english})
	h.hears("", agents.Working, "@tool Bash")
	h.hears("", agents.Working, "@thinking")
	if got := remembered(h.Store); !slices.Equal(got, []string{"Using Bash…", "Thinking…"}) {
		t.Errorf("remembers %q", got)
	}
}

func TestActivitiesAcrossRestarts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not there yet")
	korean := i18n.New("ko")
	h := newHouse(t, Options{Dir: dir, Translate: func(state agents.State, message string) string {
		return korean.Sentence(string(state), message)
	}})
	h.hears("s", agents.Working, "@tool Bash")
	h.hears("s", agents.Error, "It broke")
	before := h.Status()[0].Activities
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(filepath.Join(dir, "activity.json")); err != nil || info.Mode() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}

	h = newHouse(t, Options{Dir: dir, Translate: english})
	status := h.Status()[0]
	if !slices.Equal(status.Activities, before) || before[0].Sentence != "Bash 쓰는 중…" {
		t.Errorf("remembers %+v, want %+v", status.Activities, before)
	}
	if status.State != agents.Idle || len(status.Sessions) != 0 {
		t.Errorf("a busy state came back: %+v", status)
	}
	h.hears("s", agents.Working, "@tool Bash") // does not replace one from before
	if got := remembered(h.Store); !slices.Equal(got, []string{"Bash 쓰는 중…", "It broke", "Using Bash…"}) {
		t.Errorf("remembers %q", got)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}

	// A friend that is away keeps its activities.
	s := open(Options{Dir: dir}, []Package{{ID: "bori", Name: "Bori"}})
	s.Report(agents.Report{State: agents.Done, Message: "of Bori"})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h = newHouse(t, Options{Dir: dir})
	if got := remembered(h.Store); len(got) != 3 {
		t.Errorf("remembers %q", got)
	}
	if files := names(t, dir); !slices.Equal(files, []string{"activity.json"}) {
		t.Errorf("left behind: %q", files)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestUnreadableActivities(t *testing.T) {
	for _, tt := range []struct{ name, content, kept string }{
		{"empty", "", "broken"},
		{"not JSON", "\x00\x01", "broken"},
		{"cut off", `{"version":1,"friends":{"mochi":[{"time":"2026-`, "broken"},
		{"no version", `{"friends":{}}`, "broken"},
		{"another shape", `{"version":1,"friends":[1,2]}`, "broken"},
		{"a wrong time", `{"version":1,"friends":{"mochi":[{"time":"yesterday","state":"done","sentence":"x"}]}}`, "broken"},
		{"too large", `{"version":1,"x":"` + strings.Repeat("x", maxActivityFile) + `"}`, "broken"},
		{"newer", `{"version":2,"friends":{},"moods":[1]}`, "newer"},
		{"newer, and another shape", `{"version":7,"friends":[]}`, "newer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "activity.json")
			for round := 1; round <= 2; round++ {
				if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
					t.Fatal(err)
				}
				var log bytes.Buffer
				h := newHouse(t, Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
				if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "activity.json") {
					t.Errorf("the log has %d lines:\n%s", n, log.String())
				}
				h.hears("s", agents.Done, "afresh")
				if err := h.Close(); err != nil {
					t.Fatal(err)
				}
				if got := remembered(newHouse(t, Options{Dir: dir}).Store); !slices.Equal(got, []string{"afresh"}) {
					t.Errorf("remembers %q", got)
				}
				kept := fmt.Sprintf("%s.%s-%d", path, tt.kept, round)
				if data, err := os.ReadFile(kept); err != nil || string(data) != tt.content {
					t.Errorf("kept aside: %.40q, %v", data, err)
				}
			}
		})
	}
}

// TestOddActivities is a file that people edited.
func TestOddActivities(t *testing.T) {
	dir := t.TempDir()
	content := `{"version":1,"more":true,"friends":{"mochi":[
		{"time":"2026-11-30T15:04:00Z","agent":"cl\u001baude","state":"done","sentence":"a\nb\u202e ` + strings.Repeat("x", 300) + `"},
		{"time":"2026-11-30T15:04:00Z","agent":"claude","state":"sleepy","sentence":"no state"},
		{"time":"2026-11-30T15:04:00Z","agent":"claude","state":"idle","sentence":""}],"gone":[]}}`
	if err := os.WriteFile(filepath.Join(dir, "activity.json"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got := newHouse(t, Options{Dir: dir}).Status()[0].Activities
	want := agents.Activity{Time: start, Agent: "claude", State: agents.Done, Sentence: "a b " + strings.Repeat("x", 236)}
	if len(got) != 1 || got[0] != want {
		t.Errorf("remembers %+v", got)
	}
}

// TestDiskRefuses has a file where the folder should be: even root cannot
// write there. Nothing is lost, and the log says it once.
func TestDiskRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var log bytes.Buffer
	h := newHouse(t, Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		h.hears("s", agents.Done, fmt.Sprint(i))
		h.after(saveDelay)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("the log has %d lines:\n%s", n, log.String())
	}
	if err := h.Close(); err == nil {
		t.Error("Close says that all is well")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if got := remembered(newHouse(t, Options{Dir: dir}).Store); !slices.Equal(got, []string{"0", "1", "2"}) {
		t.Errorf("remembers %q", got)
	}
}

// TestOldFileSurvives has a folder in which nothing new can be made.
func TestOldFileSurvives(t *testing.T) {
	dir := t.TempDir()
	h := newHouse(t, Options{Dir: dir})
	h.hears("s", agents.Done, "old")
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if f, err := os.Create(filepath.Join(dir, "probe")); err == nil {
		f.Close()
		os.Remove(f.Name())
		t.Skip("this user writes where nobody may: TestDiskRefuses stands for it")
	}
	h.hears("s", agents.Done, "new")
	if err := h.Close(); err == nil {
		t.Error("Close says that all is well")
	}
	if got := remembered(newHouse(t, Options{Dir: dir}).Store); !slices.Equal(got, []string{"old"}) {
		t.Errorf("remembers %q", got)
	}
}

// TestNothingIsOverwritten: what can neither be read nor kept aside stays.
func TestNothingIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "activity.json")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		if err := os.WriteFile(fmt.Sprintf("%s.broken-%d", path, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := newHouse(t, Options{Dir: dir})
	h.hears("s", agents.Done, "new")
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(path); string(data) != "precious" {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

func TestAFolderForAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "activity.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, Options{Dir: dir})
	h.hears("s", agents.Done, "new")
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "activity.json.broken-1")); err != nil || info.Mode().Type() != fs.ModeDir {
		t.Errorf("%v, %v", info, err)
	}
}
