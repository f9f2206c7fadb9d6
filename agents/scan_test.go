package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// probe is a payload that shows what the scanner found.
type probe struct {
	text, first string
	begins      bool
	any         bool
	scanner     scanner
}

func newProbe() *probe {
	p := &probe{}
	p.scanner.fields = []field{
		{path: []string{"text"}, text: &p.text},
		{path: []string{"list", "[0]"}, text: &p.first},
		{path: []string{"list", "[0]"}, flag: &p.begins, prefix: "be"},
		{path: []string{"list", "[]", "is"}, flag: &p.any, prefix: "on"},
	}
	return p
}

// found is what there is to find: text, first, and b or a for the flags; "" is
// no object.
func (p *probe) found() string {
	if !p.scanner.whole() {
		return ""
	}
	found := p.text + "|" + p.first + "|"
	if p.begins {
		found += "b"
	}
	if p.any {
		found += "a"
	}
	return found
}

func TestScan(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", `{"text":"x"}`, "x||"},
		{"all", `{"list":["before",{"is":"on"}],"text":"x"}`, "x|before|ba"},
		{"spread", "\r\n\t{ \"text\" :\r\n \"x\" , \"n\" : 1 }\n", "x||"},
		{"escapes", `{"text":"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00"}`, "\"\\/\b\f\n\r\tA😀||"},
		{"escaped key", `{"te\u0078t":"x"}`, "x||"},
		{"lone surrogates", `{"text":"a \ud83d b \udc00 c\ude00\ud83d"}`, "a \ufffd b \ufffd c\ufffd\ufffd||"},
		{"lone, then a pair", `{"text":"\ud83d\ud83d\ude00"}`, "\ufffd😀||"},
		{"lone, then an escape", `{"text":"\ud83d\n"}`, "\ufffd\n||"},
		{"raw control characters", "{\"text\":\"a\tb\nc\x01\"}", "a\tb\nc\x01||"},
		{"invalid UTF-8", "{\"text\":\"a\xff\xfe\"}", "a\ufffd\ufffd||"},
		{"unknown escapes", `{"text":"C:\demo\users\u12"}`, `C:\demo\users\u12||`},
		{"trailing garbage", `{"text":"x"} }{"text":"y"}`, "x||"},
		{"last one counts", `{"text":"x","text":"y"}`, "y||"},
		{"last one counts, whatever it is", `{"text":"x","text":{}}`, "||"},
		{"first of nothing", `{"list":[]}`, "||"},
		{"first is no text", `{"list":[1,"be"]}`, "||"},
		{"wrong types", `{"text":7,"list":"be"}`, "||"},
		{"null", `{"text":null,"list":null}`, "||"},
		{"only the top level", `{"a":{"text":"x","list":["be"]},"b":[{"text":"y"}]}`, "||"},
		{"quotes and brackets in strings", `{"a":"}\\\"]}","b":["\"}"],"text":"x"}`, "x||"},
		{"a comma too many", `{"list":["a",],"text":"x",}`, "x|a|"},
		{"byte order mark", "\xEF\xBB\xBF{\"text\":\"x\"}", "x||"},
		{"two of them", "\xEF\xBB\xBF\xEF\xBB\xBF{\"text\":\"x\"}", "x||"},
		{"one through a code page", "∩╗┐{\"text\":\"x\"}", "x||"},
		{"one through an ASCII pipe", "?{\"text\":\"x\"}", "x||"},
		{"cut in a value", `{"text":"x`, ""},
		{"cut before the end", `{"text":"x"`, ""},
		{"cut in a skipped value", `{"text":"x","a":[{`, ""},
		{"nothing", "", ""},
		{"array", `[{"text":"x"}]`, ""},
		{"string", `"text"`, ""},
		{"number", "7", ""},
		{"null alone", "null", ""},
		{"words", `usage: {"text":"x"}`, ""},
		{"no colon", `{"text" "x"}`, ""},
		{"no comma", `{"a":"b" "text":"x"}`, ""},
		{"bare key", `{text:"x"}`, ""},
		{"wrong bracket", `{"text":"x"]`, ""},
		{"wrong bracket inside", `{"list":["x"}`, ""},
		{"deep", `{"a":` + strings.Repeat(`[{"b":`, 3000) + "1" + strings.Repeat("}]", 3000) + `,"text":"x"}`, "x||"},
		{"long", `{"a":"` + strings.Repeat(`line \"é😀\" \\\n`, 3000) + `","text":"x"}`, "x||"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 7, 4096, len(tt.in) + 1} {
				if got := scanInPieces(tt.in, size); got != tt.want {
					t.Errorf("in pieces of %d: found %q, want %q", size, got, tt.want)
				}
			}
			wide := utf16.Encode([]rune(tt.in))
			if strings.IndexByte(tt.in, 0xff) >= 0 || len(wide) < 2 || wide[0] >= 0x100 {
				return // nothing that UTF-16 could say
			}
			for name, in := range map[string]string{
				"little": bytesOf(wide, 0), "big": bytesOf(wide, 1),
				"little, marked": "\xFF\xFE" + bytesOf(wide, 0), "big, marked": "\xFE\xFF" + bytesOf(wide, 1),
			} {
				for _, size := range []int{1, 3, len(in)} {
					if got := scanInPieces(in, size); got != tt.want {
						t.Errorf("UTF-16 %s, in pieces of %d: found %q, want %q", name, size, got, tt.want)
					}
				}
			}
		})
	}
}

func scanInPieces(in string, size int) string {
	p := newProbe()
	for len(in) > 0 {
		n := min(size, len(in))
		p.scanner.feed([]byte(in[:n]))
		in = in[n:]
	}
	return p.found()
}

// bytesOf spells code units, with the high byte at index high of each.
func bytesOf(units []uint16, low int) string {
	b := make([]byte, 2*len(units))
	for i, u := range units {
		b[2*i+low] = byte(u)
		b[2*i+1-low] = byte(u >> 8)
	}
	return string(b)
}

func TestScanWideSurrogates(t *testing.T) {
	units := append(utf16.Encode([]rune(`{"text":"`)), 0xD83D, 'x', 0xDC00, 0xD83D, 0xDE00)
	units = append(units, utf16.Encode([]rune(`"}`))...)
	for _, size := range []int{1, 2, 5, 100} {
		if got, want := scanInPieces(bytesOf(units, 0), size), "\ufffdx\ufffd😀||"; got != want {
			t.Errorf("in pieces of %d: found %q, want %q", size, got, want)
		}
	}
}

// TestScanKeepsLittle: of a long string the beginning is kept, wherever the
// limit falls.
func TestScanKeepsLittle(t *testing.T) {
	for _, unit := range []string{"x", "é", "😀", `\"`, `\\`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\u1\"`, "\xff"} {
		for shift := range 4 {
			in := `{"text":"` + strings.Repeat("x", shift) + strings.Repeat(unit, maxText) + `\\","list":["f"]}`
			for _, size := range []int{1, 5, len(in)} {
				p := newProbe()
				for rest := in; len(rest) > 0; {
					n := min(size, len(rest))
					p.scanner.feed([]byte(rest[:n]))
					rest = rest[n:]
				}
				if !p.scanner.whole() || p.first != "f" {
					t.Fatalf("%q: lost the thread", unit)
				}
				if n := len(p.text); n < maxText-8 || n > 3*maxText {
					t.Errorf("%q: kept %d bytes", unit, n)
				}
				one := newProbe()
				one.scanner.feed([]byte(`{"text":"` + unit + `"}`))
				if want := strings.Repeat("x", shift) + strings.Repeat(one.text, maxText); !strings.HasPrefix(want, p.text) {
					t.Errorf("%q: kept something else: …%q", unit, p.text[len(p.text)-20:])
				}
			}
		}
	}
}

// TestFeedTellsWhenItHasEnough, so that a hook need not wait for the end of a
// stream that never ends.
func TestFeedTellsWhenItHasEnough(t *testing.T) {
	for in, want := range map[string]bool{
		`{"text":"x"}`: true, `[`: false, `[ `: true, `{"text":"x"`: false, `{"a" 1`: true,
	} {
		p := newProbe()
		if got := p.scanner.feed([]byte(in)); got != want {
			t.Errorf("%s: enough %v, want %v", in, got, want)
		}
	}
}

func BenchmarkScanLarge(b *testing.B) {
	in := []byte(`{"a":"` + strings.Repeat(`line of \"text\" é😀\n`, 130000) + `","text":"x"}`)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		p := newProbe()
		if p.scanner.feed(in); p.text != "x" {
			b.Fatal(p.found())
		}
	}
}

func seeds(f *testing.F) {
	files, err := filepath.Glob("testdata/payloads/*/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no payloads", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		`{"text":"\ud83d","list":["be",{"is":"on"}]}`, `{"text":1,"text":"x"}`, `{"list":[{"is":"off"}]}`,
		"{\"text\":\"a\xff\"}", "\xff\xfe{\x00}\x00", `{"[0]":"x","list":{"[0]":"be"}}`, `{"text":"\`,
	} {
		f.Add([]byte(s))
	}
}
