//go:build !windows

package leases

import (
	"errors"

	"golang.org/x/sys/unix"
)

// alive reports whether a process runs, also one of another user.
func alive(pid int) bool {
	return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) && !ended(pid)
}
