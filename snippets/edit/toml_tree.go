package edit

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/BurntSushi/toml"
)

// lookup finds the key among the tables of tree.
func lookup(tree map[string]any, key []string) (value any, ok bool) {
	value = tree
	for _, name := range key {
		table, isTable := value.(map[string]any)
		if !isTable {
			return nil, false
		}
		if value, ok = table[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// plant sets the key in tree, whose tables on the way it makes.
func plant(tree map[string]any, key []string, value any) {
	for _, name := range key[:len(key)-1] {
		table, ok := tree[name].(map[string]any)
		if !ok {
			table = map[string]any{}
			tree[name] = table
		}
		tree = table
	}
	tree[key[len(key)-1]] = value
}

// uproot takes the key out of tree, and the tables on the way that are then
// empty: in a file they are there only as long as something is written in them.
func uproot(tree map[string]any, key []string) {
	if len(key) > 1 {
		if table, ok := tree[key[0]].(map[string]any); ok {
			uproot(table, key[1:])
			if len(table) > 0 {
				return
			}
		} else {
			return
		}
	}
	delete(tree, key[0])
}

// checkedTOML gives the edited file out only if it says what it said before,
// but for the key.
func checkedTOML(mark, out []byte, key []string, want map[string]any) ([]byte, error) {
	var got map[string]any
	if _, err := toml.Decode(string(out), &got); err != nil {
		return nil, errors.New("cannot edit " + toml.Key(key).String() + " in this file: " + err.Error())
	}
	if _, kept := lookup(want, key); !kept {
		uproot(got, key)
	}
	if !sameTree(got, want) {
		return nil, errors.New("cannot edit " + toml.Key(key).String() + " without changing something else in this file")
	}
	return append(mark[:len(mark):len(mark)], out...), nil
}

// sameTree compares what two files say. fmt takes a nan for another nan, and writes
// maps in order.
func sameTree(a, b map[string]any) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b) || fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b))
}
