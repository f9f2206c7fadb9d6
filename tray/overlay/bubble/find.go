package bubble

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// system is what was read of the system's fonts. The answers belong to the
// holder of Fonts.mu, the rest to that of Fonts.loading.
type system struct {
	index   []*installed              // nil until needed
	orders  map[string][]*installed   // the index, best first, by tag
	cmaps   map[*installed]font.Cmap  // nil for a file that cannot be read
	faces   map[*installed]*font.Face // likewise
	answers map[want]*font.Face       // nil where no font has it
}

// A want is a question to the system: a face for these runes. The tag is a
// script, a language of Han characters, or tagEmoji.
type want struct{ tag, runes string }

// preferred lists, for a tag, the families to take first: those of which
// desktops make their own labels. Names are as font.NormalizeFamily makes them;
// a star stands for any text.
var preferred = map[string][]string{
	tagEmoji: {"notocoloremoji", "applecoloremoji", "segoeuiemoji", "twemoji*", "*emoji*"},
	"ko":     {"notosanscjkkr", "notosanskr", "applesdgothicneo", "malgungothic", "nanumgothic", "*cjkkr"},
	"ja":     {"notosanscjkjp", "notosansjp", "hiraginosans", "yugothicui", "meiryo", "ipa*gothic", "*cjkjp"},
	"zh-cn":  {"notosanscjksc", "notosanssc", "pingfangsc", "microsoftyaheiui", "microsoftyahei", "wenquanyi*", "*cjksc"},
	"zh-tw":  {"notosanscjktc", "notosanstc", "pingfangtc", "microsoftjhengheiui", "microsoftjhenghei", "*cjktc"},
}

// preferredElse is for every other tag.
var preferredElse = []string{"notosans*", "segoeui*", "leelawadeeui", "nirmalaui", "geezapro", "arialhebrew", "thonburi", "kohinoor*", "dejavusans", "*sans*"}

// find returns the best face with every rune of w, or nil.
//
// fontscan.FontMap is not used: it answers rune by rune, where a cluster must
// not be torn; it cannot be told the person's language, on which Han characters
// depend; and when nothing fits it returns any face.
func (s *system) find(w want, log *slog.Logger) *font.Face {
	for _, in := range s.order(w.tag) {
		if s.has(in, w.runes) {
			if face := s.face(in, log); face != nil {
				return face
			}
		}
	}
	return nil
}

// order is the usable faces for a tag, best first.
func (s *system) order(tag string) []*installed {
	if order, ok := s.orders[tag]; ok {
		return order
	}
	ranks := make(map[*installed]int, len(s.index))
	for _, in := range s.index {
		if r := rank(in, tag); r != unusable {
			ranks[in] = r
		}
	}
	order := slices.SortedFunc(maps.Keys(ranks), func(a, b *installed) int {
		return cmp.Or(ranks[a]-ranks[b], len(a.about.Family)-len(b.about.Family), strings.Compare(a.file, b.file), a.index-b.index)
	})
	s.orders[tag] = order
	return order
}

const unusable = math.MaxInt32

// rank orders fonts for a tag, best first: by family, then by how far they are
// from a plain regular.
func rank(in *installed, tag string) int {
	family, aspect := in.about.Family, in.about.Aspect
	if family == "lastresort" || strings.Contains(family, "blank") {
		return unusable // they have every rune, and a box for each
	}
	list, ok := preferred[tag]
	if !ok {
		list = preferredElse
	}
	first := slices.IndexFunc(list, func(pattern string) bool {
		ok, _ := path.Match(pattern, family)
		return ok
	})
	if first < 0 {
		first = len(list)
	}
	score := first * 10
	if strings.Contains(family, "mono") || strings.Contains(family, "serif") {
		score += 300
	}
	if strings.Contains(family, "emoji") != (tag == tagEmoji) {
		score += 1000
	}
	if aspect.Style != font.StyleNormal || aspect.Stretch != font.StretchNormal {
		score += 4
	}
	return score + int(math.Abs(float64(aspect.Weight-font.WeightNormal)))/150
}

// has reports whether a face has every one of the runes. Only the table that
// says so is read.
func (s *system) has(in *installed, runes string) bool {
	cmap, ok := s.cmaps[in]
	if !ok {
		cmap, _ = readCmap(in)
		s.cmaps[in] = cmap
	}
	return cmap != nil && covers(cmap, runes)
}

func readCmap(in *installed) (cmap font.Cmap, err error) {
	err = openFace(in, func(loader *opentype.Loader) error {
		raw, err := loader.RawTable(opentype.MustNewTag("cmap"))
		if err != nil {
			return err
		}
		table, _, err := tables.ParseCmap(raw)
		if err != nil {
			return err
		}
		cmap, _, err = font.ProcessCmap(table, tables.FPNone)
		return err
	})
	return cmap, err
}

// face reads a face, once.
func (s *system) face(in *installed, log *slog.Logger) *font.Face {
	if face, ok := s.faces[in]; ok {
		return face
	}
	err := openFace(in, func(loader *opentype.Loader) error {
		f, err := font.NewFont(loader)
		if err == nil && f.Upem() > 0 {
			s.faces[in] = font.NewFace(f)
		}
		return err
	})
	if err != nil {
		s.faces[in] = nil
		log.Warn("font left out", "file", in.file, "error", err)
	}
	return s.faces[in]
}

func openFace(in *installed, use func(*opentype.Loader) error) error {
	return openFont(in.file, func(loaders []*opentype.Loader) error {
		if in.index >= len(loaders) { // the file is another one by now
			return fmt.Errorf("no face %d in it", in.index)
		}
		return use(loaders[in.index])
	})
}
