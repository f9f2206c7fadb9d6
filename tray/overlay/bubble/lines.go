package bubble

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// A breaker breaks shaped text into lines.
type breaker struct {
	text     []rune
	runs     []shaping.Output
	dir      di.Direction
	ellipsis shaping.Output
	wrapper  shaping.LineWrapper
}

// lines breaks the text within room: as few lines as its usual width takes, but
// when these are more than usual, as few as its greatest width takes. Then it
// makes them as narrow as that number of lines allows without tearing a word,
// so that they come out about equal.
func (b *breaker) lines(in room, em int) []shaping.Line {
	width, limit := in.usual, min(usualLines, in.lines)
	lines, cut := b.wrap(width, limit, shaping.WhenNecessary)
	if cut {
		width = in.most
		lines, cut = b.wrap(width, limit, shaping.WhenNecessary)
	}
	if cut {
		limit = in.lines
		lines, cut = b.wrap(width, limit, shaping.WhenNecessary)
	}
	if cut || len(lines) == 1 {
		return lines
	}
	limit = len(lines)
	low, high := min(leastWidth*em, width), width
	for low < high {
		middle := (low + high) / 2
		if lines, cut := b.wrap(middle, limit, shaping.Never); cut || widest(lines) > fixed.I(middle) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	lines, _ = b.wrap(high, limit, shaping.WhenNecessary)
	return lines
}

// wrap breaks the text into at most limit lines of a width in px. cut reports
// whether the last one ends with an ellipsis. The lines are good until the next
// call.
func (b *breaker) wrap(width, limit int, words shaping.LineBreakPolicy) (lines []shaping.Line, cut bool) {
	config := shaping.WrapConfig{
		Direction:                     b.dir,
		TruncateAfterLines:            limit,
		Truncator:                     b.ellipsis,
		BreakPolicy:                   words,
		DisableTrailingWhitespaceTrim: true, // see trim
	}
	lines, left := b.wrapper.WrapParagraphF(config, fixed.I(width), b.text, shaping.NewSliceIterator(b.runs))
	if left > 0 {
		last := lines[len(lines)-1]
		last[len(last)-1].Runes = shaping.Range{Offset: len(b.text)}
	}
	for _, line := range lines {
		trim(line, b.text)
	}
	return lines, left > 0
}

// trim takes the spaces at the end of a line away, before an ellipsis too. The
// line wrapper's own trimming changes glyphs that later calls use again, and
// looks at the last run one sees, which in mixed directions is not the last one
// reads.
func trim(line shaping.Line, text []rune) {
	for i := len(line) - 1; i >= 0; i-- {
		run := &line[i]
		if run.Runes.Offset == len(text) {
			continue
		}
		run.Glyphs = slices.Clone(run.Glyphs)
		rest := trimRun(run, text)
		run.RecomputeAdvance()
		if rest {
			return
		}
	}
}

// trimRun takes the spaces at the end of a run away and reports whether
// anything is left.
func trimRun(run *shaping.Output, text []rune) (rest bool) {
	for i := range run.Glyphs {
		g := &run.Glyphs[i]
		if run.Direction == di.DirectionLTR {
			g = &run.Glyphs[len(run.Glyphs)-1-i]
		}
		if r := text[g.TextIndex()]; !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			return true
		}
		g.Advance = 0
	}
	return false
}

// advance is the width of a line.
func advance(line shaping.Line) fixed.Int26_6 {
	var w fixed.Int26_6
	for _, run := range line {
		w += run.Advance
	}
	return w
}

func widest(lines []shaping.Line) fixed.Int26_6 {
	var w fixed.Int26_6
	for _, line := range lines {
		w = max(w, advance(line))
	}
	return w
}

// reorder puts the runs of a line from left to right (Unicode Standard Annex
// 9, rule L2). The line wrapper's own order knows two levels; a number in a
// right-to-left phrase in a left-to-right sentence is a third.
func reorder(line shaping.Line, levels []int) []shaping.Output {
	level := func(run shaping.Output) int { return levels[run.Runes.Offset] }
	out := slices.Clone(line)
	highest := 0
	for _, run := range out {
		highest = max(highest, level(run))
	}
	for l := highest; l > 0; l-- {
		for i := 0; i < len(out); i++ {
			start := i
			for i < len(out) && level(out[i]) >= l {
				i++
			}
			slices.Reverse(out[start:i])
		}
	}
	return out
}
