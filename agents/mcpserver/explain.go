package mcpserver

import (
	"errors"
	"os"
	"strings"

	"github.com/playpets/playpets/agents/speech"
	"github.com/playpets/playpets/bridge"
)

// answers are what a model is told of an error: what to do. Nothing of the error
// itself is in it, since that may name paths and ports.
var answers = []struct {
	is  func(error) bool
	say string
}{
	{same(bridge.ErrNotRunning), "PlayPets is not running: go on without it; the person can start it."},
	{same(bridge.ErrUnknownLease), "PlayPets forgets this session again and again: go on without it; the person can quit it and start it again."},
	{same(os.ErrDeadlineExceeded), late},
	{code("unsafe_message"), "Say it in other words: one short line without code, secrets, URLs or paths."},
	{code("too_large"), "That is too long: send one short sentence and a friend's name."},
	{code("internal"), "PlayPets could not do that: go on without it; its log tells the person why."},
	{refused, "PlayPets did not take that, so it may be of another version: go on without it; the person can quit it and start it again."},
}

const (
	late        = "PlayPets does not answer in time: go on without it; the person can quit it and start it again."
	unreachable = "PlayPets cannot be reached: go on without it; the person can quit it and start it again."
)

func same(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func code(code string) func(error) bool {
	return func(err error) bool {
		var e *bridge.Error
		return errors.As(err, &e) && e.Code == code
	}
}

// refused reports whether the app answered, but with a refusal.
func refused(err error) bool { return errors.As(err, new(*bridge.Error)) }

// explain is an error in a sentence for the model.
func (t *tools) explain(err error) string {
	var said wrong
	var unsafe *speech.Refusal
	switch {
	case errors.As(err, &said):
		return said.Error()
	case errors.As(err, &unsafe):
		return unsafe.Error()
	case code("no_such_friend")(err), errors.Is(err, bridge.ErrNoFriend):
		return t.nobody()
	}
	for _, a := range answers {
		if a.is(err) {
			return a.say
		}
	}
	return unreachable
}

// maxNames is how many friends an answer names.
const maxNames = 20

// nobody says that no friend is called so, and who is there.
func (t *tools) nobody() string {
	all, err := t.app.Friends()
	if err != nil { // it was there a moment ago
		return "No friend is called that: leave pet out."
	}
	if len(all) == 0 {
		return "No friend is there yet: go on without one; the person can invite one."
	}
	var names []string
	for _, f := range all[:min(len(all), maxNames)] {
		names = append(names, f.Name)
	}
	return "No friend is called that: leave pet out, or name one of " + strings.Join(names, ", ") + "."
}
