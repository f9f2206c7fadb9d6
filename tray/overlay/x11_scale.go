//go:build unix && !darwin

package overlay

import (
	"image"
	"strconv"
	"strings"
)

// systemScale is how many pixels the system wants for one of 96 dpi: what people
// told GTK (GDK_SCALE), else what their desktop tells everybody (Xft.dpi among
// the X resources), else what the size of the primary monitor suggests, in px
// and in mm. It is from 1 to 4.
func systemScale(gdk, resources string, px, mm image.Point) float64 {
	if n, err := strconv.Atoi(gdk); err == nil && n >= 2 {
		return float64(min(n, 4))
	}
	if dpi := xftDPI(resources); dpi > 0 {
		return max(1, min(dpi/96, 4))
	}
	return monitorScale(px, mm)
}

// xftDPI is the Xft.dpi of X resources; 0 if there is none that is possible.
func xftDPI(resources string) float64 {
	for line := range strings.Lines(resources) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) != "Xft.dpi" {
			continue
		}
		if dpi, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && dpi >= 48 && dpi <= 960 {
			return dpi
		}
	}
	return 0
}

// monitorScale is the scale below what a monitor of this size has. Monitors lie:
// some tell 160 by 90 mm, their aspect, and projectors nothing.
func monitorScale(px, mm image.Point) float64 {
	if mm.X <= 0 || mm.Y <= 0 || mm == image.Pt(160, 90) || mm == image.Pt(160, 100) || mm == image.Pt(16, 9) || mm == image.Pt(16, 10) {
		return 1
	}
	dpi := float64(px.X) * 25.4 / float64(mm.X)
	if dpi < 60 || dpi > 400 {
		return 1
	}
	for _, scale := range []float64{3, 2, 1.5, 1.25} {
		if dpi/96 >= scale {
			return scale
		}
	}
	return 1
}
