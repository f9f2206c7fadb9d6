package agents

import (
	"unicode/utf16"
	"unicode/utf8"
)

// encoding makes UTF-8 of a stream in whichever encoding it comes. Windows
// PowerShell writes UTF-16 into a pipe as soon as somebody sets its
// OutputEncoding to Unicode; the first two bytes tell.
type encoding struct {
	head  [2]byte // the stream's first bytes, until there are two
	seen  int
	order order
	half  int // UTF-16: a byte that waits for its other half, -1 is none
	units units
	out   [512]byte
}

// order is how the bytes of a character stand.
type order uint8

const (
	narrow order = iota // UTF-8, or something near it
	little
	big
)

// decode hands p on as UTF-8. A stream of one byte hands on nothing: no object
// is that short.
func (e *encoding) decode(p []byte, to func([]byte)) {
	for e.seen < len(e.head) {
		if len(p) == 0 {
			return
		}
		e.head[e.seen] = p[0]
		e.seen++
		p = p[1:]
		if e.seen == len(e.head) {
			e.order, e.half = sniff(e.head), -1
			e.pass(e.head[:], to)
		}
	}
	e.pass(p, to)
}

// sniff knows UTF-16 by its byte order mark, or by the zero byte of an ASCII
// character, for no object begins otherwise.
func sniff(head [2]byte) order {
	switch {
	case head == [2]byte{0xFF, 0xFE} || head[0] != 0 && head[1] == 0:
		return little
	case head == [2]byte{0xFE, 0xFF} || head[0] == 0 && head[1] != 0:
		return big
	}
	return narrow
}

func (e *encoding) pass(p []byte, to func([]byte)) {
	if e.order == narrow {
		to(p)
		return
	}
	out := e.out[:0]
	for _, b := range p {
		if e.half < 0 {
			e.half = int(b)
			continue
		}
		if len(out) > len(e.out)-2*utf8.UTFMax {
			to(out)
			out = e.out[:0]
		}
		out = e.unit(out, b)
	}
	to(out)
}

// unit appends what the waiting byte and b make.
func (e *encoding) unit(out []byte, b byte) []byte {
	r := rune(e.half)<<8 | rune(b)
	if e.order == little {
		r = rune(b)<<8 | rune(e.half)
	}
	e.half = -1
	return e.units.add(out, r)
}

// units makes UTF-8 of the code units of UTF-16. Each surrogate without its
// other half becomes one U+FFFD, as in encoding/json.
type units struct {
	high rune // a high surrogate that waits for its other half
}

func (u *units) add(out []byte, r rune) []byte {
	if pair := utf16.DecodeRune(u.high, r); pair != utf8.RuneError {
		u.high = 0
		return utf8.AppendRune(out, pair)
	}
	out = u.flush(out)
	if utf16.IsSurrogate(r) && r < 0xDC00 {
		u.high = r
		return out
	}
	return utf8.AppendRune(out, r)
}

// flush gives up waiting.
func (u *units) flush(out []byte) []byte {
	if u.high != 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
		u.high = 0
	}
	return out
}
