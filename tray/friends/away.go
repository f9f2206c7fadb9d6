package friends

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/playpets/playpets/agents"
)

// ErrLast is why the last friend cannot be sent away.
var ErrLast = errors.New("the last friend stays")

// awayFolder is where in friends/ those are who were sent away. Nothing looks
// into folders that begin with a dot.
const awayFolder = ".away"

// SendAway takes a friend out. What its agents are at, and what they report from
// now on, goes to the first of the others; what it did stays remembered.
//
// Nothing is deleted: the folder of an invited friend moves into friends/.away.
// A built-in one is back at the next start unless Options.Away has its id. The
// error is ErrNoFriend, ErrLast, or why the folder cannot be moved: then the
// friend stays.
func (s *Store) SendAway(id string) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	f, err := s.leaver(id)
	if err != nil {
		return err
	}
	if f.dir != "" {
		if err := moveAway(f.dir); err != nil {
			return fmt.Errorf("send %s away: %w", f.ID, err)
		}
	}
	s.mu.Lock()
	s.leave(f)
	s.mu.Unlock()
	s.deliver()
	return nil
}

// leaver is the friend with this id, if it can leave.
func (s *Store) leaver(id string) (*friend, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.friends, func(f *friend) bool { return f.ID == id })
	switch {
	case i < 0:
		return nil, ErrNoFriend
	case len(s.friends) == 1:
		return nil, ErrLast
	}
	return s.friends[i], nil
}

// leave gives all that f is at to the first of the others.
func (s *Store) leave(f *friend) {
	s.friends = slices.DeleteFunc(s.friends, func(o *friend) bool { return o == f })
	heir := s.friends[0]
	before := heir.state
	for key, se := range s.sessions {
		if se.friend != f {
			continue
		}
		delete(s.sessions, key)
		se.friend = heir
		if se.sessionKey.friend != "" {
			se.sessionKey.friend = heir.ID
		}
		if s.sessions[se.sessionKey] == nil { // scripts without a session report to the heir as well
			s.sessions[se.sessionKey] = se
		}
	}
	heir.state = s.stateOf(heir)
	s.again(heir, before)
}

// moveAway moves a friend's folder to where nobody meets it.
func moveAway(dir string) error {
	away := filepath.Join(filepath.Dir(dir), awayFolder)
	if err := os.MkdirAll(away, 0o700); err != nil {
		return err
	}
	for n := 1; n < 100; n++ {
		name := filepath.Join(away, filepath.Base(dir))
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(dir, name)
		}
	}
	return fmt.Errorf("%s has too many of that name", away)
}

// remaining is packages without those that were sent away.
func remaining(packages []Package, away []string) []Package {
	return slices.DeleteFunc(slices.Clone(packages), func(p Package) bool { return slices.Contains(away, p.ID) })
}

// stateOf is what f's sessions make of it.
func (s *Store) stateOf(f *friend) agents.State {
	if top := s.top(f); top != nil {
		return top.state
	}
	return agents.Idle
}
