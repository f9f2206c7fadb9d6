package cli

import (
	"strings"
	"testing"
)

// TestMCPAtATerminal: a person is told what this is, and it goes on until Ctrl-C
// or Ctrl-D.
func TestMCPAtATerminal(t *testing.T) {
	for name, keys := range map[string]string{"Ctrl-C": "\x03", "Ctrl-D": "\x04"} {
		cmd, keyboard := atTerminal(t, "playpets", "mcp")
		if said := readUntil(t, keyboard, "settings.\r\n"); !strings.Contains(said, "playpets connect <agent> --mcp") {
			t.Errorf("%s: said %q", name, said)
		}
		keyboard.WriteString(`{"jsonrpc":"2.0","id":"typed","method":"ping"}` + "\n")
		readUntil(t, keyboard, `"id":"typed","result":{}}`)
		keyboard.WriteString(keys)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
