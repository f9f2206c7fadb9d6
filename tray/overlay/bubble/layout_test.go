package bubble

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-text/typesetting/shaping"
)

// linesOf is what each line of a bubble shows, as it is read.
func linesOf(f *Fonts, text string, s Style) (lines []string) {
	runes := prepare(text)
	for _, line := range f.layout(Content{Text: text}, measuresFor(s.Scale), s).paragraphs[0].lines {
		line = slices.Clone(line)
		slices.SortStableFunc(line, func(a, b shaping.Output) int { return a.Runes.Offset - b.Runes.Offset })
		var b strings.Builder
		for _, run := range line {
			b.WriteString(string(append(runes, ellipsis)[run.Runes.Offset:][:run.Runes.Count]))
		}
		lines = append(lines, b.String())
	}
	return lines
}

// seen is the runs of a line from left to right, each as it is written.
func seen(f *Fonts, text string, s Style) (runs []string) {
	runes := append(prepare(text), ellipsis)
	for _, run := range f.layout(Content{Text: text}, measuresFor(s.Scale), s).paragraphs[0].lines[0] {
		runs = append(runs, strings.TrimSpace(string(runes[run.Runes.Offset:][:run.Runes.Count])))
	}
	return slices.DeleteFunc(runs, func(s string) bool { return s == "" })
}

func TestLines(t *testing.T) {
	narrow := Style{MaxWidth: 150}
	for _, test := range []struct {
		name, text string
		style      Style
		want       []string
	}{
		{"one line", "Short and sweet", Style{}, []string{"Short and sweet"}},
		{"about equal lines", "It takes somewhat more than a single line to say this.", Style{}, []string{"It takes somewhat more", "than a single line to say this."}},
		{"no word is torn for that", "a b c d e f g h i j k l m n o p q r s t u v w extraordinarily", Style{}, []string{"a b c d e f g h i j k l m n o p", "q r s t u v w extraordinarily"}},
		{"a word too long for any line", "x " + strings.Repeat("y", 30), narrow, []string{"x", "yyyyyyyyyyyyyyyy", "yyyyyyyyyyyyyy"}},
		{"an ellipsis replaces the rest", strings.Repeat("word ", 40), Style{MaxWidth: 150, MaxHeight: 80}, []string{"word word word", "word word word…"}},
		{"and takes the space before it", "one two three four five six", Style{MaxWidth: 126, MaxHeight: 50}, []string{"one two thre…"}},
		{"white space", "  word1\tword2\r\u00a0 word3  ", Style{}, []string{"word1 word2 word3"}},
		{"Korean words stay whole", "확인이 필요한 명령이 여러 개 있습니다 허락해 주시겠어요", narrow, []string{"확인이 필요한 명령이", "여러 개 있습니다", "허락해 주시겠어요"}},
		{"with their particles", "그리고 정말로 Bash를 실행", Style{MaxWidth: 145}, []string{"그리고 정말로", "Bash를 실행"}},
		{"until one is too long", strings.Repeat("한", 15), Style{MaxWidth: 124}, []string{"한한한한한한한한한한", "한한한한한"}},
		{"Japanese breaks anywhere but before a stop", "あああああああああああ。", Style{MaxWidth: 134}, []string{"ああああああ", "あああああ。"}},
		{"Thai breaks before a leading vowel", "ประเทศไทยเป็นประเทศ", Style{MaxWidth: 110}, []string{"ประเทศไทย", "เป็นประเทศ"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			// Boxes stand for what the built-in font lacks: a line's end does
			// not depend on having the font.
			got := linesOf(newFonts(t), test.text, test.style)
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name, text string
		style      Style
		want       []string
	}{
		{"left to right", "one two", Style{}, []string{"one two"}},
		{"a phrase from the right", "say שלום now", Style{}, []string{"say", "שלום", "now"}},
		{"with a number in it", "say שלום 123 עולם now", Style{}, []string{"say", "עולם", "123", "שלום", "now"}},
		{"a paragraph from the right", "שלום file.txt עולם", Style{}, []string{"עולם", "file.txt", "שלום"}},
		{"an ellipsis stands at its end", "שלום עולם שלום עולם שלום", Style{MaxWidth: 120, MaxHeight: 50}, []string{"…", "שלום עולם"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := seen(newFonts(t), test.text, test.style); !slices.Equal(got, test.want) {
				t.Errorf("from left to right: %q, want %q", got, test.want)
			}
		})
	}
}
