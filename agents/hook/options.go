package hook

import (
	"bytes"
	"os"

	"github.com/playpets/playpets/agents"
)

// options is what the command line of a hook says.
type options struct {
	kind    agents.Kind
	pet     string // PLAYPETS_PET without --pet
	bridge  string // empty for the usual one
	payload string // when it came as an argument
}

// parse reads the command line. Of a wrong one it makes as much as it can, so
// that an agent that must read an answer gets it, and ok is false.
func parse(args []string) (o options, ok bool) {
	o.pet = os.Getenv("PLAYPETS_PET")
	ok = true
	var words []string
	for len(args) > 0 {
		arg := []byte(args[0])
		args = args[1:]
		if len(arg) == 0 || arg[0] != '-' {
			words = append(words, string(arg))
			continue
		}
		name, value, joined := bytes.Cut(arg, []byte("="))
		target := o.flag(string(name))
		switch {
		case target == nil, !joined && len(args) == 0:
			ok = false
		case joined:
			*target = string(value)
		default:
			*target, args = args[0], args[1:]
		}
	}
	return o.with(words, ok)
}

// flag is what a flag of that name sets.
func (o *options) flag(name string) *string {
	switch name {
	case "--pet":
		return &o.pet
	case "--bridge":
		return &o.bridge
	}
	return nil
}

// with takes the agent's name and, where the agent sends it so, the payload.
func (o options) with(words []string, ok bool) (options, bool) {
	if len(words) == 0 {
		return o, false
	}
	kind, known := agents.KindNamed(words[0])
	o.kind = kind
	switch {
	case !known:
		return o, false
	case len(words) == 2 && kind.Argument:
		o.payload = words[1]
	case len(words) > 1:
		return o, false
	}
	return o, ok
}
