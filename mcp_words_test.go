//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMCPTellsNoSecrets: whatever is wrong with the app, neither a model nor the
// log of its client reads where the app is, or by which token.
func TestMCPTellsNoSecrets(t *testing.T) {
	calls := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{"message":"hi"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_pets"}}`,
	}, "\n")
	for name, breaks := range map[string]func(h home) error{
		"no app": func(h home) error { return nil },
		"broken file": func(h home) error {
			h.start()
			return os.WriteFile(filepath.Join(h.data, "bridge.json"), []byte(`{"token":"5ec2e7`), 0o600)
		},
		"another token": func(h home) error {
			h.start()
			path := filepath.Join(h.data, "bridge.json")
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			token := regexp.MustCompile(`[0-9a-f]{64}`)
			return os.WriteFile(path, token.ReplaceAll(text, bytes.Repeat([]byte("0"), 64)), 0o600)
		},
		"a file that nobody may read": func(h home) error {
			h.start()
			return os.Chmod(filepath.Join(h.data, "bridge.json"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			if err := breaks(h); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := h.run(calls, "mcp", "--pet", "bori")
			if code != 0 || strings.Count(stdout, "\n") != 3 || stderr != "" {
				t.Errorf("exit code %d, %s, stderr %q", code, stdout, stderr)
			}
			if strings.Count(stdout, "go on without it") < 3 {
				t.Errorf("no word of what to do: %s", stdout)
			}
			for _, secret := range []string{h.data, "bridge.json", "token", "127.0.0.1", "errno", "denied", "unexpected", "/"} {
				if strings.Contains(stdout, secret) {
					t.Errorf("%q is in %s", secret, stdout)
				}
			}
		})
	}
}
