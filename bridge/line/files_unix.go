//go:build unix

package line

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	neverFollow = syscall.O_NOFOLLOW
	neverWait   = syscall.O_NONBLOCK
)

type mode int

const (
	shared    mode = syscall.LOCK_SH
	exclusive mode = syscall.LOCK_EX
)

// tryLock takes f's lock, or reports that it is taken.
func tryLock(f *os.File, m mode) (bool, error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), int(m)|syscall.LOCK_NB); err {
		case nil:
			return true, nil
		case syscall.EWOULDBLOCK:
			return false, nil
		case syscall.EINTR:
		default:
			return false, err
		}
	}
}

func unlock(f *os.File) { syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// ours reports whether the file belongs to this user.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// private reports whether only the owner may read or write the file.
func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }

// everyones reports whether every user may rename and remove what is in the
// folder. In a sticky one, such as /tmp, only owners may.
func everyones(folder fs.FileInfo) bool {
	return folder.Mode()&0o002 != 0 && folder.Mode()&fs.ModeSticky == 0
}

// createPrivate creates a new file beside path, mode 0600, under a name that
// nobody can guess.
func createPrivate(path string) (*os.File, error) {
	dir, name := split(path)
	return os.CreateTemp(dir, name+".*.tmp")
}

// replace renames and makes the rename last: it is the folder that holds names.
func replace(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	dir, _ := split(to)
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func remove(path string) error { return os.Remove(path) }
