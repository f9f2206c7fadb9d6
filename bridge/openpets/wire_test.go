package openpets

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestRequests: what is no request is refused, in the order of the checks.
func TestRequests(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	token := r.card().Token
	hello := `{"id":"1","version":1,"token":"` + token + `","method":"hello"}`
	for _, c := range []struct{ line, code string }{
		{"hello\n", "invalid_request"},
		{"{}\n", "invalid_request"},
		{"null\n", "invalid_request"},
		{"[]\n", "invalid_request"},
		{"\n", "invalid_request"},
		{"\x00\xff\n", "invalid_request"},
		{`{"id":"","version":1,"token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":5,"version":1,"token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"` + strings.Repeat("i", 121) + `","version":1,"token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"1","version":"1","token":"x","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"1","version":1,"token":"x","method":"hello","params":[]}` + "\n", "invalid_request"},
		{`{"id":"1","version":1,"method":"hello"}` + "\n", "invalid_request"},
		{`{"id":"1","version":2,"token":"x","method":"nothing"}` + "\n", "invalid_version"},
		{`{"id":"1","version":1,"token":"x","method":"nothing"}` + "\n", "invalid_token"},
		{`{"id":"1","version":1,"token":"` + token[1:] + `","method":"hello"}` + "\n", "invalid_token"},
		{`{"id":"1","version":1,"token":"` + token + `","method":"hello","more":1}` + "\n", ""},
		{`{"id":"1","VERSION":1,"token":"` + token + `","method":"hello"}` + "\n", "invalid_request"},
		{`{"id":null,"version":1,"token":"` + token + `","method":"hello"}` + "\n", "invalid_request"},
		{hello + strings.Repeat(" ", maxMessage-len(hello)-1) + "\n", ""},
		{hello + strings.Repeat(" ", maxMessage-len(hello)) + "\n", "invalid_request"},
		{hello + strings.Repeat(" ", 3*maxMessage) + "\n", "invalid_request"},
		{hello + "\n" + hello + "\n", ""}, // one request a connection
		{hello + hello + "\n", "invalid_request"},
		{"\uFEFF" + hello + "\r\n", ""},
		{strings.Repeat("[", maxMessage-1) + "\n", "invalid_request"},
	} {
		answer := r.send(c.line)
		var got struct {
			OK    bool
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Error.Code != c.code || got.OK != (c.code == "") || got.OK == (got.Error.Message != "") {
			t.Errorf("%.100q: %s, want %s", c.line, answer, c.code)
		}
		if strings.Contains(answer, token) {
			t.Errorf("%.100q: the token is told", c.line)
		}
	}
}

// TestWithoutNewline: the end of input ends a line, too.
func TestWithoutNewline(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pipe has no end of input in one direction alone")
	}
	r := newRig(t)
	r.set(Auto)
	got := r.send(fmt.Sprintf(`{"id":"x","version":1,"token":%q,"method":"hello"}`, r.card().Token))
	if !strings.HasPrefix(got, `{"id":"x","ok":true`) {
		t.Error(got)
	}
}

// TestPatience: who says nothing, or says it byte by byte, is let go in time, and
// nothing is done for who has stopped waiting.
func TestPatience(t *testing.T) {
	ask := `{"id":"1","version":1,"token":"secret","method":"pet.say","params":{"message":"hi"}}`
	for name, say := range map[string]func(net.Conn){
		"nothing":    func(net.Conn) {},
		"no newline": func(c net.Conn) { io.WriteString(c, ask) },
		"byte by byte": func(c net.Conn) {
			for i := range ask {
				if _, err := io.WriteString(c, ask[i:i+1]); err != nil {
					return
				}
				time.Sleep(time.Second / 10)
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := &app{}
			s := &server{card: card{Token: "secret"}, door: &Door{backend: a}, shut: make(chan struct{})}
			ours, theirs := net.Pipe()
			begin := time.Now()
			s.enter(ours)
			var both sync.WaitGroup
			both.Go(func() { s.serve(ours) })
			both.Go(func() { say(theirs) })
			answer, _ := io.ReadAll(theirs)
			took := time.Since(begin)
			both.Wait()
			if took != patience || len(answer) > 0 || len(a.heard()) > 0 {
				t.Errorf("%s: %s after %v", name, answer, took)
			}
		})
	}
}

// FuzzAnswer: whatever is asked, the answer is one response that tells no token.
func FuzzAnswer(f *testing.F) {
	s := &server{card: card{Token: "the token of tokens"}, door: &Door{backend: &app{}, log: slog.New(slog.DiscardHandler)}}
	for name := range methods {
		f.Add([]byte(fmt.Sprintf(`{"id":"1","version":1,"token":%q,"method":%q,"params":{"leaseId":"L1","reaction":"error","message":"hi"}}`, s.card.Token, name)))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		out, err := json.Marshal(s.answer(line))
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			ID     *string
			OK     bool
			Result json.RawMessage
			Error  *struct{ Code, Message string }
		}
		if err := json.Unmarshal(out, &r); err != nil || r.OK == (r.Error != nil) || r.OK != (r.Result != nil) {
			t.Errorf("%s", out)
		}
		r.ID = nil // it is the client's own
		if rest, _ := json.Marshal(r); strings.Contains(string(rest), s.card.Token) {
			t.Errorf("the token is told: %s", out)
		}
	})
}
