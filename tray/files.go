package tray

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
