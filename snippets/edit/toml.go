package edit

import (
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

// AddTOML sets each key of a snippet in the file, as SetTOML does.
func AddTOML(file, snippet []byte) ([]byte, error) {
	var tree map[string]any
	meta, err := toml.Decode(string(snippet), &tree)
	if err != nil {
		return nil, fmt.Errorf("read the snippet: %w", err)
	}
	for _, key := range meta.Keys() {
		value, _ := lookup(tree, key)
		switch v := value.(type) {
		case map[string]any:
			continue // its keys follow
		case int64:
			value = int(v)
		case []any:
			words := []string{}
			for _, word := range v {
				words = append(words, fmt.Sprint(word))
			}
			value = words
		}
		if file, err = SetTOML(file, key, value); err != nil {
			return nil, err
		}
	}
	return file, nil
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
