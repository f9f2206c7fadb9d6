package edit

import (
	"bytes"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

// addInside adds a pair to an inline table, as its last.
func (d *document) addInside(table *node, pair string) []byte {
	if n := len(table.inside); n > 0 {
		at := table.inside[n-1].end
		return splice(d.text, at, at, ", "+pair)
	}
	end := table.value + 1
	if d.text[end] == '}' {
		pair += " "
	}
	return splice(d.text, end, end, " "+pair)
}

// endOfTable is where a new key of the table comes, and how it is indented.
// That is below the line that has it commented out; else below the last key
// and the comments right under that, unless these lead to the next table.
// A header of -1 is the root.
func (d *document) endOfTable(header int, name string) (at int, indent string) {
	next, last := len(d.text), 0
	if header >= 0 {
		last = nextLine(d.text, d.nodes[header].end)
		indent = indentAt(d.text, d.nodes[header].start)
	}
	at = last
	for _, n := range d.nodes[header+1:] {
		if n.kind == unstable.Table || n.kind == unstable.ArrayTable {
			next = lineStart(d.text, n.start)
			break
		}
		if n.kind == unstable.Comment {
			if commentedOut(d.text[n.start:n.end], name) {
				return nextLine(d.text, n.end), indentAt(d.text, n.start)
			}
			if lineStart(d.text, n.start) == at {
				at = nextLine(d.text, n.end)
			}
			continue
		}
		last, indent = nextLine(d.text, n.end), indentAt(d.text, n.start)
		at = last
	}
	if at == next && next < len(d.text) {
		at = last
	}
	return at, indent
}

// commentedOut reports whether a comment is a line that would set the key.
func commentedOut(comment []byte, name string) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(comment, "# \t"), []byte(name))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte("="))
}

// insert adds a line. Above everything else it is followed by an empty one.
func (d *document) insert(at int, line string) []byte {
	switch {
	case at > 0 && d.text[at-1] != '\n':
		line = d.eol + line
	case at == 0 && len(d.text) > 0:
		line += d.eol + d.eol
	default:
		line += d.eol
	}
	return splice(d.text, at, at, line)
}

// addTable adds a table with one line at the end of the file, which goes on to
// end with a line end, or without one.
func (d *document) addTable(path []string, line string) []byte {
	table := "[" + toml.Key(path).String() + "]" + d.eol + line
	switch n := len(d.text); {
	case n == 0:
		table += d.eol
	case d.text[n-1] == '\n':
		table = d.eol + table + d.eol
	default:
		table = d.eol + d.eol + table
	}
	return splice(d.text, len(d.text), len(d.text), table)
}

// unset takes out every line and every pair that says something of the key.
func (d *document) unset(key []string) []byte {
	var cuts []cut
	for i := range d.nodes {
		n := &d.nodes[i]
		switch {
		case n.kind == unstable.Comment:
		case under(n.path, key):
			cuts = append(cuts, cut{lineStart(d.text, n.start), nextLine(d.text, n.end)})
		default:
			cuts = append(cuts, n.cutsInside(d.text, key)...)
		}
	}
	out := d.text
	// From the last to the first, so that the places of the others stay true.
	for _, c := range slices.Backward(joined(cuts)) {
		out = remove(out, c)
	}
	return out
}

// A cut is a piece of text to take away.
type cut struct{ from, to int }

// joined makes one cut of those that touch.
func joined(cuts []cut) (all []cut) {
	for _, c := range cuts {
		if n := len(all); n > 0 && all[n-1].to == c.from {
			all[n-1].to = c.to
			continue
		}
		all = append(all, c)
	}
	return all
}

// remove takes the cut away, and of two empty lines that then meet the first
// one. An end of the file without a line end stays one.
func remove(text []byte, c cut) []byte {
	whole := lineStart(text, c.from) == c.from && (c.to == len(text) || text[c.to-1] == '\n')
	if !whole {
		return splice(text, c.from, c.to, "")
	}
	ended := text[c.to-1] == '\n'
	if before := c.from; emptyLine(text, c.to) {
		switch {
		case before > 0 && emptyLine(text, lineStart(text, before-1)):
			c.from = lineStart(text, before-1)
		case before == 0:
			c.to = nextLine(text, c.to)
		}
	}
	if !ended {
		c.from = len(bytes.TrimSuffix(bytes.TrimSuffix(text[:c.from], []byte("\n")), []byte("\r")))
	}
	return splice(text, c.from, c.to, "")
}

// emptyLine reports whether nothing stands in the line that begins at, or the
// file ends there.
func emptyLine(text []byte, at int) bool {
	return len(bytes.Trim(text[at:nextLine(text, at)], " \t\r\n")) == 0
}
