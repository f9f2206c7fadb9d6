package agents

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"white space", " line1\nline2\r\n\tline3\u2028 line4\u00a0", "line1 line2 line3 line4"},
		{"controls", "bell\a \x1b[31mred\x7f\u0085x", "bell [31mred x"},
		{"bidi", "\u202eevil\u202c \u2066x\u2069\u200f", "evil x"},
		{"zero width", "\ufeffa\u200bb\u2060c\u00add", "abcd"},
		{"blank", " \u200b\u3164\u200d ", ""},
		{"invalid UTF-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"replacement", "before \ufffd middle", "before \ufffd middle"},
		{"family", "👩‍👩‍👧‍👦🏳️‍🌈1️⃣👍🏽", "👩‍👩‍👧‍👦🏳️‍🌈1️⃣👍🏽"},
		{"Wales", "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F", "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F"},
		{"hidden tags", "hi\U000E0068\U000E0069", "hi"},
		{"hidden selectors", "a\ufe01\ufe02\ufe03", "a\ufe01"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Arabic number sign", "\u0600١", "\u0600١"},
		{"markup", "<b>%s</b> {{x}} `id`", "<b>%s</b> {{x}} `id`"},
		{"Korean", "끝났어요", "끝났어요"},
	}
	for _, tt := range tests {
		if got := Plain(tt.in); got != tt.want {
			t.Errorf("%s: Plain(%+q) = %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
		if got := Plain(Plain(tt.in)); got != tt.want {
			t.Errorf("%s: twice gives %+q", tt.name, got)
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc"},
		{"ab cd", 3, "ab"},
		{"ae\u0301x", 2, "a"},
		{"a👍🏽", 2, "a"},
		{"a👩‍👧!", 2, "a"},
		{"a👩‍👧!", 3, "a"},
		{"a👩‍👧!", 4, "a👩‍👧"},
		{"🇰🇷🇰🇷", 3, "🇰🇷"},
		{"🇰🇷🇰🇷x", 2, "🇰🇷"},
		{"e" + strings.Repeat("\u0301", 9), 3, "e\u0301\u0301"},
	}
	for _, tt := range tests {
		if got := cut(tt.in, tt.n); got != tt.want {
			t.Errorf("cut(%+q, %d) = %+q, want %+q", tt.in, tt.n, got, tt.want)
		}
	}
}
