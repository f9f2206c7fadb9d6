package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
)

const (
	maxBody = 8 << 10 // a request's body, in bytes
	maxLink = 2 << 10 // a link to open, in bytes
)

// Error is a refusal, as it travels: {"error":{"code":…,"message":…}} with that
// HTTP status. Code is for programs, Message one sentence that a caller can act
// on. Neither quotes the request.
type Error struct {
	Status  int    `json:"-"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// The refusals that are always the same.
var (
	errBrowser   = &Error{http.StatusForbidden, "browser_refused", "The bridge does not speak to web pages."}
	errHost      = &Error{http.StatusForbidden, "host_refused", "Address the bridge as 127.0.0.1 or localhost with the port in bridge.json."}
	errToken     = &Error{http.StatusUnauthorized, "token_refused", "Send the token in bridge.json as one Authorization: Bearer header."}
	errPath      = &Error{http.StatusNotFound, "no_such_path", "The bridge has no such path."}
	errPet       = &Error{http.StatusNotFound, "no_such_friend", "No friend has that id or name: GET /pets lists them."}
	errLease     = &Error{http.StatusNotFound, "unknown_lease", "That lease has ended: take a new one."}
	errTooLarge  = &Error{http.StatusRequestEntityTooLarge, "too_large", "A body may have at most 8 KB."}
	errNotObject = malformed("Send one JSON object as the body, without anything before or behind it.")
	errInternal  = &Error{http.StatusInternalServerError, "internal", "PlayPets could not do that: its log says why."}
)

func (e *Error) Error() string { return e.Message }

// Is makes the app's answer ErrUnknownLease for errors.Is.
func (e *Error) Is(target error) bool { return target == ErrUnknownLease && e.Code == errLease.Code }

// A refusal is the reply that carries an Error.
type refusal struct {
	Error *Error `json:"error"`
}

// accepted is the reply to events, say, react and open.
type accepted struct {
	OK    bool   `json:"ok"`
	PetID string `json:"petId,omitempty"`
}

// released is the reply to leases/release.
type released struct {
	OK       bool `json:"ok"`
	Released bool `json:"released"`
}

// done is the reply to copy and notify: one sentence on how it was done.
type done struct {
	OK      bool   `json:"ok"`
	Message string `json:"message"`
}

// statusReply is the reply to GET /status. Version is the app's.
type statusReply struct {
	Version string               `json:"version"`
	Heard   map[string]time.Time `json:"heard"`
	Friends []agents.Status      `json:"friends"`
}

func malformed(message string) *Error {
	return &Error{http.StatusBadRequest, "bad_request", message}
}

// fields are the members of a request's JSON object. Keys are exact; unknown
// ones are ignored, since clients may be newer than the app.
type fields map[string]json.RawMessage

// parseObject reads one object. Unlike json.Unmarshal it refuses a key that
// comes twice: whoever checked the first must not be fooled by the second.
func parseObject(body []byte) (fields, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errNotObject
	}
	f := fields{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, errNotObject
		}
		name := key.(string) // what else stands there is an error already
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, errNotObject
		}
		if _, twice := f[name]; twice {
			return nil, malformed("Name each key once.")
		}
		f[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, errNotObject
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return f, nil
}

// text is a string field, empty when it is absent or null.
func (f fields) text(key string) (string, error) {
	value, ok := f[key]
	if !ok {
		return "", nil
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return "", malformed(key + " must be a string.")
	}
	return s, nil
}

// texts are several string fields at once.
func (f fields) texts(keys ...string) ([]string, error) {
	out := make([]string, len(keys))
	for i, key := range keys {
		s, err := f.text(key)
		if err != nil {
			return nil, err
		}
		out[i] = s
	}
	return out, nil
}

// pet is whom it is for: pet or petId, which must not differ.
func (f fields) pet() (string, error) {
	s, err := f.texts("pet", "petId")
	if err != nil {
		return "", err
	}
	if s[0] != "" && s[1] != "" && s[0] != s[1] {
		return "", malformed("pet and petId name two different friends: send one of them.")
	}
	if s[0] == "" {
		return s[1], nil
	}
	return s[0], nil
}

// target is whom a sentence or a gesture is for.
func (f fields) target() (agents.Target, error) {
	pet, err := f.pet()
	if err != nil {
		return agents.Target{}, err
	}
	lease, err := f.lease()
	return agents.Target{Pet: pet, Lease: lease}, err
}

// lease is the id of a lease; empty without one.
func (f fields) lease() (string, error) {
	id, err := f.text("leaseId")
	if err != nil {
		return "", err
	}
	return id, nameable(id)
}

// message is what is to be said. What comes with a lease is a model's own words, and
// not all of them are for the screen.
func (f fields) message(lease string) (string, error) {
	s, err := f.text("message")
	if err != nil {
		return "", err
	}
	if lease != "" && s != "" {
		if err := speech.Check(s, speech.PlayPets); err != nil {
			return "", &Error{http.StatusBadRequest, "unsafe_message", err.Error()}
		}
	}
	return Clean(s), nil
}

// leaseRequest reads the body of POST /leases.
func (f fields) leaseRequest() (r agents.LeaseRequest, err error) {
	if r.Pet, err = f.pet(); err != nil {
		return r, err
	}
	s, err := f.texts("agent", "project", "nonce")
	if err != nil {
		return r, err
	}
	r.Agent, r.Project, r.Nonce = s[0], lastName(s[1]), s[2]
	if pid, ok := f["pid"]; ok && json.Unmarshal(pid, &r.PID) != nil || r.PID < 0 || r.PID > math.MaxInt32 {
		return r, malformed("pid must be the number of a process.")
	}
	return r, nameable(r.Pet, r.Agent, r.Project, r.Nonce)
}

// nameable refuses what is too long for a name, or has control characters in it.
func nameable(names ...string) error {
	for _, name := range names {
		if len(name) > agents.MaxField || strings.ContainsFunc(name, unicode.IsControl) {
			return malformed("Names may have at most 128 bytes each, without control characters.")
		}
	}
	return nil
}

// report reads the body of POST /events.
func (f fields) report() (agents.Report, error) {
	to, err := f.target()
	if err != nil {
		return agents.Report{}, err
	}
	s, err := f.texts("state", "agent", "session", "project", "part")
	if err != nil {
		return agents.Report{}, err
	}
	message, err := f.message(to.Lease)
	if err != nil {
		return agents.Report{}, err
	}
	r := agents.Report{
		Pet: to.Pet, State: agents.State(s[0]), Message: message,
		Agent: s[1], Session: s[2], Project: lastName(s[3]), Part: s[4], Lease: to.Lease,
	}
	if begins, ok := f["begins"]; ok && json.Unmarshal(begins, &r.Begins) != nil {
		return r, malformed("begins must be true or false.")
	}
	if !r.State.Valid() {
		return r, malformed("state must be one of " + oneOf(agents.States) + ".")
	}
	return r, nameable(r.Agent, r.Session, r.Project, r.Part)
}

// lastName keeps a path off the screen and the log: only its last name goes on,
// with nothing invisible in it.
func lastName(path string) string {
	path = strings.TrimRight(path, `/\`)
	return agents.Plain(path[strings.LastIndexAny(path, `/\`)+1:])
}

// oneOf is "idle, working or waiting" of its items.
func oneOf[S ~string](items []S) string {
	var b strings.Builder
	for i, item := range items {
		switch {
		case i > 0 && i == len(items)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(string(item))
	}
	return b.String()
}
