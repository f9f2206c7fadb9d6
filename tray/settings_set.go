package tray

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"

	"github.com/playpets/playpets/snippets/edit"
)

// maxTries is how often set begins anew because somebody else was writing.
const maxTries = 5

var errBusy = errors.New("it is being written by another program")

// set writes a value of a key, such as "show", "when", and leaves everything else
// as it stands; nil removes the key. A file that is not there begins as the
// template. One that cannot be used stays as it is: the error says where to mend it.
func (f *settingsFile) set(value any, key ...string) error {
	f.files.Lock()
	defer f.files.Unlock()
	err := errBusy
	for try := 0; try < maxTries && errors.Is(err, errBusy); try++ {
		err = f.change(value, key)
	}
	if err != nil {
		return fmt.Errorf("change config.toml: %w", err)
	}
	return nil
}

func (f *settingsFile) change(value any, key toml.Key) error {
	old, err := readSmall(f.path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && value == nil:
		return nil
	case missing:
		old, err = template, os.MkdirAll(filepath.Dir(f.path), 0o700)
	}
	if err != nil {
		return err
	}
	if _, _, err := parseSettings(old); err != nil {
		return err
	}
	key = find(bareText(old)).spelled(key)
	r := reading{}
	if value == nil {
		r.data, err = edit.UnsetTOML(old, key)
	} else {
		r.data, err = edit.SetTOML(old, key, value)
	}
	if err != nil {
		return err
	}
	if r.settings, _, err = parseSettings(r.data); err != nil {
		return err
	}
	if missing || !bytes.Equal(r.data, old) {
		if err := f.write(r.data, old, missing); err != nil {
			return err
		}
	}
	f.mu.Lock()
	r.odd = f.good.odd // what else is wrong now is for watch to tell
	f.good, f.broken = r, ""
	f.mu.Unlock()
	select {
	case f.wrote <- struct{}{}:
	default: // watch has not looked at the last one yet
	}
	return nil
}

// write puts data in the place of old, unless somebody else has put something
// there, or forbids it.
func (f *settingsFile) write(data, old []byte, missing bool) error {
	if info, err := os.Stat(f.path); err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%w: it is read-only", fs.ErrPermission) // the rename would not mind
	}
	return replace(f.path, data, func() error {
		now, err := readSmall(f.path)
		if errors.Is(err, fs.ErrNotExist) && missing || err == nil && !missing && bytes.Equal(now, old) {
			return nil
		}
		return errBusy
	})
}
