package cli

import (
	"io/fs"
	"os"
)

// chown has nothing to do: a file belongs to whom its folder gives it.
func chown(*os.File, fs.FileInfo) error { return nil }

func syncFolder(string) {}
