package friends

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	put := func(folder, file string, content []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, "friends", folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "friends", folder, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("whole", "pet.json", []byte(`{"id":"whole","displayName":"Whole One"}`))
	put("whole", "spritesheet.png", pngSheet(1536, 1872))
	put("torn-folder", "pet.json", []byte(`{"id":"torn","displayName":"Torn One"}`))
	put("torn-folder", "spritesheet.png", pngSheet(1536, 1872)[:100])
	put("mad", "pet.json", []byte(`{`))
	put("empty", "readme.txt", nil)
	put("second", "pet.json", []byte(`{"id":"mochi"}`))
	put("second", "spritesheet.png", pngSheet(1536, 1872))
	h := newHouse(t, Options{Dir: dir, AgentPets: map[string]string{"claude": "bori"}})
	for _, tt := range []struct {
		agent, pet, id string
		found          bool
		reason         string
	}{
		{"", "", "mochi", false, ""},
		{"claude", "", "bori", false, ""},
		{"claude", "mochi", "mochi", true, ""},
		{"", "BORI", "bori", true, ""},
		{"", "Whole One", "whole", true, ""},
		{"", "default", "mochi", false, ""},
		{"claude", "builtin", "bori", false, ""},
		{"claude", "nobody", "bori", false, agents.FallbackMissing},
		{"", "0-a_b", "mochi", false, agents.FallbackMissing},
		{"", strings.Repeat("x", 64), "mochi", false, agents.FallbackMissing},
		{"", strings.Repeat("x", 65), "mochi", false, agents.FallbackInvalid},
		{"", "Bad Pet", "mochi", false, agents.FallbackInvalid},
		{"", "../mochi", "mochi", false, agents.FallbackInvalid},
		{"", "-x", "mochi", false, agents.FallbackInvalid},
		{"", "x\n", "mochi", false, agents.FallbackInvalid},
		{"", "Default", "mochi", false, ""},
		{"", "torn", "mochi", false, agents.FallbackBroken},
		{"", "Torn one", "mochi", false, agents.FallbackBroken},
		{"", "torn-folder", "mochi", false, agents.FallbackBroken},
		{"", "mad", "mochi", false, agents.FallbackBroken},
		{"", "empty", "mochi", false, agents.FallbackBroken},
		{"", "second", "mochi", false, agents.FallbackBroken},
	} {
		f, found, reason := h.Resolve(tt.agent, tt.pet)
		if f.ID != tt.id || f.Name == "" || found != tt.found || reason != tt.reason {
			t.Errorf("%q for %q: %+v, %v, %q; want %+v", tt.pet, tt.agent, f, found, reason, tt)
		}
	}
	named := open(Options{}, append(twoFriends(), Package{ID: "default", Name: "Deff"}))
	if f, found, reason := named.Resolve("", "default"); f.ID != "default" || !found || reason != "" {
		t.Errorf("a friend of that name: %+v, %v, %q", f, found, reason)
	}
	if f, found, reason := open(Options{}, nil).Resolve("", "mochi"); f.ID != "" || found || reason != agents.FallbackMissing {
		t.Errorf("nobody is here: %+v, %v, %q", f, found, reason)
	}
}
