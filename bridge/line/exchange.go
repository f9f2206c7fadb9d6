package line

import (
	"errors"
	"io"
	"strconv"
	"time"
)

const (
	maxHead = 8 << 10 // status line and header, in bytes
	// maxReply is the longest reply body, in bytes: `status` of many talkative
	// friends fits, a stranger's endless answer does not.
	maxReply = 1 << 20
)

var (
	errReply = errors.New("read the app's reply: not an HTTP/1.1 reply")
	errLong  = errors.New("read the app's reply: too long")
	errCut   = errors.New("read the app's reply: it ends too early")
)

// Exchange sends one request and reads its reply, on a connection of its own,
// all within limit. A body is sent as JSON. It never retries. The reply is at
// most 1 MB and is not to be trusted.
func (e Endpoint) Exchange(method, path string, body []byte, limit time.Duration) (status int, reply []byte, err error) {
	conn, err := dial(e.Port, time.Now().Add(limit))
	if err != nil {
		return 0, nil, err
	}
	defer conn.Close()
	_, unsent := conn.Write(e.request(method, path, body))
	// Also then: who refuses a request without reading it all answers all the same.
	status, reply, err = readReply(conn)
	if err != nil && unsent != nil {
		err = unsent
	}
	return status, reply, err
}

// request is the whole request in one piece, so that it leaves in one segment.
func (e Endpoint) request(method, path string, body []byte) []byte {
	b := make([]byte, 0, 512+len(body))
	b = append(b, method+" "+path+" HTTP/1.1\r\nHost: 127.0.0.1:"...)
	b = strconv.AppendInt(b, int64(e.Port), 10)
	b = append(b, "\r\nAuthorization: Bearer "+e.Token+"\r\nConnection: close\r\n"...)
	if body != nil {
		b = append(b, "Content-Type: application/json\r\nContent-Length: "...)
		b = append(strconv.AppendInt(b, int64(len(body)), 10), "\r\n"...)
	}
	return append(append(b, "\r\n"...), body...)
}

// readReply reads a reply of our own server, which always names its length.
// It is written by hand since net/http would delay every hook.
func readReply(r io.Reader) (status int, body []byte, err error) {
	var got []byte
	for {
		head := headEnd(got)
		if head < 0 && len(got) > maxHead || head > maxHead {
			return 0, nil, errLong
		}
		if head >= 0 {
			status, length, err := parseHead(got[:head])
			if err != nil {
				return 0, nil, err
			}
			body, err := readBody(r, got[head:], length)
			return status, body, err
		}
		if got, err = readMore(r, got); err != nil {
			return 0, nil, err
		}
	}
}

// readBody reads until length bytes are there; what follows them is not ours.
func readBody(r io.Reader, got []byte, length int) (body []byte, err error) {
	for len(got) < length {
		if got, err = readMore(r, got); err != nil {
			return nil, err
		}
	}
	return got[:length:length], nil
}

// readMore reads once and appends. The end of the stream is always too early:
// callers stop when they have what they want.
func readMore(r io.Reader, got []byte) ([]byte, error) {
	if cap(got) == len(got) {
		got = append(got, make([]byte, max(4<<10, len(got)))...)[:len(got)]
	}
	n, err := r.Read(got[len(got):cap(got)])
	if n > 0 {
		return got[:len(got)+n], nil
	}
	if err == io.EOF || err == nil {
		err = errCut
	}
	return got, err
}

// headEnd is where the body begins, or -1.
func headEnd(b []byte) int {
	for i := 0; i+4 <= len(b); i++ {
		if string(b[i:i+4]) == "\r\n\r\n" {
			return i + 4
		}
	}
	return -1
}

// parseHead reads the status and the Content-Length, and nothing else.
func parseHead(head []byte) (status, length int, err error) {
	line, rest, ok := cutLine(head)
	if len(line) < 12 || string(line[:9]) != "HTTP/1.1 " || len(line) > 12 && line[12] != ' ' {
		return 0, 0, errReply
	}
	if status, err = digits(line[9:12]); err != nil || status < 200 {
		return 0, 0, errReply
	}
	const name = "content-length:"
	length = -1
	for ok && len(rest) > 0 {
		line, rest, ok = cutLine(rest)
		if len(line) < len(name) || lower(line[:len(name)]) != name {
			continue
		}
		n, err := digits(trim(line[len(name):]))
		if err != nil || length >= 0 {
			return 0, 0, errReply
		}
		if n > maxReply {
			return 0, 0, errLong
		}
		length = n
	}
	if !ok || length < 0 {
		return 0, 0, errReply
	}
	return status, length, nil
}

// cutLine takes a line and its CR LF. A CR or LF alone is none of ours: others
// read it as the end of a line.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	for i, c := range b {
		if c == '\r' || c == '\n' {
			ok = c == '\r' && i+1 < len(b) && b[i+1] == '\n'
			return b[:i], b[min(i+2, len(b)):], ok
		}
	}
	return b, nil, false
}

// digits reads a number without a sign, which strconv.Atoi would allow.
func digits(b []byte) (int, error) {
	if len(b) == 0 || len(b) > 9 {
		return 0, errReply
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, errReply
		}
		n = n*10 + int(c-'0')
	}
	return n, nil
}

func trim(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func lower(b []byte) string {
	out := make([]byte, len(b))
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		out[i] = c
	}
	return string(out)
}
