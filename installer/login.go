package installer

import (
	"errors"
	"fmt"
	"strings"
)

// ErrElsewhere says that another copy of PlayPets starts at login: this one was
// moved, perhaps. SetAtLogin(true) mends it.
var ErrElsewhere = errors.New("another copy of PlayPets starts at login")

// errPassing says that CanStartAtLogin is false.
var errPassing = errors.New("this program does not stay where it is, or the system decides itself what starts")

// ErrForeign says that what has our name in the system's list is not ours: SetAtLogin
// leaves it alone.
var ErrForeign = errors.New("what is called PlayPets there starts another program: change it by hand")

// A login is what the system's list of things to start at login says under our
// name. The zero value is nothing.
type login struct {
	there bool     // something has our name
	words []string // the program and its arguments; none if none is named
	on    bool
}

// program is empty if none is named.
func (l login) program() string {
	if len(l.words) == 0 {
		return ""
	}
	return l.words[0]
}

// starts reports whether that is this program.
func (l login) starts(p Program) bool {
	return p.Same(l.program()) || sameFile(l.program(), forLogin(p.Path))
}

// ours reports whether that is a copy of PlayPets, with options at most: with a
// command it would be something else that a person wants at login.
func (l login) ours(p Program) bool {
	if len(l.words) == 0 || len(l.words) > 1 && !strings.HasPrefix(l.words[1], "-") && !strings.HasPrefix(l.words[1], "%") {
		return false
	}
	return ours(l.program()) || l.starts(p)
}

// CanStartAtLogin reports whether SetAtLogin(true) makes sense: the program
// stays where it is, and the list of what starts is ours to write.
func CanStartAtLogin() bool {
	p, err := Find()
	return err == nil && !p.Temporary && !p.Translocated && !p.Packaged && loginListed()
}

// AtLogin reports whether this program starts at login. It is ErrElsewhere when
// another copy does, ErrForeign when something else has our name there.
func AtLogin() (bool, error) {
	p, err := Find()
	if err != nil {
		return false, err
	}
	entry, err := readLogin()
	if err != nil {
		return false, fmt.Errorf("read what starts at login: %w", err)
	}
	switch {
	case entry.there && !entry.ours(p) && (entry.on || len(entry.words) > 0):
		return false, ErrForeign
	case !entry.on || !entry.there:
		return false, nil
	case entry.starts(p):
		return true, nil
	}
	return false, ErrElsewhere
}

// LoginProgram is the path of what starts at login as PlayPets, empty for
// nothing. It may not be there any more.
func LoginProgram() (string, error) {
	entry, err := readLogin()
	if err != nil {
		return "", fmt.Errorf("read what starts at login: %w", err)
	}
	if !entry.on {
		return "", nil
	}
	return entry.program(), nil
}

// SetAtLogin has this program start at login, or no copy of PlayPets any more.
// Doing it twice does no harm. It refuses to touch what is not its own.
func SetAtLogin(on bool) error {
	entry, err := readLogin()
	if err != nil {
		return fmt.Errorf("read what starts at login: %w", err)
	}
	p, err := Find()
	if err != nil {
		return err
	}
	if entry.there && !entry.ours(p) {
		return fmt.Errorf("start at login: %w", ErrForeign)
	}
	if !on {
		if err := removeLogin(); err != nil {
			return fmt.Errorf("no longer start at login: %w", err)
		}
		return nil
	}
	if !CanStartAtLogin() {
		return fmt.Errorf("start at login: %w", errPassing)
	}
	if entry.on && entry.starts(p) {
		return nil // people may have added to it
	}
	if err := writeLogin(forLogin(p.Path)); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

// ours reports whether a program has a name of ours: playpets, playpets.exe,
// playpetsw.exe, PlayPets-1.2-x86_64.AppImage.
func ours(program string) bool {
	base := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	switch base {
	case name, name + ".exe", name + "w.exe":
		return true
	}
	return strings.HasPrefix(base, name) && strings.HasSuffix(base, ".appimage")
}
