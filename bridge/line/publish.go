package line

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// A Lock is the app's claim to one bridge.json, as long as somebody keeps the
// value. The kernel lets go of it at any death of the process.
type Lock struct{ file *os.File }

// Acquire takes the lock beside path for the app's life, and creates its folder
// for this user alone. What a killed app left is removed, since it names a port
// that is no longer ours. ErrLocked says that another app holds the lock.
func Acquire(path string) (*Lock, error) {
	dir, _ := split(path)
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	f, err := open(path+".lock", os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, ErrLocked) {
			return nil, err
		}
		return nil, &os.PathError{Op: "lock", Path: path + ".lock", Err: err}
	}
	l := &Lock{f}
	if err := sweep(path); err != nil {
		l.Release()
		return nil, err
	}
	return l, nil
}

// lock takes f's lock at once unless clients share it: their test lasts
// microseconds, so it tries again for a second. What even shared cannot be had
// belongs to another app.
func lock(f *os.File) error {
	for range 200 {
		if got, err := tryLock(f, exclusive); got || err != nil {
			return err
		}
		got, err := tryLock(f, shared)
		if err != nil {
			return err
		}
		if !got {
			return ErrLocked
		}
		unlock(f)
		time.Sleep(5 * time.Millisecond)
	}
	return ErrLocked
}

// Release lets go of the lock. The file stays: another app may hold it open
// already, and would lock a name that is gone.
func (l *Lock) Release() error {
	unlock(l.file)
	return l.file.Close()
}

// sweep removes bridge.json and unfinished copies of it.
func sweep(path string) error {
	if err := remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir, name := split(path)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if n := e.Name(); len(n) > len(name)+5 && n[:len(name)+1] == name+"." && n[len(n)-4:] == ".tmp" {
			err = errors.Join(err, os.Remove(dir+string(os.PathSeparator)+n))
		}
	}
	return err
}

// Publish writes bridge.json, by WritePrivate. Only the holder of the lock may call it.
func Publish(path string, e Endpoint) error { return WritePrivate(path, format(e)) }

// WritePrivate writes a file for this user alone, in a folder that is there. Readers
// see the old one or the new one, never a part, whatever kills the program or the
// machine meanwhile.
func WritePrivate(path string, data []byte) error {
	f, err := createPrivate(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = replace(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Withdraw removes bridge.json if it still is e's.
func Withdraw(path string, e Endpoint) error {
	found, err := read(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && found.Token != e.Token {
		return nil
	}
	if err != nil {
		return err
	}
	return remove(path)
}

// makeFolder makes the data folder, readable by this user alone, or accepts the
// one there is. A symbolic link may lead to it: people keep their data on
// another disk, and the lock and bridge.json are checked for their owner
// themselves. Where everyone may rename files, that check protects nothing.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if everyones(info) {
		return &os.PathError{Op: "use", Path: dir, Err: errors.New("everyone can write to it: make it yours alone (chmod 700)")}
	}
	return nil
}
