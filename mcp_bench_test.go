//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

// client is a client of a running MCP server.
type client struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	asks int
}

func connect(b *testing.B, argv []string) *client {
	b.Helper()
	c := &client{cmd: exec.Command(argv[0], argv[1:]...)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		b.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	return c
}

// ask sends a request and waits for its answer, past what a server says unasked.
func (c *client) ask(b *testing.B, method, params string) {
	b.Helper()
	c.asks++
	fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.asks, method, params)
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			b.Fatalf("%s: %v", method, err)
		}
		var r struct {
			ID     int
			Method string
			Result struct{ IsError bool }
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &r); err != nil {
			b.Fatalf("%s: %s", method, line)
		}
		if r.ID != c.asks || r.Method != "" {
			continue
		}
		if r.Error != nil || r.Result.IsError {
			b.Fatalf("%s: %s", method, line)
		}
		return
	}
}

func (c *client) initialize(b *testing.B) {
	b.Helper()
	c.ask(b, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	fmt.Fprintln(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// end closes the input and waits.
func (c *client) end(b *testing.B) {
	b.Helper()
	c.in.Close()
	io.Copy(io.Discard, c.out)
	c.cmd.Wait() // node's servers may end with a signal
}

const sayHi = `{"name":"say","arguments":{"message":"hi"}}`

// BenchmarkMCP measures how soon a server answers: from its start to initialize and
// to the first call, beside a server of the official SDK, and a call beside one
// POST over the bridge.
func BenchmarkMCP(b *testing.B) {
	cache, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	modules := filepath.Join(cache, "playpets-test-clients", "node_modules")
	everything := filepath.Join(modules, "@modelcontextprotocol/server-everything/dist/index.js")
	if _, err := os.Stat(everything); err != nil {
		b.Fatal("server-everything is needed as a yardstick: make test-clients brings it")
	}
	program := build(b, ".")
	app := start(b, program, "", "")
	ours := []string{program, "mcp", "--bridge", app.bridge}
	contenders := []struct {
		name, call string
		argv       []string
	}{
		{"ours", sayHi, ours},
		{"everything", `{"name":"echo","arguments":{"message":"hi"}}`, []string{"node", everything, "stdio"}},
	}
	for b.Loop() {
		hello, called := map[string][]time.Duration{}, map[string][]time.Duration{}
		for range rounds / 2 {
			for _, s := range contenders {
				began := time.Now()
				c := connect(b, s.argv)
				c.initialize(b)
				hello[s.name] = append(hello[s.name], time.Since(began))
				c.ask(b, "tools/call", s.call)
				called[s.name] = append(called[s.name], time.Since(began))
				c.end(b)
			}
		}
		for _, all := range []map[string][]time.Duration{hello, called} {
			for _, t := range all {
				slices.Sort(t)
			}
		}
		b.ReportMetric(median(hello["everything"])/median(hello["ours"]), "everything/ours_initialize")
		b.ReportMetric(median(called["everything"])/median(called["ours"]), "everything/ours_first_call")
		b.ReportMetric(ms(median(hello["ours"])), "initialize_ms")
		b.ReportMetric(ms(median(called["ours"])), "first_call_ms")

		c, door := connect(b, ours), bridge.NewClient(app.bridge)
		c.initialize(b)
		var calls, posts []time.Duration
		for range 500 {
			began := time.Now()
			c.ask(b, "tools/call", sayHi)
			calls = append(calls, time.Since(began))
			began = time.Now()
			if _, err := door.Say(agents.Target{}, "hi"); err != nil {
				b.Fatal(err)
			}
			posts = append(posts, time.Since(began))
		}
		c.end(b)
		slices.Sort(calls)
		slices.Sort(posts)
		b.ReportMetric(median(calls)/median(posts), "call/post")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMCPPipelined sends 200 calls and the end of input at once, a few times.
func BenchmarkMCPPipelined(b *testing.B) {
	program := build(b, ".")
	app := start(b, program, "", "")
	var in strings.Builder
	for i := range 200 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", i, sayHi)
	}
	for b.Loop() {
		missing, inversions := 0, 0
		for range 20 {
			cmd := exec.Command(program, "mcp", "--bridge", app.bridge)
			cmd.Stdin = strings.NewReader(in.String())
			out, err := cmd.Output()
			if err != nil {
				b.Fatal(err)
			}
			replies, last := 0, -1
			for line := range strings.Lines(string(out)) {
				var r struct {
					ID     int
					Result json.RawMessage
				}
				if json.Unmarshal([]byte(line), &r) == nil && r.Result != nil {
					replies++
				}
				if r.ID < last {
					inversions++
				}
				last = r.ID
			}
			missing += 200 - replies
		}
		b.ReportMetric(float64(missing), "missing_of_4000")
		b.ReportMetric(float64(inversions), "inversions")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMCPLeases has 200 servers live at once, and then kills them all. It
// reports what the app does for them in half a minute, and when it has missed
// them.
func BenchmarkMCPLeases(b *testing.B) {
	const servers = 200
	program := build(b, ".")
	for b.Loop() {
		app := start(b, program, "", "")
		burst(program, app, 200)
		before := resident(b, app.cmd.Process.Pid)
		var all []*client
		for range servers {
			c := connect(b, []string{program, "mcp", "--bridge", app.bridge})
			c.initialize(b)
			c.ask(b, "tools/call", `{"name":"set_pet_state","arguments":{"state":"working"}}`)
			all = append(all, c)
		}
		with := resident(b, app.cmd.Process.Pid)
		used := cpu(b, app.cmd.Process.Pid)
		time.Sleep(30 * time.Second)
		b.ReportMetric((cpu(b, app.cmd.Process.Pid)-used)/30*100, "app_cpu_%")
		b.ReportMetric(with-before, "app_MB_for_them")
		b.ReportMetric(resident(b, app.cmd.Process.Pid)-with, "app_MB_growth_in_30s")
		b.ReportMetric(resident(b, all[0].cmd.Process.Pid), "server_MB")
		working := sessions(b, program, app)
		for _, c := range all {
			c.cmd.Process.Kill()
			c.end(b)
		}
		killed := time.Now()
		for sessions(b, program, app) > working-servers && time.Since(killed) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		b.ReportMetric(time.Since(killed).Seconds(), "missed_after_s")
	}
	b.ReportMetric(0, "ns/op")
}
