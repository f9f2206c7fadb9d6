// Package line is how a client finds the running app and speaks to it once:
// bridge.json, its lock, and one bounded HTTP/1.1 exchange. The app's side of
// that file, taking the lock and publishing, stands beside it.
//
// The fast door (agents/hook) imports it and must be ready before any
// third-party package initialises. Go initialises packages in the order of
// their import paths once their imports are ready, so this one keeps to what
// the runtime brings anyway: no fmt, no encoding/json, no net (but on Windows),
// and no path/filepath, whose name sorts behind most of the program.
package line

import (
	"errors"
	"io"
	"os"
)

// An Endpoint is where the app listens, always on 127.0.0.1, and the token that
// opens it. PID is the app's process, for people who look into bridge.json;
// Find does not read it.
type Endpoint struct {
	Port  int
	Token string
	PID   int
}

var (
	// ErrNotRunning says that no app holds the lock beside bridge.json, or that
	// it is just starting or stopping.
	ErrNotRunning = errors.New("PlayPets is not running")
	// ErrLocked says that another app holds the lock.
	ErrLocked = errors.New("PlayPets is already running")
)

// maxFile is the largest bridge.json that is read, in bytes.
const maxFile = 4 << 10

// Find reads where the app of that bridge.json listens. It tests the lock
// first: a file left by a killed app names a port that may be a stranger's by
// now. A free or absent lock is ErrNotRunning; a file that is broken, not a
// plain file, or open to other users is an error that names it and never
// quotes it.
func Find(path string) (Endpoint, error) {
	held, err := held(path + ".lock")
	if err != nil {
		return Endpoint{}, err
	}
	if !held {
		return Endpoint{}, ErrNotRunning
	}
	e, err := read(path)
	if errors.Is(err, os.ErrNotExist) {
		return Endpoint{}, ErrNotRunning
	}
	return e, err
}

// Held reports whether an app holds the lock beside that bridge.json. It creates
// nothing.
func Held(path string) (bool, error) { return held(path + ".lock") }

// held reports whether an app holds the lock of that name. It creates nothing,
// and shares the lock for no longer than the test.
func held(name string) (bool, error) {
	f, err := open(name, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	got, err := tryLock(f, shared)
	if err != nil {
		return false, &os.PathError{Op: "test lock", Path: name, Err: err}
	}
	if got {
		unlock(f)
	}
	return !got, nil
}

// read reads a bridge.json that nobody but its owner may read.
func read(path string) (Endpoint, error) {
	wrong := func(err error) (Endpoint, error) {
		return Endpoint{}, &os.PathError{Op: "read", Path: path, Err: err}
	}
	f, err := open(path, os.O_RDONLY)
	if err != nil {
		return Endpoint{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Endpoint{}, err
	}
	if !private(info) {
		return wrong(errors.New("other users can read it: start PlayPets again"))
	}
	// One byte more than allowed tells a file that is too long from one that
	// just fits.
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return wrong(err)
	}
	e, err := parse(data)
	if err != nil {
		return wrong(err)
	}
	return e, nil
}

// open opens a plain file of this user, never through a symbolic link, and
// never waits: neither for the other end of a pipe nor for anything else.
func open(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|neverFollow|neverWait, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = &os.PathError{Op: "open", Path: path, Err: errors.New("not a plain file")}
	case !ours(info):
		err = &os.PathError{Op: "open", Path: path, Err: errors.New("belongs to another user")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
