package line

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var token = strings.Repeat("0123456789abcdef", 4)

// folder is an app's data folder: its bridge.json, with the lock held.
func folder(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data", "bridge.json")
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Release() })
	return path
}

func TestFindWhatWasPublished(t *testing.T) {
	path := folder(t)
	want := Endpoint{Port: 4321, Token: token, PID: os.Getpid()}
	if err := Publish(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := Find(path)
	if err != nil || got.Port != want.Port || got.Token != want.Token {
		t.Fatalf("Find = %+v, %v", got, err)
	}
}

func TestExchange(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer "+token || r.Method != "POST" || r.URL.Path != "/events" {
			w.WriteHeader(http.StatusTeapot)
		}
		w.Write(append([]byte("got "), body...))
	}))
	defer s.Close()
	e := Endpoint{Port: s.Listener.Addr().(*net.TCPAddr).Port, Token: token}
	status, reply, err := e.Exchange("POST", "/events", []byte(`{"a":1}`), 5*time.Second)
	if err != nil || status != 200 || string(reply) != `got {"a":1}` {
		t.Fatalf("Exchange = %d %q %v", status, reply, err)
	}
}

func TestExchangeEndsInTime(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				bufio.NewReader(c).ReadString('\n')
				for {
					if _, err := c.Write([]byte("H")); err != nil {
						return
					}
					time.Sleep(time.Millisecond)
				}
			}()
		}
	}()
	_, _, err = Endpoint{Port: l.Addr().(*net.TCPAddr).Port, Token: token}.Exchange("GET", "/", nil, 50*time.Millisecond)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("Exchange = %v", err)
	}
}
