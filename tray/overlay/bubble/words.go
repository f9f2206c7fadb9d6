package bubble

import (
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// breaks tells, for each rune, whether a line may begin with it: by the general
// rules (Unicode Standard Annex 14), and by what they leave to the language.
// Thai and Lao have no spaces between words, but a vowel that is written before
// its consonant always begins a syllable. Korean has spaces, and its readers
// expect lines to break there.
func breaks(text []rune) []bool {
	may := make([]bool, len(text))
	var seg segmenter.Segmenter
	seg.Init(text)
	for it := seg.LineIterator(); it.Next(); {
		may[it.Line().Offset] = true
	}
	for i := 1; i < len(text); i++ {
		before, r := text[i-1], text[i]
		switch {
		case beginsSyllable(r) && !beginsSyllable(before) && unicode.In(before, unicode.Thai, unicode.Lao):
			may[i] = true
		case inKoreanWord(before, r):
			may[i] = false
		}
	}
	return may
}

// beginsSyllable reports whether r is a vowel that Thai or Lao writes before
// its consonant.
func beginsSyllable(r rune) bool {
	return 0x0E40 <= r && r <= 0x0E44 || 0x0EC0 <= r && r <= 0x0EC4
}

// inKoreanWord reports whether a and b, one of which is a Hangul syllable, are
// letters or digits of one word.
func inKoreanWord(a, b rune) bool {
	syllable := func(r rune) bool { return 0xAC00 <= r && r <= 0xD7A3 }
	letter := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	return (syllable(a) || syllable(b)) && letter(a) && letter(b)
}
