//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// lists are requests whose answers are many times the size of a pipe.
func lists() (requests string) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i)
	}
	return b.String()
}

// inOrder fails unless out has the answers to lists.
func inOrder(t *testing.T, out io.Reader) {
	t.Helper()
	in, n := bufio.NewReader(out), 0
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var answer struct {
			ID     int
			Result struct{ Tools []any }
		}
		if err := json.Unmarshal(line, &answer); err != nil || answer.ID != n || len(answer.Result.Tools) == 0 {
			t.Fatalf("answer %d: %v: %.200s", n, err, line)
		}
		n++
	}
	if n != 500 {
		t.Errorf("%d answers to 500 requests", n)
	}
}

// TestMCPAndSlowReader: who reads nothing until all is asked misses nothing.
func TestMCPAndSlowReader(t *testing.T) {
	s := newHome(t).server()
	if _, err := io.WriteString(s.in, lists()); err != nil {
		t.Fatal(err)
	}
	s.in.Close()
	inOrder(t, s.line)
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestMCPAndNoReader: it ends also while nobody takes what it writes.
func TestMCPAndNoReader(t *testing.T) {
	for name, end := range map[string]func(*server){
		"SIGTERM":       func(s *server) { s.cmd.Process.Signal(syscall.SIGTERM) },
		"closed output": func(s *server) { s.out.Close() },
	} {
		s := newHome(t).server()
		if _, err := io.WriteString(s.in, lists()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.line.ReadByte(); err != nil { // it has begun to write
			t.Fatal(err)
		}
		end(s)
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMCPStreams has other things than pipes for standard input and output.
func TestMCPStreams(t *testing.T) {
	needs(t, "sh")
	h := newHome(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "in"), []byte(lists()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		script string
		full   bool // all answers stand in the file out
	}{
		{`"$P" mcp <in >out`, true},
		{`"$P" mcp <in >>out`, true},
		{`cat in | "$P" mcp | cat >out`, true},
		{`"$P" mcp </dev/null >out`, false},
		{`"$P" mcp <&- >out`, false},
		{`"$P" mcp <in >&-`, false},
		{`"$P" mcp <in >/dev/null 2>&-`, false},
		{`sleep 0.1 | "$P" mcp >out`, false},
		{`: | "$P" mcp >out; test $? = 0`, false},
	} {
		out := filepath.Join(folder, "out")
		os.Remove(out)
		cmd := h.command()
		cmd.Path, cmd.Args, cmd.Dir = "/bin/sh", []string{"sh", "-c", c.script}, folder
		cmd.Env = append(cmd.Env, "P="+h.program)
		if words, err := cmd.CombinedOutput(); err != nil || len(words) > 0 {
			t.Errorf("%s: %v, said %q", c.script, err, words)
		}
		f, err := os.Open(out)
		if err != nil && c.full {
			t.Fatal(err)
		}
		if c.full {
			inOrder(t, f)
		} else if info, err := os.Stat(out); err == nil && info.Size() > 0 {
			t.Errorf("%s: wrote %d bytes", c.script, info.Size())
		}
		f.Close()
	}
}

// TestMCPAndSocket: some clients speak over a socket, which may not block.
func TestMCPAndSocket(t *testing.T) {
	h := newHome(t)
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range pair {
		syscall.CloseOnExec(fd)
		if err := syscall.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	theirs, ours := os.NewFile(uintptr(pair[0]), "theirs"), os.NewFile(uintptr(pair[1]), "ours")
	defer ours.Close()
	cmd := h.command("mcp")
	cmd.Stdin, cmd.Stdout = theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	go io.WriteString(ours, lists()+`{"jsonrpc":"2.0","id":-1,"method":"tools/list"}`+"\n")
	all := bufio.NewReaderSize(ours, 16)
	var out bytes.Buffer
	for range 500 {
		line, err := all.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		out.Write(line)
	}
	inOrder(t, &out)
	if _, err := all.ReadByte(); err != nil {
		t.Fatal(err)
	}
	// The rest of the last answer stays unread, which resets a socket.
	ours.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestMCPGoClient has the library's own client.
func TestMCPGoClient(t *testing.T) {
	h := newHome(t)
	h.start()
	for args, tool := range map[string]mcp.CallToolParams{
		"mcp":            {Name: "set_pet_state", Arguments: map[string]any{"state": "working", "message": "On it", "pet": nil}},
		"mcp --openpets": {Name: "openpets_react", Arguments: map[string]any{"reaction": "editing"}},
	} {
		c, err := mcpgo.NewStdioMCPClient(h.program, h.env, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		var asked mcp.InitializeRequest
		asked.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
		asked.Params.ClientInfo = mcp.Implementation{Name: "claude-code", Version: "1"}
		if _, err := c.Initialize(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || !slices.ContainsFunc(list.Tools, func(offer mcp.Tool) bool { return offer.Name == tool.Name }) {
			t.Errorf("%s: %v, %v", args, list, err)
		}
		answer, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: tool})
		if err != nil || answer.IsError {
			t.Errorf("%s: %v, %v", args, answer, err)
		}
		if got := fmt.Sprint(h.sessions()); got != "[mochi claude working]" {
			t.Errorf("%s: sessions %s", args, got)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if got := h.sessions(); got != nil {
			t.Errorf("%s: sessions %s are left", args, got)
		}
	}
}
