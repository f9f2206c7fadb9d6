//go:build unix && !darwin

package clipboard

// Wayland comes first: most compositors take an X11 selection only from the
// window that has the focus, and ours never has.
var ways = []way{
	{"Wayland data-control", findWayland, copyWayland},
	{"X11", findX11, copyX11},
	{"Klipper", findKlipper, copyKlipper},
}
