package line

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

var (
	errJSON  = errors.New("not a JSON object: start PlayPets again")
	errPort  = errors.New("no usable port in it: start PlayPets again")
	errToken = errors.New("no usable token in it: start PlayPets again")
	errSize  = errors.New("too long for a bridge.json")
)

// parse reads port and token out of bridge.json. It is written by hand since
// encoding/json brings reflect and would delay every hook. A byte order mark
// and unknown keys are allowed: people edit files and apps grow. The host is
// not read, it is always 127.0.0.1.
func parse(data []byte) (Endpoint, error) {
	if len(data) > maxFile {
		return Endpoint{}, errSize
	}
	s := scanner{data}
	s.skip("\xef\xbb\xbf")
	e, ok := s.object()
	switch {
	case !ok:
		return Endpoint{}, errJSON
	case e.Port < 1 || e.Port > 65535:
		return Endpoint{}, errPort
	case !hex64(e.Token):
		return Endpoint{}, errToken
	}
	return e, nil
}

// hex64 reports whether s is 64 hexadecimal digits: anything else in the
// Authorization header could end it.
func hex64(s string) bool {
	for _, c := range []byte(s) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return len(s) == 64
}

// A scanner walks JSON from the left; what is left stands in rest.
type scanner struct{ rest []byte }

func (s *scanner) object() (e Endpoint, ok bool) {
	if !s.token('{') {
		return e, false
	}
	for !s.token('}') {
		key, ok := s.text()
		if !ok || !s.token(':') {
			return e, false
		}
		value, ok := s.value()
		if !ok {
			return e, false
		}
		switch key {
		case "port":
			// What is not a number gives 0, which is no port.
			e.Port, _ = digits(value)
		case "token":
			e.Token, _ = (&scanner{value}).text() // likewise
		}
		if s.token(',') {
			continue
		}
		if s.token('}') {
			break
		}
		return e, false
	}
	s.space()
	return e, len(s.rest) == 0
}

// value takes one value of any kind as it is written.
func (s *scanner) value() ([]byte, bool) {
	s.space()
	from, depth := s.rest, 0
	for len(s.rest) > 0 {
		switch c := s.rest[0]; {
		case c == '"':
			if _, ok := s.text(); !ok {
				return nil, false
			}
		case c == '{' || c == '[':
			depth++
			s.rest = s.rest[1:]
			continue
		case depth > 0 && (c == '}' || c == ']'):
			depth--
			s.rest = s.rest[1:]
		case depth > 0 && (c == ',' || c == ':' || blank(c)):
			s.rest = s.rest[1:]
			continue
		default:
			if !s.word() {
				return nil, false
			}
		}
		if depth == 0 {
			return from[:len(from)-len(s.rest)], true
		}
	}
	return nil, false
}

// word takes a number or a name such as true.
func (s *scanner) word() bool {
	n := 0
	for n < len(s.rest) && wordByte(s.rest[n]) {
		n++
	}
	s.rest = s.rest[n:]
	return n > 0
}

func wordByte(c byte) bool {
	return c == '-' || c == '+' || c == '.' ||
		'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// text takes a string and returns it as it is written between its quotes:
// neither key nor token needs an escape.
func (s *scanner) text() (string, bool) {
	if !s.token('"') {
		return "", false
	}
	for i := 0; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '"':
			text := string(s.rest[:i])
			s.rest = s.rest[i+1:]
			return text, true
		}
	}
	return "", false
}

// token takes c, after white space, if it comes next.
func (s *scanner) token(c byte) bool {
	s.space()
	return s.skip(string(c))
}

func (s *scanner) skip(text string) bool {
	if len(s.rest) < len(text) || string(s.rest[:len(text)]) != text {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

func (s *scanner) space() {
	for len(s.rest) > 0 && blank(s.rest[0]) {
		s.rest = s.rest[1:]
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// format is bridge.json for e.
func format(e Endpoint) []byte {
	b := append([]byte(`{"port":`), strconv.Itoa(e.Port)...)
	b = AppendString(append(b, `,"token":`...), e.Token)
	b = strconv.AppendInt(append(b, `,"pid":`...), int64(e.PID), 10)
	return append(b, "}\n"...)
}

// AppendString appends s to b as a JSON string. Bytes that are not UTF-8
// become U+FFFD.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
