package bubble

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
)

// preferred lists, for a tag, the families to take first: what each desktop
// uses for its own labels. Names are as font.NormalizeFamily makes them; a star
// stands for any ending.
var preferred = map[string][]string{
	tagEmoji: {"notocoloremoji", "applecoloremoji", "segoeuiemoji", "twemoji*", "*emoji*"},
	"ko":     {"notosanscjkkr", "notosanskr", "applesdgothicneo", "malgungothic", "nanumgothic", "*cjkkr"},
	"ja":     {"notosanscjkjp", "notosansjp", "hiraginosans", "yugothicui", "meiryo", "ipa*gothic", "*cjkjp"},
	"zh-cn":  {"notosanscjksc", "notosanssc", "pingfangsc", "microsoftyaheiui", "microsoftyahei", "wenquanyi*", "*cjksc"},
	"zh-tw":  {"notosanscjktc", "notosanstc", "pingfangtc", "microsoftjhengheiui", "microsoftjhenghei", "*cjktc"},
}

// others are preferred for every other tag.
var others = []string{"notosans*", "segoeui*", "leelawadeeui", "nirmalaui", "geezapro", "arialhebrew", "thonburi", "kohinoor*", "dejavusans", "*sans*"}

// find returns the best face with every rune of w, or nil.
//
// fontscan.FontMap is not used: it answers rune by rune, where a cluster must
// not be torn; it cannot be told the person's language, which Han characters
// depend on; and it returns any face at all when none fits.
func (s *system) find(w want, log *slog.Logger) *font.Face {
	var fits []fontscan.Footprint
	for _, fp := range s.index {
		if rank(fp, w.tag) < unusable && containsAll(fp.Runes, w.runes) {
			fits = append(fits, fp)
		}
	}
	slices.SortStableFunc(fits, func(a, b fontscan.Footprint) int {
		return cmp.Or(rank(a, w.tag)-rank(b, w.tag), len(a.Family)-len(b.Family))
	})
	for _, fp := range fits {
		// The index may be older than the file.
		if face := s.open(fp.Location, log); face != nil && covers(face, w.runes) {
			return face
		}
	}
	return nil
}

const unusable = math.MaxInt

// rank orders fonts for a tag, best first: by family, then by how far they are
// from a plain regular.
func rank(fp fontscan.Footprint, tag string) int {
	if fp.Family == "lastresort" || strings.Contains(fp.Family, "blank") {
		return unusable // they have every rune, and a box for each
	}
	list, ok := preferred[tag]
	if !ok {
		list = others
	}
	family := slices.IndexFunc(list, func(pattern string) bool { return matches(pattern, fp.Family) })
	if family < 0 {
		family = len(list)
	}
	score := family * 10
	if strings.Contains(fp.Family, "mono") || strings.Contains(fp.Family, "serif") {
		score += 300
	}
	if strings.Contains(fp.Family, "emoji") != (tag == tagEmoji) {
		score += 1000
	}
	if fp.Aspect.Style != font.StyleNormal || fp.Aspect.Stretch != font.StretchNormal {
		score += 4
	}
	return score + int(math.Abs(float64(fp.Aspect.Weight-font.WeightNormal)))/150
}

// matches reports whether name is pattern, whose stars stand for any text.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	for _, part := range parts[1:] {
		var found bool
		_, rest, found = strings.Cut(rest, part)
		ok = ok && found
		if part == "" {
			rest = ""
		}
	}
	return ok && rest == ""
}

func containsAll(set fontscan.RuneSet, runes string) bool {
	for _, r := range runes {
		if !set.Contains(r) {
			return false
		}
	}
	return true
}

// open reads a face once; nil if it cannot be read.
func (s *system) open(at fontscan.Location, log *slog.Logger) *font.Face {
	face, ok := s.files[at]
	if ok {
		return face
	}
	face, err := readFace(at)
	if err != nil {
		log.Warn("font left out", "file", at.File, "error", err)
	}
	s.files[at] = face
	return face
}

func readFace(at fontscan.Location) (_ *font.Face, err error) {
	defer recovered(&err)
	file, err := os.Open(at.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	loaders, err := opentype.NewLoaders(file)
	if err != nil {
		return nil, err
	}
	if int(at.Index) >= len(loaders) {
		return nil, fmt.Errorf("no face %d in it", at.Index)
	}
	f, err := font.NewFont(loaders[at.Index])
	if err != nil {
		return nil, err
	}
	return font.NewFace(f), nil
}

// recovered turns a panic into an error: font files come from anywhere, and
// the font library trusts their offsets now and then.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the font library stumbled: %v", p)
	}
}
