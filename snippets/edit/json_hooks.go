package edit

import (
	"errors"
	"slices"

	"github.com/tailscale/hujson"
)

// addHooks adds to each event's list what the snippet has for it.
func (f *jsonFile) addHooks(v *hujson.Value, from *hujson.Object) error {
	in, err := f.object(v, "hooks")
	if err != nil {
		return err
	}
	for _, m := range from.Members {
		event := m.Name.Value.(hujson.Literal).String()
		there, err := f.find(in, event)
		if err != nil {
			return err
		}
		entries, _ := m.Value.Value.(*hujson.Array)
		if there == nil || entries == nil {
			if there == nil {
				f.append(v, m.Name, m.Value)
			}
			continue
		}
		if there.Value.Kind() != '[' {
			return refuse(f.text, there.StartOffset, "%q is no list [ … ]", event)
		}
		if err := f.addEntries(there, entries.Elements); err != nil {
			return err
		}
	}
	return nil
}

// addEntries replaces our hooks in the list by these, one by one, and adds or
// drops what one of both sides has more.
func (f *jsonFile) addEntries(list *hujson.Value, entries []hujson.Value) error {
	done := 0
	err := f.eachOurs(list, func(entry, hook *hujson.Value) (drop bool) {
		if done == len(entries) || picky(entry) {
			return true
		}
		by := entries[done]
		if inner := hooksOf(&by); inner != nil {
			by = inner.Elements[0]
		}
		f.replace(hook, by)
		done++
		return false
	})
	if err != nil {
		return err
	}
	if f.hasOwn(list) {
		return nil
	}
	for _, e := range entries[done:] {
		f.append(list, hujson.Value{}, e)
	}
	return nil
}

// hasOwn reports whether the person's own hook tells us of all that the event is.
func (f *jsonFile) hasOwn(list *hujson.Value) bool {
	isOwn := func(hook hujson.Value) bool {
		words := commandWords(&hook)
		return words != nil && !f.ours(words) && f.own(words)
	}
	return slices.ContainsFunc(list.Value.(*hujson.Array).Elements, func(entry hujson.Value) bool {
		inner := hooksOf(&entry)
		return !picky(&entry) && (isOwn(entry) || inner != nil && slices.ContainsFunc(inner.Elements, isOwn))
	})
}

// picky reports whether an entry has a matcher that may let only some through.
func picky(entry *hujson.Value) bool {
	matcher := memberOf(entry, "matcher")
	if matcher == nil {
		return false
	}
	literal, _ := matcher.Value.(hujson.Literal)
	return literal.Kind() != '"' || !slices.Contains([]string{"", "*", ".*"}, literal.String())
}

// eachOurs visits our hooks in the list of an event, as entries or one level
// deeper, and drops them if visit says so. An entry that is then empty goes too.
func (f *jsonFile) eachOurs(list *hujson.Value, visit func(entry, hook *hujson.Value) (drop bool)) error {
	entries := list.Value.(*hujson.Array)
	for i := 0; i < len(entries.Elements); i++ {
		entry := &entries.Elements[i]
		drop := f.isOurs(entry) && visit(entry, entry)
		if o, ok := entry.Value.(*hujson.Object); ok && !drop {
			if _, err := f.find(o, "hooks"); err != nil {
				return err
			}
			drop = f.dropInside(hooksOf(entry), func(hook *hujson.Value) bool { return visit(entry, hook) })
		}
		if drop {
			f.drop(array{entries}, i)
			i--
		}
	}
	return nil
}

// dropInside does it for the hooks of an entry. It reports whether it has left
// nothing of them.
func (f *jsonFile) dropInside(hooks *hujson.Array, visit func(*hujson.Value) bool) (empty bool) {
	if hooks == nil {
		return false
	}
	for i := 0; i < len(hooks.Elements); i++ {
		if hook := &hooks.Elements[i]; f.isOurs(hook) && visit(hook) {
			f.drop(array{hooks}, i)
			i--
			empty = len(hooks.Elements) == 0 && blank(hooks.AfterExtra)
		}
	}
	return empty
}

// hooksOf is the list inside of an entry that has one with something in it.
func hooksOf(entry *hujson.Value) *hujson.Array {
	hooks := memberOf(entry, "hooks")
	if hooks == nil {
		return nil
	}
	if list, ok := hooks.Value.(*hujson.Array); ok && len(list.Elements) > 0 {
		return list
	}
	return nil
}

func memberOf(v *hujson.Value, name string) (found *hujson.Value) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range o.Members {
		if literal, _ := o.Members[i].Name.Value.(hujson.Literal); literal.String() == name {
			found = &o.Members[i].Value
		}
	}
	return found
}

func (f *jsonFile) isOurs(v *hujson.Value) bool {
	words := commandWords(v)
	return words != nil && f.ours(words)
}

// commandWords are what an object starts: a line alone, or a program and its
// arguments; nil if it starts nothing.
func commandWords(v *hujson.Value) []string {
	command := memberOf(v, "command")
	if command == nil || command.Value.Kind() != '"' {
		return nil
	}
	words := []string{command.Value.(hujson.Literal).String()}
	if args := memberOf(v, "args"); args != nil {
		if list, ok := args.Value.(*hujson.Array); ok {
			for _, arg := range list.Elements {
				if literal, ok := arg.Value.(hujson.Literal); ok {
					words = append(words, literal.String())
				}
			}
		}
	}
	return words
}

// removeFrom takes what is ours out of a member of an object, and the member
// itself if nothing else was in it.
func (f *jsonFile) removeFrom(parent *hujson.Object, name string, remove func(in *hujson.Object, i int) (empty bool, err error)) error {
	v, err := f.find(parent, name)
	if err != nil || v == nil {
		return err
	}
	in, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	dropped := false
	for i := 0; i < len(in.Members); i++ {
		empty, err := remove(in, i)
		if err != nil {
			return err
		}
		if empty {
			f.drop(object{in}, i)
			i--
			dropped = true
		}
	}
	if dropped && len(in.Members) == 0 && blank(in.AfterExtra) {
		f.dropMember(parent, v)
	}
	return nil
}

// dropMember takes the member with that value out of an object.
func (f *jsonFile) dropMember(in *hujson.Object, v *hujson.Value) {
	for i := range in.Members {
		if &in.Members[i].Value == v {
			f.drop(object{in}, i)
			return
		}
	}
}

// removeProjects takes our servers out of each project's, as Claude Code keeps them.
func (f *jsonFile) removeProjects(root *hujson.Object) error {
	v, err := f.find(root, "projects")
	if v == nil {
		return err
	}
	projects, _ := v.Value.(*hujson.Object)
	if projects == nil {
		return nil
	}
	for _, project := range projects.Members {
		if in, ok := project.Value.Value.(*hujson.Object); ok {
			err = errors.Join(err, f.removeFrom(in, "mcpServers", f.removeServer))
		}
	}
	return err
}

// removeHooks takes our hooks out of an event's list.
func (f *jsonFile) removeHooks(in *hujson.Object, i int) (empty bool, err error) {
	list, ok := in.Members[i].Value.Value.(*hujson.Array)
	if !ok {
		return false, nil
	}
	before := len(list.Elements)
	err = f.eachOurs(&in.Members[i].Value, func(_, _ *hujson.Value) bool { return true })
	return before > 0 && len(list.Elements) == 0 && blank(list.AfterExtra), err
}

// removeServer says whether an MCP server is ours.
func (f *jsonFile) removeServer(in *hujson.Object, i int) (ours bool, err error) {
	return f.isOurs(&in.Members[i].Value), nil
}
