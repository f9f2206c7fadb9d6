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
		broken     bool
	}{
		{"not JSON", "{", func(s state) bool { return len(s.Hidden) == 0 }, true},
		{"no version", "{}", func(s state) bool { return len(s.Hidden) == 0 }, true},
		{"newer", `{"version":2,"hidden":["mochi"]}`, func(s state) bool { return len(s.Hidden) == 0 }, true},
		{"another type", `{"version":1,"hidden":"mochi"}`, func(s state) bool { return len(s.Hidden) == 0 }, true},
		{"too large", `{"version":1,"hidden":["` + strings.Repeat("x", maxSmall) + `"]}`, func(s state) bool { return len(s.Hidden) == 0 }, true},
		{"unknown keys", `{"version":1,"hidden":["mochi"],"more":1}`, func(s state) bool { return len(s.Hidden) == 1 }, false},
		{"many names", `{"version":1,"hidden":[` + many + `],"away":[` + many + `]}`,
			func(s state) bool { return len(s.Hidden) == maxNames && len(s.Away) == maxNames }, false},
		{"many monitors", `{"version":1,"places":[` + strings.Join(places, ",") + `]}`,
			func(s state) bool { return len(s.Places) == maxSets && s.Places[maxSets-1].Monitors == "set 99" }, false},
		{"far away", `{"version":1,"places":[{"friend":"a","x":1000000000},{"friend":"b","y":-70000},{"x":1},{"friend":"c","x":-65536}]}`,
			func(s state) bool { return len(s.Places) == 1 && s.Places[0].Friend == "c" }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "state.json")
			write(t, path, tt.file)
			n, warned := notebookOf(dir)
			if got := n.get(); !tt.want(got) {
				t.Errorf("got %+v", got)
			}
			aside, err := os.ReadFile(path + ".broken")
			if tt.broken != (err == nil && string(aside) == tt.file) || tt.broken != strings.Contains(warned.String(), "state.json") {
				t.Errorf("kept aside: %q, %v; it says %q", aside, err, warned)
			}
			n.change(func(s *state) { s.Hidden = []string{"ssak"} })
			n.Save()
			if again, _ := notebookOf(dir); len(again.get().Hidden) != 1 {
				t.Errorf("afterwards on disk is %+v", again.get())
			}
		})
	}
}

// TestNotebookRefused: a folder in place of the file that cannot be moved, and a
// folder that is gone.
func TestNotebookRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	for _, folder := range []string{path, filepath.Join(path+".broken", "full")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	n, warned := notebookOf(dir)
	n.change(func(s *state) { s.Hidden = []string{"ssak"} })
	n.Save()
	if info, err := os.Stat(path); err != nil || !info.IsDir() || !strings.Contains(warned.String(), "nor kept aside") {
		t.Errorf("%v, %v; it says %q", info, err, warned)
	}

	gone := filepath.Join(dir, "gone")
	n, warned = notebookOf(gone)
	for range 3 {
		n.change(func(s *state) { s.Hidden = []string{"ssak"} })
		n.Save()
	}
	if said := warned.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "write state.json") {
		t.Errorf("it says %q, want one line", said)
	}
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	n.change(func(*state) {})
	n.Save()
	if again, _ := notebookOf(gone); len(again.get().Hidden) != 1 {
		t.Errorf("once the folder is there, on disk is %+v", again.get())
	}
}
