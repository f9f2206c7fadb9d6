package edit

import (
	"errors"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A document is a TOML file with the places of everything in it.
type document struct {
	text  []byte
	eol   string
	nodes []node // in the order of the file
}

// A node is a header, a key with its value, or a comment on a line of its own.
type node struct {
	kind       unstable.Kind // Table, ArrayTable or Comment; else that of the value
	path       []string      // from the root
	table      []string      // the path of the table that it is written in
	start, end int           // a header's are those of its name
	value      int           // where the value begins
	inside     []node        // of an inline table
}

func (n *node) isKey() bool {
	return n.kind != unstable.Table && n.kind != unstable.ArrayTable && n.kind != unstable.Comment
}

// parseTOML finds the places, and what the file says. It knows TOML by two
// parsers, of which one has no places and the other does not look at the
// whole: a key that stands twice is no error to it.
func parseTOML(text []byte) (d *document, tree map[string]any, err error) {
	if _, err := toml.Decode(string(text), &tree); err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, nil, refuse(text, at.Position.Start, "%s", at.Message)
		}
		return nil, nil, err
	}
	d = &document{text: text, eol: lineEnd(text)}
	p := unstable.Parser{KeepComments: true}
	p.Reset(text[:len(text):len(text)])
	var table []string
	for p.NextExpression() {
		n := readNode(&p, p.Expression(), table)
		if n.kind == unstable.Table || n.kind == unstable.ArrayTable {
			table = n.path
		}
		d.nodes = append(d.nodes, n)
	}
	if err := p.Error(); err != nil {
		var at *unstable.ParserError
		if errors.As(err, &at) && cap(at.Highlight) <= len(text) { // a piece of text, cut at its end
			return nil, nil, refuse(text, len(text)-cap(at.Highlight), "%s", at.Message)
		}
		return nil, nil, err
	}
	return d, tree, nil
}

func readNode(p *unstable.Parser, e *unstable.Node, table []string) node {
	n := node{kind: e.Kind, table: table, start: int(e.Raw.Offset), end: int(e.Raw.Offset + e.Raw.Length)}
	if e.Kind == unstable.Comment {
		return n
	}
	if e.Kind == unstable.KeyValue {
		n.path = slices.Clone(table)
	}
	after := 0
	for keys := e.Key(); keys.Next(); {
		k := keys.Node()
		n.path = append(n.path, string(k.Data))
		if after == 0 && e.Kind != unstable.KeyValue {
			n.start = int(k.Raw.Offset)
		}
		after = int(k.Raw.Offset + k.Raw.Length)
	}
	if e.Kind != unstable.KeyValue {
		n.end = after
		return n
	}
	// The nodes of arrays do not say where they are, so the value is what
	// follows the equals sign.
	n.value = after
	for data := p.Data(); slices.Contains([]byte(" \t="), data[n.value]); {
		n.value++
	}
	n.kind = e.Value().Kind
	if n.kind == unstable.InlineTable {
		for pairs := e.Value().Children(); pairs.Next(); {
			if pair := pairs.Node(); pair.Kind == unstable.KeyValue {
				n.inside = append(n.inside, readNode(p, pair, n.path))
			}
		}
	}
	return n
}

// under reports whether path is key or lies below it.
func under(path, key []string) bool {
	return len(path) >= len(key) && slices.Equal(path[:len(key)], key)
}

// deepest is the key itself, or the innermost inline table that it belongs in.
func (n *node) deepest(key []string) *node {
	if !n.isKey() || !under(key, n.path) {
		return nil
	}
	for i := range n.inside {
		if found := n.inside[i].deepest(key); found != nil {
			return found
		}
	}
	return n
}

// blocks says why this node forbids to set or unset a key by its name alone.
func (n *node) blocks(text []byte, key []string) error {
	switch {
	case n.kind == unstable.Comment || !under(key, n.path):
		return nil
	case n.kind == unstable.ArrayTable && len(n.path) < len(key):
		return refuse(text, n.start, "%s is a list of tables", toml.Key(n.path))
	case n.isKey() && n.kind != unstable.InlineTable && len(n.path) < len(key):
		return refuse(text, n.start, "%s is no table", toml.Key(n.path))
	}
	for i := range n.inside {
		if err := n.inside[i].blocks(text, key); err != nil {
			return err
		}
	}
	return nil
}

// cutsInside are the pairs of inline tables that say something of the key, each
// with the comma that parted it from its neighbour.
func (n *node) cutsInside(text []byte, key []string) (cuts []cut) {
	left := false // whether a pair stays before
	for i := range n.inside {
		pair := &n.inside[i]
		switch {
		case !under(pair.path, key):
			left = true
			cuts = append(cuts, pair.cutsInside(text, key)...)
		case left:
			cuts = append(cuts, cut{n.inside[i-1].end, pair.end})
		case i+1 < len(n.inside):
			cuts = append(cuts, cut{pair.start, n.inside[i+1].start})
		default: // no pair stays: neither do comma and white space
			cuts = append(cuts[:0], cut{n.value + 1, n.end - 1})
		}
	}
	return cuts
}
