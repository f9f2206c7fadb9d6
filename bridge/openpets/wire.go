package openpets

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"strings"
)

// request is what a client sends, on one line.
type request struct {
	ID      string
	Version int
	Token   string
	Method  string
	Params  fields
}

// fields are the members of a JSON object; unknown ones are ignored.
type fields map[string]json.RawMessage

// response is the one line that answers it. ID is null when it could not be read.
type response struct {
	ID     *string  `json:"id"`
	OK     bool     `json:"ok"`
	Result any      `json:"result,omitempty"`
	Error  *refusal `json:"error,omitempty"`
}

// refusal is why something was not done. It never quotes the request.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (r *refusal) Error() string { return r.Message }

var (
	errShape    = &refusal{"invalid_request", "Send one JSON object with id, version, token, method and params on one line of at most 16 KiB."}
	errVersion  = &refusal{"invalid_version", "This is version 1."}
	errToken    = &refusal{"invalid_token", "Read the discovery file again."}
	errMethod   = &refusal{"unknown_method", "There is no such method."}
	errLease    = &refusal{"unknown_lease", "That lease has ended: acquire a new one."}
	errInternal = &refusal{"internal_error", "PlayPets could not do that: its log says why."}
	errInstall  = &refusal{"install_failed", "Friends are invited by the person whose desktop it is, in PlayPets."}
)

func invalid(what string) *refusal { return &refusal{"invalid_params", what} }

// serve answers one request.
func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	line, err := bufio.NewReader(io.LimitReader(conn, maxMessage+1)).ReadBytes('\n')
	if len(line) == 0 || err != nil && !errors.Is(err, io.EOF) {
		return // nobody asks, or nobody waits any more
	}
	answer := refused(nil, errShape)
	if len(line) <= maxMessage {
		answer = s.answer(line)
	}
	out, err := json.Marshal(answer)
	if err == nil && len(out) >= maxMessage {
		out, err = json.Marshal(refused(answer.ID, errInternal))
	}
	if err != nil {
		s.door.log.Error("openpets: the answer cannot be written", "error", err)
		return
	}
	_, _ = conn.Write(append(out, '\n')) // who has gone does not wait for it
}

func refused(id *string, r *refusal) response { return response{ID: id, Error: r} }

// answer checks in this order: shape, version, token, method.
func (s *server) answer(line []byte) (reply response) {
	r, err := parse(line)
	if err != nil {
		return refused(nil, errShape)
	}
	defer func() {
		if p := recover(); p != nil {
			// What it says may quote a message; its type and the stack do not.
			s.door.log.Error("openpets: panic", "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			reply = refused(&r.ID, errInternal)
		}
	}()
	method := methods[r.Method]
	switch {
	case r.Version != version:
		return refused(&r.ID, errVersion)
	case !same(r.Token, s.card.Token):
		return refused(&r.ID, errToken)
	case method == nil:
		return refused(&r.ID, errMethod)
	}
	result, err := method(s.door.backend, r.Params)
	if err != nil {
		known := errInternal
		if !errors.As(err, &known) {
			s.door.log.Error("openpets: the app could not do it", "error", err)
		}
		return refused(&r.ID, known)
	}
	return response{ID: &r.ID, OK: true, Result: result}
}

// same compares digests, so that the time tells nothing of the token.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// maxID is the longest id of a request or a lease, in bytes.
const maxID = 120

// parse reads a request. Its keys are exact.
func parse(line []byte) (r request, err error) {
	var f fields
	if err := json.Unmarshal(bytes.TrimPrefix(line, []byte("\uFEFF")), &f); err != nil || f == nil {
		return r, errShape
	}
	for key, to := range map[string]any{"id": &r.ID, "version": &r.Version, "token": &r.Token, "method": &r.Method, "params": &r.Params} {
		value, here := f[key]
		if !here && key == "params" {
			continue
		}
		if json.Unmarshal(value, to) != nil {
			return r, errShape
		}
	}
	if r.ID == "" || len(r.ID) > maxID {
		return r, errShape
	}
	return r, nil
}

// text is a string of the params; one that is missing or null is empty.
func (f fields) text(key string) (string, error) {
	value, here := f[key]
	if !here {
		return "", nil
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return "", invalid(key + " must be a text.")
	}
	return s, nil
}

// lease is the lease that the params name; empty for none.
func (f fields) lease() (string, error) {
	id, err := f.text("leaseId")
	if err == nil && (len(id) > maxID || strings.ContainsAny(id, "\x00\r\n")) {
		err = invalid("leaseId must be that of a lease.")
	}
	return id, err
}
