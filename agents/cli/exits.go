package cli

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/playpets/playpets/bridge"
)

// exit is one row of the exit codes. Its name is the code of a JSON error.
type exit struct {
	code    int
	name    string
	meaning string
}

var (
	exitOK          = exit{0, "ok", "ok (`hook` always)"}
	exitOther       = exit{1, "failed", "failed for another reason; `doctor`: something does not work"}
	exitUsage       = exit{2, "usage", "wrong usage"}
	exitNotRunning  = exit{3, "not_running", "the app is not running"}
	exitToken       = exit{4, "token_refused", "the app refused the token of bridge.json"}
	exitNoFriend    = exit{5, "no_such_friend", "no such friend"}
	exitRefused     = exit{6, "payload_refused", "the app refused the payload (malformed or over 8 KB)"}
	exitNotRunnable = exit{126, "not_executable", "`run`: the command cannot be executed"}
	exitNotFound    = exit{127, "not_found", "`run`: there is no such command"}
	exitInterrupted = exit{130, "interrupted", "interrupted (Ctrl-C)"}
)

// exits lists them all, as `help exit-codes` prints them.
var exits = []exit{
	exitOK, exitOther, exitUsage, exitNotRunning, exitToken, exitNoFriend, exitRefused,
	exitNotRunnable, exitNotFound, exitInterrupted,
}

// A failure is an error that knows its exit code and what to do next.
type failure struct {
	exit    exit
	message string // lower case, no full stop
	hint    string // a sentence, or empty
}

func (f *failure) Error() string { return f.message }

func usage(message, hint string) error { return &failure{exitUsage, message, hint} }

// exitCode ends the program with the code of another one that has said all
// there is to say.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// explain finds the exit code, the words and the hint for any error.
func (c *common) explain(err error) error {
	var known *failure
	var code exitCode
	var answer *bridge.Error
	switch {
	case errors.As(err, &known), errors.As(err, &code):
		return err
	case errors.Is(err, bridge.ErrNotRunning):
		return &failure{exitNotRunning, "the app is not running", "Start it with `playpets`."}
	case errors.As(err, &answer):
		return c.explainAnswer(answer)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &failure{exitOther, "the app did not answer in time", "If that stays so, end it and start `playpets` again."}
	}
	return &failure{exitOther, err.Error(), ""}
}

// explainAnswer explains what the app answered instead of doing it.
func (c *common) explainAnswer(answer *bridge.Error) error {
	switch {
	case answer.Status == http.StatusUnauthorized:
		return &failure{exitToken, "the app refused the token", "Quit PlayPets and start it again: that writes a new bridge.json."}
	case answer.Code == "no_such_friend":
		return c.noFriend(c.friend())
	case answer.Status == http.StatusConflict:
		return &failure{exitOther, answer.Message, "`playpets doctor` says more."}
	case answer.Status == http.StatusBadRequest, answer.Status == http.StatusRequestEntityTooLarge:
		return &failure{exitRefused, "the app refused it: " + answer.Message, "See `playpets help exit-codes`."}
	}
	return &failure{exitOther, fmt.Sprintf("the app answered %d: %s", answer.Status, answer.Message),
		"If you updated PlayPets, quit it and start it again."}
}

// noFriend says that nobody is called that, and who is.
func (c *common) noFriend(name string) error {
	if name == "" {
		return &failure{exitNoFriend, "there is no friend yet", "Start `playpets` and invite one."}
	}
	hint := "`playpets pets` lists your friends."
	if friends, err := c.friends(); err == nil && len(friends) > 0 {
		hint = "The nearest names are " + strings.Join(nearest(name, friends), ", ") + "."
	}
	return &failure{exitNoFriend, fmt.Sprintf("no friend is called %q", name), hint}
}
