package bubble

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// A breaker breaks shaped text into lines.
//
// shaping.LineWrapper is not used: it overfills a line when a break that the
// rules allow falls into a cluster, it cannot be told what the rules leave to a
// language, and it changes the glyphs it was given.
type breaker struct {
	runs     []shaping.Output // in reading order
	units    []unit
	ellipsis shaping.Output
}

// A unit is what is never torn: a cluster, or several that share a glyph.
type unit struct {
	run        int // its number in runs
	start, end int // its runes in the text
	width      fixed.Int26_6
	space      bool
	mayBegin   bool // whether a line may begin here without tearing a word
}

func newBreaker(text []rune, clusters []cluster, runs []shaping.Output, ellipsis shaping.Output) *breaker {
	b := &breaker{runs: runs, ellipsis: ellipsis}
	starts := make([]bool, len(text)) // of clusters
	for _, c := range clusters {
		starts[c.start] = true
	}
	may := breaks(text)
	for i, run := range runs {
		widths := map[int]fixed.Int26_6{} // by the first rune of a glyph
		for _, g := range run.Glyphs {
			widths[g.TextIndex()] += g.Advance
		}
		for at := run.Runes.Offset; at < run.Runes.Offset+run.Runes.Count; at++ {
			width, glyph := widths[at]
			if at == run.Runes.Offset || glyph && starts[at] {
				b.units = append(b.units, unit{run: i, start: at, space: unicode.IsSpace(text[at]), mayBegin: may[at]})
			}
			last := &b.units[len(b.units)-1]
			last.end = at + 1
			last.width += width
		}
	}
	return b
}

// lines breaks the text within room: as few lines as its usual width takes, or,
// when these are more than usual or tear a word, as its greatest width takes.
// Then it makes them as narrow as that number of lines allows with every word
// whole, so that they come out about equal.
func (b *breaker) lines(in room, em int) [][]shaping.Output {
	width, limit := in.usual, min(usualLines, in.lines)
	spans, rest := b.wrap(width, limit)
	if rest != whole {
		if wider, better := b.wrap(in.most, limit); better == whole || rest == left {
			width, spans, rest = in.most, wider, better
		}
	}
	if rest == left {
		spans, rest = b.wrap(width, in.lines)
	}
	if rest == whole && len(spans) > 1 {
		low, high := min(leastWidth*em, width), width
		for low < high {
			middle := (low + high) / 2
			if narrower, rest := b.wrap(middle, len(spans)); rest == whole {
				spans, high = narrower, middle
			} else {
				low = middle + 1
			}
		}
	}
	lines := make([][]shaping.Output, len(spans))
	for i, s := range spans {
		lines[i] = b.line(s)
	}
	if rest == left {
		last := &lines[len(lines)-1]
		*last = append(*last, b.ellipsis)
	}
	return lines
}

// A span is the units of a line, from the first to before the last.
type span struct{ from, to int }

// A result is what became of a text in lines.
type result int

const (
	whole result = iota // all of it is there, and every word whole
	torn                // all of it is there
	left                // there was no room for the rest
)

// wrap breaks the text into at most limit lines of a width in px. When some of
// it is left, the last line has room for an ellipsis.
func (b *breaker) wrap(width, limit int) (spans []span, rest result) {
	for from := 0; from < len(b.units); {
		to, tears := b.fit(from, fixed.I(width))
		if tears {
			rest = torn
		}
		if len(spans) == limit-1 && to < len(b.units) {
			to = b.fill(from, fixed.I(width)-b.ellipsis.Advance)
			return append(spans, span{from, b.trim(from, to)}), left
		}
		spans = append(spans, span{from, b.trim(from, to)})
		for from = to; from < len(b.units) && b.units[from].space; from++ {
		}
	}
	return spans, rest
}

// fit returns where the line that begins at a unit ends. It tears a word only
// if that is longer than a line.
func (b *breaker) fit(from int, width fixed.Int26_6) (to int, tears bool) {
	to = b.fill(from, width)
	if to == len(b.units) {
		return to, false
	}
	for at := to; at > from; at-- {
		if b.units[at].mayBegin {
			return at, false
		}
	}
	return max(to, from+1), true
}

// fill returns the first unit that has no room on a line from a unit on.
// Spaces may hang over.
func (b *breaker) fill(from int, width fixed.Int26_6) (to int) {
	for to = from; to < len(b.units); to++ {
		width -= b.units[to].width
		if width < 0 && !b.units[to].space {
			return to
		}
	}
	return to
}

// trim leaves the spaces at the end of a line out.
func (b *breaker) trim(from, to int) int {
	for to > from && b.units[to-1].space {
		to--
	}
	return to
}

// line is the glyphs of a span, run by run, in reading order.
func (b *breaker) line(s span) (line []shaping.Output) {
	for i := s.from; i < s.to; {
		first := b.units[i]
		for i < s.to && b.units[i].run == first.run {
			i++
		}
		line = append(line, cut(b.runs[first.run], first.start, b.units[i-1].end))
	}
	if len(line) > 0 {
		trimSign(&line[0], true)
		trimSign(&line[len(line)-1], false)
	}
	return line
}

// cut is the part of a run from one rune to before another.
func cut(run shaping.Output, from, to int) shaping.Output {
	run.Glyphs = slices.DeleteFunc(slices.Clone(run.Glyphs), func(g shaping.Glyph) bool {
		return g.TextIndex() < from || g.TextIndex() >= to
	})
	run.Runes = shaping.Range{Offset: from, Count: to - from}
	run.RecomputeAdvance()
	return run
}

// trimSign takes the empty half off a full-width sign of Chinese or Japanese
// where a line begins or ends with one.
func trimSign(run *shaping.Output, first bool) {
	if run.Direction != di.DirectionLTR || len(run.Glyphs) == 0 {
		return
	}
	blank, keep := run.Size/3, run.Size/10
	if g := &run.Glyphs[0]; first && g.XBearing > blank {
		g.XOffset -= g.XBearing - keep
		g.Advance -= g.XBearing - keep
	}
	if g := &run.Glyphs[len(run.Glyphs)-1]; !first && g.Width > 0 && g.Advance-g.XBearing-g.Width > blank {
		g.Advance = g.XBearing + g.Width + keep
	}
	run.RecomputeAdvance()
}

// advance is the width of a line.
func advance(line []shaping.Output) fixed.Int26_6 {
	var w fixed.Int26_6
	for _, run := range line {
		w += run.Advance
	}
	return w
}

// reorder puts the runs of a line from left to right (Unicode Standard Annex
// 9, rule L2), given the level of each rune.
func reorder(line []shaping.Output, levels []int) {
	level := func(run shaping.Output) int { return levels[run.Runes.Offset] }
	highest := 0
	for _, run := range line {
		highest = max(highest, level(run))
	}
	for l := highest; l > 0; l-- {
		for i := 0; i < len(line); i++ {
			start := i
			for i < len(line) && level(line[i]) >= l {
				i++
			}
			slices.Reverse(line[start:i])
		}
	}
}
