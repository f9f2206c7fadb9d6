//go:build unix

package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// chown gives a new file the owner of another one, if that is not so already. It is
// errGroup that people may not give files to groups that they are not in.
func chown(out *os.File, info fs.FileInfo) error {
	mine, err := out.Stat()
	if err != nil {
		return err
	}
	is, want := mine.Sys().(*syscall.Stat_t), info.Sys().(*syscall.Stat_t)
	if is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	err = out.Chown(int(want.Uid), int(want.Gid))
	if errors.Is(err, syscall.EPERM) && is.Uid == want.Uid {
		return errGroup
	}
	return err
}

// isTerminal reports whether a person may answer there: of devices, only
// terminals have a size.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}

// syncFolder lets a rename survive a power cut where folders can be synced.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		folder.Sync()
		folder.Close()
	}
}
