package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxSettings is the largest settings file that is edited, in bytes. Claude Code
// keeps what was typed in each project in .claude.json, which grows.
const maxSettings = 64 << 20

// An agentFile is a settings file of an agent, whole.
type agentFile struct {
	path   string      // as the agent opens it
	target string      // behind all links
	info   fs.FileInfo // nil when there is none
	data   []byte
}

func (f *agentFile) exists() bool { return f.info != nil }

// readAgentFile reads the file, which may be missing. Errors name no path.
func readAgentFile(path string) (agentFile, error) {
	f := agentFile{path: path}
	var err error
	if f.target, err = behindLinks(path); err != nil {
		return f, err
	}
	// Not to open a pipe, which would wait for its other end.
	info, err := os.Stat(f.target)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, pathless(err)
	}
	if !info.Mode().IsRegular() {
		return f, errors.New("it is no file")
	}
	f.info = info
	f.data, err = readWhole(f.target)
	return f, err
}

func readWhole(path string) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, pathless(err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxSettings+1))
	if err != nil {
		return nil, pathless(err)
	}
	if len(data) > maxSettings {
		return nil, fmt.Errorf("it is larger than %d MB", maxSettings>>20)
	}
	return data, nil
}

// behindLinks is the file that a path leads to, also when it is not there yet.
func behindLinks(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range 40 { // as many as Linux follows
		// The folder first: a/../b is not b when a is a link. One that is not
		// there may be a link to what is not there.
		folder, name := filepath.Split(path)
		real, err := filepath.EvalSymlinks(folder)
		if errors.Is(err, fs.ErrNotExist) && name != "" {
			real, err = behindLinks(folder)
		}
		if err == nil {
			path = filepath.Join(real, name)
		}
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // who opens it says what is wrong
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", pathless(err)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		path = to
	}
	return "", errors.New("its links lead in a circle")
}

// replace puts data in the place of the file, whole or not at all, and keeps a
// dated copy of what was there. It refuses when that is no longer what was
// read. Mode and owner stay; a new file and its folders are for the person
// alone.
func (f *agentFile) replace(data []byte, now time.Time) (backup string, err error) {
	folder := filepath.Dir(f.target)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", pathless(err)
	}
	if err := f.writable(); err != nil {
		return "", err
	}
	next, err := f.prepare(folder, data)
	if err != nil {
		return "", pathless(err)
	}
	defer os.Remove(next) // gone by then, if all went well
	if f.exists() {
		if backup, err = f.keep(now); err != nil {
			return "", fmt.Errorf("keep a copy: %w", pathless(err))
		}
	}
	if err = f.unchanged(); err == nil {
		err = os.Rename(next, f.target)
	}
	if err != nil {
		os.Remove(backup)
		return "", pathless(err)
	}
	syncFolder(folder)
	return backup, nil
}

// remove takes the file away, and keeps a dated copy of what was there. It refuses
// when that is no longer what was read.
func (f *agentFile) remove(now time.Time) (backup string, err error) {
	if err := f.writable(); err != nil {
		return "", err
	}
	if backup, err = f.keep(now); err != nil {
		return "", fmt.Errorf("keep a copy: %w", pathless(err))
	}
	if err = f.unchanged(); err == nil {
		err = os.Remove(f.target)
	}
	if err != nil {
		os.Remove(backup)
		return "", pathless(err)
	}
	syncFolder(filepath.Dir(f.target))
	return backup, nil
}

// writable refuses what a rename or a removal would not ask about.
func (f *agentFile) writable() error {
	if f.exists() && f.info.Mode().Perm()&0o200 == 0 {
		return errors.New("it is read-only")
	}
	return nil
}

// prepare writes a file that can take the place of f, and reads it again: what
// a disk has made of it shows before it counts.
func (f *agentFile) prepare(folder string, data []byte) (path string, err error) {
	out, err := os.CreateTemp(folder, ".playpets-*")
	if err != nil {
		return "", err
	}
	_, err = out.Write(data)
	if f.exists() && err == nil {
		err = likeFile(out, f.info)
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		var written []byte
		if written, err = readWhole(out.Name()); err == nil && !bytes.Equal(written, data) {
			err = errors.New("the disk does not keep what is written")
		}
	}
	if err != nil {
		os.Remove(out.Name())
		return "", err
	}
	return out.Name(), nil
}

// keep copies the file to one beside it, named after the time of the day.
func (f *agentFile) keep(now time.Time) (path string, err error) {
	name := f.target + copyMark + now.Format("20060102-150405")
	path = name + copyEnd
	var out *os.File
	for n := 2; ; n++ { // two in one second
		if out, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) || n > 9 {
			break
		}
		path = fmt.Sprintf("%s-%d%s", name, n, copyEnd)
	}
	if err != nil {
		return "", err
	}
	_, err = out.Write(f.data)
	if err = errors.Join(err, likeFile(out, f.info), out.Sync(), out.Close()); err != nil {
		os.Remove(path)
		return "", err
	}
	return path, nil
}

// How the names of dated copies go on behind that of the file, and end.
const copyMark, copyEnd = ".playpets-", ".bak"

// copies are the dated copies beside the file.
func (f *agentFile) copies() (paths []string) {
	folder, name := filepath.Split(f.target)
	all, _ := os.ReadDir(folder) // without it there are none to be seen
	for _, one := range all {
		if rest, ok := strings.CutPrefix(one.Name(), name+copyMark); ok && strings.HasSuffix(rest, copyEnd) {
			paths = append(paths, filepath.Join(folder, one.Name()))
		}
	}
	return paths
}

// cameWithUs reports whether the file was made for PlayPets: of one that was there
// before, a copy without it was kept.
func (f *agentFile) cameWithUs() bool {
	if info, err := os.Lstat(f.path); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return false // a link is somebody's, and to nothing it would be a puzzle
	}
	for _, path := range f.copies() {
		if data, err := readWhole(path); err != nil || !bytes.Contains(data, []byte("playpets")) {
			return false
		}
	}
	return true
}

// unchanged fails if the file is no longer what was read.
func (f *agentFile) unchanged() error {
	now, err := readAgentFile(f.path)
	if err != nil {
		return err
	}
	if now.exists() != f.exists() || !bytes.Equal(now.data, f.data) {
		return errors.New("somebody else has changed it meanwhile; try again")
	}
	return nil
}

// likeFile gives a new file the mode and the owner of another one. Where the group
// cannot be kept, the new group and everybody get what both had.
func likeFile(out *os.File, info fs.FileInfo) error {
	mode := info.Mode().Perm()
	switch err := chown(out, info); {
	case errors.Is(err, errGroup):
		both := mode >> 3 & mode & 0o7
		mode = mode&0o700 | both<<3 | both
	case err != nil:
		return err
	}
	return out.Chmod(mode)
}

// errGroup says that a file has the owner of another one, but not its group.
var errGroup = errors.New("the file's group cannot be given to another one")

// pathless takes the path out of an error that is about to be told with it.
func pathless(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
