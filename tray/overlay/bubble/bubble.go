// Package bubble draws speech bubbles: text of any script, a mark for the
// state, a tail towards the friend, a soft shadow; and what looks like them:
// menus, labels, the sign of a doze. Given the same fonts the same call gives
// the same pixels.
//
// It knows no window, no clock and no animation, and it never waits: fonts of
// the system are found by Fonts.Load in the background, and whoever draws takes
// what is there by then.
package bubble

import (
	"image"

	"github.com/playpets/playpets/agents"
)

// Style is everything but the content that pixels depend on.
type Style struct {
	Theme Theme
	Scale float64 // 1 = 96 dpi; kept within 0.5 and 4, 0 means 1

	// MaxWidth and MaxHeight limit the whole image, shadow and tail
	// included, in px; 0 is no limit. Text that does not fit ends with an
	// ellipsis. One line of four em is drawn in any case.
	MaxWidth, MaxHeight int

	Shadow bool // false where nothing composes translucent windows
}

// Side is where the tail leaves the bubble.
type Side int

// The tail points down to a friend below the bubble, or up to one above it. A
// bubble that stands on another one has none.
const (
	Below Side = iota
	Above
	None
)

// Tail says where the tail points.
type Tail struct {
	Side Side
	X    int // from the image's left edge to the tip in px, kept on the body; negative: the middle
}

// Image is a drawn bubble: premultiplied pixels with the origin at 0,0.
type Image struct {
	*image.RGBA
	Body    image.Rectangle // without tail and shadow
	TailTip image.Point     // the tail's last pixel; without one the middle of the lower edge
}

// Content is what a bubble says.
type Content struct {
	Text    string       // a line break begins a paragraph
	Caption string       // a smaller line under the text: whose it is; empty for none
	Mark    agents.State // the sign before the text; idle and "" have none
}

// Laid is a bubble whose text has its lines: it can be measured before it is
// painted.
type Laid struct {
	measures
	block
	fonts *Fonts
	style Style
	mark  agents.State
}

// Lay breaks a bubble's text into lines. Control characters are dropped, and
// white space but line breaks is collapsed. Blank text is an ellipsis, so there
// is always something to show.
//
// A bubble is at most 22 em wide and 5 lines high. Text that needs more widens
// it to 32 em, then adds lines up to 12, so that 240 characters fit. Several
// paragraphs get two lines each at 32 em, or more at less, while there is room, else
// fewer, up to 16 in all; the last ones are left out where even one does not fit. The limits
// of the style come first. Text that reads from the right is aligned there, and
// the mark stands at the right.
func Lay(f *Fonts, c Content, s Style) *Laid {
	m := measuresFor(s.Scale)
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Laid{m, f.layout(c, m, s), f, s, c.Mark}
}

// Size is that of the image, in px, when the tail is on a side.
func (l *Laid) Size(side Side) image.Point {
	around := 2 * l.around(l.style)
	size := l.body().Add(image.Pt(around, around))
	if side != None {
		size.Y += l.tail
	}
	return size
}

// Tip is where in the image a tail ends that is in the middle of a side.
func (l *Laid) Tip(side Side) image.Point {
	size, around := l.Size(side), l.around(l.style)
	if side == Above {
		return image.Pt(size.X/2, around)
	}
	return image.Pt(size.X/2, size.Y-around-1)
}

// body is the size of the bubble without tail and shadow.
func (l *Laid) body() image.Point {
	width := max(l.width+2*l.padX+l.indent(l.mark), l.leastBody())
	return image.Pt(width, l.height+2*l.padY)
}

// Paint draws the bubble with a tail.
func (l *Laid) Paint(t Tail) *Image {
	l.fonts.mu.Lock()
	defer l.fonts.mu.Unlock()
	c := newCanvas(l.measures, l.body(), t, l.style)
	c.paintBody()
	c.paintContent(l)
	return c.image()
}
