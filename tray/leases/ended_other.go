//go:build !linux && !windows

package leases

// ended is not known here; the silence of who has ended tells it as well, later.
func ended(int) bool { return false }
