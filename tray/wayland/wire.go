// Package wayland speaks the wire protocol of Wayland: a connection to a
// compositor, and the few objects with which a friend is put on a screen and a
// text into the clipboard.
//
// It is written by hand since the libraries for it need cgo or are not kept.
// It knows nothing of friends, asks nothing of a compositor by itself, and
// trusts it with nothing: what does not follow the protocol ends the connection
// with an error.
package wayland

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// order is the byte order of the wire, which is the machine's own.
var order = binary.NativeEndian

// header is the length of what goes before a message's arguments.
const header = 8

// An event as it came: from which object, which of its kind, and the arguments.
type message struct {
	from uint32
	code uint16
	args Reader
}

// readMessage takes one message, of at most 64 KB, which its length cannot
// exceed.
func readMessage(r io.Reader) (message, error) {
	var head [header]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return message{}, err
	}
	from, word := order.Uint32(head[:]), order.Uint32(head[4:])
	size := int(word >> 16)
	if size < header || size%4 != 0 {
		return message{}, fmt.Errorf("a message of %d bytes", size)
	}
	args := make([]byte, size-header)
	if _, err := io.ReadFull(r, args); err != nil {
		return message{}, fmt.Errorf("a message of %d bytes: %w", size, err)
	}
	return message{from, uint16(word), Reader{rest: args}}, nil
}

var errShort = errors.New("arguments are missing")

// A Reader takes the arguments of an event off one after the other. Once one is
// missing it gives zero values, and the connection ends.
type Reader struct {
	rest []byte
	next func() *os.File // the next of the files that came beside the bytes
	took []*os.File
	err  error
}

// Uint takes an unsigned number, the number of an object among them.
func (r *Reader) Uint() uint32 {
	if r.err != nil || len(r.rest) < 4 {
		r.err = errShort
		return 0
	}
	v := order.Uint32(r.rest)
	r.rest = r.rest[4:]
	return v
}

// Int takes a signed number.
func (r *Reader) Int() int { return int(int32(r.Uint())) }

// Fixed takes a number that comes in 1/256.
func (r *Reader) Fixed() float64 { return float64(r.Int()) / 256 }

// Text takes a string, empty when it is null.
func (r *Reader) Text() string {
	n := r.Uint() // counts a zero byte at the end, not what fills up the word
	if n == 0 {
		return ""
	}
	padded := (uint64(n) + 3) &^ 3
	if r.err != nil || padded > uint64(len(r.rest)) {
		r.err = errShort
		return ""
	}
	s := string(r.rest[:n-1])
	r.rest = r.rest[padded:]
	return s
}

// File takes a file, which is then the caller's to close.
func (r *Reader) File() *os.File {
	if r.err != nil {
		return nil
	}
	f := r.next()
	if f == nil {
		r.err = errShort
		return nil
	}
	r.took = append(r.took, f)
	return f
}

// drop closes the files of an event that nobody hears of.
func (r *Reader) drop() {
	for _, f := range r.took {
		f.Close()
	}
}

// A Fixed is a number in 1/256, as an argument of a request.
type Fixed int32

// appendRequest adds a request to b. Arguments are int, uint32, Fixed, string
// and anything with an ID; nil is no object.
func appendRequest(b []byte, to uint32, code uint16, args ...any) []byte {
	start := len(b)
	b = order.AppendUint32(b, to)
	b = order.AppendUint32(b, 0)
	for _, arg := range args {
		switch v := arg.(type) {
		case nil:
			b = order.AppendUint32(b, 0)
		case int:
			b = order.AppendUint32(b, uint32(int32(v)))
		case uint32:
			b = order.AppendUint32(b, v)
		case Fixed:
			b = order.AppendUint32(b, uint32(v))
		case string:
			b = order.AppendUint32(b, uint32(len(v)+1))
			b = append(b, v...)
			b = append(b, make([]byte, 4-len(v)%4)...)
		case interface{ ID() uint32 }:
			b = order.AppendUint32(b, v.ID())
		default:
			panic(fmt.Sprintf("no request takes a %T", arg))
		}
	}
	order.PutUint32(b[start+4:], uint32(len(b)-start)<<16|uint32(code))
	return b
}
