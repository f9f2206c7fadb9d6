package bridge

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/playpets/playpets/agents"
)

func texts(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

const family = "👩\u200d👩\u200d👧\u200d👦"

func TestClean(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for in, want := range map[string]string{
		"":                "",
		" \t\r\n\u00a0 ":  "",
		"plain":           "plain",
		"  a \n\r\t b  ":  "a b",
		"a\u2028b\u3000c": "a b c",
		// Control characters go; what follows an escape is text.
		"\x07bell \x1b[31mred\x00":               "bell [31mred",
		"a\u0085b\u009bc":                        "a bc",
		"\u202eevil\u202c \u2066x\u2069 \u200fy": "evil x y",
		"a\u200bb\ufeffc\u00add":                 "abcd",
		"<b>&amp; $HOME `id`":                    "<b>&amp; $HOME `id`",
		"a\xffb":                                 "a\uFFFDb",
		// Composed, and joiners stay where they join.
		"e\u0301":            "é",
		"\u1112\u1161\u11ab": "한",
		family + " 🏳️‍🌈 🇰🇷 1️⃣ 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿": family + " 🏳️‍🌈 🇰🇷 1️⃣ 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
		"می\u200cخواهم": "می\u200cخواهم",
		// Towers of marks.
		"x" + strings.Repeat("\u0323", 10) + "y":    "x" + strings.Repeat("\u0323", 10) + "y",
		"x" + strings.Repeat("\u0323", 10000) + "y": "x" + strings.Repeat("\u0323", 10) + "y",
		// Cut between letters, as a reader sees them.
		x(240):                          x(240),
		x(241):                          x(240),
		x(239) + " yz":                  x(239),
		x(238) + "é😀😀":                  x(238) + "é😀",
		x(239) + "🇰🇷":                   x(239),
		x(239) + family:                 x(239),
		x(233) + family:                 x(233) + family,
		strings.Repeat("한", 241):        strings.Repeat("한", 240),
		strings.Repeat("e\u0301", 240):  strings.Repeat("é", 240),
		strings.Repeat("👩\u200d", 200):  strings.Repeat("👩\u200d", 120),
		x(238) + "\u0e01\u0e34\u0e49z":  x(238), // ก with two marks is one letter
		strings.Repeat(x(79)+"\n\n", 4): x(79) + " " + x(79) + " " + x(79),
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%.80q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// What holds for every text.
func checkClean(t interface{ Errorf(string, ...any) }, in string) {
	got := Clean(in)
	switch {
	case !utf8.ValidString(got):
		t.Errorf("Clean(%q) = %q: not UTF-8", in, got)
	case utf8.RuneCountInString(got) > agents.MaxMessage:
		t.Errorf("Clean(%q): %d code points", in, utf8.RuneCountInString(got))
	case strings.ContainsFunc(got, unicode.IsControl) || strings.ContainsAny(got, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"):
		t.Errorf("Clean(%q) = %q: control characters", in, got)
	case got != strings.Join(strings.Fields(got), " "):
		t.Errorf("Clean(%q) = %q: white space", in, got)
	case !norm.NFC.IsNormalString(got):
		t.Errorf("Clean(%q) = %q: not composed", in, got)
	case Clean(got) != got:
		t.Errorf("Clean(%q) = %q, and again %q", in, got, Clean(got))
	}
}

func TestCleanAnything(t *testing.T) {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"x", " ", "\n", "\x1b", "\u202e", "\u200d", "\u200c", "\ufe0f", "\u0301", "\u0344", "\u034f", "한", "ᄒ", "ᅡ", "ᆫ", "👩", "🏽", "🏴", "\U000e0067", "🇰", "\u09be", "\u09c7", "\xff"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		checkClean(t, strings.Join(rapid.SliceOfN(piece, 0, 400).Draw(t, "pieces"), ""))
	})
}

func TestBubbleTexts(t *testing.T) {
	r := start(t)
	for _, text := range texts(t, "bubble-texts.json") {
		checkClean(t, text)
		body, _ := json.Marshal(map[string]string{"message": text})
		status, reply := r.ask("POST", "/say", string(body))
		if strings.TrimSpace(text) == "" {
			if status != 400 {
				t.Errorf("blank %q: %d", text, status)
			}
			continue
		}
		told := r.app.heard()
		if status != 200 || told[len(told)-1] != "say|"+Clean(text) {
			t.Errorf("%q: %d %s, told %q", text, status, reply, told[len(told)-1])
		}
	}
}

func TestCutTexts(t *testing.T) {
	r := start(t)
	list := texts(t, "cut-240.json")
	want := []string{
		strings.Repeat("é", 239) + "😀",
		strings.Repeat("x", 239),
		strings.Repeat("한", 240),
		strings.Repeat("é", 130), // sent as 260 code points, composed
		strings.Repeat("a", 240),
		strings.Repeat("a", 240),
	}
	if len(list) != len(want) {
		t.Fatalf("%d texts", len(list))
	}
	for i, text := range list {
		checkClean(t, text)
		body, _ := json.Marshal(map[string]string{"state": "done", "message": text})
		if status, reply := r.ask("POST", "/events", string(body)); status != 200 {
			t.Errorf("%q: %d %s", text, status, reply)
		}
		if told := r.app.heard(); told[len(told)-1] != "report|done|"+want[i]+"|||" {
			t.Errorf("%q: told %q", text, told[len(told)-1])
		}
	}
}
