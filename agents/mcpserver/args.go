package mcpserver

import (
	"slices"
	"strings"
	"unicode"

	"github.com/playpets/playpets/agents"
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
	return "", wrong(name + " must be a string.")
}

// sentence is what a friend may say aloud; empty if there is none.
func (a args) sentence(name string, limit int) (string, error) {
	s, err := a.text(name)
	if err == nil && s != "" {
		err = speech.Check(s, limit)
	}
	return s, err
}

// must is a sentence that there has to be.
func (a args) must(name string, limit int) (string, error) {
	s, err := a.sentence(name, limit)
	if err == nil && s == "" {
		err = wrong(name + " must be one short sentence.")
	}
	return s, err
}

// friend is an optional friend's id or name. What can be none is not sent.
func (a args) friend(name string) (string, error) {
	s, err := a.text(name)
	if err == nil && (len(s) > agents.MaxField || strings.ContainsFunc(s, unicode.IsControl)) {
		err = bridge.ErrNoFriend
	}
	return s, err
}

// one is one of a few words.
func one[S ~string](a args, name string, of []S) (S, error) {
	s, err := a.text(name)
	if err != nil || !slices.Contains(of, S(s)) {
		return "", wrong(name + " must be one of " + strings.Join(words(of), ", ") + ".")
	}
	return S(s), nil
}
