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

// errForeign says that what has our name in the system's list is not ours.
var errForeign = errors.New("what is called PlayPets there starts another program: change it by hand")

// A login is what the system's list of things to start at login says under our
// name. The zero value is nothing.
type login struct {
	there   bool   // something has our name
	program string // empty if none is named
	on      bool
}

// CanStartAtLogin reports whether SetAtLogin(true) makes sense: the program
// stays where it is, and the list of what starts is ours to write.
func CanStartAtLogin() bool {
	p, err := Find()
	return err == nil && !p.Temporary && !p.Translocated && !p.Packaged && loginListed()
}

// AtLogin reports whether this program starts at login. It is ErrElsewhere when
// another copy does.
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
	case !entry.on || entry.program == "":
		return false, nil
	case p.Same(entry.program) || sameFile(entry.program, forLogin(p.Path)):
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
	return entry.program, nil
}

// SetAtLogin has this program start at login, or no copy of PlayPets any more.
// Doing it twice does no harm. It refuses to touch what is not its own.
func SetAtLogin(on bool) error {
	entry, err := readLogin()
	if err != nil {
		return fmt.Errorf("read what starts at login: %w", err)
	}
	if entry.there && !ours(entry.program) {
		return fmt.Errorf("start at login: %w", errForeign)
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
	p, err := Find()
	if err != nil {
		return err
	}
	if entry.on && (p.Same(entry.program) || sameFile(entry.program, forLogin(p.Path))) {
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
