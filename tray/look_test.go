package tray

import (
	"testing"

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
		if got := s.look(tt.dark, tt.reduced); got != tt.want {
			t.Errorf("%q, dark %t, reduced %t: %+v, want %+v", tt.file, tt.dark, tt.reduced, got, tt.want)
		}
	}
}
