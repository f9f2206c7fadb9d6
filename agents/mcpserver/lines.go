package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// maxLine is the longest message that is read, in bytes.
const maxLine = 1 << 20

// errTooLong is what lines returns once for each message over maxLine, which it
// has skipped.
var errTooLong = errors.New("a message is too long")

// lines takes messages apart. MCP has one a line; some clients end theirs with
// CRLF, begin with a byte order mark, send blank lines between, or frame their
// messages with Content-Length as editors do.
type lines struct {
	r    *bufio.Reader
	skip int64 // bytes of a frame that was refused
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next is the next message, never blank. The error is errTooLong, or that of the
// reader once all is read: a last line needs no end.
func (l *lines) next() ([]byte, error) {
	if _, err := io.CopyN(io.Discard, l.r, l.skip); err != nil {
		return nil, err
	}
	l.skip = 0
	for {
		line, err := l.line()
		if err != nil {
			return nil, err
		}
		if isHeader(line) {
			if line, err = l.framed(line); err != nil {
				return nil, err
			}
		}
		if len(line) > 0 {
			return line, nil
		}
	}
}

var mark = []byte("\uFEFF")

// line is the next line without white space around it; it may be blank.
func (l *lines) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine+2; !long { // its end is not of it
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return nil, errTooLong
		case err != nil && len(line) == 0:
			return nil, err
		}
		line = bytes.TrimSpace(bytes.TrimPrefix(line, mark))
		if len(line) > maxLine {
			return nil, errTooLong
		}
		return line, nil
	}
}

// isHeader reports whether a line is one of a frame's head.
func isHeader(line []byte) bool {
	const content = "content-"
	return len(line) > len(content) && bytes.EqualFold(line[:len(content)], []byte(content))
}

// framed reads the message behind a head that begins with line. A head without
// a length frames nothing, nor does one without a blank line behind it.
func (l *lines) framed(line []byte) (message []byte, err error) {
	length := -1
	for isHeader(line) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				length = -1
			}
		}
		if line, err = l.line(); err != nil {
			return nil, err
		}
	}
	switch {
	case len(line) > 0 || length < 0:
		return line, nil
	case length > maxLine:
		l.skip = int64(length)
		return nil, errTooLong // at once: who counted wrong would wait for an answer for ever
	}
	message = make([]byte, length)
	n, err := io.ReadFull(l.r, message)
	if n == 0 && length > 0 {
		return nil, err
	}
	return bytes.TrimSpace(message[:n]), nil
}
