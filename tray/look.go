package tray

import "github.com/playpets/playpets/tray/overlay"

// look is how friends are shown by these settings, on a desktop that is dark or
// asks for less motion.
func (s settings) look(dark, reduced bool) overlay.Look {
	l := overlay.Look{Size: float64(s.Size) / 100, Language: s.language()}
	switch s.Theme {
	case "dark":
		l.Dark = true
	case "", "system":
		l.Dark = dark
	}
	switch s.Motion {
	case "calm":
		l.Motion = overlay.Calm
	case "reduced":
		l.Motion = overlay.Reduced
	case "", "system":
		if reduced {
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
