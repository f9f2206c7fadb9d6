package bubble

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"
	"github.com/rivo/uniseg"
)

// A cluster is one character as a person counts them (a grapheme cluster): it
// is drawn with one face, never with two.
type cluster struct {
	start int    // of its runes in the text
	runes []rune // as they stand in the text
	need  string // those that a face must have; empty for spaces
	tag   string // whom to ask for a face: a script, a language of Han characters, or tagEmoji
	own   bool   // the script is its own, not its neighbour's
}

const tagEmoji = "emoji"

// split cuts text into clusters. lang is the person's language.
func split(text []rune, lang string) []cluster {
	var seg segmenter.Segmenter
	seg.Init(text)
	var clusters []cluster
	for it := seg.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		c := cluster{start: g.Offset, runes: g.Text, need: needed(g.Text)}
		if wantsEmoji(g.Text) {
			c.tag, c.need = tagEmoji, neededEmoji(g.Text)
		} else if s := scriptOf(g.Text); s != language.Common {
			c.tag, c.own = s.String(), true
		}
		clusters = append(clusters, c)
	}
	inherit(clusters)
	unifyHan(clusters, lang)
	return clusters
}

// needed is the runes of a cluster that leave ink.
func needed(runes []rune) string {
	var b strings.Builder
	for _, r := range runes {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// neededEmoji is the runes that the emoji font must have: without the others (a
// skin tone, the rest of a family) it still shows what is meant.
func neededEmoji(runes []rune) string {
	const keycap = '\u20E3'
	if slices.Contains(runes, keycap) {
		return string([]rune{runes[0], keycap})
	}
	return string(runes[0])
}

func scriptOf(runes []rune) language.Script {
	for _, r := range runes {
		if s := language.LookupScript(r); s.Strong() {
			return s
		}
	}
	return language.Common
}

// wantsEmoji reports whether a cluster is shown as an emoji: by a selector, a
// skin tone, as a flag, or because its first rune has emoji presentation.
// See Unicode Technical Standard 51, section 4.
func wantsEmoji(runes []rune) bool {
	for _, r := range runes {
		switch {
		case r == 0xFE0E:
			return false
		case r == 0xFE0F, 0x1F3FB <= r && r <= 0x1F3FF, 0x1F1E6 <= r && r <= 0x1F1FF:
			return true
		}
	}
	r := runes[0]
	// uniseg does not export the property, but counts such runes as two
	// cells wide; in these blocks little else is.
	symbol := 0x2300 <= r && r < 0x2C00 || 0x1F000 <= r && r < 0x1FB00
	return symbol && uniseg.StringWidth(string(r)) == 2
}

// inherit gives punctuation and symbols the script of the text before them,
// or, at the start, of the text after.
func inherit(clusters []cluster) {
	tag := ""
	for i := range clusters {
		if clusters[i].own {
			tag = clusters[i].tag
		} else if clusters[i].tag == "" {
			clusters[i].tag = tag
		}
	}
	for i := len(clusters) - 1; i >= 0; i-- {
		if clusters[i].own {
			tag = clusters[i].tag
		} else if clusters[i].tag == "" {
			clusters[i].tag = tag
		}
	}
}

// unifyHan replaces the scripts of Chinese, Japanese and Korean by one
// language, so that one face of one style draws them all. Kana and Hangul tell
// the language; Han characters alone, or both, leave it to the person's.
func unifyHan(clusters []cluster, lang string) {
	kana, hangul := false, false
	for _, c := range clusters {
		kana = kana || c.tag == "Hira" || c.tag == "Kana"
		hangul = hangul || c.tag == "Hang"
	}
	tag := hanLanguage(lang)
	switch {
	case kana && !(hangul && tag == "ko"):
		tag = "ja"
	case hangul:
		tag = "ko"
	}
	for i := range clusters {
		switch clusters[i].tag {
		case "Hira", "Kana", "Hang", "Hani", "Bopo":
			clusters[i].tag = tag
		}
	}
}

// isHan reports whether a tag is a language of Han characters.
func isHan(tag string) bool { return tag == "ja" || tag == "ko" || tag == "zh-cn" || tag == "zh-tw" }

// hanLanguage is the language whose forms of Han characters a person reads.
func hanLanguage(lang string) string {
	lang = strings.ToLower(strings.ReplaceAll(lang, "_", "-"))
	switch {
	case strings.HasPrefix(lang, "ja"), strings.HasPrefix(lang, "ko"):
		return lang[:2]
	case strings.HasPrefix(lang, "zh-tw"), strings.HasPrefix(lang, "zh-hk"), strings.HasPrefix(lang, "zh-mo"), strings.HasPrefix(lang, "zh-hant"):
		return "zh-tw"
	}
	return "zh-cn"
}
