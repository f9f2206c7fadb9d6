//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// server is a running `playpets mcp` and its client.
type server struct {
	h    home
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.ReadCloser
	line *bufio.Reader
	id   int
	turn sync.Mutex // of those who ask at once
}

// mcp starts a server that knows its client.
func (h home) mcp(args ...string) *server {
	h.t.Helper()
	s := h.server(args...)
	s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"1"}}`)
	return s
}

func (h home) server(args ...string) *server {
	h.t.Helper()
	s := &server{h: h, cmd: h.command(append([]string{"mcp"}, args...)...)}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	if s.out, err = s.cmd.StdoutPipe(); err != nil {
		h.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			s.cmd.Process.Kill()
			s.cmd.Wait()
		}
	})
	s.line = bufio.NewReader(s.out)
	return s
}

func (s *server) send(method, params string) {
	s.h.t.Helper()
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params); err != nil {
		s.h.t.Fatal(err)
	}
}

// ask sends a request and returns its answer.
func (s *server) ask(method, params string) string {
	s.h.t.Helper()
	s.send(method, params)
	answer, err := s.line.ReadString('\n')
	if err != nil {
		s.h.t.Fatalf("%s: %v", method, err)
	}
	var r struct{ ID int }
	if json.Unmarshal([]byte(answer), &r) != nil || r.ID != s.id {
		s.h.t.Fatalf("%s: not the answer to %d: %s", method, s.id, answer)
	}
	return answer
}

func (s *server) call(tool, arguments string) string {
	s.h.t.Helper()
	return s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// sessions are those that the app knows, a line each.
func (h home) sessions() (all []string) {
	for _, f := range h.status().Friends {
		for _, run := range f.Sessions {
			all = append(all, f.ID+" "+run.Agent+" "+run.State)
		}
	}
	return all
}

// TestMCPToPixel is the way from a model's tool call to a bubble, in both vocabularies.
func TestMCPToPixel(t *testing.T) {
	needs(t, "Xvfb")
	_, display := xServer(t)
	h := newHome(t, "DISPLAY="+display)
	h.start()
	var bare int
	h.until("three friends stand there", func() bool { now := h.screen(); bare = paper(now); return colours(now) > 400 })
	if answer := h.mcp("--pet", "bori").call("set_pet_state", `{"state":"waiting","message":"Shall I merge it?"}`); !strings.Contains(answer, `"petId":"bori"`) {
		t.Error(answer)
	}
	one := 0
	h.until("a bubble", func() bool { one = paper(h.screen()); return one > bare+1500 })
	if answer := h.mcp("--openpets", "--pet=ssak").call("openpets_say", `{"message":"The build is broken","reaction":"error"}`); !strings.Contains(answer, `"ok":true`) {
		t.Error(answer)
	}
	h.until("another bubble", func() bool { return paper(h.screen()) > one+1500 })
	if got := fmt.Sprint(h.sessions()); got != "[bori codex waiting ssak codex error]" {
		t.Errorf("sessions %s", got)
	}
}

// TestMCPEnds: whatever ends a server, it ends well, and its friend is free at once.
func TestMCPEnds(t *testing.T) {
	h := newHome(t)
	h.start()
	for name, end := range map[string]func(*server){
		"end of input":  func(s *server) { s.in.Close() },
		"closed output": func(s *server) { s.out.Close() },
		"SIGTERM":       func(s *server) { s.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":        func(s *server) { s.cmd.Process.Signal(syscall.SIGINT) },
		"SIGHUP":        func(s *server) { s.cmd.Process.Signal(syscall.SIGHUP) },
		"closed output in the middle of a call": func(s *server) {
			s.send("tools/call", `{"name":"list_pets"}`)
			s.out.Close()
		},
	} {
		s := h.mcp()
		s.call("set_pet_state", `{"state":"working"}`)
		if got := fmt.Sprint(h.sessions()); got != "[mochi codex working]" {
			t.Errorf("%s: before it %s", name, got)
		}
		end(s)
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := h.sessions(); got != nil {
			t.Errorf("%s: after it %s", name, got)
		}
	}
}

// TestMCPIsKilled: who had no time to give its friend back is missed.
func TestMCPIsKilled(t *testing.T) {
	h := newHome(t)
	h.start()
	s := h.mcp()
	s.call("set_pet_state", `{"state":"working"}`)
	s.cmd.Process.Kill()
	s.cmd.Wait()
	h.until("the app has missed it", func() bool { return h.sessions() == nil })
}

// TestMCPAndNoApp: a server outlives the app, and finds the next one.
func TestMCPAndNoApp(t *testing.T) {
	h := newHome(t)
	s := h.mcp()
	gone := func(when string) {
		t.Helper()
		for _, tool := range []string{`list_pets`, `say`, `status`} {
			answer := s.call(tool, `{"message":"hi"}`)
			if !strings.Contains(answer, "PlayPets is not running") || strings.Contains(answer, h.data) {
				t.Errorf("%s, %s: %s", when, tool, answer)
			}
		}
	}
	gone("before the app")
	for range 2 {
		app := h.start()
		if answer := s.call("set_pet_state", `{"state":"working"}`); !strings.Contains(answer, `"petId":"mochi"`) {
			t.Error(answer)
		}
		app.Process.Kill()
		app.Wait()
		gone("after the app")
	}
}

// TestMCPAndHungApp: an app that does not answer holds nobody up at the end.
func TestMCPAndHungApp(t *testing.T) {
	h := newHome(t)
	app := h.start()
	s := h.mcp()
	s.call("set_pet_state", `{"state":"working"}`)
	app.Process.Signal(syscall.SIGSTOP)
	var stopped syscall.WaitStatus
	if _, err := syscall.Wait4(app.Process.Pid, &stopped, syscall.WUNTRACED, nil); err != nil || !stopped.Stopped() {
		t.Fatalf("the app is not stopped: %v", err)
	}
	defer app.Process.Signal(syscall.SIGCONT)
	if answer := s.call("say", `{"message":"hi"}`); !strings.Contains(answer, "does not answer") {
		t.Error(answer)
	}
	s.send("tools/call", `{"name":"say","arguments":{"message":"hi"}}`)
	s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}
