package tray

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	const file = "# mine\nSize = 150\nlaguage = \"ko\"\ntheme = \"\"\n[agent_pets]\nclaude = \"bori\"\n\n[notifications]\nmin_task = \"0s\"\ndone = false\n"
	for _, tt := range []struct {
		name, file, lang string
		code             int
		out              []string // lines, spaces collapsed
		err              string   // the whole
	}{
		{name: "settings", file: file, out: []string{"size = 150 # line 2", `theme = "system" # default`, `agent_pets.claude = "bori" # line 6`,
			"notifications.done = false # line 10", `notifications.min_task = "0s" # line 9`, "notifications.error = true # default",
			`lifetimes.working = "15m" # default`, `language = "en" # the system`},
			err: "playpets: config.toml: line 3: unknown key laguage; did you mean language?\n"},
		{name: "language", file: "language = \"ko\"\n", out: []string{`language = "ko" # line 1`}},
		{name: "environment", file: "language = \"en\"\n", lang: "ko", out: []string{`language = "ko" # PLAYPETS_LANG`}},
		{name: "broken", file: "size = 150\ntheme = \"pink\"\n", code: 1, out: []string{"size = 100 # default"},
			err: "playpets: config.toml: line 2: theme = \"pink\": use \"system\", \"light\", \"dark\"; going on with the defaults\n"},
		{name: "steering", file: "[agent_pets]\nrun = \"\\u001b[31m\\u202e\"\n", out: []string{`agent_pets.run = "\x1b[31m\u202e" # line 2`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for key, value := range map[string]string{"PLAYPETS_DATA": dir, "PLAYPETS_LANG": tt.lang, "LC_ALL": "C", "LANG": "C", "LANGUAGE": ""} {
				t.Setenv(key, value)
			}
			write(t, filepath.Join(dir, "config.toml"), tt.file)
			var out, stderr bytes.Buffer
			if code := Config(false, &out, &stderr); code != tt.code || stderr.String() != tt.err {
				t.Errorf("exit code %d, %q", code, &stderr)
			}
			lines := strings.Split(regexp.MustCompile(` +`).ReplaceAllString(out.String(), " "), "\n")
			if lines[0] != "# "+filepath.Join(dir, "config.toml") {
				t.Errorf("it begins with %q", lines[0])
			}
			for _, want := range tt.out {
				if !strings.Contains(strings.Join(lines, "\n")+"\n", "\n"+want+"\n") {
					t.Errorf("no %q in\n%s", want, &out)
				}
			}
			if _, odd, err := parseSettings(out.Bytes()); tt.name != "steering" && (err != nil || len(odd) > 0) {
				t.Errorf("it is no config.toml: %q, %v", odd, err)
			}
			if all, err := os.ReadDir(dir); len(all) != 1 {
				t.Errorf("it left %v, %v", all, err)
			}
		})
	}
}

func TestConfigMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	t.Setenv("PLAYPETS_DATA", dir)
	var out, stderr bytes.Buffer
	if code := Config(false, &out, &stderr); code != 0 || stderr.Len() > 0 || !strings.HasPrefix(out.String(), "# "+filepath.Join(dir, "config.toml")+" (not there)\n") {
		t.Errorf("exit code %d, %q, %q", code, &stderr, &out)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it made the folder")
	}
}

// TestExplained: what it explains is a file that people can start from.
func TestExplained(t *testing.T) {
	var out, stderr bytes.Buffer
	if code := Config(true, &out, &stderr); code != 0 || !bytes.Equal(out.Bytes(), template) {
		t.Errorf("exit code %d, %q, %s", code, &stderr, &out)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestConfigUnprinted(t *testing.T) {
	t.Setenv("PLAYPETS_DATA", t.TempDir())
	for _, explain := range []bool{false, true} {
		var stderr bytes.Buffer
		if code := Config(explain, full{}, &stderr); code != 1 || stderr.String() != "playpets: print: disk full\n" {
			t.Errorf("explain %t: exit code %d, %q", explain, code, &stderr)
		}
	}
}
