package i18n

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
)

// table reads one language's file: key → plural form → sentence.
func table(t *testing.T, lang string) map[string]map[string]string {
	t.Helper()
	data, err := files.ReadFile(lang + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := goi18n.ParseMessageBytes(data, toml.Unmarshal)
	if err != nil {
		t.Fatalf("%s.toml: %v", lang, err)
	}
	all := map[string]map[string]string{}
	for _, m := range messages {
		forms := map[string]string{"one": m.One, "other": m.Other, "zero": m.Zero, "two": m.Two, "few": m.Few, "many": m.Many}
		maps.DeleteFunc(forms, func(_, s string) bool { return s == "" })
		all[m.ID] = forms
	}
	return all
}

var placeholder = regexp.MustCompile(`\{\{\s*\.(\w+)\s*\}\}`)

func placeholders(s string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

func TestEveryKeyInEveryLanguage(t *testing.T) {
	english := table(t, "en")
	for _, l := range Languages() {
		local := table(t, l.Code)
		for key, forms := range english {
			want := placeholders(forms["other"])
			if local[key]["other"] == "" {
				t.Errorf("%s: %s has no sentence", l.Code, key)
			}
			for form, s := range local[key] {
				if strings.TrimSpace(s) != s {
					t.Errorf("%s: %s.%s has space around it: %q", l.Code, key, form, s)
				}
				if n := utf8.RuneCountInString(s); n > 100 {
					t.Errorf("%s: %s.%s has %d characters, more than 100", l.Code, key, form, n)
				}
				if got := placeholders(s); !slices.Equal(got, want) {
					t.Errorf("%s: %s.%s has placeholders %v, English has %v", l.Code, key, form, got, want)
				}
				if strings.Count(s, "{{") != len(want) {
					t.Errorf("%s: %s.%s has a template that is not a placeholder: %q", l.Code, key, form, s)
				}
			}
		}
		for key := range local {
			if english[key] == nil {
				t.Errorf("%s: %s is not a key of English", l.Code, key)
			}
		}
	}
}

// TestEveryRow walks the tables of the code against the file.
func TestEveryRow(t *testing.T) {
	english := table(t, "en")
	used := map[string]bool{"sessions": true}
	for name, c := range codes {
		used[c.key] = true
		if got := placeholders(english[c.key]["other"]); len(got) > 1 || strings.Join(got, "") != c.slot {
			t.Errorf("%s fills %q, its sentence has %v", name, c.slot, got)
		}
		if (c.slot == "") != (c.bare == "") || (c.slot == "") != (c.tidy == nil) {
			t.Errorf("%s: slot, tidy and bare go together", name)
		}
		if c.bare != "" && english[c.bare] == nil {
			t.Errorf("%s: no key %s", name, c.bare)
		}
	}
	for _, key := range own {
		used[key] = true
	}
	for key := range english {
		if !used[key] && !spoken(t, key) {
			t.Errorf("nothing says %s", key)
		}
	}
}

// spoken reports whether the app's own code asks for a key: whole, or its first
// part and, in a table of its own, the last.
func spoken(t *testing.T, key string) bool {
	t.Helper()
	sources, err := filepath.Glob("../tray/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("the app's code: %q, %v", sources, err)
	}
	var code []byte
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, text...)
	}
	says := func(s string) bool { return bytes.Contains(code, []byte(`"`+s+`"`)) }
	table, name, _ := strings.Cut(key, ".")
	return says(key) || says(table+".") && (table == "doing" || says(name))
}

// TestEveryFile keeps files and Languages together.
func TestEveryFile(t *testing.T) {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, l := range Languages() {
		want = append(want, l.Code+".toml")
		if l.Name == "" {
			t.Errorf("%s has no name", l.Code)
		}
	}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("files %v, languages %v", names, want)
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct{ lang, want string }{
		{"ko", "ko"},
		{"ko-KR", "ko"},
		{"ko_KR.UTF-8", "ko"},
		{"ko_KR.eucKR@hanja", "ko"},
		{"KO", "ko"},
		{"en", "en"},
		{"en_GB.UTF-8", "en"},
		{"ja_JP.UTF-8", "en"},
		{"zh-Hant-TW", "en"},
		{"ja:ko", "ko"},
		{"ja:en:ko", "en"},
		{"fr-FR:ko-KR:en-US", "ko"},
		{"", "en"},
		{"C", "en"},
		{"POSIX", "en"},
		{"UTF-8", "en"},
		{"xx", "en"},
		{"klingon of the deepest kind", "en"},
		{":::", "en"},
		{"::ko", "ko"},
	} {
		if got := New(tt.lang).Lang(); got != tt.want {
			t.Errorf("New(%q) speaks %q, want %q", tt.lang, got, tt.want)
		}
	}
}

func TestLabelCounts(t *testing.T) {
	for _, tt := range []struct {
		lang  string
		count int
		want  string
	}{
		{"en", 0, "0 sessions"},
		{"en", 1, "1 session"},
		{"en", 2, "2 sessions"},
		{"ko", 1, "세션 1개"},
		{"ko", 2, "세션 2개"},
	} {
		if got := New(tt.lang).Label("sessions", map[string]any{"Count": tt.count}); got != tt.want {
			t.Errorf("%s, %d: %q, want %q", tt.lang, tt.count, got, tt.want)
		}
	}
	for _, l := range Languages() {
		for n := range 200 {
			if s := New(l.Code).Label("sessions", map[string]any{"Count": n}); !strings.Contains(s, strconv.Itoa(n)) {
				t.Fatalf("%s: %q does not say %d", l.Code, s, n)
			}
		}
	}
}

func TestLabelUnknown(t *testing.T) {
	if got := New("ko").Label("no.such.key", nil); got != "no.such.key" {
		t.Errorf("got %q", got)
	}
}

// TestConcurrentFirstUse has many goroutines meet the lazy parsing.
func TestConcurrentFirstUse(t *testing.T) {
	tr := New("ko")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if got := tr.Sentence("working", "@tool Bash"); got != "Bash 쓰는 중…" {
				t.Errorf("got %q", got)
			}
		})
	}
	wg.Wait()
}
