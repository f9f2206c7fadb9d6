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
	Items []image.Rectangle // where in the image each item is; empty for a line between
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
// -1 is none. The title has at most five lines, a label one; what is wider than
// 22 em or the style's width ends with an ellipsis. Each label reads from its
// own side. The style's height limits nothing.
func DrawMenu(f *Fonts, menu Menu, hot int, s Style) *MenuImage {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.layoutMenu(menu, s)
	c := newCanvas(l.measures, l.size, Tail{Side: None}, s)
	c.paintBody()
	left := c.body.Min.X + c.px(menuIndent)
	if l.title.lines != nil {
		c.pen.paragraph(l.title, image.Pt(left, c.body.Min.Y+l.title.top), l.width, c.theme.Ink)
		c.paintBreak(l.heading.Add(c.body.Min))
	}
	out := &MenuImage{c.image(), make([]image.Rectangle, len(l.rows))}
	for i, label := range l.labels {
		r := l.rows[i].Add(c.body.Min)
		if label.lines == nil {
			c.paintBreak(r)
			continue
		}
		ink := c.theme.Ink
		if i == hot {
			c.paintHot(r)
			ink = c.theme.Fill
		}
		c.pen.paragraph(label, image.Pt(left, (r.Min.Y+r.Max.Y-label.pitch)/2), l.width, ink)
		out.Items[i] = r
	}
	return out
}

// A laidMenu is a menu whose texts have their lines.
type laidMenu struct {
	measures
	title   paragraph // without lines for none
	labels  []paragraph
	width   int               // px, of the widest text
	heading image.Rectangle   // the line under the title, from the body's corner
	rows    []image.Rectangle // likewise, all items
	size    image.Point       // of the body
}

func (f *Fonts) layoutMenu(menu Menu, s Style) *laidMenu {
	m := measuresFor(s.Scale)
	l := &laidMenu{measures: m}
	widest := m.room(s, 2*(m.px(menuIndent)-m.padX)).usual
	l.width = min(widest, m.px(menuLeast))
	if agents.Plain(menu.Title) != "" {
		l.title = f.label(menu.Title, m, widest, usualLines)
		l.title.top = m.padY
		l.width = max(l.width, l.title.width)
	}
	row := m.px(menuRow)
	for _, item := range menu.Items {
		var label paragraph
		if item != "" {
			label = f.label(item, m, widest, 1)
		}
		l.labels = append(l.labels, label)
		l.width, row = max(l.width, label.width), max(row, label.pitch+m.padY)
	}
	l.place(row)
	return l
}

// place stacks title, items and the lines between them.
func (l *laidMenu) place(row int) {
	width, y := l.width+2*l.px(menuIndent), l.px(menuEnd)
	next := func(height int) image.Rectangle {
		y += height
		return image.Rect(0, y-height, width, y)
	}
	if l.title.lines != nil {
		y = l.title.top + l.title.height() + l.gapY
		l.heading = next(l.px(menuBreak))
	}
	for _, label := range l.labels {
		height := row
		if label.lines == nil {
			height = l.px(menuBreak)
		}
		l.rows = append(l.rows, next(height))
	}
	l.size = image.Pt(width, y+l.px(menuEnd))
}

// paintBreak paints a line between items.
func (c *canvas) paintBreak(r image.Rectangle) {
	faint := c.theme.Ink
	faint.A = 0x38
	thick := max(1, c.px(1))
	r = image.Rect(r.Min.X+c.px(menuIndent), (r.Min.Y+r.Max.Y-thick)/2, r.Max.X-c.px(menuIndent), (r.Min.Y+r.Max.Y+thick)/2)
	paint(c.img, r, func(x, y float64) float64 { return -1 }, faint)
}

// paintHot paints what lies behind the item that would be chosen.
func (c *canvas) paintHot(r image.Rectangle) {
	x0, y0, x1, y1 := r.Min.X+c.px(hotInset), r.Min.Y, r.Max.X-c.px(hotInset), r.Max.Y
	shape := box(float64(x0), float64(y0), float64(x1), float64(y1), hotRadius*c.scale)
	paint(c.img, r, shape, c.theme.Working)
}
