package tray

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestProblems(t *testing.T) {
	for _, tt := range []struct {
		file string
		want []string // "line: text", the text's beginning
	}{
		{"", nil},
		{"# size\nsize = 100\n", nil},
		{"\ufefflaguage = \"ko\"\n", []string{"1: unknown key laguage; did you mean language?"}},
		{"\r\n\r\nthmee = \"dark\"\r\n", []string{"3: unknown key thmee; did you mean theme?"}},
		{"[notification]\ndone = true\nsound = false\n", []string{"1: unknown key notification; did you mean notifications?"}},
		{"[show]\nwhen = \"never\"\n\nsize = 50\n", []string{"4: unknown key show.size; did you mean size, above every [table]?"}},
		{"when = \"never\"\n", []string{"1: unknown key when; did you mean show.when?"}},
		{"[Show]\nwhne = \"never\"\n", []string{"2: unknown key Show.whne; did you mean show.when?"}},
		{"done = true\n", []string{"1: unknown key done; did you mean notifications.done or lifetimes.done?"}},
		{"show = {when = \"never\", wen = 1}\n", []string{"1: unknown key show.wen; did you mean show.when?"}},
		{"a = 1\nb.c.d = 2\nb.c.e = \"\"\"\n\n\"\"\"\n[[f]]\ng = 1\n[[f]]\n", []string{"1: unknown key a", "2: unknown key b.c.d", "3: unknown key b.c.e", "6: unknown key f"}},
		{"[agent_pets]\nclaude = \"mochi\"\nmcp = \"bori\"\nrun = \"bori\"\nClaude = \"mochi\"\n",
			[]string{`5: agent_pets: "Claude" is no agent`}},
		{"agent_pets = {me = \"mochi\"}\n", []string{`1: agent_pets: "me" is no agent`}},
		{"agent_pets.me = \"mochi\"\n", []string{`1: agent_pets: "me" is no agent`}},
	} {
		_, odd, err := parseSettings([]byte(tt.file))
		if err != nil || len(odd) != len(tt.want) {
			t.Errorf("%q: %q, %v, want %q", tt.file, odd, err, tt.want)
			continue
		}
		for i, p := range odd {
			if got := p.String(); !strings.HasPrefix(got, "config.toml: line "+tt.want[i]) {
				t.Errorf("%q: %q, want %q", tt.file, got, tt.want[i])
			}
		}
	}
}

// TestManyProblems: a file of a megabyte that is none of ours takes no time.
func TestManyProblems(t *testing.T) {
	var file strings.Builder
	file.WriteString("[agent_pets]\n")
	for i := range 10000 {
		fmt.Fprintf(&file, "a%d = \"b\"\n", i)
	}
	for i := range 10000 {
		fmt.Fprintf(&file, "[t%d]\na = 1\n", i)
	}
	if _, odd, err := parseSettings([]byte(file.String())); err != nil || len(odd) != 2*maxProblems {
		t.Errorf("%d problems, %v", len(odd), err)
	}
}

func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"size", "size", true}, {"sise", "size", true}, {"siz", "size", true}, {"siez", "size", true}, {"min-task", "min_task", true},
		{"mintask", "min_task", true}, {"", "on", true}, {"some", "size", false}, {"colour", "size", false}, {"사이즈", "size", false},
	} {
		if got := alike(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: %t", tt.a, tt.b, got)
		}
	}
}

// FuzzSettings: any file gives settings that work or an error, and what is told of it
// names a line of the file.
func FuzzSettings(f *testing.F) {
	f.Add(template)
	f.Add(fullTemplate())
	for _, file := range []string{"", "Size = 60\n[Show]\nwhen='never'", "agent_pets = {a.b = 1}", "[[show]]\n", "a.'b\n", "\ufeff\"\\u0000\" = 1\r\n", "size = 9999999999999999999"} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, odd, err := parseSettings(file)
		if again := s.check(nil); again != nil {
			t.Errorf("%v, %v", again, err)
		}
		r, lines := reading{file, s, odd, err}, strings.Count(string(file), "\n")+1
		for _, p := range odd {
			if p.line < 0 || p.line > lines {
				t.Errorf("%s: there are %d lines", p, lines)
			}
		}
		var listed strings.Builder
		for _, e := range r.inEffect(os.Getenv) {
			listed.WriteString(e.key + " = " + e.value + "\n")
		}
		for _, key := range []string{"version", "language", "theme", "size", "motion", "show.when", "notifications.min_task", "lifetimes.done"} {
			if !strings.Contains("\n"+listed.String(), "\n"+key+" = ") {
				t.Errorf("%s is not listed in\n%s", key, &listed)
			}
		}
	})
}
