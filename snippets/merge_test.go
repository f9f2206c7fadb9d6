package snippets

import (
	"strings"
	"testing"

	"github.com/playpets/playpets/snippets/edit"
)

// TestMerge puts each JSON snippet into a file as people have it, twice, with
// another path the second time, and takes it out again.
func TestMerge(t *testing.T) {
	const file = `{
  // mine
  "model": "opus", /* keep */
  "version": 1,
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "/home/me/guard.sh" }, ] },
    ],
    "stop": [{"command": "/home/me/keep.sh"}],
  },
  "mcpServers": {"other": {"command": "npx"}},
}
`
	ours := func(words []string) bool { _, ok := Ours(words...); return ok }
	every(func(p Program) {
		for _, agent := range Agents() {
			all, err := Hooks(agent, p)
			if err != nil {
				t.Fatal(err)
			}
			mcp, err := MCP(agent, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range append(all, mcp) {
				if s.Format != "json" {
					continue
				}
				moved := strings.ReplaceAll(s.Text, "playpets", "elsewhere/playpets")
				if s.Name == "mcp" {
					moved = s.Text
				}
				merged, err := edit.AddJSON([]byte(file), []byte(moved), ours, func(words []string) bool { return Starts(words...) })
				if err != nil {
					t.Fatal(err)
				}
				merged, err = edit.AddJSON(merged, []byte(s.Text), ours, func(words []string) bool { return Starts(words...) })
				if err != nil {
					t.Fatal(err)
				}
				again, err := edit.AddJSON(merged, []byte(s.Text), ours, func(words []string) bool { return Starts(words...) })
				if err != nil || string(again) != string(merged) || strings.Contains(string(merged), "elsewhere") {
					t.Fatalf("%s %s twice: %v\n%s\n%s", agent, s.Name, err, merged, again)
				}
				for _, kept := range []string{"// mine", "/* keep */", "/home/me/guard.sh", "/home/me/keep.sh", `"other"`} {
					if !strings.Contains(string(merged), kept) {
						t.Errorf("%s %s: %s is gone from\n%s", agent, s.Name, kept, merged)
					}
				}
				if back, err := edit.RemoveJSON(merged, ours); err != nil || string(back) != file {
					t.Fatalf("%s %s back: %v\n%s\nfrom\n%s", agent, s.Name, err, back, merged)
				}
			}
		}
	})
}
