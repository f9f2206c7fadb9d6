package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// AddJSON adds a snippet to a settings file, JSON with or without comments. ours
// tells what starts us from other people's: a line for a shell, or a program and its
// arguments, which stand apart. own tells those of the person's own that start us as
// well.
//
// Of "hooks" each event's list gets our hook at its end; one of ours that is
// there already is replaced where it stands, unless a matcher keeps some of its
// events away, and what of ours is there twice goes. An event that an own one tells
// us of gets no second one. Of other objects ("mcpServers") the members are set, one
// by one, so that what else stands in an entry stays. Anything else is added if it
// is not there. What is added is laid out as its neighbours are. A file with nothing
// in it becomes the snippet; one that has it all comes back as it is.
//
// Refused are files that do not parse, lists and objects that are something
// else, members on the way there that stand twice, and a server of our name that
// is somebody else's.
func AddJSON(file, snippet []byte, ours, own func(words []string) bool) ([]byte, error) {
	mark, text := splitBOM(file)
	if len(bytes.TrimSpace(text)) == 0 {
		return append(mark[:len(mark):len(mark)], snippet...), nil
	}
	f, err := parseJSON(text, ours)
	if err != nil {
		return nil, err
	}
	f.own = own
	added, err := hujson.Parse(snippet)
	if err != nil {
		return nil, fmt.Errorf("read the snippet: %w", err)
	}
	from, ok := added.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("read the snippet: it is no object")
	}
	for _, m := range from.Members {
		if err := f.addRoot(m); err != nil {
			return nil, err
		}
	}
	return f.result(file, mark)
}

// RemoveJSON takes our hooks and our MCP servers, also those of single "projects",
// out of a settings file, and what they leave empty: the event, "hooks",
// "mcpServers". Comments stay. After AddJSON the file is what it was before, except
// that lists and objects that were empty are gone, "version" stays, white space
// between empty brackets goes, and a file that had nothing in it has an empty object.
func RemoveJSON(file []byte, ours func(words []string) bool) ([]byte, error) {
	mark, text := splitBOM(file)
	if len(bytes.TrimSpace(text)) == 0 {
		return file, nil
	}
	f, err := parseJSON(text, ours)
	if err != nil {
		return nil, err
	}
	root := f.root.Value.(*hujson.Object)
	if err := errors.Join(f.removeFrom(root, "hooks", f.removeHooks), f.removeFrom(root, "mcpServers", f.removeServer), f.removeProjects(root)); err != nil {
		return nil, err
	}
	return f.result(file, mark)
}

// UnsetJSON takes what stands below these keys out of a file that AddJSON takes, and
// objects that are then empty. Without it the file comes back as it is.
func UnsetJSON(file []byte, key ...string) ([]byte, error) {
	if err := someKey(key); err != nil {
		return nil, err
	}
	mark, text := splitBOM(file)
	f, err := parseJSON(text, nil)
	if err != nil {
		return nil, err
	}
	if err := f.unset(f.root.Value.(*hujson.Object), key); err != nil {
		return nil, err
	}
	return f.result(file, mark)
}

func (f *jsonFile) unset(in *hujson.Object, key []string) error {
	v, err := f.find(in, key[0])
	if v == nil {
		return err
	}
	if len(key) > 1 {
		inner, ok := v.Value.(*hujson.Object)
		if !ok {
			return nil
		}
		err := f.unset(inner, key[1:])
		if !f.changed || len(inner.Members) > 0 || !blank(inner.AfterExtra) {
			return err
		}
	}
	f.dropMember(in, v)
	return nil
}

// A jsonFile is a settings file being edited.
type jsonFile struct {
	text    []byte
	root    hujson.Value
	ours    func(words []string) bool
	own     func(words []string) bool
	style   style
	changed bool
}

func parseJSON(text []byte, ours func([]string) bool) (*jsonFile, error) {
	// hujson wants an end of the line behind each comment.
	root, err := hujson.Parse(append(text[:len(text):len(text)], '\n'))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, refuse(text, root.StartOffset, "the file is no object { … }")
	}
	return &jsonFile{text: text, root: root, ours: ours, style: styleOf(text, &root)}, nil
}

// result is the edited file, if it can be read.
func (f *jsonFile) result(file, mark []byte) ([]byte, error) {
	if !f.changed {
		return file, nil
	}
	out := f.root.Pack()
	if _, err := hujson.Parse(out); err != nil {
		return nil, fmt.Errorf("edit this file: %w", err)
	}
	return append(mark[:len(mark):len(mark)], bytes.TrimSuffix(out, []byte("\n"))...), nil
}

// find is the member of that name of an object, or nil. Of two that have the
// same name nobody knows which one counts.
func (f *jsonFile) find(in *hujson.Object, name string) (found *hujson.Value, err error) {
	for i := range in.Members {
		m := &in.Members[i]
		if literal, _ := m.Name.Value.(hujson.Literal); literal.String() != name {
			continue
		}
		if found != nil {
			return nil, refuse(f.text, m.Name.StartOffset, "%q stands here a second time", name)
		}
		found = &m.Value
	}
	return found, nil
}

// object is a value as the object that it must be.
func (f *jsonFile) object(v *hujson.Value, name string) (*hujson.Object, error) {
	if o, ok := v.Value.(*hujson.Object); ok {
		return o, nil
	}
	return nil, refuse(f.text, v.StartOffset, "%q is no object { … }", name)
}

func (f *jsonFile) addRoot(m hujson.ObjectMember) error {
	name := m.Name.Value.(hujson.Literal).String()
	there, err := f.find(f.root.Value.(*hujson.Object), name)
	if err != nil {
		return err
	}
	from, isObject := m.Value.Value.(*hujson.Object)
	switch {
	case there == nil:
		f.append(&f.root, m.Name, m.Value)
		return nil
	case !isObject:
		return nil
	case name == "hooks":
		return f.addHooks(there, from)
	}
	return f.setMembers(there, name, from)
}

// setMembers gives the object the members of another one.
func (f *jsonFile) setMembers(v *hujson.Value, name string, from *hujson.Object) error {
	in, err := f.object(v, name)
	if err != nil {
		return err
	}
	for _, m := range from.Members {
		name := m.Name.Value.(hujson.Literal).String()
		there, err := f.find(in, name)
		if err != nil {
			return err
		}
		inner, isObject := m.Value.Value.(*hujson.Object)
		switch {
		case there == nil:
			f.append(v, m.Name, m.Value)
		case commandWords(&m.Value) != nil && !f.isOurs(there):
			return refuse(f.text, there.StartOffset, "%q is somebody else's", name)
		case isObject && there.Value.Kind() == '{':
			if err := f.setMembers(there, name, inner); err != nil {
				return err
			}
		default:
			f.replace(there, m.Value)
		}
	}
	return nil
}

// replace puts a value in the place of another one, unless they are the same.
func (f *jsonFile) replace(v *hujson.Value, by hujson.Value) {
	if reflect.DeepEqual(decoded(v), decoded(&by)) {
		return
	}
	f.changed = true
	// Where brackets stand on lines of their own they go on to.
	lines := bytes.ContainsRune(f.text[v.StartOffset:v.EndOffset], '\n')
	indent := indentAt(f.text, v.StartOffset)
	by = by.Clone()
	f.style.layOut(&by, indent, lines)
	v.Value = by.Value
}

// decoded is what a value says, however it is written.
func decoded(v *hujson.Value) (says any) {
	c := hujson.Value{Value: v.Clone().Value}
	c.Standardize()
	json.Unmarshal(c.Pack(), &says) // has been parsed before
	return says
}
