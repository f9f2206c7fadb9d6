package agents

import (
	"bytes"
	"unicode/utf8"
)

// open begins a string.
func (s *scanner) open(key bool) {
	s.next = inString
	s.key = key
	s.keep = s.skipped == 0 && (key || s.leaves() != 0)
	s.odd = false
	s.length = 0
	s.decoder = unescaper{}
}

// str reads on in a string and returns how many bytes of p belong to it.
func (s *scanner) str(p []byte) int {
	for i, c := range p {
		if !s.keep {
			return i + s.pass(p[i:])
		}
		if c == '"' && !s.decoder.escaped() {
			s.put(s.decoder.flush())
			s.close()
			return i + 1
		}
		s.put(s.decoder.take(c))
	}
	return len(p)
}

// put keeps decoded bytes. When the buffer is full, the rest of the string is
// passed over and the rune that it may have cut is dropped.
func (s *scanner) put(b []byte) {
	n := copy(s.buf[s.length:], b)
	s.length += n
	if n < len(b) {
		s.length = len(cutBytes(string(s.buf[:]), maxText-1))
		s.keep = false
		s.odd = s.decoder.escaped()
	}
}

// pass looks for the end of a string that is not kept: the first quote that no
// odd number of backslashes stands before. IndexByte makes this as fast as
// memory, which a payload of megabytes needs.
func (s *scanner) pass(p []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(p[from:], '"')
		if i < 0 {
			s.odd = s.oddBefore(p)
			return len(p)
		}
		from += i + 1
		if !s.oddBefore(p[:from-1]) {
			s.close()
			return from
		}
	}
}

// oddBefore reports whether an odd number of backslashes ends p, counting those
// that ended the piece before.
func (s *scanner) oddBefore(p []byte) bool {
	n := len(p)
	for n > 0 && p[n-1] == '\\' {
		n--
	}
	odd := (len(p)-n)%2 == 1
	if n == 0 {
		return odd != s.odd
	}
	return odd
}

// close ends a string: a key says what the coming value is, a value goes to its
// fields.
func (s *scanner) close() {
	switch {
	case s.skipped > 0:
		s.next = inSkip
	case s.key:
		s.match = s.below(&s.levels[s.depth-1], string(s.buf[:s.length]))
		if s.depth == 1 {
			s.forget() // of a key that comes twice, the last one counts, as in encoding/json
		}
		s.next = inColon
	default:
		s.store()
		s.next = inComma
	}
}

func (s *scanner) forget() {
	for i, f := range s.fields {
		if s.match&(1<<i) != 0 {
			if f.text != nil {
				*f.text = ""
			} else {
				*f.flag = false
			}
		}
	}
}

func (s *scanner) store() {
	leaves := s.leaves()
	if leaves == 0 {
		return
	}
	text := valid(s.buf[:s.length])
	for i, f := range s.fields {
		if leaves&(1<<i) == 0 {
			continue
		}
		if f.text != nil {
			*f.text = text
		} else if len(text) >= len(f.prefix) && text[:len(f.prefix)] == f.prefix {
			*f.flag = true
		}
	}
}

// valid puts U+FFFD for each byte that is no UTF-8, as encoding/json does.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}

// unescaper decodes the inside of a JSON string byte by byte.
type unescaper struct {
	raw   [6]byte // an escape that is not complete: a backslash, or \u and digits
	n     int     // how much of raw is used
	units units
	out   [12]byte
}

// escaped reports whether a backslash came last, so that a quote ends nothing.
func (u *unescaper) escaped() bool { return u.n == 1 }

// take returns what one more byte makes known: the slice is good until the
// next call.
func (u *unescaper) take(c byte) []byte {
	out := u.out[:0]
	switch {
	case u.n == 1 && c != 'u':
		u.n = 0
		return u.plain(out, escape(c)...)
	case u.n == 1 || u.n > 1 && isHex(c):
		u.raw[u.n] = c
		u.n++
		if u.n == len(u.raw) {
			u.n = 0
			return u.units.add(out, hex4(u.raw[2:]))
		}
		return out
	case u.n > 1: // `C:\users` by someone who quotes nothing
		out = u.plain(out, u.raw[:u.n]...)
		u.n = 0
	}
	if c == '\\' {
		u.raw[0] = c
		u.n = 1
		return out
	}
	return u.plain(out, c)
}

// flush returns what the end of the string leaves over.
func (u *unescaper) flush() []byte {
	return u.plain(u.out[:0], u.raw[:u.n]...)
}

// plain appends b, behind a surrogate that now stays alone.
func (u *unescaper) plain(out []byte, b ...byte) []byte {
	return append(u.units.flush(out), b...)
}

// escape is what a backslash and c stand for. An escape that JSON does not
// know is kept as it stands.
func escape(c byte) []byte {
	switch c {
	case 'b':
		return []byte{'\b'}
	case 'f':
		return []byte{'\f'}
	case 'n':
		return []byte{'\n'}
	case 'r':
		return []byte{'\r'}
	case 't':
		return []byte{'\t'}
	case '"', '\\', '/':
		return []byte{c}
	}
	return []byte{'\\', c}
}

func isHex(c byte) bool { return unhex(c) >= 0 }

// unhex is the value of a hexadecimal digit, -1 for anything else.
func unhex(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

// hex4 reads four hexadecimal digits.
func hex4(digits []byte) (r rune) {
	for _, c := range digits {
		r = r<<4 | unhex(c)
	}
	return r
}
