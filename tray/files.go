package tray

import (
	"fmt"
	"io"
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
