package bubble

import (
	"strings"

	"github.com/go-text/typesetting/shaping"

	"github.com/playpets/playpets/agents"
)

// A block is the whole text of a bubble.
type block struct {
	paragraphs    []paragraph // one below the other, the caption last
	width, height int         // px
	right         bool        // the mark belongs at the right
	middle        int         // px from the top to half the height of the first capitals
}

// A paragraph is text broken into lines.
type paragraph struct {
	lines    [][]shaping.Output // runs from left to right
	width    int                // px, of the widest line
	right    bool               // lines end at the right
	pitch    int                // px from one baseline to the next
	baseline int                // px from a line's top
	middle   int                // px from a line's top to half the height of its capitals
	top      int                // px from the block's top
	dim      bool
}

// height is px from the top of the first line to the end of the last.
func (p paragraph) height() int { return len(p.lines) * p.pitch }

// layout gives a bubble's content the lines that the style has room for.
// Content on which the libraries stumble becomes an ellipsis. f.mu is held.
func (f *Fonts) layout(c Content, m measures, s Style) block {
	b, err := f.tryLayout(c, m, s)
	if err != nil {
		f.log.Error("text of a bubble given up", "error", err)
		b, _ = f.tryLayout(Content{Mark: c.Mark}, m, s)
	}
	return b
}

func (f *Fonts) tryLayout(c Content, m measures, s Style) (b block, err error) {
	defer recovered(&err)
	r := m.room(s, m.indent(c.Mark))
	texts := paragraphs(c.Text)
	caption := agents.Plain(c.Caption)
	if caption == "" {
		return pile(f.text(texts, m, r), m.gapY), nil
	}
	last := f.label(caption, m.small(), r.usual, 1)
	r.height -= m.gapY + last.height()
	list := f.text(texts, m, r)
	last.dim, last.right = true, list[0].right
	return pile(append(list, last), m.gapY), nil
}

// label is a text by itself, in lines of a width in px. One on which the
// libraries stumble is left out.
func (f *Fonts) label(text string, m measures, width, lines int) (p paragraph) {
	var err error
	defer func() {
		if err != nil {
			f.log.Error("label given up", "error", err)
			p = paragraph{pitch: m.line}
		}
	}()
	defer recovered(&err)
	return f.shapeParagraph(text, m).in(room{usual: width, most: width, lines: lines})
}

// text is one paragraph as wide as it is pleasant to read, or several.
func (f *Fonts) text(texts []string, m measures, r room) []paragraph {
	if len(texts) > 1 {
		return f.list(texts, m, r)
	}
	s := f.shapeParagraph(texts[0], m)
	return []paragraph{s.in(r.of(mostLines, s.pitch))}
}

// list gives several paragraphs two lines each, or as many more as there is less
// width, or fewer, or leaves some out, so that they fit.
func (f *Fonts) list(texts []string, m measures, r room) (list []paragraph) {
	var all []shaped
	for _, text := range texts[:min(len(texts), listMost)] {
		all = append(all, f.shapeParagraph(text, m))
	}
	for lines := listLines * max(1, mostWidth*m.em/r.most); lines > 0; lines-- {
		list = nil
		count := 0
		for _, s := range all {
			p := s.in(room{usual: r.most, most: r.most, lines: lines})
			list = append(list, p)
			count += len(p.lines)
		}
		if count <= listMost && pile(list, m.gapY).height <= r.height {
			return list
		}
	}
	for len(list) > 1 && pile(list, m.gapY).height > r.height {
		list = list[:len(list)-1]
	}
	return list
}

// pile puts paragraphs one below the other, gap px apart.
func pile(list []paragraph, gap int) block {
	b := block{paragraphs: list, right: list[0].right, middle: list[0].middle}
	for i := range list {
		if i > 0 {
			b.height += gap
		}
		list[i].top = b.height
		b.height += list[i].height()
		b.width = max(b.width, list[i].width)
	}
	return b
}

// paragraphs are the lines of a text that say something; of blank text one
// that is empty.
func paragraphs(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = agents.Plain(line); line != "" {
			list = append(list, line)
		}
	}
	if list == nil {
		return []string{""}
	}
	return list
}
