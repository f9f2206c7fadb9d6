//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives a new file the owner of another one, if that is not so already.
func chown(out *os.File, info fs.FileInfo) error {
	mine, err := out.Stat()
	if err != nil {
		return err
	}
	is, want := mine.Sys().(*syscall.Stat_t), info.Sys().(*syscall.Stat_t)
	if is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	return out.Chown(int(want.Uid), int(want.Gid))
}

// syncFolder lets a rename survive a power cut where folders can be synced.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		folder.Sync()
		folder.Close()
	}
}
