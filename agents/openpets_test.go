package agents

import "testing"

// TestOpenPets holds the table to what OpenPets and we have: its words in its
// order, a state or a gesture for each, and one row of the sheet for each of these.
func TestOpenPets(t *testing.T) {
	names := []string{"idle", "thinking", "working", "editing", "running", "testing", "waiting", "waving", "success", "error", "celebrating"}
	if len(OpenPets) != len(names) {
		t.Fatalf("%d words, OpenPets has %d", len(OpenPets), len(names))
	}
	rows := map[State]string{}
	for i, r := range OpenPets {
		if r.Name != names[i] {
			t.Errorf("word %d is %s, want %s", i, r.Name, names[i])
		}
		if (r.State == "") == (r.Reaction == "") || r.State != "" && !r.State.Valid() || r.Reaction != "" && !r.Reaction.Valid() || r.Row == "" {
			t.Errorf("%+v is not one state or one gesture, with a row", r)
		}
		if row := rows[r.State]; r.State != "" && row != "" && row != r.Row {
			t.Errorf("%s: %s is row %s and row %s", r.Name, r.State, row, r.Row)
		}
		rows[r.State] = r.Row
		if got, ok := OpenPetsNamed(r.Name); !ok || got != r {
			t.Errorf("OpenPetsNamed(%q) = %+v, %v", r.Name, got, ok)
		}
	}
	for _, s := range States {
		if rows[s] == "" {
			t.Errorf("OpenPets cannot say %s", s)
		}
	}
	for _, name := range []string{"", "Idle", "dance"} {
		if got, ok := OpenPetsNamed(name); ok || got != (OpenPetsReaction{}) {
			t.Errorf("OpenPetsNamed(%q) = %+v, %v", name, got, ok)
		}
	}
}

// TestKindOfClient: MCP clients add to their names what they like.
func TestKindOfClient(t *testing.T) {
	for client, want := range map[string]string{
		"claude-code": "claude", "Claude-Code/2.1": "claude", "codex-mcp-client": "codex", "gemini-cli-mcp-client": "gemini",
		"cursor-vscode": "cursor", "Cursor": "cursor", "claude-ai": "mcp", "clau": "mcp", "": "mcp", "my cursor": "mcp", "Visual Studio Code": "mcp",
	} {
		if got := KindOfClient(client); got != want {
			t.Errorf("KindOfClient(%q) = %q, want %q", client, got, want)
		}
	}
	for _, k := range Kinds {
		if k.Client == "" || KindOfClient(k.Client) != k.Name {
			t.Errorf("%s names itself %q, which is %q", k.Name, k.Client, KindOfClient(k.Client))
		}
	}
}
