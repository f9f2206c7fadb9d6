package bridge

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// hang is when a test gives up on a connection that should have ended.
const hang = 30 * time.Second

// send opens a connection and writes request on it, byte for byte, with {host}
// and {token} filled in.
func (r *rig) send(request string) net.Conn {
	r.t.Helper()
	conn, err := net.Dial("tcp4", r.host())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(hang))
	// The bridge may refuse and close before it has read everything.
	io.WriteString(conn, strings.NewReplacer("{host}", r.host(), "{token}", r.endpoint.Token).Replace(request))
	return conn
}

// raw sends, ends its side of the connection and returns all that comes back.
func (r *rig) raw(request string) string {
	r.t.Helper()
	conn := r.send(request)
	conn.(*net.TCPConn).CloseWrite()
	return r.rest(conn)
}

// rest is what comes until the bridge ends the connection, which it must.
func (r *rig) rest(conn io.Reader) string {
	r.t.Helper()
	answer, err := io.ReadAll(conn)
	if nerr := net.Error(nil); errors.As(err, &nerr) && nerr.Timeout() {
		r.t.Errorf("the bridge did not end the connection after %q", answer)
	}
	return string(answer)
}

// answers reads the statuses and the last body of what raw returned.
func answers(t testing.TB, raw string) (statuses []int, body string) {
	t.Helper()
	for rest := bufio.NewReader(strings.NewReader(raw)); ; {
		if _, err := rest.Peek(1); err != nil {
			return statuses, body
		}
		reply, err := http.ReadResponse(rest, nil)
		if err != nil {
			t.Fatalf("not HTTP: %v in %q", err, raw)
		}
		got, _ := io.ReadAll(reply.Body)
		statuses, body = append(statuses, reply.StatusCode), string(got)
	}
}

// status is the one status in what raw returned.
func status1(t testing.TB, raw string) int {
	t.Helper()
	statuses, _ := answers(t, raw)
	if len(statuses) != 1 {
		t.Fatalf("%d answers in %q", len(statuses), raw)
	}
	return statuses[0]
}

// post is an honest POST.
func post(path, body string) string {
	// The token in a body is filled in later, to 64 bytes.
	length := len(body) + strings.Count(body, "{token}")*(64-len("{token}"))
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", path, length, body)
}

// get is an honest GET with more header lines.
func get(path string, more ...string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n" +
		strings.Join(append(more, ""), "\r\n") + "\r\n"
}

// ask makes one honest request.
func (r *rig) ask(method, path, body string) (status int, reply string) {
	r.t.Helper()
	request := get(path)
	if method == http.MethodPost {
		request = post(path, body)
	}
	statuses, reply := answers(r.t, r.raw(request))
	if len(statuses) != 1 {
		r.t.Fatalf("%s %s: %d answers", method, path, len(statuses))
	}
	return statuses[0], reply
}

// errorCode checks that body is an error as promised, and nothing else.
func errorCode(t testing.TB, body string) string {
	t.Helper()
	var reply struct {
		Error struct{ Code, Message string }
	}
	d := json.NewDecoder(strings.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&reply); err != nil {
		t.Errorf("error body %q: %v", body, err)
	}
	if m := reply.Error.Message; reply.Error.Code == "" || !strings.HasSuffix(m, ".") || strings.ContainsAny(m, "\n{") {
		t.Errorf("error body %q", body)
	}
	return reply.Error.Code
}
