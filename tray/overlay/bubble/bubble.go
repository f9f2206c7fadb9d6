// Package bubble draws speech bubbles: text of any script, a mark for the
// state, a tail towards the friend, a soft shadow. Given the same fonts the
// same call gives the same pixels.
//
// It knows no window, no clock and no animation, and it never waits: fonts of
// the system are found by Fonts.Load in the background, and Draw takes what is
// there by then.
package bubble

import (
	"image"
	"image/color"

	"github.com/playpets/playpets/agents"
)

// Theme is the colours of a bubble. Ink stands at least 4.5:1 against Fill and
// every mark at least 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
type Theme struct {
	Fill, Line, Ink               color.NRGBA
	Working, Waiting, Done, Error color.NRGBA // the marks
}

// Light and Dark are the two themes.
var (
	Light = Theme{
		Fill:    color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF},
		Line:    color.NRGBA{0x2B, 0x2B, 0x33, 0xFF},
		Ink:     color.NRGBA{0x2B, 0x2B, 0x33, 0xFF},
		Working: color.NRGBA{0x3B, 0x6F, 0xD8, 0xFF},
		Waiting: color.NRGBA{0xC2, 0x5E, 0x00, 0xFF},
		Done:    color.NRGBA{0x1F, 0x86, 0x4C, 0xFF},
		Error:   color.NRGBA{0xCB, 0x35, 0x35, 0xFF},
	}
	Dark = Theme{
		Fill:    color.NRGBA{0x2B, 0x2B, 0x33, 0xFF},
		Line:    color.NRGBA{0x6E, 0x6C, 0x7C, 0xFF},
		Ink:     color.NRGBA{0xF4, 0xF1, 0xEA, 0xFF},
		Working: color.NRGBA{0x8F, 0xB8, 0xFF, 0xFF},
		Waiting: color.NRGBA{0xFF, 0xC1, 0x5E, 0xFF},
		Done:    color.NRGBA{0x7F, 0xD6, 0x9C, 0xFF},
		Error:   color.NRGBA{0xFF, 0x8E, 0x83, 0xFF},
	}
)

// Side is where the tail leaves the bubble.
type Side int

// The tail points down to a friend below the bubble, or up to one above it.
const (
	Below Side = iota
	Above
)

// Tail says where the tail points.
type Tail struct {
	Side Side
	X    int // from the body's left edge to the tip in px, kept on the body; negative: the middle
}

// Style is everything but the text that a bubble's pixels depend on.
type Style struct {
	Theme Theme
	Scale float64 // 1 = 96 dpi; kept within 0.5 and 4, 0 means 1

	// MaxWidth and MaxHeight limit the whole image, shadow and tail
	// included, in px; 0 is no limit. Text that does not fit ends with an
	// ellipsis. One line of four em is drawn in any case.
	MaxWidth, MaxHeight int

	Tail   Tail
	Shadow bool // false where nothing composes translucent windows
}

// Image is a drawn bubble: premultiplied pixels with the origin at 0,0.
type Image struct {
	*image.RGBA
	Body    image.Rectangle // the bubble without tail and shadow
	TailTip image.Point     // the tail's last pixel
}

// Draw draws text in a bubble, with the mark of a state before it; idle and ""
// have none. Control characters are dropped and white space is collapsed.
// Blank text is drawn as an ellipsis, so there is always something to show.
//
// A bubble is at most 22 em wide and 5 lines high. Text that needs more widens
// it to 32 em, then adds lines up to 12, so that 240 characters fit; the limits
// of the style come first. Text that reads from the right is
// aligned there, and its mark stands at the right.
func Draw(f *Fonts, text string, mark agents.State, s Style) *Image {
	m := measuresFor(s.Scale)
	f.mu.Lock()
	defer f.mu.Unlock()
	c := place(m, f.layout(text, mark, m, s), mark, s)
	c.paintBody(s.Theme, s.Shadow)
	c.paintMark(mark, s.Theme)
	c.paintText(s.Theme.Ink)
	return &Image{RGBA: c.img, Body: c.body, TailTip: c.tip}
}
