package line

import (
	"errors"
	"os"
	"runtime"
)

// DataDir is the folder of bridge.json, the friends and what they remember.
// PLAYPETS_DATA names it; otherwise it is $XDG_DATA_HOME/playpets, on macOS
// ~/Library/Application Support/PlayPets and on Windows %LOCALAPPDATA%\PlayPets.
// It fails when the environment names no home. It does not create the folder.
func DataDir() (string, error) { return dataDir(runtime.GOOS, os.Getenv) }

// DefaultPath is the bridge.json that PLAYPETS_BRIDGE names, else the one in
// DataDir.
func DefaultPath() (string, error) {
	if path := os.Getenv("PLAYPETS_BRIDGE"); path != "" {
		return path, nil
	}
	dir, err := DataDir()
	if err != nil {
		return "", err
	}
	return dir + string(os.PathSeparator) + "bridge.json", nil
}

func dataDir(goos string, getenv func(string) string) (string, error) {
	if dir := getenv("PLAYPETS_DATA"); dir != "" {
		return dir, nil
	}
	home := getenv("HOME")
	switch {
	case goos == "windows":
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return dir + `\PlayPets`, nil
		}
		return "", errors.New("find the data folder: LOCALAPPDATA is not set")
	case goos == "darwin" && home != "":
		return home + "/Library/Application Support/PlayPets", nil
	}
	// The XDG base directory specification ignores relative paths.
	if dir := getenv("XDG_DATA_HOME"); goos != "darwin" && len(dir) > 0 && dir[0] == '/' {
		return dir + "/playpets", nil
	}
	if home == "" {
		return "", errors.New("find the data folder: HOME is not set")
	}
	return home + "/.local/share/playpets", nil
}

// split cuts a path after its last separator. path/filepath would do, but its
// name sorts late among packages (see the package comment).
func split(path string) (dir, name string) {
	i := len(path)
	for i > 0 && !os.IsPathSeparator(path[i-1]) && !(runtime.GOOS == "windows" && path[i-1] == ':') {
		i--
	}
	if i == 0 {
		return ".", path
	}
	return path[:i], path[i:]
}
