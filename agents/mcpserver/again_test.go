package mcpserver

import (
	"path/filepath"
	"testing"
)

// TestAppIsStartedAgain: another port, another token, and no lease is known; the
// next call finds its way, is done once, and what is held is given back.
func TestAppIsStartedAgain(t *testing.T) {
	for _, openPets := range []bool{false, true} {
		tool, arguments, deed := "say", `{"message":"hi"}`, "say hi bori"
		if openPets {
			tool = "openpets_say"
		}
		h := &home{path: filepath.Join(t.TempDir(), "bridge.json")}
		s := h.connect(t, Options{Pet: "bori", OpenPets: openPets})
		if got := s.call(tool, arguments); !got.IsError {
			t.Errorf("before the app: %+v", got)
		}
		for range 3 {
			end := h.start(t)
			for range 2 {
				if got := s.call(tool, arguments); got.IsError || h.heard() != deed {
					t.Errorf("%+v", got)
				}
			}
			end()
			if got := s.call(tool, arguments); !got.IsError {
				t.Errorf("after the app: %+v", got)
			}
		}
		h.start(t)
		s.call(tool, arguments)
		// Without a break that anybody noticed.
		h.mu.Lock()
		clear(h.leases)
		h.told = nil
		h.mu.Unlock()
		if got := s.call(tool, arguments); got.IsError || h.heard() != deed {
			t.Errorf("forgotten: %+v", got)
		}
		if h.holds() != 1 {
			t.Errorf("%d leases are held", h.holds())
		}
		s.end()
		if h.holds() != 0 {
			t.Error("the friend is not given back")
		}
	}
}

// TestTwoServers of one agent hold one lease each, and the end of one does not
// touch the other's.
func TestTwoServers(t *testing.T) {
	h := open(t)
	one, two := h.connect(t, Options{}), h.connect(t, Options{})
	one.call("status", "")
	two.call("status", "")
	if h.holds() != 2 {
		t.Errorf("%d leases are held, want 2", h.holds())
	}
	one.end()
	if got := two.call("say", `{"message":"hi"}`); got.IsError || h.holds() != 1 {
		t.Errorf("%+v, %d leases are held", got, h.holds())
	}
}
