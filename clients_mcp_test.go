//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// toolCall is a call, and whether the server is to refuse it.
type toolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	refused   bool
}

// sdkTold is what sdk.mjs prints.
type sdkTold struct {
	PID          int
	Server       struct{ Name, Version string }
	Capabilities struct{ Tools *struct{ ListChanged bool } }
	Instructions string
	Tools        []sdkTool
	Calls        []sdkResult
	Complaints   []string
	Stderr       string
}

type sdkTool struct {
	Name        string
	InputSchema struct {
		Type       string
		Properties map[string]struct {
			Type                 string
			Enum                 []string
			MinLength, MaxLength int
		}
		Required []string
	}
	Annotations map[string]any
}

type sdkResult struct {
	Content           []struct{ Type, Text string }
	StructuredContent map[string]any
	IsError           bool
	Code              int
	Error             string
}

// sdk has the official SDK's client start a server and call its tools.
func (c clients) sdk(name string, calls []toolCall, args ...string) sdkTold {
	c.t.Helper()
	return decoded[sdkTold](c, "sdk.mjs", map[string]any{
		"server": map[string]any{"command": c.program, "args": append([]string{"mcp"}, args...)},
		"client": map[string]any{"name": name, "version": "1.0.0"},
		"calls":  calls,
	})
}

type raw = json.RawMessage

var vocabularies = []struct {
	args   []string
	server string
	calls  []toolCall
}{
	{nil, "playpets", []toolCall{
		{"list_pets", nil, false},
		{"list_pets", raw(`{"unknown":1}`), false},
		{"set_pet_state", raw(`{"state":"working","message":"Running the tests"}`), false},
		{"set_pet_state", raw(`{"state":"done","message":null,"pet":"null"}`), false},
		{"set_pet_state", raw(`{"state":"waiting","pet":"bori"}`), false},
		{"set_pet_state", nil, true},
		{"set_pet_state", raw(`{"state":"asleep"}`), true},
		{"set_pet_state", raw(`{"state":["working"]}`), true},
		{"set_pet_state", raw(`{"state":"working","message":"See https://x.y"}`), true},
		{"say", raw(`{"message":"Nearly there"}`), false},
		{"say", raw(`{"message":"Two\nlines"}`), true},
		{"say", raw(`{"message":"hi","pet":"nobody"}`), true},
		{"say", raw(`{}`), true},
		{"react", raw(`{"action":"wave"}`), false},
		{"react", raw(`{"action":"dance"}`), true},
		{"status", raw(`{}`), false},
	}},
	{[]string{"--openpets", "--pet", "bori"}, "open-pets", []toolCall{
		{"openpets_status", nil, false},
		{"openpets_react", raw(`{"reaction":"testing"}`), false},
		{"openpets_react", raw(`{"reaction":"waving"}`), false},
		{"openpets_react", raw(`{"reaction":"sleeping"}`), true},
		{"openpets_react", nil, true},
		{"openpets_say", raw(`{"message":"Nearly there"}`), false},
		{"openpets_say", raw(`{"message":"All green","reaction":"success"}`), false},
		{"openpets_say", raw(`{"message":"const x = 1"}`), true},
		{"openpets_say", raw(`{"message":"hi","reaction":"sleeping"}`), true},
		{"openpets_say", raw(`{"message":7}`), true},
	}},
}

// TestClientSDK: the official client, which checks each answer by the protocol's
// schemas, calls every tool rightly and wrongly, with the app and without.
func TestClientSDK(t *testing.T) {
	c := newClients(t)
	for _, running := range []bool{false, true} {
		if running {
			c.start()
		}
		for _, v := range vocabularies {
			told := c.sdk("claude-code", v.calls, v.args...)
			if told.Server.Name != v.server || told.Instructions == "" || told.Stderr != "" || len(told.Complaints) > 0 {
				t.Errorf("%s: %+v", v.server, told)
			}
			if told.Capabilities.Tools == nil || told.Capabilities.Tools.ListChanged {
				t.Errorf("%s: capabilities %+v", v.server, told.Capabilities)
			}
			if syscall.Kill(told.PID, 0) != syscall.ESRCH {
				t.Errorf("%s: process %d is still there", v.server, told.PID)
			}
			eachCalled(t, told.Tools, v.calls)
			for i, call := range v.calls {
				c.checkResult(call, told.Calls[i], running)
			}
		}
	}
	if first := c.status().Friends[0]; len(first.Activities) == 0 || first.Activities[0].Agent != "claude" {
		t.Errorf("what the agent did is not remembered as Claude's: %+v", first.Activities)
	}
	for _, left := range c.sessions() {
		if !strings.HasSuffix(left, " done") { // that shows a moment longer
			t.Errorf("a session of a server that is gone: %s", left)
		}
	}
}

// eachCalled checks that the calls leave no tool out, neither a good call nor a bad
// one where there can be one.
func eachCalled(t *testing.T, tools []sdkTool, calls []toolCall) {
	t.Helper()
	for _, tool := range tools {
		good, bad := false, len(tool.InputSchema.Required) == 0
		for _, call := range calls {
			good = good || call.Name == tool.Name && !call.refused
			bad = bad || call.Name == tool.Name && call.refused
		}
		if !good || !bad {
			t.Errorf("%s is not called rightly and wrongly", tool.Name)
		}
	}
}

// checkResult checks what a call came to: one sentence, and with it the facts for a
// program unless the call was refused.
func (c clients) checkResult(call toolCall, got sdkResult, running bool) {
	c.t.Helper()
	looks := strings.HasSuffix(call.Name, "status") // tells that nothing runs, in place of failing
	refused := call.refused || !running && !looks
	ok, _ := got.StructuredContent["ok"].(bool)
	switch {
	case got.Error != "" || len(got.Content) != 1 || got.Content[0].Type != "text" || got.Content[0].Text == "":
		c.t.Errorf("%s %s: %+v, want one text", call.Name, call.Arguments, got)
	case strings.ContainsAny(got.Content[0].Text, `/\`) || strings.Contains(got.Content[0].Text, "127.0.0.1"):
		c.t.Errorf("%s %s tells of this computer: %q", call.Name, call.Arguments, got.Content[0].Text)
	case got.IsError != refused || got.IsError && got.StructuredContent != nil:
		c.t.Errorf("%s %s, app running: %v: %+v", call.Name, call.Arguments, running, got)
	case call.Name == "list_pets" && !refused:
		if pets, _ := got.StructuredContent["pets"].([]any); len(pets) != 3 {
			c.t.Errorf("list_pets: %+v", got)
		}
	case !refused && ok != running:
		c.t.Errorf("%s %s, app running: %v: %+v", call.Name, call.Arguments, running, got.StructuredContent)
	}
}

// TestClientInspector: the MCP Inspector finds the tools, takes their schemas for
// portable, and calls them.
func TestClientInspector(t *testing.T) {
	c := newClients(t)
	c.start()
	inspect := func(want int, args ...string) string {
		t.Helper()
		program := "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
		out, errs, code := c.run(program, append([]string{"--cli", c.program, "mcp"}, args...)...)
		if code != want {
			t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, want, out, errs)
		}
		return out
	}
	const toolSaysNo = 5
	for _, v := range vocabularies {
		var listed struct{ Tools []sdkTool }
		out := inspect(0, append(v.args, "--method", "tools/list", "--strict")...)
		if err := json.Unmarshal([]byte(out), &listed); err != nil || len(listed.Tools) < 3 {
			t.Errorf("%s: %v\n%s", v.server, err, out)
		}
	}
	if out := inspect(0, "--method", "tools/call", "--tool-name", "set_pet_state", "--tool-arg", "state=working", "message=Running the tests"); !strings.Contains(out, `"petId": "mochi"`) {
		t.Error(out)
	}
	inspect(toolSaysNo, "--method", "tools/call", "--tool-name", "say", "--tool-arg", "message=See https://x.y")
	if out := inspect(0, "--openpets", "--method", "tools/call", "--tool-name", "openpets_react", "--tool-arg", "reaction=waving"); !strings.Contains(out, `"ok": true`) {
		t.Error(out)
	}
}

// TestClientConformance: the protocol's own checks, which also hold each answer
// against its schema. They know servers over HTTP alone; these scenarios are neither
// about HTTP nor about tools that are made for them.
func TestClientConformance(t *testing.T) {
	c := newClients(t)
	c.start()
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "resources-list", "prompts-list"} {
		for _, v := range vocabularies {
			door := httptest.NewServer(c.server(v.args...))
			out, errs, code := c.run("@modelcontextprotocol/conformance/dist/index.js", "server", "--url", door.URL, "--scenario", scenario)
			door.Close()
			if code != 0 || !strings.Contains(out, ", 0 failed, 0 warnings") || strings.Contains(out, "Passed: 0") {
				t.Errorf("%s of %s: %d\n%s%s", scenario, v.server, code, out, errs)
			}
		}
	}
}

// ServeHTTP passes what is posted to the server, a line each, and its answers back.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed) // no stream of the server's own, no session to end
		return
	}
	posted, _ := io.ReadAll(r.Body)
	var line bytes.Buffer
	var message struct{ ID json.RawMessage }
	if json.Compact(&line, posted) != nil || json.Unmarshal(posted, &message) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	s.in.Write(append(line.Bytes(), '\n'))
	if message.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer, err := s.line.ReadBytes('\n')
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer)
}
