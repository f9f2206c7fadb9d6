package overlay

import (
	"image"
	"log/slog"
	"runtime/debug"

	"github.com/playpets/playpets/tray/overlay/bubble"
)

// A spot is what a bubble's place depends on, from the corner of the friend's
// cell.
type spot struct {
	area   image.Rectangle // where there is room on the screen
	body   image.Rectangle // what the friend covers
	head   image.Rectangle // the upper part of that, to whose middle tails point
	shadow bool            // whether one can be seen through

	stacked bool // beyond another bubble of the same friend: without a tail
}

// bubbles draws bubbles in one style. It is safe for concurrent use.
type bubbles struct {
	fonts *bubble.Fonts
	style bubble.Style
}

// newBubbles draws in look l, on a screen with so many pixels for one of 96 dpi.
func newBubbles(l Look, pixels float64, cacheDir string, log *slog.Logger) *bubbles {
	// A small friend must still be readable, and a large one need not shout.
	scale := max(1, min(max(l.size(), 1), 1.5)*pixels)
	b := &bubbles{bubble.NewFonts(cacheDir, l.Language, log), bubble.Style{Theme: bubble.Light, Scale: scale}}
	if l.Dark {
		b.style.Theme = bubble.Dark
	}
	return b
}

// draw draws a bubble above the friend, or below it where that has more room
// and above has too little, moved aside at the edges while its tail stays with
// the friend. It waits for the fonts that the text needs.
func (d *bubbles) draw(b Bubble, s spot) picture {
	<-d.fonts.Load(b.Text, b.Caption)
	above, below := s.body.Min.Y-s.area.Min.Y, s.area.Max.Y-s.body.Max.Y
	style := d.style
	style.Shadow = s.shadow
	style.MaxWidth, style.MaxHeight = s.area.Dx(), max(above, below)
	laid := bubble.Lay(d.fonts, bubble.Content{Text: b.Text, Caption: b.Caption, Mark: b.Mark}, style)

	tail := bubble.Tail{Side: bubble.Below}
	head := image.Pt((s.head.Min.X+s.head.Max.X)/2, s.body.Min.Y)
	if laid.Size(tail.Side).Y > above && below > above {
		tail.Side, head.Y = bubble.Above, s.body.Max.Y
	}
	if s.stacked {
		tail.Side = bubble.None
	}
	at := within(s.area, head.Sub(laid.Tip(tail.Side)), laid.Size(tail.Side))
	tail.X = max(0, head.X-at.X)
	img := laid.Paint(tail)
	return picture{img.RGBA, at, img.TailTip, img.Body}
}

// release gives back the memory of the system's fonts.
func (d *bubbles) release() {
	d.fonts.Release()
	debug.FreeOSMemory()
}
