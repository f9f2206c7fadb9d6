package tray

import (
	"testing"
	"time"

	"github.com/playpets/playpets/tray/desktop"
	"github.com/playpets/playpets/tray/overlay"
)

func TestLook(t *testing.T) {
	t.Setenv("PLAYPETS_LANG", "ko")
	for _, tt := range []struct {
		file          string
		dark, reduced bool // what the desktop says
		want          overlay.Look
	}{
		{"", false, false, overlay.Look{}},
		{"", true, true, overlay.Look{Dark: true, Motion: overlay.Reduced}},
		{"theme = \"system\"\nmotion = \"system\"", true, true, overlay.Look{Dark: true, Motion: overlay.Reduced}},
		{"theme = \"light\"\nmotion = \"lively\"", true, true, overlay.Look{}},
		{"theme = \"dark\"\nmotion = \"calm\"", false, true, overlay.Look{Dark: true, Motion: overlay.Calm}},
		{"motion = \"reduced\"", false, false, overlay.Look{Motion: overlay.Reduced}},
		{"size = 150\n[show]\nwhen = \"active\"", false, false, overlay.Look{Size: 1.5, When: overlay.WhenActive}},
		{"[show]\nwhen = \"never\"", false, false, overlay.Look{When: overlay.Never}},
		{"[show]\nwhen = \"always\"", false, false, overlay.Look{}},
	} {
		s, unknown, err := parseSettings([]byte(tt.file))
		if err != nil || len(unknown) > 0 {
			t.Fatal(unknown, err)
		}
		tt.want.Language = "ko"
		if got := s.look(desktop.State{Dark: tt.dark, ReducedMotion: tt.reduced}); got != tt.want {
			t.Errorf("%q, dark %t, reduced %t: %+v, want %+v", tt.file, tt.dark, tt.reduced, got, tt.want)
		}
	}
}

func TestFollow(t *testing.T) {
	a, _, _ := fakeApp(t, t.TempDir())
	s, _, err := parseSettings([]byte("motion = \"lively\""))
	if err != nil {
		t.Fatal(err)
	}
	screen := &display{look: s.look(desktop.State{})}
	a.display, a.started = screen, s
	a.follow(desktop.State{Dark: true, ReducedMotion: true, Away: true})
	if l := screen.look; !l.Dark || l.Motion != overlay.Lively || !screen.paused {
		t.Errorf("dark and away it is %+v, paused %t", l, screen.paused)
	}
	a.notebook.change(func(s *state) { s.Quiet = time.Now().Add(-time.Second) }) // while the machine slept
	a.follow(desktop.State{})
	if l := screen.look; l.Dark || screen.paused || !a.notebook.get().Quiet.IsZero() {
		t.Errorf("light and back it is %+v, paused %t, quiet until %v", l, screen.paused, a.notebook.get().Quiet)
	}
}
