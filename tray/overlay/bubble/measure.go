package bubble

import (
	"math"

	"github.com/playpets/playpets/agents"
)

// measures are the sizes of a bubble at one scale, in px. The body's edges and
// the lines of text stand on whole pixels; the outline, which ends at such an
// edge, is a multiple of a half.
type measures struct {
	scale      float64
	em         int // the size of the type
	line       int // from one baseline to the next
	padX, padY int
	radius     float64
	tail       int // how far its tip is from the body
	stroke     float64
	margin     int // around body and tail, where the shadow fades
	mark, gap  int // the width of a mark, and from there to the text
	gapY       int // between paragraphs
}

// Line counts and widths of text, see Lay.
const (
	usualLines, mostLines       = 5, 12
	usualWidth, mostWidth       = 22, 32 // em
	leastWidth                  = 4      // em
	listLines, listMost         = 2, 16  // of each of several paragraphs, of all
	shadowBlur, shadowDrop      = 8, 2   // px at scale 1
	shadowOpacity               = 0.18
	lineHeight                  = 1.35 // em
	smallestScale, biggestScale = 0.5, 4
)

func measuresFor(scale float64) measures {
	if !(scale > 0) { // NaN too
		scale = 1
	}
	scale = min(max(scale, smallestScale), biggestScale)
	m := measures{scale: scale}
	px := m.px
	return measures{
		scale:  scale,
		em:     px(15),
		line:   int(math.Round(lineHeight * float64(px(15)))),
		padX:   px(12),
		padY:   px(9),
		radius: 14 * scale,
		tail:   px(10),
		stroke: math.Max(1, math.Floor(3*scale+0.25)/2), // 1.5 at 1
		margin: px(shadowBlur + shadowDrop),
		mark:   px(16),
		gap:    px(7),
		gapY:   px(3),
	}
}

// px is a length at scale 1 in whole px.
func (m measures) px(at1 float64) int { return int(math.Round(at1 * m.scale)) }

// small is m for less important text.
func (m measures) small() measures {
	m.em = m.px(12)
	m.line = int(math.Round(lineHeight * float64(m.em)))
	return m
}

// room is how much text there may be.
type room struct {
	usual, most int // widths in px
	height      int // px
	lines       int
}

// room is what the style's limits leave for text beside what indents it.
func (m measures) room(s Style, indent int) room {
	around := m.around(s)
	r := room{usual: usualWidth * m.em, most: mostWidth * m.em, height: math.MaxInt}
	if s.MaxWidth > 0 {
		r.most = min(r.most, s.MaxWidth-2*around-2*m.padX-indent)
	}
	r.most = max(r.most, leastWidth*m.em)
	r.usual = min(r.usual, r.most)
	if s.MaxHeight > 0 {
		r.height = s.MaxHeight - 2*around - m.tail - 2*m.padY
	}
	return r
}

// of is r for at most so many lines of a height.
func (r room) of(lines, pitch int) room {
	r.lines = max(1, min(lines, r.height/pitch))
	return r
}

// around is the empty border of the image.
func (m measures) around(s Style) int {
	if s.Shadow {
		return m.margin
	}
	return 0
}

// indent is how far a mark moves the text.
func (m measures) indent(mark agents.State) int {
	if !hasMark(mark) {
		return 0
	}
	return m.mark + m.gap
}
