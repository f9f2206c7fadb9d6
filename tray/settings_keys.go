package tray

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

// spot is where a key stands for the first time, and how it is spelled there.
type spot struct {
	key   toml.Key
	line  int   // from 1
	twice *spot // where it stands again in another spelling; nil for nowhere
}

// spots are those of a file, by folded key.
type spots map[string]spot

// folded is a key as toml compares it: struct keys in any case, the agents of
// agent_pets as they are.
func folded(key toml.Key) string {
	if len(key) > 1 && strings.EqualFold(key[0], "agent_pets") {
		return "agent_pets." + key[1:].String()
	}
	return strings.ToLower(key.String())
}

// line is where a key stands, or 0.
func (s spots) line(key ...string) int { return s[folded(key)].line }

// spelled is a key with as much of it as the file has in the file's spelling.
func (s spots) spelled(key toml.Key) toml.Key {
	for n := len(key); n > 0; n-- {
		if at, here := s[folded(key[:n])]; here {
			return slices.Concat(at.key, key[n:])
		}
	}
	return key
}

// keys are those of the file in its order, folded.
func (s spots) keys() []string {
	var all []string
	for key := range s {
		all = append(all, key)
	}
	slices.SortFunc(all, func(a, b string) int {
		if s[a].line != s[b].line {
			return s[a].line - s[b].line
		}
		return strings.Compare(a, b)
	})
	return all
}

// find finds the keys of a file. toml keeps to itself where they stand, so this
// is another parser, up to the first thing that this one does not understand.
func find(data []byte) spots {
	f := finder{data: data, line: 1, spots: spots{}}
	var p unstable.Parser
	p.Reset(data)
	var table toml.Key
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = f.note(nil, e.Key())
		case unstable.KeyValue:
			f.value(table, e)
		}
	}
	return f.spots
}

// finder goes through a file once, from its start to its end.
type finder struct {
	data       []byte
	seen, line int // so many bytes have been counted, which end in that line
	spots      spots
}

func (f *finder) value(table toml.Key, e *unstable.Node) {
	key := f.note(table, e.Key())
	if e.Value().Kind != unstable.InlineTable {
		return
	}
	for all := e.Value().Children(); all.Next(); {
		f.value(key, all.Node())
	}
}

// note notes a key in a table, and what it stands in.
func (f *finder) note(table toml.Key, names unstable.Iterator) toml.Key {
	key := slices.Clip(table)
	for names.Next() {
		n := names.Node()
		f.line += bytes.Count(f.data[f.seen:n.Raw.Offset], []byte("\n"))
		f.seen = int(n.Raw.Offset)
		key = append(key, string(n.Data))
		switch before, known := f.spots[folded(key)]; {
		case !known:
			f.spots[folded(key)] = spot{key: key, line: f.line}
		case before.twice == nil && !slices.Equal(before.key, key):
			before.twice = &spot{key: key, line: f.line}
			f.spots[folded(key)] = before
		}
	}
	return key
}

// unset is a line of the template that sets nothing.
var unset = regexp.MustCompile(`(?m)^#(\w+ = )`)

// fullTemplate is the template with every # taken away in front of a key.
func fullTemplate() []byte { return unset.ReplaceAll(template, []byte("$1")) }

// meant says which keys were meant by one that means nothing, if that can be seen.
func meant(key toml.Key) string {
	var whole, last []string
	for _, known := range find(fullTemplate()).keys() {
		if alike(strings.ToLower(key.String()), known) {
			whole = append(whole, known)
		}
		if alike(strings.ToLower(key[len(key)-1]), known[strings.LastIndexByte(known, '.')+1:]) {
			last = append(last, known)
		}
	}
	best := whole
	if best == nil {
		best = last
	}
	switch {
	case best == nil:
		return ""
	case len(key) > 1 && !strings.Contains(best[0], "."):
		return "; did you mean " + best[0] + ", above every [table]?"
	}
	return "; did you mean " + strings.Join(best, " or ") + "?"
}

// alike reports whether one slip of a finger makes b of a: one letter another or
// up to two too many or too few, or two in the wrong order.
func alike(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return swapped || len(a)+len(b) <= 2
}
