//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestPastedServers starts what people paste for each agent, with no more of the
// environment than Codex hands on, which is the least: the server finds the app
// and the friend.
func TestPastedServers(t *testing.T) {
	h := newHome(t)
	h.start()
	type entry struct {
		Command string
		Args    []string
		Env     map[string]string
	}
	for _, agent := range []string{"claude", "codex", "gemini", "cursor", "mcp"} {
		out, errs, code := h.run("", "snippet", agent, "--mcp", "--json", "--pet", "bori")
		var s struct{ Format, Text string }
		if err := json.Unmarshal([]byte(out), &s); err != nil || code != 0 {
			t.Fatalf("%s: %v %s%s", agent, err, out, errs)
		}
		var servers map[string]entry
		switch s.Format {
		case "json":
			var file struct{ McpServers map[string]entry }
			if err := json.Unmarshal([]byte(s.Text), &file); err != nil {
				t.Fatal(err)
			}
			servers = file.McpServers
		case "toml":
			var file struct {
				Servers map[string]entry `toml:"mcp_servers"`
			}
			if _, err := toml.Decode(s.Text, &file); err != nil {
				t.Fatal(err)
			}
			servers = file.Servers
		}
		e := servers["playpets"]
		cmd := exec.Command(e.Command, e.Args...)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"HOME=" + t.TempDir(), "LANG=C", "PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh"}
		for key, value := range e.Env {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
		cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}`)
		answer, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", agent, err)
		}
		line, _ := bufio.NewReader(strings.NewReader(string(answer))).ReadString('\n')
		for _, want := range []string{`"ok":true`, `"configuredPetId":"bori"`, `"actualTargetPetId":"bori"`, `"usingDefaultPet":false`} {
			if !strings.Contains(line, want) {
				t.Error(fmt.Sprintf("%s: no %s in", agent, want), line)
			}
		}
	}
}
