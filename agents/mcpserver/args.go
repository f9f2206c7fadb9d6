package mcpserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/playpets/playpets/agents/speech"
	"github.com/playpets/playpets/bridge"
)

// args are what a model sent with a call. Ones that a tool does not know are
// ignored.
type args map[string]any

// wrong is what is wrong with a call, in a sentence for the model.
type wrong string

func (w wrong) Error() string { return string(w) }

// text is an optional string; models also write null, "" and "null" for none.
func (a args) text(name string) (string, error) {
	switch v := a[name].(type) {
	case nil:
		return "", nil
	case string:
		if v = strings.TrimSpace(v); strings.EqualFold(v, "null") {
			v = ""
		}
		return v, nil
	}
	return "", wrong(name + " is a text.")
}

// sentence is what a friend may say aloud.
func (a args) sentence(name string, limit int, required bool) (string, error) {
	s, err := a.text(name)
	if err != nil || s == "" && !required {
		return "", err
	}
	return s, speech.Check(s, limit)
}

// one is one of a few words.
func one[S ~string](a args, name string, of []S) (S, error) {
	s, err := a.text(name)
	if err == nil && !slices.Contains(of, S(s)) {
		err = wrong(fmt.Sprintf("%s is one of %s.", name, strings.Join(words(of), ", ")))
	}
	return S(s), err
}

// explain is what a model is told of an error: what to do. Nothing of the error
// itself is in it, since that may name paths and ports.
func explain(err error) string {
	var said wrong
	var unsafe *speech.Refusal
	var refused *bridge.Error
	switch {
	case errors.As(err, &said):
		return said.Error()
	case errors.As(err, &unsafe):
		return unsafe.Error()
	case errors.Is(err, bridge.ErrNotRunning):
		return "PlayPets is not running: go on without it; the person can start it."
	case errors.As(err, &refused):
		switch refused.Code {
		case "no_such_friend":
			return "No friend is called that: leave pet out, or use a name from list_pets."
		case "unsafe_message":
			return refused.Message
		}
		return "PlayPets did not take that: go on without it."
	}
	return "PlayPets does not answer: go on without it; the person can start it again."
}
