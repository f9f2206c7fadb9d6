package bubble

import (
	"math"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	unibidi "golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"

	"github.com/playpets/playpets/agents"
)

// maxRunes is more than the biggest bubble shows.
const maxRunes = 2000

const ellipsis = '…'

// prepare returns text as it is drawn. Composed characters find their glyph in
// more fonts.
func prepare(text string) []rune {
	runes := []rune(norm.NFC.String(agents.Plain(text)))
	if len(runes) == 0 {
		return []rune{ellipsis}
	}
	return runes[:min(len(runes), maxRunes)]
}

// rightToLeft reports whether a paragraph reads from the right: its first
// strong character decides (Unicode Standard Annex 9, P2 and P3).
func rightToLeft(text []rune) bool {
	for _, r := range text {
		p, _ := unibidi.LookupString(string(r))
		switch p.Class() {
		case unibidi.L:
			return false
		case unibidi.R, unibidi.AL:
			return true
		}
	}
	return false
}

// shaped is a paragraph that waits for its lines.
type shaped struct {
	paragraph
	breaker *breaker
	levels  []int
	em      int
}

// shapeParagraph makes glyphs of one paragraph, in type of a size. f.mu is held.
func (f *Fonts) shapeParagraph(text string, m measures) shaped {
	runes := prepare(text)
	dir := di.DirectionLTR
	if rightToLeft(runes) {
		dir = di.DirectionRTL
	}
	clusters := split(runes, f.lang)
	runs := f.shape(runes, dir, m.em, clusters)
	p := f.verticals(runs, m)
	p.right = dir == di.DirectionRTL
	return shaped{p, newBreaker(runes, clusters, runs, f.ellipsis(len(runes), dir, m.em)), bidiLevels(runes, dir), m.em}
}

// in breaks the paragraph into the lines that there is room for.
func (s shaped) in(r room) paragraph {
	p := s.paragraph
	p.lines = s.breaker.lines(r, s.em)
	for _, line := range p.lines {
		reorder(line, s.levels)
		p.width = max(p.width, advance(line).Ceil())
	}
	p.width = min(p.width, r.most) // one character can be wider: it is clipped
	return p
}

// shape turns text into glyphs, in runs of one face, direction and script.
func (f *Fonts) shape(text []rune, dir di.Direction, em int, clusters []cluster) []shaping.Output {
	for {
		faces, _ := f.assign(clusters)
		runs, bad, err := f.shapeWith(text, dir, em, clusters, faces)
		if err == nil {
			return runs
		}
		f.log.Warn("font given up", "error", err)
		f.ban(bad)
	}
}

// shapeWith shapes text with a face for each cluster. On an error bad is the
// face that is to blame.
func (f *Fonts) shapeWith(text []rune, dir di.Direction, em int, clusters []cluster, faces []*font.Face) (runs []shaping.Output, bad *font.Face, err error) {
	of := clusterOf(text, clusters)
	var seg shaping.Segmenter
	whole := shaping.Input{Text: text, RunEnd: len(text), Direction: dir, Size: fixed.I(em), Language: language.NewLanguage(f.lang)}
	for _, in := range seg.Split(whole, oneFace{f.base}) {
		for start := in.RunStart; start < in.RunEnd; {
			c := of[start]
			end := start + 1
			for end < in.RunEnd && faces[of[end]] == faces[c] {
				end++
			}
			run := in
			run.RunStart, run.RunEnd, run.Face = start, end, faces[c]
			if tag := clusters[c].tag; isHan(tag) {
				run.Language = language.Language(tag)
			}
			out, err := f.shapeRun(run)
			if err != nil {
				return nil, run.Face, err
			}
			boxes(&out, clusters, of)
			runs = append(runs, out)
			start = end
		}
	}
	return runs, nil, nil
}

func (f *Fonts) shapeRun(in shaping.Input) (out shaping.Output, err error) {
	if in.Face != f.base {
		defer recovered(&err)
	}
	return f.shaper.Shape(in), nil
}

// oneFace leaves the choice of faces to assign: it splits nothing.
type oneFace struct{ *font.Face }

// ResolveFace is the shaper's question for a rune's face.
func (o oneFace) ResolveFace(rune) *font.Face { return o.Face }

// clusterOf maps each rune to its cluster.
func clusterOf(text []rune, clusters []cluster) []int {
	of := make([]int, len(text))
	for i, c := range clusters {
		for j := range c.runes {
			of[c.start+j] = i
		}
	}
	return of
}

// missing is the glyph of a character that no font has; the others have their
// font's numbers.
const missing font.GID = 0

// boxes leaves one missing glyph for each cluster without a glyph, and none
// where only a part of it (a rare accent, a selector) has no glyph.
func boxes(out *shaping.Output, clusters []cluster, of []int) {
	drawn := map[int]bool{}
	for _, g := range out.Glyphs {
		if g.GlyphID != missing && g.GlyphID != font.EmptyGlyph && g.Advance != 0 {
			drawn[of[g.TextIndex()]] = true
		}
	}
	for i := range out.Glyphs {
		g := &out.Glyphs[i]
		c := of[g.TextIndex()]
		switch {
		case g.GlyphID == missing && (drawn[c] || clusters[c].need == ""):
			g.GlyphID, g.Advance = font.EmptyGlyph, 0
		case g.GlyphID == missing:
			drawn[c] = true
			g.Advance = out.Size * 5 / 8
			g.Width, g.XBearing, g.XOffset, g.YOffset = g.Advance, 0, 0, 0
		}
	}
	out.RecomputeAdvance()
}

// ellipsis is what stands, after the last rune of a text, for what was left out.
func (f *Fonts) ellipsis(at int, dir di.Direction, em int) shaping.Output {
	out := f.shaper.Shape(shaping.Input{Text: []rune{ellipsis}, RunEnd: 1, Direction: dir, Face: f.base, Size: fixed.I(em), Script: language.Latin})
	out.Runes.Offset = at
	return out
}

// bidiLevels is the embedding level of each rune, and at the end that of the
// paragraph, for the ellipsis.
func bidiLevels(text []rune, dir di.Direction) []int {
	base := bidi.LeftToRight
	if dir == di.DirectionRTL {
		base = bidi.RightToLeft
	}
	var p bidi.Paragraph
	levels := make([]int, len(text)+1)
	if dir == di.DirectionRTL {
		levels[len(text)] = 1
	}
	runs := p.Segment(text, base)
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		for j := run.Start; j < run.End; j++ {
			levels[j] = int(run.Level)
		}
	}
	return levels
}

// verticals sets the height of a line and its baseline. Capitals stand in the
// middle of the line, as an eye expects of a label. Scripts that reach higher
// or lower than Latin get the room they need.
func (f *Fonts) verticals(runs []shaping.Output, m measures) (p paragraph) {
	capital := f.base.LineMetric(font.CapHeight) / float32(f.base.Upem()) * float32(m.em)
	above := int(math.Round((float64(m.line) + float64(capital)) / 2))
	below := m.line - above
	var ascent, descent fixed.Int26_6
	for _, run := range runs {
		ascent = max(ascent, run.GlyphBounds.Ascent)
		descent = max(descent, -run.GlyphBounds.Descent)
	}
	spare := m.em / 8 // lines seldom have their highest and lowest letters at one place
	p.baseline = min(max(above, ascent.Ceil()-spare), m.em*3/2)
	p.pitch = p.baseline + min(max(below, descent.Ceil()-spare), m.em)
	p.middle = p.baseline - int(math.Round(float64(capital)/2))
	return p
}
