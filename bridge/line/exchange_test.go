package line

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// answering is a server that does this with each connection, after it has read
// the head of the request.
func answering(t *testing.T, do func(conn net.Conn)) Endpoint {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				for r := bufio.NewReader(conn); ; {
					if line, err := r.ReadString('\n'); err != nil || line == "\r\n" {
						break
					}
				}
				do(conn)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		all.Wait()
	})
	return Endpoint{Port: l.Addr().(*net.TCPAddr).Port, Token: token}
}

// The request is what any server understands.
func TestExchange(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := Endpoint{Port: l.Addr().(*net.TCPAddr).Port, Token: token}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Host != l.Addr().String() || r.Header.Get("Authorization") != "Bearer "+token || !r.Close ||
			(r.Method == "POST") != (r.Header.Get("Content-Type") == "application/json") || int64(len(body)) != r.ContentLength {
			w.WriteHeader(http.StatusTeapot)
		}
		io.WriteString(w, r.Method+" "+r.URL.Path+" "+string(body))
	})}
	var serving sync.WaitGroup
	serving.Go(func() { s.Serve(l) })
	defer serving.Wait()
	defer s.Close()
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/pets", "", "GET /pets "},
		{"POST", "/events", `{"a":1}`, `POST /events {"a":1}`},
	} {
		var body []byte
		if c.body != "" {
			body = []byte(c.body)
		}
		status, reply, err := e.Exchange(c.method, c.path, body, time.Minute)
		if err != nil || status != 200 || string(reply) != c.want {
			t.Errorf("%s %s: %d %q %v", c.method, c.path, status, reply, err)
		}
	}
}

// Whatever a server does, the exchange ends with its limit.
func TestExchangeEndsInTime(t *testing.T) {
	for name, do := range map[string]func(conn net.Conn){
		"says nothing": func(conn net.Conn) { io.Copy(io.Discard, conn) },
		"trickles its head": func(conn net.Conn) {
			for {
				if _, err := conn.Write([]byte("H")); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		},
		"trickles its body": func(conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
			for {
				if _, err := conn.Write([]byte(" ")); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		},
	} {
		_, _, err := answering(t, do).Exchange("POST", "/events", []byte("{}"), 50*time.Millisecond)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExchangeFails(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	_, _, err = Endpoint{Port: port, Token: token}.Exchange("GET", "/pets", nil, time.Minute)
	if err == nil || errors.Is(err, ErrNotRunning) || errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(err.Error(), "connect") || strings.Contains(err.Error(), token) {
		t.Errorf("nobody listens: %v", err)
	}
	_, _, err = answering(t, func(net.Conn) {}).Exchange("GET", "/pets", nil, time.Minute)
	if err == nil {
		t.Error("hung up: no error")
	}
}

// A server may refuse a long body and close without reading it.
func TestExchangeReadsEarlyRefusal(t *testing.T) {
	e := answering(t, func(conn net.Conn) {
		io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}")
		io.CopyN(io.Discard, conn, 64<<10) // and what comes then is answered by a reset
	})
	status, reply, err := e.Exchange("POST", "/say", make([]byte, 32<<20), time.Minute)
	if status != 413 || string(reply) != "{}" || err != nil {
		t.Errorf("%d %q %v", status, reply, err)
	}
}

var replies = map[string]struct {
	reply  string
	status int
	body   string
	err    error
}{
	"ours":            {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", nil},
	"any case":        {"HTTP/1.1 404 Not Found\r\ncontent-LENGTH:\t2 \r\n\r\n{}", 404, "{}", nil},
	"no reason":       {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, "", nil},
	"more than said":  {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}", 200, "{}", nil},
	"nothing":         {"", 0, "", errCut},
	"half a head":     {"HTTP/1.1 200 OK\r\nContent-Le", 0, "", errCut},
	"half a body":     {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", 200, "", errCut},
	"no length":       {"HTTP/1.1 200 OK\r\n\r\n{}", 0, "", errReply},
	"chunks":          {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 0, "", errReply},
	"two lengths":     {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 0, "", errReply},
	"signed length":   {"HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}", 0, "", errReply},
	"negative length": {"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}", 0, "", errReply},
	"empty length":    {"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n{}", 0, "", errReply},
	"length too long": {"HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n{}", 0, "", errLong},
	"length overflow": {"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551618\r\n\r\n{}", 0, "", errReply},
	"long head":       {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHead) + "\r\nContent-Length: 2\r\n\r\n{}", 0, "", errLong},
	"endless head":    {strings.Repeat("x", maxHead*2), 0, "", errLong},
	"HTTP/1.0":        {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"not HTTP":        {"SSH-2.0-OpenSSH_9.6\r\n\r\n", 0, "", errReply},
	"bad status":      {"HTTP/1.1 2x0 OK\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"short status":    {"HTTP/1.1 20\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"long status":     {"HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"bare LF":         {"HTTP/1.1 200 OK\r\nX: 1\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"bare LF behind":  {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: 1\nContent-Length: 1\r\n\r\n{}", 0, "", errReply},
	"bare CR":         {"HTTP/1.1 200 OK\r\nX: 1\rY: 1\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"go on, counted":  {"HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
	"go on":           {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 0, "", errReply},
}

func TestReadReply(t *testing.T) {
	for name, c := range replies {
		for how, r := range map[string]io.Reader{
			"at once":        strings.NewReader(c.reply),
			"byte by byte":   iotest.OneByteReader(strings.NewReader(c.reply)),
			"end with bytes": iotest.DataErrReader(strings.NewReader(c.reply)),
		} {
			status, body, err := readReply(r)
			if err != c.err || string(body) != c.body || err == nil && status != c.status {
				t.Errorf("%s, %s: %d %q %v", name, how, status, body, err)
			}
		}
	}
}

// What is read as a reply is what net/http reads.
func FuzzReply(f *testing.F) {
	for _, c := range replies {
		if len(c.reply) < 1000 { // long ones slow the search
			f.Add([]byte(c.reply))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		status, body, err := readReply(bytes.NewReader(data))
		if err != nil {
			return
		}
		if status < 200 || status > 999 || len(body) > maxReply || !bytes.Contains(data, body) {
			t.Errorf("%q: %d %q", data, status, body)
		}
		reply, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(data)), nil)
		if err != nil {
			return // net/http is stricter with header lines that we do not read
		}
		want, err := io.ReadAll(reply.Body)
		if reply.TransferEncoding == nil && status != 204 && status != 304 &&
			(reply.StatusCode != status || err != nil || !bytes.Equal(body, want)) {
			t.Errorf("%q: %d %q, net/http: %d %q %v", data, status, body, reply.StatusCode, want, err)
		}
	})
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{"", "plain", `"quoted" \ and /`, "\x00\x07\t\r\n\x1b\x1f\x7f", "한국어 😀 \u2028\u202e", "\xff\xc3", "\ufffd", strings.Repeat("x", 1000)} {
		got := AppendString([]byte("x"), s)
		var back string
		if err := json.Unmarshal(got[1:], &back); err != nil || got[0] != 'x' || back != string([]rune(s)) {
			t.Errorf("%q: %s, %v", s, got, err)
		}
	}
}
