package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strconv"
)

// ServeHTTP answers every request with JSON, also when the app panics.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			// What it says may quote a message; its type and the stack do not.
			s.log.Error("bridge: panic", "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			refuse(w, errInternal)
		}
	}()
	reply, err := s.answer(w, r)
	if err != nil {
		refuse(w, s.refusal(err))
		return
	}
	write(w, http.StatusOK, reply)
}

// answer checks in this order: browser, token, path, method, size, shape.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.guard(r); err != nil {
		return nil, err
	}
	route, allow := find(r.Method, r.URL.EscapedPath())
	switch {
	case allow != "":
		w.Header().Set("Allow", allow)
		return nil, &Error{http.StatusMethodNotAllowed, "wrong_method", "Use " + allow + " for this path."}
	case route == nil:
		return nil, errPath
	}
	body, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	heard(r)
	var f fields
	if route.method == http.MethodPost {
		if f, err = parseObject(body); err != nil {
			return nil, err
		}
	}
	return route.answer(s.backend, f)
}

// readBody reads at most maxBody. What names a greater length is refused before
// the first read, which would also answer Expect: 100-continue.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, errTooLarge
	}
	if r.Method == http.MethodGet {
		if r.ContentLength != 0 {
			return nil, malformed("GET takes no body.")
		}
		return nil, nil
	}
	if r.TransferEncoding != nil {
		// A length beside the chunks is dropped by net/http without a trace, and
		// RFC 9112, 6.1 wants the connection ended then.
		w.Header().Set("Connection", "close")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, malformed("The body ends too early.")
	}
	// Browsers send other types without asking first.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, malformed("Send Content-Type: application/json.")
	}
	return body, nil
}

// refusal is what a caller hears of err.
func (s *Server) refusal(err error) *Error {
	var refused *Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, ErrNoFriend):
		return errPet
	case errors.Is(err, ErrUnknownLease):
		return errLease
	}
	s.log.Error("bridge: the app could not do it", "err", err)
	return errInternal
}

// refuse also ends the connection: what follows on it may be the rest of a body
// that nobody wants, and waiting for that would delay the answer.
func refuse(w http.ResponseWriter, e *Error) {
	w.Header().Set("Connection", "close")
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	write(w, e.Status, refusal{e})
}

func write(w http.ResponseWriter, status int, reply any) {
	body, err := json.Marshal(reply)
	if err != nil { // a time beyond the year 9999, of all we send
		status, body = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"PlayPets could not write its answer."}}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	// Our client reads by length only, so that it needs no chunk decoder.
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body)
}
