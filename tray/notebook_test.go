package tray

import (
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/tray/overlay"
)

// notebookOf opens the notebook in dir with what it warns of.
func notebookOf(dir string) (*notebook, *syncBuffer) {
	warned := &syncBuffer{}
	return openNotebook(dir, slog.New(warnings{warned})), warned
}

func TestPlaces(t *testing.T) {
	var s state
	move := func(monitors int, friend string, x int) {
		s.put(overlay.Place{Monitors: fmt.Sprint("set ", monitors), Friend: friend, Feet: image.Pt(x, 7)})
	}
	move(0, "mochi", 1)
	move(0, "bori", 2)
	move(0, "mochi", 3)
	want := []overlay.Place{{Monitors: "set 0", Friend: "bori", Feet: image.Pt(2, 7)}, {Monitors: "set 0", Friend: "mochi", Feet: image.Pt(3, 7)}}
	if got := s.places(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	before := s
	for i := range maxSets {
		move(i, "mochi", i)
	}
	if len(s.Places) != maxSets+1 {
		t.Errorf("%d places on %d sets of monitors, want one more", len(s.Places), maxSets)
	}
	move(maxSets, "mochi", 0) // set 1 was used longest ago: Mochi moved on set 0 since
	move(0, "mochi", 9)
	move(maxSets+1, "mochi", 0)
	for _, p := range s.Places {
		if p.Monitors == "set 1" || p.Monitors == "set 2" {
			t.Errorf("%s is still remembered", p.Monitors)
		}
	}
	if first := s.Places[0].Monitors; len(s.Places) != maxSets || first != "set 3" {
		t.Errorf("%d places, the oldest on %s", len(s.Places), first)
	}
	if !reflect.DeepEqual(before.places(), want) {
		t.Errorf("a copy changed: %+v", before.places())
	}
}

func TestNotebook(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	synctest.Test(t, func(t *testing.T) {
		n, warned := notebookOf(dir)
		n.Save()
		if _, err := os.Stat(path); err == nil {
			t.Error("without a change something was written")
		}
		until := time.Now().Add(time.Hour).Round(0).UTC()
		n.change(func(s *state) { s.Hidden = with(s.Hidden, "mochi") })
		n.change(func(s *state) { s.Quiet = until })
		time.Sleep(saveDelay - 1)
		if _, err := os.Stat(path); err == nil {
			t.Error("the changes were not gathered")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		again, _ := notebookOf(dir)
		if got := again.get(); !got.Quiet.Equal(until) || len(got.Hidden) != 1 || got.Hidden[0] != "mochi" {
			t.Errorf("on disk is %+v", got)
		}
		n.change(func(s *state) { s.Away = with(s.Away, "bori"); s.Hidden = without(s.Hidden, "mochi") })
		n.Save()
		again, _ = notebookOf(dir)
		if got := again.get(); len(got.Away) != 1 || len(got.Hidden) != 0 || warned.String() != "" {
			t.Errorf("after Save on disk is %+v; it says %q", got, warned)
		}
	})
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("state.json: %v, %v", info.Mode(), err)
	}
}

func TestOddState(t *testing.T) {
	many := strings.Repeat(`"x",`, 400) + `"x"`
	var places []string
	for i := range 100 {
		places = append(places, fmt.Sprintf(`{"monitors":"set %d","friend":"mochi","x":1,"y":2}`, i))
	}
	for _, tt := range []struct {
		name, file string
		want       func(state) bool
		kept       string // how the name ends under which it is kept aside; empty for not at all
	}{
		{"not JSON", "{", func(s state) bool { return len(s.Hidden) == 0 }, "broken-1"},
		{"no version", "{}", func(s state) bool { return len(s.Hidden) == 0 }, "broken-1"},
		{"newer", `{"version":2,"hidden":["mochi"]}`, func(s state) bool { return len(s.Hidden) == 0 }, "newer-1"},
		{"a list", `[]`, func(s state) bool { return len(s.Hidden) == 0 }, "broken-1"},
		{"another kind", `{"version":1,"hidden":"mochi","away":["ssak"]}`,
			func(s state) bool { return len(s.Hidden) == 0 && len(s.Away) == 1 }, "broken-1"},
		{"a name of another kind", `{"version":1,"away":["ssak",7]}`, func(s state) bool { return len(s.Away) == 1 && s.Away[0] == "ssak" }, "broken-1"},
		{"half a pixel", `{"version":1,"hidden":["mochi"],"places":[{"friend":"a","x":1.5},{"friend":"b","x":3},{"friend":"c","y":1e99}]}`,
			func(s state) bool { return len(s.Hidden) == 1 && len(s.Places) == 1 && s.Places[0].Friend == "b" }, "broken-1"},
		{"no time", `{"version":1,"quiet_until":"tomorrow","hidden":["mochi"]}`, func(s state) bool { return len(s.Hidden) == 1 && s.Quiet.IsZero() }, "broken-1"},
		{"too large", `{"version":1,"hidden":["` + strings.Repeat("x", maxSmall) + `"]}`, func(s state) bool { return len(s.Hidden) == 0 }, "broken-1"},
		{"unknown keys", `{"version":1,"hidden":["mochi"],"more":1}`, func(s state) bool { return len(s.Hidden) == 1 }, ""},
		{"many names", `{"version":1,"hidden":[` + many + `],"away":[` + many + `]}`,
			func(s state) bool { return len(s.Hidden) == maxNames && len(s.Away) == maxNames }, ""},
		{"many monitors", `{"version":1,"places":[` + strings.Join(places, ",") + `]}`,
			func(s state) bool { return len(s.Places) == maxSets && s.Places[maxSets-1].Monitors == "set 99" }, ""},
		{"far away", `{"version":1,"places":[{"friend":"a","x":1000000000},{"friend":"b","y":-70000},{"x":1},{"friend":"c","x":-65536}]}`,
			func(s state) bool { return len(s.Places) == 1 && s.Places[0].Friend == "c" }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "state.json")
			write(t, path, tt.file)
			n, warned := notebookOf(dir)
			if got := n.get(); !tt.want(got) {
				t.Errorf("got %+v", got)
			}
			names, _ := filepath.Glob(path + ".*")
			if tt.kept == "" && (len(names) > 0 || warned.String() != "") {
				t.Errorf("kept aside: %q; it says %q", names, warned)
			}
			if tt.kept != "" {
				aside, err := os.ReadFile(path + "." + tt.kept)
				if len(names) != 1 || string(aside) != tt.file || strings.Count(warned.String(), "\n") != 1 || strings.Contains(warned.String(), "Go struct") {
					t.Errorf("kept aside %q: %.200q, %v; it says %q", names, aside, err, warned)
				}
			}
			n.change(func(s *state) { s.Hidden = []string{"ssak"} })
			n.Save()
			if again, _ := notebookOf(dir); len(again.get().Hidden) != 1 {
				t.Errorf("afterwards on disk is %+v", again.get())
			}
		})
	}
}

// TestKeptAside: what was kept before is never written over; when there is too
// much of it the file stays as it is.
func TestKeptAside(t *testing.T) {
	for _, tt := range []struct{ why, first, second string }{
		{"broken", "{", "}"},
		{"broken", `{"version":1,"hidden":1}`, `{"version":1,"hidden":2}`},
		{"newer", `{"version":2}`, `{"version":3}`},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "state.json")
		for _, file := range []string{tt.first, tt.first, tt.second} {
			write(t, path, file)
			notebookOf(dir)
		}
		var kept []string
		names, _ := filepath.Glob(path + "." + tt.why + "-*")
		for _, name := range names {
			data, _ := os.ReadFile(name)
			kept = append(kept, string(data))
		}
		want := []string{tt.first, tt.first, tt.second}
		if strings.Contains(tt.first, "hidden") {
			want = want[1:] // a copy, and the same one once
		}
		if !reflect.DeepEqual(kept, want) {
			t.Errorf("%s: kept are %q, want %q", tt.first, kept, want)
		}

		for i := range maxAside {
			write(t, fmt.Sprint(path, ".", tt.why, "-", i+1), "before")
		}
		write(t, path, tt.second)
		n, warned := notebookOf(dir)
		n.change(func(s *state) { s.Hidden = []string{"ssak"} })
		n.Close()
		if left, _ := os.ReadFile(path); string(left) != tt.second || !strings.Contains(warned.String(), "nor kept aside") {
			t.Errorf("%s: state.json is %q; it says %q", tt.second, left, warned)
		}
	}
}

// TestRetry: what could not be written is written later: by itself, soon after the
// next change, and at the end.
func TestRetry(t *testing.T) {
	hide := func(s *state) { s.Hidden = with(s.Hidden, "ssak") }
	for _, tt := range []struct {
		name  string
		retry func(*notebook)
	}{
		{"by itself", func(*notebook) { time.Sleep(retryDelay) }},
		{"with the next change", func(n *notebook) { n.change(hide); time.Sleep(saveDelay) }},
		{"at the end", func(n *notebook) { n.Close() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "gone")
			synctest.Test(t, func(t *testing.T) {
				n, warned := notebookOf(dir)
				n.change(hide)
				time.Sleep(saveDelay + 3*retryDelay)
				synctest.Wait()
				if said := warned.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "write state.json") {
					t.Errorf("it says %q, want one line", said)
				}
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				tt.retry(n)
				synctest.Wait()
				if again, _ := notebookOf(dir); len(again.get().Hidden) != 1 || n.timer != nil {
					t.Errorf("once the folder is there, on disk is %+v", again.get())
				}
			})
		})
	}
}

// TestClosedNotebook: after the end nothing is tried any more.
func TestClosedNotebook(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	synctest.Test(t, func(t *testing.T) {
		n, _ := notebookOf(dir)
		n.change(func(s *state) { s.Hidden = []string{"ssak"} })
		n.Close()
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * retryDelay)
		synctest.Wait()
		if _, err := os.Stat(n.path); err == nil {
			t.Error("it was written after the end")
		}
	})
}

// TestLinkedState: people keep such files elsewhere.
func TestLinkedState(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine.json")
	path := filepath.Join(dir, "state.json")
	write(t, elsewhere, `{"version":1,"away":["bori"]}`)
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Fatal(err)
	}
	n, _ := notebookOf(dir)
	n.change(func(s *state) { s.Hidden = []string{"ssak"} })
	n.Close()
	if to, err := os.Readlink(path); err != nil || to != elsewhere {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if again, _ := notebookOf(dir); len(again.get().Hidden) != 1 || len(again.get().Away) != 1 {
		t.Errorf("on disk is %+v", again.get())
	}
}
