package bubble

import (
	"image"

	"github.com/playpets/playpets/agents"
)

// A Menu is a list to choose from.
type Menu struct {
	Title string   // a heading that may take several lines; empty for none
	Items []string // an empty one is a line between
}

// MenuImage is a drawn menu.
type MenuImage struct {
	*Image
	Items []image.Rectangle // what belongs to each item; empty for a line between
}

// A menu at scale 1, in px.
const (
	menuRow    = 30  // the least height of an item
	menuLeast  = 120 // the least width of an item's text
	menuIndent = 16
	menuEnd    = 6 // above the first and below the last item
	menuBreak  = 9 // the height of a line between
	hotInset   = 5
	hotRadius  = 9
)

// DrawMenu draws a menu, its item number hot as the one that would be chosen;
// -1 is none. Each label reads from its own side and is as wide as a line of a
// bubble; the rest of it is an ellipsis. The style's height limits nothing.
func DrawMenu(f *Fonts, menu Menu, hot int, s Style) *MenuImage {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := measuresFor(s.Scale)
	indent := m.px(menuIndent)
	wide := m.room(s, 2*(indent-m.padX)).usual
	var title paragraph
	if agents.Plain(menu.Title) != "" {
		title = f.label(menu.Title, m, wide, usualLines)
	}
	width, row := max(m.px(menuLeast), title.width), m.px(menuRow)
	labels := make([]paragraph, len(menu.Items))
	for i, item := range menu.Items {
		if item != "" {
			labels[i] = f.label(item, m, wide, 1)
			width, row = max(width, labels[i].width), max(row, labels[i].pitch+m.padY)
		}
	}
	width = min(width, wide)

	y := m.px(menuEnd)
	if title.lines != nil {
		title.top = m.padY
		y = title.top + title.height() + m.px(menuBreak)
	}
	out := &MenuImage{Items: make([]image.Rectangle, len(labels))}
	for i := range labels {
		height := row
		if menu.Items[i] == "" {
			height = m.px(menuBreak)
		}
		out.Items[i] = image.Rect(0, y, width+2*indent, y+height)
		y += height
	}
	c := newCanvas(m, image.Pt(width+2*indent, y+m.px(menuEnd)), Tail{Side: None}, s)
	c.paintBody()
	left := c.body.Min.X + indent
	if title.lines != nil {
		c.pen.paragraph(title, image.Pt(left, c.body.Min.Y+title.top), width, c.theme.Ink)
		c.paintBreak(c.body.Min.Y + title.top + title.height() + m.px(menuBreak)/2)
	}
	for i, label := range labels {
		r := out.Items[i].Add(c.body.Min)
		if menu.Items[i] == "" {
			c.paintBreak((r.Min.Y + r.Max.Y) / 2)
			out.Items[i] = image.Rectangle{}
			continue
		}
		out.Items[i] = r
		ink := c.theme.Ink
		if i == hot {
			c.paintHot(r)
			ink = c.theme.Fill
		}
		c.pen.paragraph(label, image.Pt(left, r.Min.Y+(row-label.pitch)/2), width, ink)
	}
	out.Image = c.image()
	return out
}

// paintBreak paints a line between items.
func (c *canvas) paintBreak(y int) {
	in, thick := c.px(menuIndent), max(1, c.px(1))
	faint := c.theme.Ink
	faint.A = 0x38
	r := image.Rect(c.body.Min.X+in, y, c.body.Max.X-in, y+thick)
	paint(c.img, r, func(x, y float64) float64 { return -1 }, faint)
}

func (c *canvas) paintHot(r image.Rectangle) {
	r = image.Rect(r.Min.X+c.px(hotInset), r.Min.Y, r.Max.X-c.px(hotInset), r.Max.Y)
	shape := box(float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y), hotRadius*c.scale)
	paint(c.img, r, shape, c.theme.Working)
}
