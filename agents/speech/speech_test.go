package speech

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/playpets/playpets/agents"
)

// line is one row of testdata/lines.txt.
type line struct {
	rule Rule // none: it may be said
	text string
}

func lines(tb testing.TB) (all []line) {
	tb.Helper()
	table, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		tb.Fatal(err)
	}
	for row := range bytes.Lines(table) {
		s := strings.TrimSuffix(string(row), "\n")
		if s == "" || strings.HasPrefix(s, "# ") {
			continue
		}
		verdict, rest, _ := strings.Cut(s, " ")
		rule, text, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
		l := line{Rule(rule), strings.TrimLeft(text, " ")}
		if verdict == "pass" {
			l.rule = ""
		}
		if (verdict == "pass") != (rule == "-") || l.text == "" {
			tb.Fatalf("testdata/lines.txt: %q is no row", s)
		}
		all = append(all, l)
	}
	return all
}

// broken is the rule that a message breaks, if any.
func broken(tb testing.TB, message string, limit int) Rule {
	tb.Helper()
	err := Check(message, limit)
	if err == nil {
		return ""
	}
	var r *Refusal
	if !errors.As(err, &r) {
		tb.Fatalf("Check(%q) is %T", message, err)
	}
	return r.Rule
}

func TestLines(t *testing.T) {
	harmless := 0
	all := lines(t)
	for _, l := range all {
		if l.rule == "" {
			harmless++
		}
		if got := broken(t, l.text, OpenPets); got != l.rule {
			t.Errorf("%q: breaks %q, want %q", l.text, got, l.rule)
		}
	}
	if len(all) < 120 || harmless*2 < len(all) {
		t.Errorf("%d lines, %d of them harmless: want 120, and half", len(all), harmless)
	}
}

// TestForms is what a text file cannot show.
func TestForms(t *testing.T) {
	tests := []struct {
		name, message string
		rule          Rule
	}{
		{"nothing", "", Length},
		{"white space", " \n\t ", Length},
		{"nothing to see", "\u200b\u2060", Length},
		{"at the limit", strings.Repeat("가", 140), ""},
		{"at the limit, with space around", "\n " + strings.Repeat("가", 140) + " \r\n", ""},
		{"over the limit", strings.Repeat("가", 141), Length},
		{"emoji over the limit", strings.Repeat("🎉", 141), Length},
		{"huge", strings.Repeat("https://x.y ", 1<<20), Length},
		{"over the limit comes first", strings.Repeat("/tmp\n", 140), Length},
		{"LF", "one\ntwo", Line},
		{"CR", "one\rtwo", Line},
		{"vertical tab", "one\vtwo", Line},
		{"form feed", "one\ftwo", Line},
		{"next line", "one\u0085two", Line},
		{"line separator", "one\u2028two", Line},
		{"paragraph separator", "one\u2029two", Line},
		{"a line break comes before code", "const x = 1\nconst y = 2", Line},
		{"NUL", "one\x00two", Text},
		{"escape", "\x1b[31mred", Text},
		{"tab", "one\ttwo", Text},
		{"C1", "one\u009btwo", Text},
		{"invalid UTF-8", "caf\xe9", Text},
		{"half a letter", "caf\xc3", Text},
		{"replacement", "caf\ufffd", ""},
		{"no-break space", "12\u00a0MB", ""},
		{"family", "👨‍👩‍👧 done", ""},
		{"zero width in a URL", "ht\u200btps:/\u200d/x.y", Place},
		{"marks on a URL", "h\u0332t\u0332t\u0332p\u0332:\u0332/\u0332/\u0332x", Place},
		{"bidi in a path", "/\u202etmp", Place},
		{"soft hyphen in a secret", "pass\u00adword: hunter2", Secret},
		{"tags in code", "const\U000E0061 x = 1", Code},
		{"variation selectors in a key", "AKIA\ufe0fIOSFODNN7EXAMPLE", Secret},
	}
	for _, tt := range tests {
		if got := broken(t, tt.message, OpenPets); got != tt.rule {
			t.Errorf("%s: breaks %q, want %q", tt.name, got, tt.rule)
		}
	}
	if got := broken(t, strings.Repeat("가", PlayPets), PlayPets); got != "" {
		t.Errorf("%d code points break %q", PlayPets, got)
	}
}

// TestSentences: a model reads what to do, and its own words never come back.
func TestSentences(t *testing.T) {
	said := map[Rule]string{}
	for message, want := range map[string]string{
		"":          "Say it in 1 to 140 characters.",
		"zqx\nzqx":  "Say it in one line.",
		"zqx\x00":   "Say it in plain text, without control characters.",
		"zqx => {}": "Say it in words, without code.",
		"/zqx":      "Say it without URLs and paths; the name of a file is fine.",
		"token=zqx": "Say it without passwords, keys and tokens.",
	} {
		err := Check(message, OpenPets)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", message, err, want)
			continue
		}
		said[broken(t, message, OpenPets)] = want
		if broken(t, want, OpenPets) != "" {
			t.Errorf("a friend may not say %q", want)
		}
	}
	for _, rule := range []Rule{Length, Line, Text, Code, Place, Secret} {
		if said[rule] == "" {
			t.Errorf("no message breaks %q", rule)
		}
	}
}

// FuzzCheck: whatever is accepted keeps what the rules promise.
func FuzzCheck(f *testing.F) {
	for _, l := range lines(f) {
		f.Add(l.text)
	}
	f.Add("ht\u200btps:/\u200d/x.y\n\xff")
	f.Fuzz(func(t *testing.T, message string) {
		rule := broken(t, message, OpenPets)
		if again := broken(t, message, OpenPets); again != rule {
			t.Fatalf("breaks %q, then %q", rule, again)
		}
		wide := broken(t, message, PlayPets)
		if rule != wide && rule != Length {
			t.Errorf("breaks %q for OpenPets and %q for PlayPets", rule, wide)
		}
		if rule != "" {
			if !slices.Contains([]Rule{Length, Line, Text, Code, Place, Secret}, rule) {
				t.Errorf("breaks %q", rule)
			}
			return
		}
		trimmed := strings.TrimSpace(message)
		for _, same := range []string{trimmed, " " + message + "\n", agents.Plain(message)} {
			if got := broken(t, same, OpenPets); got != "" {
				t.Errorf("%q passes, %q breaks %q", message, same, got)
			}
		}
		n := utf8.RuneCountInString(trimmed)
		if n < 1 || n > OpenPets || !utf8.ValidString(message) || strings.ContainsAny(trimmed, "\r\n\v\f\u0085\u2028\u2029\x00\x1b") || strings.Contains(message, "://") {
			t.Errorf("%q passes", message)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	message := strings.TrimSpace(strings.Repeat("Editing main.go 12/40, token count: 7 ", 6))
	for b.Loop() {
		if err := Check(message, PlayPets); err != nil {
			b.Fatal(err)
		}
	}
}
