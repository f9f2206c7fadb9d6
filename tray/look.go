package tray

import (
	"github.com/playpets/playpets/tray/desktop"
	"github.com/playpets/playpets/tray/overlay"
)

// look is how friends are shown by these settings on such a desktop.
func (s settings) look(d desktop.State) overlay.Look {
	l := overlay.Look{Size: float64(s.Size) / 100, Language: s.language()}
	switch s.Theme {
	case "dark":
		l.Dark = true
	case "", "system":
		l.Dark = d.Dark
	}
	switch s.Motion {
	case "calm":
		l.Motion = overlay.Calm
	case "reduced":
		l.Motion = overlay.Reduced
	case "", "system":
		if d.ReducedMotion {
			l.Motion = overlay.Reduced
		}
	}
	switch s.Show.When {
	case "active":
		l.When = overlay.WhenActive
	case "never":
		l.When = overlay.Never
	}
	return l
}
