package tray

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/tray/friends"
)

func TestReadSettings(t *testing.T) {
	tests := []struct {
		name, file string
		want       settings
		warning    string // part of the only one; empty for none
		aside      bool   // the file is kept as config.toml.broken-1
	}{
		{name: "empty"},
		{name: "all", file: "\ufeffversion = 1\r\nlanguage = \"ko\"\r\ntheme = \"dark\"\r\nsize = 150\r\n", want: settings{Version: 1, Language: "ko", Theme: "dark", Size: 150}},
		{name: "own friend", file: "[agent_pets]\nclaude = \"mochi\"\n", want: settings{AgentPets: map[string]string{"claude": "mochi"}}},
		{name: "unknown key", file: "laguage = \"ko\"\n", warning: "unknown key laguage"},
		{name: "broken", file: "language = \"ko\n", warning: "line 1", aside: true},
		{name: "newer", file: "version = 9\n", warning: "version 9 is newer", aside: true},
		{name: "text for a number", file: "size = \"big\"\n", warning: "config.toml: line 1: size takes a whole number such as 100;", aside: true},
		{name: "half a number", file: "\nsize = 99.5\n", warning: "line 2: size takes a whole number such as 100;", aside: true},
		{name: "a number for a text", file: "[agent_pets]\nclaude = 7\n", warning: `line 2: agent_pets.claude takes a text such as "dark";`, aside: true},
		{name: "a list for a time", file: "[lifetimes]\ndone = [1]\n", warning: `line 2: lifetimes.done takes a time such as "15m";`, aside: true},
		{name: "two tables", file: "[[show]]\n", warning: "line 1: show takes a table such as [show];", aside: true},
		{name: "a text for a table", file: "agent_pets = \"mochi\"\n", warning: "agent_pets takes a table such as [agent_pets];", aside: true},
		{name: "unknown agent", file: "[agent_pets]\nklaude = \"mochi\"\nrun = \"mochi\"\n", warning: `"klaude" is no agent that PlayPets knows: run, claude,`},
		{name: "size out of range", file: "size = 4000\n", warning: "use 50 to 300", aside: true},
		{name: "no such theme", file: "theme = \"pink\"\n", warning: `theme = "pink": use "system", "light", "dark"`, aside: true},
		{name: "no such motion", file: "motion = \"wild\"\n", warning: `motion = "wild": use "system", "calm", "lively", "reduced"`, aside: true},
		{name: "no such time to show", file: "[show]\nwhen = \"sometimes\"\n", warning: `when = "sometimes": use "always", "active", "never"`, aside: true},
		{name: "no such language", file: "language = \"xx\"\n", warning: "xx", aside: true},
		{name: "no time", file: "[lifetimes]\nworking = \"soon\"\n", warning: "soon", aside: true},
		{name: "time below zero", file: "[lifetimes]\ndone = \"-1m\"\n", warning: "-1m", aside: true},
		{name: "not text", file: "\x00\x01\x02", warning: "config.toml", aside: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "config.toml")
			write(t, path, test.file)
			got, warnings := readSettings(dir)
			if got.Version != test.want.Version || got.Language != test.want.Language || got.Theme != test.want.Theme ||
				got.Size != test.want.Size || got.AgentPets["claude"] != test.want.AgentPets["claude"] {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if all := strings.Join(warnings, "\n"); !strings.Contains(all, test.warning) || (test.warning == "") != (all == "") || strings.Contains(all, "\n") {
				t.Errorf("warnings %q, want one with %q", warnings, test.warning)
			}
			if left, err := os.ReadFile(path); err != nil || string(left) != test.file {
				t.Errorf("config.toml was changed: %q, %v", left, err)
			}
			aside, err := os.ReadFile(path + ".broken-1")
			if test.aside && string(aside) != test.file || !test.aside && err == nil {
				t.Errorf("kept aside: %q, %v", aside, err)
			}
		})
	}
}

func TestNoSettings(t *testing.T) {
	if s, warnings := readSettings(t.TempDir()); s.Size != 0 || len(warnings) > 0 {
		t.Errorf("got %+v, %q", s, warnings)
	}
}

func TestLifetimes(t *testing.T) {
	s, _, err := parseSettings([]byte("[lifetimes]\nworking = \"3m\"\nwaiting = \"1h\"\nerror = \"2s\"\ndone = \"7s\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := friends.Lifetimes{Working: 3 * time.Minute, Waiting: time.Hour, Error: 2 * time.Second, Done: 7 * time.Second}
	if got := s.lifetimes(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestReadmeSettings keeps the example of the README true.
func TestReadmeSettings(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(readme), "```toml\nlanguage")
	example, _, end := strings.Cut(example, "```")
	if !ok || !end {
		t.Fatal("README.md has no example of config.toml")
	}
	s, unknown, err := parseSettings([]byte("language" + example))
	if err != nil || len(unknown) > 0 || s.Language != "ko" || s.AgentPets["codex"] != "bori" || s.Show.When != "active" || s.Motion != "calm" {
		t.Errorf("got %+v, unknown %q, %v", s, unknown, err)
	}
	for _, key := range keys(reflect.TypeFor[settings]()) {
		if name := strings.Trim(key, "#[]= "); name != "version" && !strings.Contains(example, name) && name != "language" {
			t.Errorf("it does not name %s", name)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Setenv("PLAYPETS_LANG", "")
	if got := (settings{Language: "ko"}).language(); got != "ko" {
		t.Errorf("config.toml's language: %q", got)
	}
	t.Setenv("PLAYPETS_LANG", "en")
	if got := (settings{Language: "ko"}).language(); got != "en" {
		t.Errorf("PLAYPETS_LANG beats config.toml: %q", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
