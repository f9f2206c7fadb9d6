//go:build !windows

package mcpserver

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closed is closed once nobody reads w any more: a pipe or a socket says so
// before anything is written.
func closed(ctx context.Context, w io.Writer) <-chan struct{} {
	gone := make(chan struct{})
	f, ok := w.(*os.File)
	if !ok {
		return gone
	}
	// That it is gone is told unasked, but not by macOS.
	watched := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLHUP}}
	go func() {
		for ctx.Err() == nil {
			_, err := unix.Poll(watched, -1)
			if err == nil && watched[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				close(gone)
				return
			}
			if err != nil && !errors.Is(err, unix.EINTR) || err == nil {
				return // it cannot be watched: a write will tell
			}
		}
	}()
	return gone
}
