package openpets

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// silent are n clients that come and say nothing; they go with the test.
func (r *rig) silent(n int) {
	r.t.Helper()
	for range n {
		conn, err := dial(r.card().Endpoint)
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(func() { conn.Close() })
	}
}

// TestFlood: silent clients keep nobody waiting, and hold up no end.
func TestFlood(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	for range 10 {
		r.silent(60)
		if got := r.ask("hello", "{}"); !strings.Contains(got, "v1") {
			t.Fatal(got)
		}
	}
	r.Close()
}

// TestBurst: more honest clients at once than the door keeps waiting; each is
// answered, also while others are silent.
func TestBurst(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	r.silent(maxClients)
	at := r.card()
	line := fmt.Sprintf(`{"id":"1","version":1,"token":%q,"method":"pet.react","params":{"reaction":"waving"}}`+"\n", at.Token)
	var asking sync.WaitGroup
	for range 2 * maxClients {
		asking.Go(func() {
			if answer, err := send(at.Endpoint, line); err != nil || !strings.Contains(answer, `"shown":true`) {
				t.Errorf("%s, %v", answer, err)
			}
		})
	}
	asking.Wait()
	if n := len(r.app.heard()); n != 2*maxClients {
		t.Errorf("%d of %d were heard", n, 2*maxClients)
	}
}

// TestWhoIsLetGo: those beyond maxClients that had their time, and those beyond
// maxCrowd at once; the first first.
func TestWhoIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{shut: make(chan struct{})}
		enter := func(n int) {
			for range n {
				ours, theirs := net.Pipe()
				t.Cleanup(func() { ours.Close(); theirs.Close() })
				s.enter(ours)
			}
		}
		want := func(n int, first time.Time) {
			t.Helper()
			if len(s.clients) != n || !s.clients[0].came.Equal(first) {
				t.Errorf("%d clients, the first since %v; want %d since %v", len(s.clients), s.clients[0].came, n, first)
			}
		}
		begin := time.Now()
		enter(maxClients)
		time.Sleep(grace)
		enter(10)
		want(maxClients+10, begin)
		gone := s.clients[0]
		time.Sleep(time.Nanosecond)
		enter(1)
		want(maxClients, begin)
		if _, err := gone.Read(make([]byte, 1)); err != io.ErrClosedPipe {
			t.Errorf("the first is not let go: %v", err)
		}
		enter(2 * maxCrowd)
		want(maxCrowd, time.Now())
	})
}

// TestShutWhileTheyCome: who came in at the last moment does not hold up the end.
func TestShutWhileTheyCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{shut: make(chan struct{})}
		close(s.shut)
		ours, theirs := net.Pipe()
		defer theirs.Close()
		begin := time.Now()
		s.enter(ours)
		s.serve(ours)
		if took := time.Since(begin); took > 0 {
			t.Errorf("it took %v", took)
		}
	})
}
