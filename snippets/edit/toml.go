package edit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

// SetTOML gives the key its value: a string, bool, int or []string. What stands
// there already is replaced where it stands. A new key comes last in its table,
// or below a line that has it commented out; a table that is missing comes last
// in the file. A file that says it already comes back as it is. Refused are
// files that do not parse, and keys that are a table or lie inside of something
// else ("show = true" when show.when is set).
func SetTOML(file []byte, key []string, value any) ([]byte, error) {
	literal, decoded, err := literalTOML(value)
	if err != nil || len(key) == 0 {
		return nil, fmt.Errorf("write %s: %w", toml.Key(key), errors.Join(err, someKey(key)))
	}
	mark, text := splitBOM(file)
	d, tree, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	switch old, _ := lookup(tree, key); old.(type) {
	case map[string]any, []map[string]any:
		return nil, fmt.Errorf("write %s: it is a table in this file", toml.Key(key))
	default:
		if reflect.DeepEqual(old, decoded) {
			return file, nil
		}
	}
	out, err := d.set(key, literal)
	if err != nil {
		return nil, err
	}
	plant(tree, key, decoded)
	return checkedTOML(mark, out, key, tree)
}

// UnsetTOML takes the key out of the file, and everything below it if it is a
// table. Comments stay, but those between braces. A file without the key comes back as it is. After
// SetTOML the file is what it was before, except that the table that had to be
// made for the key stays, empty, and so do braces: {} and { } become {}.
func UnsetTOML(file []byte, key []string) ([]byte, error) {
	if err := someKey(key); err != nil {
		return nil, err
	}
	mark, text := splitBOM(file)
	d, tree, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	if _, ok := lookup(tree, key); !ok {
		return file, d.reachable(key)
	}
	if err := d.reachable(key); err != nil {
		return nil, err
	}
	uproot(tree, key)
	return checkedTOML(mark, d.unset(key), key, tree)
}

func someKey(key []string) error {
	if len(key) == 0 {
		return errors.New("no key is named")
	}
	return nil
}

// literalTOML writes the value as TOML has it, and gives what a reader makes of it.
func literalTOML(value any) (literal string, decoded any, err error) {
	switch value.(type) {
	case string, bool, int, []string:
	default:
		return "", nil, fmt.Errorf("a %T has no place in a settings file", value)
	}
	line, err := toml.Marshal(map[string]any{"k": value})
	if err != nil {
		return "", nil, err
	}
	var tree map[string]any
	if _, err := toml.Decode(string(line), &tree); err != nil {
		return "", nil, err
	}
	return strings.TrimPrefix(strings.TrimSuffix(string(line), "\n"), "k = "), tree["k"], nil
}

// set puts the line or the value where it belongs.
func (d *document) set(key []string, literal string) ([]byte, error) {
	if err := d.reachable(key); err != nil {
		return nil, err
	}
	parent, last := key[:len(key)-1], toml.Key(key[len(key)-1:]).String()
	sibling := -1 // a key of parent, spelled with dots in a table above it
	table := -1   // the header of parent
	var inline *node
	for i := range d.nodes {
		n := &d.nodes[i]
		if found := n.deepest(key); found != nil && found.kind != unstable.InlineTable {
			return splice(d.text, found.value, found.end, literal), nil
		} else if found != nil {
			inline = found
		}
		switch {
		case n.kind == unstable.Table && slices.Equal(n.path, parent):
			table = i
		case n.isKey() && len(n.path) > len(parent) && under(n.path, parent) && len(n.table) < len(parent):
			sibling = i
		}
	}
	switch {
	case inline != nil:
		return d.addInside(inline, toml.Key(key[len(inline.path):]).String()+" = "+literal), nil
	case sibling >= 0:
		n := d.nodes[sibling]
		line := toml.Key(key[len(n.table):]).String() + " = " + literal
		return d.insert(nextLine(d.text, n.end), indentAt(d.text, n.start)+line), nil
	case table >= 0 || len(parent) == 0:
		at, indent := d.endOfTable(table, last)
		return d.insert(at, indent+last+" = "+literal), nil
	}
	return d.addTable(parent, last+" = "+literal), nil
}

// reachable refuses a key that is a table, lies in an element of an array, or
// below something that is no table.
func (d *document) reachable(key []string) error {
	for i := range d.nodes {
		if err := d.nodes[i].blocks(d.text, key); err != nil {
			return err
		}
	}
	return nil
}

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
