//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// These tests have other people's programs drive ours, unchanged: those that
// agents are made of and those that check servers. tools/test-clients brings them.

// clients is a person's computer with those programs on it. What they start finds
// the app as it does for a person: by the home folder, as the official SDK passes on
// hardly more of the environment.
type clients struct {
	home
	programs string // the folder that npm filled
	node     string
}

func newClients(t *testing.T, env ...string) clients {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	c := clients{programs: filepath.Join(cache, "playpets-test-clients")} // as in tools/test-clients
	want, err := os.ReadFile("tools/clients/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(c.programs, "package-lock.json")); !bytes.Equal(got, want) {
		if os.Getenv("CI") == "true" {
			t.Fatal("the programs from npm are missing: tools/test-clients brings them")
		}
		t.Skip("the programs from npm are missing: make test-clients brings them")
	}
	arch := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	c.node = filepath.Join(c.programs, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin/node")
	if _, err := os.Stat(c.node); err != nil {
		c.node = "node"
		needs(t, c.node)
	}
	person := t.TempDir()
	run := filepath.Join(person, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	c.home = newHome(t, append([]string{"HOME=" + person, "PLAYPETS_DATA=", "OPENPETS_DISCOVERY_FILE=",
		"XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR=" + run}, env...)...)
	return c
}

// run runs a program of npm's, or one of tools/clients by its name.
func (c clients) run(program string, args ...string) (stdout, stderr string, code int) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), c.node, append([]string{filepath.Join("node_modules", program)}, args...)...)
	if source, err := os.Open(filepath.Join("tools/clients", program)); err == nil {
		defer source.Close()
		// Read from standard input it finds what it imports in the working folder.
		cmd = exec.CommandContext(c.t.Context(), c.node, append([]string{"--input-type=module", "-"}, args...)...)
		cmd.Stdin = source
	}
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.programs, c.env, &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		c.t.Fatalf("%s: %v", program, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// decoded is what a program of tools/clients prints.
func decoded[T any](c clients, program string, ask any) (told T) {
	c.t.Helper()
	question, err := json.Marshal(ask)
	if err != nil {
		c.t.Fatal(err)
	}
	out, errs, code := c.run(program, string(question))
	if err := json.Unmarshal([]byte(out), &told); err != nil || code != 0 {
		c.t.Fatalf("%s: %d, %v\n%s%s", program, code, err, out, errs)
	}
	return told
}
