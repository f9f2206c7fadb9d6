package tray

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/bridge/openpets"
	"github.com/playpets/playpets/i18n"
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
		{name: "unknown key", file: "laguage = \"ko\"\n", warning: "config.toml: line 1: unknown key laguage; did you mean language?"},
		{name: "broken", file: "language = \"ko\n", warning: "line 1", aside: true},
		{name: "newer", file: "version = 9\n", warning: "version 9 is newer", aside: true},
		{name: "text for a number", file: "size = \"big\"\n", warning: "config.toml: line 1: size takes a whole number such as 100;", aside: true},
		{name: "half a number", file: "\nsize = 99.5\n", warning: "line 2: size takes a whole number such as 100;", aside: true},
		{name: "a number for a text", file: "[agent_pets]\nclaude = 7\n", warning: `line 2: agent_pets.claude takes a text such as "dark";`, aside: true},
		{name: "a list for a time", file: "[lifetimes]\ndone = [1]\n", warning: `line 2: lifetimes.done takes a time such as "15m";`, aside: true},
		{name: "two tables", file: "[[show]]\n", warning: "line 1: show takes a table such as [show];", aside: true},
		{name: "a text for a table", file: "agent_pets = \"mochi\"\n", warning: "line 1: agent_pets takes a table such as [agent_pets];", aside: true},
		{name: "unknown agent", file: "[agent_pets]\nklaude = \"mochi\"\nrun = \"mochi\"\n", warning: `"klaude" is no agent that PlayPets knows: run, claude,`},
		{name: "size out of range", file: "size = 4000\n", warning: "line 1: size = 4000: use 50 to 300", aside: true},
		{name: "no such theme", file: "theme = \"pink\"\n", warning: `line 1: theme = "pink": use "system", "light", "dark"`, aside: true},
		{name: "no such motion", file: "motion = \"wild\"\n", warning: `line 1: motion = "wild": use "system", "calm", "lively", "reduced"`, aside: true},
		{name: "no such time to show", file: "[show]\nwhen = \"sometimes\"\n", warning: `line 2: show.when = "sometimes": use "always", "active", "never"`, aside: true},
		{name: "no such language", file: "language = \"xx\"\n", warning: `line 1: language = "xx": use "en", "ko"`, aside: true},
		{name: "no time", file: "[lifetimes]\nworking = \"soon\"\n", warning: "soon", aside: true},
		{name: "time below zero", file: "[lifetimes]\ndone = \"-1m\"\n", warning: "-1m", aside: true},
		{name: "word for yes", file: "[notifications]\ndone = \"yes\"\n", warning: "line 2: notifications.done takes true or false;", aside: true},
		{name: "rest below zero", file: "[notifications]\nmin_task = \"-1s\"\n", warning: `line 2`, aside: true},
		{name: "twice", file: "size = 100\nsize = 120\n", warning: "config.toml: line 2: size is there twice; going", aside: true},
		{name: "a table twice", file: "[show]\n[show]\n", warning: "config.toml: line 2: show is there twice;", aside: true},
		{name: "a time without a unit", file: "notifications.min_task = 10\n", warning: `config.toml: line 1: notifications.min_task: "10" is not a time such as "10s"`, aside: true},
		{name: "a number out of sight", file: "size = 99999999999999999999\n", warning: "config.toml: line 1: size: 99999999999999999999 is out of range;", aside: true},
		{name: "no value", file: "size =\n", warning: "config.toml: line 1: size: expected value", aside: true},
		{name: "not text", file: "\x00\x01\x02", warning: "config.toml", aside: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "config.toml")
			write(t, path, test.file)
			f, warnings := openSettings(dir, quietDiary())
			got := f.get()
			if got.Version != test.want.Version || got.Language != test.want.Language || got.Theme != test.want.Theme ||
				got.Size != test.want.Size || got.AgentPets["claude"] != test.want.AgentPets["claude"] {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if all := strings.Join(warnings, "\n"); strings.Contains(all, " toml: ") || strings.Contains(all, "last key") {
				t.Errorf("warnings %q are the library's", warnings)
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
	if f, warnings := openSettings(t.TempDir(), quietDiary()); !reflect.DeepEqual(f.get(), defaults()) || len(warnings) > 0 {
		t.Errorf("got %+v, %q", f.get(), warnings)
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

// readmeSettings is the README's example of config.toml.
func readmeSettings(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(readme), "```toml\nlanguage")
	example, _, end := strings.Cut(example, "```")
	if !ok || !end {
		t.Fatal("README.md has no example of config.toml")
	}
	return "language" + example
}

// TestReadmeSettings keeps the example of the README true.
func TestReadmeSettings(t *testing.T) {
	s, odd, err := parseSettings([]byte(readmeSettings(t)))
	if err != nil || len(odd) > 0 || s.Language != "ko" || s.AgentPets["codex"] != "bori" || s.Show.When != "active" || s.Motion != "calm" {
		t.Errorf("got %+v, %q, %v", s, odd, err)
	}
	if s.Notifications != defaults().Notifications {
		t.Errorf("notifications are %+v", s.Notifications)
	}
}

// TestEveryKey: each key is explained where people look: what it means, which words
// it takes, what happens without it.
func TestEveryKey(t *testing.T) {
	var explained, stderr bytes.Buffer
	if code := Config(true, &explained, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	readme := readmeSettings(t)
	inReadme, byDefault := find([]byte(readme)), values(fullTemplate())
	words := map[string][]string{"theme": themes, "motion": motions, "show.when": whens, "openpets.ipc": openpets.Modes, "size": {"50", "300"},
		"notifications.min_task": {"0s"}}
	for _, l := range i18n.Languages() {
		words["language"] = append(words["language"], l.Code)
	}
	checked := 0
	for _, key := range keys("", reflect.TypeFor[settings]()) {
		name := key[strings.LastIndexByte(key, '.')+1:]
		meaning := regexp.MustCompile(`(?m)((?:^# .*\n)+)(?:\[` + name + `\]\n)?#` + name + ` = (.+)$`)
		if key == "agent_pets" {
			meaning = regexp.MustCompile(`(?m)((?:^# .*\n)+)\[agent_pets\]\n#(.+)$`)
		}
		m := meaning.FindStringSubmatch(section(explained.String(), key))
		if m == nil || len(m[1]) < 20 {
			t.Errorf("%s is not explained: %q", key, m)
			continue
		}
		if _, ok := byDefault[key]; !ok && key != "agent_pets" {
			t.Errorf("%s: its default is not told", key)
		}
		if inReadme.line(strings.Split(key, ".")...) == 0 && key != "version" {
			t.Errorf("%s is not in the README", key)
		}
		for _, word := range words[key] {
			if !strings.Contains(m[1], word) || !strings.Contains(readme, word) {
				t.Errorf("%s: %q is not told", key, word)
			}
		}
		checked++
	}
	if checked < 16 {
		t.Errorf("only %d keys", checked)
	}
}

// section is the part of a file where a key stands.
func section(file, key string) string {
	table, _, inTable := strings.Cut(key, ".")
	if !inTable {
		return file
	}
	_, file, _ = strings.Cut(file, "["+table+"]\n")
	file, _, _ = strings.Cut(file, "\n[")
	return file
}

// keys are those of a struct as a file has them: "show.when"; a map is one key.
func keys(within string, typ reflect.Type) (all []string) {
	for f := range typ.Fields() {
		if name := within + f.Tag.Get("toml"); f.Type.Kind() == reflect.Struct {
			all = append(all, keys(name+".", f.Type)...)
		} else {
			all = append(all, name)
		}
	}
	return all
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

// quietDiary keeps nothing.
func quietDiary() diary { return diary{slog.New(slog.DiscardHandler), io.NopCloser(nil)} }

func TestSpelledTwice(t *testing.T) {
	for file, want := range map[string]string{
		"Size = 120\nsize = 130": "line 2: size is there twice, as Size on line 1",
		"[notifications]\ndone = true\n[Notifications]\ndone = false": "line 3: Notifications is there twice, as notifications on line 1",
		"theme = 'dark'\nshow.when = 'never'\nshow.When = 'always'":   "line 3: show.When is there twice, as show.when on line 2",
		"show.when = 'never'\n[lifetimes]\ndone = '1m'":               "",
		"Size = 120":                            "",
		"[agent_pets]\nx = 'bori'\nX = 'mochi'": "",
	} {
		_, _, err := parseSettings([]byte(file))
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && err != nil {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
}
