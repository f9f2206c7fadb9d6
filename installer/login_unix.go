//go:build unix

package installer

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"
)

// loginListed reports whether this user has a place for such files.
func loginListed() bool {
	_, err := loginFile()
	return err == nil
}

// readLogin reads the file by which we start at login.
func readLogin() (login, error) {
	path, err := loginFile()
	if err != nil {
		return login{}, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return login{}, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(filepath.Base(path) + " is no file") // a pipe would be waited for
	}
	if err != nil {
		return login{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return login{}, err
	}
	words, on := readLoginFile(data)
	return login{len(bytes.TrimSpace(data)) > 0, words, on}, nil
}

// writeLogin has a program start at login. A file that is there, which is ours, gets
// nothing but that.
func writeLogin(program string) error {
	path, err := loginFile()
	if err != nil {
		return err
	}
	data, err := makeLoginFile(program)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil { // a link stays one
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		before, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed := changeLoginFile(before, program)
		if words, on := readLoginFile(changed); on && len(words) > 0 && words[0] == program {
			data = changed
		}
	}
	return atomic.WriteFile(path, bytes.NewReader(data))
}

func removeLogin() error {
	path, err := loginFile()
	if err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forLogin is the program itself: one file does everything here.
func forLogin(program string) string { return program }
