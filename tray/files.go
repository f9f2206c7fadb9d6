package tray

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"
)

// maxSmall is how large the app's own files may be, in bytes. Real ones have
// some thousands.
const maxSmall = 1 << 20

// readSmall reads a regular file: a pipe would be waited for.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", filepath.Base(path))
	}
	if info.Size() > maxSmall {
		return nil, fmt.Errorf("%s is larger than %d bytes", filepath.Base(path), maxSmall)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSmall))
}

// maxAside is how many files of one kind are kept beside one that is in use.
const maxAside = 99

// moveAside renames a file that cannot be used to a free name beside it.
func moveAside(path, why string) (kept string, err error) {
	for n := 1; n <= maxAside; n++ {
		kept = fmt.Sprintf("%s.%s-%d", path, why, n)
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			return kept, os.Rename(path, kept)
		}
	}
	return "", fmt.Errorf("keep %s aside: too many were kept already", filepath.Base(path))
}

// copyAside copies a file that cannot be used as it is to a free name beside it,
// unless a copy of it is there already.
func copyAside(path string) (kept string, err error) {
	data, err := readSmall(path)
	if err != nil {
		return "", err
	}
	for n := 1; n <= maxAside; n++ {
		kept = fmt.Sprintf("%s.broken-%d", path, n)
		old, err := readSmall(kept)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return kept, os.WriteFile(kept, data, 0o600)
		case err == nil && bytes.Equal(old, data):
			return kept, nil
		}
	}
	return "", fmt.Errorf("keep a copy of %s: too many were kept already", filepath.Base(path))
}

// maxLinks is how many links a path may lead through; systems allow about as many.
const maxLinks = 40

// links is path and, while that is a link, where it leads; the last is the file,
// there or not.
func links(path string) []string {
	all := []string{path}
	for len(all) <= maxLinks {
		next, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(next) {
			dir := filepath.Dir(path)
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dir = real
			}
			next = filepath.Join(dir, next)
		}
		path = next
		all = append(all, path)
	}
	return all
}

// replace writes a small file at once or not at all: a temporary file beside it,
// synced, renamed. A link stays one, a mode stays as it is, and a new file is its
// owner's alone. ready, if any, is asked at the last moment and can forbid it.
// atomic.WriteFile would do the same but for that question.
func replace(path string, data []byte, ready func() error) error {
	all := links(path)
	path = all[len(all)-1]
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil && ready != nil {
		err = ready()
	}
	if err == nil {
		err = atomic.ReplaceFile(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
