//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCPGuest: a friend that is hidden is there while a server holds it, on a real
// screen, and hidden for good all the while.
func TestMCPGuest(t *testing.T) {
	needs(t, "Xvfb")
	_, display := xServer(t)
	h := newHome(t, "DISPLAY="+display)
	hidden := []byte(`{"version":1,"hidden":["mochi","bori","ssak"]}`)
	file := filepath.Join(h.data, "state.json")
	if err := os.WriteFile(file, hidden, 0o600); err != nil {
		t.Fatal(err)
	}
	h.start()
	nothing := colours(h.screen())
	empty := func() bool { return colours(h.screen()) == nothing }
	if !empty() || nothing > 4 {
		t.Fatalf("%d colours on a screen of nobody", nothing)
	}
	s := h.mcp("--pet", "Bori")
	h.until("Bori is there", func() bool { return colours(h.screen()) > nothing+50 })
	if answer := s.call("say", `{"message":"Here I am"}`); !strings.Contains(answer, `"petId":"bori"`) {
		t.Error(answer)
	}
	h.until("and speaks", func() bool { return paper(h.screen()) > 1500 })
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	h.until("Bori is gone", empty)
	if got, err := os.ReadFile(file); err != nil || string(got) != string(hidden) {
		t.Errorf("state.json is now %s, %v", got, err)
	}
}
