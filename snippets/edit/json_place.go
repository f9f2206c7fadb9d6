package edit

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// A style is how a file is laid out.
type style struct {
	eol, unit string // of its lines, and one step of indentation
	space     string // behind colons, and commas on the same line
	lines     bool   // whether it has more than one line
}

func styleOf(text []byte, root *hujson.Value) style {
	s := style{eol: lineEnd(text), unit: "  ", space: " ", lines: true}
	members := root.Value.(*hujson.Object).Members
	if len(members) == 0 {
		return s
	}
	s.lines = bytes.ContainsRune(text[root.StartOffset:root.EndOffset], '\n')
	if len(members[0].Value.BeforeExtra) == 0 {
		s.space = ""
	}
	if before := members[0].Name.BeforeExtra; bytes.ContainsRune(before, '\n') {
		if unit := indentBehind(before); unit != "" {
			s.unit = unit
		}
	}
	return s
}

// layOut formats a value that begins in a line with that indentation: with one
// member a line, or all on one line.
func (s style) layOut(v *hujson.Value, indent string, lines bool) {
	v.AfterExtra = nil
	before, end, space := s.space, "", s.space
	if lines {
		before, end, space = s.eol+indent+s.unit, s.eol+indent, " "
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		c.AfterExtra = nil
		for i := range c.Members {
			c.AfterExtra = hujson.Extra(end)
			m := &c.Members[i]
			m.Name.BeforeExtra, m.Name.AfterExtra = hujson.Extra(before), nil
			if i == 0 && !lines {
				m.Name.BeforeExtra = nil
			}
			s.layOut(&m.Value, indent+s.unit, lines)
			m.Value.BeforeExtra = hujson.Extra(space)
		}
	case *hujson.Array:
		c.AfterExtra = nil
		for i := range c.Elements {
			c.AfterExtra = hujson.Extra(end)
			e := &c.Elements[i]
			s.layOut(e, indent+s.unit, lines)
			e.BeforeExtra = hujson.Extra(before)
			if i == 0 && !lines {
				e.BeforeExtra = nil
			}
		}
	}
}

// A composite is an object or an array, as far as places in it go. What stands
// before its entry i, behind it (nil: not even a comma, if it is the last), and
// before the closing bracket is white space and comments.
type composite interface {
	len() int
	before(i int) *hujson.Extra
	behind(i int) *hujson.Extra
	end() *hujson.Extra
	value(i int) *hujson.Value
	add(name, v hujson.Value)
	cut(i int)
}

type object struct{ *hujson.Object }

func (o object) len() int                   { return len(o.Members) }
func (o object) before(i int) *hujson.Extra { return &o.Members[i].Name.BeforeExtra }
func (o object) behind(i int) *hujson.Extra { return &o.Members[i].Value.AfterExtra }
func (o object) end() *hujson.Extra         { return &o.AfterExtra }
func (o object) value(i int) *hujson.Value  { return &o.Members[i].Value }
func (o object) add(name, v hujson.Value) {
	o.Members = append(o.Members, hujson.ObjectMember{Name: name, Value: v})
}
func (o object) cut(i int) { o.Members = append(o.Members[:i], o.Members[i+1:]...) }

type array struct{ *hujson.Array }

func (a array) len() int                   { return len(a.Elements) }
func (a array) before(i int) *hujson.Extra { return &a.Elements[i].BeforeExtra }
func (a array) behind(i int) *hujson.Extra { return &a.Elements[i].AfterExtra }
func (a array) end() *hujson.Extra         { return &a.AfterExtra }
func (a array) value(i int) *hujson.Value  { return &a.Elements[i] }
func (a array) add(_, v hujson.Value)      { a.Elements = append(a.Elements, v) }
func (a array) cut(i int)                  { a.Elements = append(a.Elements[:i], a.Elements[i+1:]...) }

// append adds a copy of a value to an object or array of the file, as its last.
func (f *jsonFile) append(in *hujson.Value, name, v hujson.Value) {
	f.changed = true
	var c composite
	switch value := in.Value.(type) {
	case *hujson.Object:
		c = object{value}
	case *hujson.Array:
		c = array{value}
	}
	p := f.placeIn(in, c)
	v, name = v.Clone(), hujson.Value{Value: name.Value}
	f.style.layOut(&v, p.indent, p.expand)
	if last := c.len() - 1; last >= 0 && *c.behind(last) != nil {
		v.AfterExtra = hujson.Extra{} // a comma behind the last one, as before
	}
	if in.Value.Kind() == '{' {
		v.BeforeExtra = hujson.Extra(f.style.space)
		if p.expand {
			v.BeforeExtra = hujson.Extra(" ")
		}
	}
	c.add(name, v)
	*c.before(c.len() - 1) = p.before
	*c.end() = p.end
}

// A place is where a new entry of an object or array stands.
type place struct {
	before, end hujson.Extra
	indent      string // of its line
	expand      bool   // whether it takes several lines
}

// placeIn finds the place: in a line of its own, if its neighbours have that.
// Comments that stand before the closing bracket stay where they are.
func (f *jsonFile) placeIn(in *hujson.Value, c composite) place {
	s, outer := f.style, indentAt(f.text, in.StartOffset)
	indent, lines := outer+s.unit, c.len() == 0 && s.lines
	for i := range c.len() {
		if before := *c.before(i); bytes.ContainsRune(before, '\n') {
			indent, lines = indentBehind(before), true
		}
	}
	head, tail := splitExtra(*c.end())
	if bytes.ContainsRune(tail, '\n') {
		lines = true
	} else if c.len() == 0 && lines {
		tail = hujson.Extra(s.eol + outer)
	}
	if !lines {
		before := s.space
		if c.len() == 0 {
			before = ""
		}
		return place{before: joinExtra(head, before), end: tail, indent: outer}
	}
	return place{
		before: joinExtra(head, s.eol+indent), end: tail, indent: indent,
		expand: c.len() == 0 || in == &f.root || !onOneLine(c.value(c.len()-1)),
	}
}

// onOneLine reports whether a list or an object with something in it takes one
// line.
func onOneLine(v *hujson.Value) bool {
	switch c := v.Value.(type) {
	case *hujson.Object:
		if len(c.Members) == 0 {
			return false
		}
	case *hujson.Array:
		if len(c.Elements) == 0 {
			return false
		}
	default:
		return false
	}
	return !bytes.ContainsRune(hujson.Value{Value: v.Value}.Pack(), '\n')
}

// drop takes an entry out. Comments before it stay.
func (f *jsonFile) drop(c composite, i int) {
	f.changed = true
	last := c.len() - 1
	before, comma := *c.before(i), *c.behind(last)
	switch {
	case i == last:
		*c.end() = keptExtra(before, *c.end())
	case blank(*c.before(i + 1)):
		*c.before(i + 1) = before
	default:
		*c.before(i + 1) = keptExtra(before, *c.before(i + 1))
	}
	c.cut(i)
	switch {
	case last == 0:
		if blank(*c.end()) {
			*c.end() = nil
		}
	case i < last:
	case comma != nil:
		*c.behind(last - 1) = joinExtra(*c.behind(last - 1), "")
	default:
		*c.end() = joinExtra(*c.behind(last - 1), string(*c.end()))
		*c.behind(last - 1) = nil
	}
}

// splitExtra parts what stands before a bracket or an entry: comments and empty
// lines, and the way from there to the bracket or entry.
func splitExtra(e hujson.Extra) (head, tail hujson.Extra) {
	at := len(bytes.TrimRight(e, " \t"))
	if at > 0 && e[at-1] == '\n' {
		at = len(bytes.TrimSuffix(e[:at-1], []byte("\r")))
	}
	return e[:at:at], e[at:]
}

// keptExtra is what stays of two pieces when what stood between them is gone:
// the comments of the first, and the end of its line if one of them needs that.
func keptExtra(before, behind hujson.Extra) hujson.Extra {
	head, _ := splitExtra(before)
	if kept := joinExtra(head, string(behind)); kept.IsValid() {
		return kept
	}
	return joinExtra(before, string(behind))
}

// joinExtra never gives nil, which would mean that there is no comma.
func joinExtra(head hujson.Extra, tail string) hujson.Extra {
	return append(append(hujson.Extra{}, head...), tail...)
}

// indentBehind is the indentation after the last line end of e.
func indentBehind(e hujson.Extra) string {
	rest := e[bytes.LastIndexByte(e, '\n')+1:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

func blank(e hujson.Extra) bool { return len(bytes.TrimSpace(e)) == 0 }
