package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

// A shape is how an agent's hooks must stand in its settings for it to call them.
type shape struct {
	kind    agents.Kind
	events  []string // each that we want to hear of
	grouped bool     // hooks stand in a list "hooks" of an object that may have a "matcher"
	typed   bool     // a hook without a "type" is none
	least   float64  // the shortest good timeout, in the agent's unit
}

// newShape reads the shape off our own snippet, which names the events, too.
func newShape(kind agents.Kind, wanted []snippets.Snippet) (s shape, err error) {
	s = shape{kind: kind, least: 1}
	own := slices.IndexFunc(wanted, func(w snippets.Snippet) bool { return w.Name == "hooks" })
	f, err := parseSettings("", []byte(wanted[own].Text), "json")
	if err != nil {
		return s, err
	}
	hooks, _ := f.tree["hooks"].(map[string]any)
	s.events = slices.Sorted(maps.Keys(hooks))
	hook := objects(hooks[s.events[0]])[0]
	if inner := objects(hook["hooks"]); len(inner) > 0 {
		s.grouped, hook = true, inner[0]
	}
	_, s.typed = hook["type"]
	if own, is := number(hook["timeout"]); is {
		s.least = own / 5
	}
	return s, nil
}

// A flaw is what keeps a hook from being called; the zero value is none. A partial
// one does so at times, or in some versions.
type flaw struct {
	text    string
	partial bool
}

// flaws are those of our hooks at an event, one for each.
func (s shape) flaws(event any) (all []flaw) {
	for _, group := range objects(event) {
		hooks := []map[string]any{group}
		if s.grouped {
			hooks = objects(group["hooks"])
		}
		for _, hook := range hooks {
			if command, ok := hook["command"].(string); ok && len(ours([][]string{append([]string{command}, texts(hook["args"])...)})) > 0 {
				all = append(all, s.flaw(group, hook))
			}
		}
	}
	if len(all) == 0 && len(ours(commands(event))) > 0 {
		return []flaw{s.misplaced()}
	}
	return all
}

func (s shape) misplaced() flaw {
	return flaw{text: "stands where " + s.kind.Title + " does not look for it"}
}

func (s shape) flaw(group, hook map[string]any) flaw {
	command, _ := hook["command"].(string)
	args := texts(hook["args"])
	kind, typed := hook["type"]
	timeout, limited := hook["timeout"]
	switch seconds, is := number(timeout); {
	case (typed || s.typed) && kind != "command":
		return flaw{text: `has no "type": "command"`}
	case calledFor(append([]string{command}, args...)) != s.kind.Name:
		return flaw{text: "does not run `playpets hook " + s.kind.Name + "`"}
	case limited && (!is || seconds < s.least):
		return flaw{text: fmt.Sprintf(`has a "timeout" of %v, which is too short`, timeout)}
	case len(args) > 0 && s.kind.Name != "claude":
		return flaw{text: `has "args", which ` + s.kind.Title + " does not know"}
	case len(args) > 0:
		return flaw{`has "args", which ` + s.kind.Title + " before 2.1.139 does not know", true}
	}
	for _, limit := range []string{"matcher", "if"} {
		for _, in := range []map[string]any{group, hook} {
			if v := in[limit]; v != nil && v != "" && v != "*" && v != ".*" {
				return flaw{fmt.Sprintf("has a %q, so it is not always called", limit), true}
			}
		}
	}
	return flaw{}
}

// called finds the agent in a line for a shell.
var called = regexp.MustCompile(`(?i)playpets[^/\\]*? hook ["']?([\w-]+)`)

// calledFor is the agent that a command calls us for; empty if it does not say.
func calledFor(words []string) string {
	if len(words) > 2 && words[1] == "hook" {
		return words[2]
	}
	if m := called.FindStringSubmatch(strings.Join(words, " ")); m != nil {
		return m[1]
	}
	return ""
}

// number is a number of JSON or TOML.
func number(v any) (n float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// A verdict is what is found of all our hooks in an agent's settings.
type verdict struct {
	heard   bool     // the agent calls us at some event
	details []string // what is wrong
	mend    string
}

// judge looks whether the agent calls us at each event that we want to hear of.
func (s shape) judge(files []settingsFile) (v verdict) {
	v.mend = "`playpets connect " + s.kind.Name + "` puts that right."
	for _, f := range files {
		notify := texts(f.tree["notify"])
		switch _, is := snippets.Ours(notify...); {
		case is && calledFor(notify) == s.kind.Name:
			v.heard = true
		case is:
			v.details = append(v.details, "notify in "+installer.Short(f.path)+" does not run `playpets hook "+s.kind.Name+"`")
		}
	}
	found, where, strays := s.gather(files)
	if where == nil {
		return v
	}
	const missing = "is missing"
	bad := map[string][]string{} // events, by what is wrong
	for _, event := range s.events {
		is := flaw{text: missing}
		if len(found[event]) > 0 {
			is = best(found[event])
		}
		v.heard = v.heard || is.text == "" || is.partial
		if is.text != "" {
			bad[is.text] = append(bad[is.text], event)
		}
	}
	if bad[missing] != nil && strays != nil {
		bad["is at none that PlayPets listens to"] = strays
	}
	if bad[s.misplaced().text] != nil { // connect would not move it
		v.mend = "Take it out of there, then `playpets connect " + s.kind.Name + "`."
	}
	for _, what := range slices.Sorted(maps.Keys(bad)) {
		v.details = append(v.details, "in "+strings.Join(where, " and ")+" the hook for "+strings.Join(bad[what], ", ")+" "+what)
	}
	return v
}

// gather finds the flaws of our hooks by event, the files where there are any, and
// the events among them that we do not ask for.
func (s shape) gather(files []settingsFile) (found map[string][]flaw, where, strays []string) {
	found = map[string][]flaw{}
	for _, f := range files {
		if len(ours(commands(f.tree["hooks"]))) == 0 {
			continue
		}
		where = append(where, installer.Short(f.path))
		hooks, is := f.tree["hooks"].(map[string]any)
		for _, event := range s.events {
			if !is {
				found[event] = []flaw{s.misplaced()}
			}
		}
		for _, event := range slices.Sorted(maps.Keys(hooks)) {
			all := s.flaws(hooks[event])
			found[event] = append(found[event], all...)
			if len(all) > 0 && !slices.Contains(s.events, event) {
				strays = append(strays, event)
			}
		}
	}
	return found, where, strays
}

// best is the least of an event's flaws: one good hook is enough.
func best(all []flaw) flaw {
	for _, wanted := range []func(flaw) bool{
		func(f flaw) bool { return f.text == "" },
		func(f flaw) bool { return f.partial },
	} {
		if i := slices.IndexFunc(all, wanted); i >= 0 {
			return all[i]
		}
	}
	return all[0]
}
