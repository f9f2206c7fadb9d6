// Package friends is who is here and what happens to them: the pet packages,
// the agents' sessions folded into one state a friend, and the memory of what
// they said.
//
// It opens no window and no socket, and it does not draw, notify or
// translate: it says what changed, and its owner does the rest. Of all it
// knows only the remembered activities reach the disk; a busy state does not
// outlive the program.
package friends

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/playpets/playpets/agents"
)

// ErrNoFriend is returned for a pet that is no friend's id or name.
var ErrNoFriend = errors.New("no such friend")

// Options says what a Store works with. The zero value is the built-in
// friends, the default lifetimes, messages as they come, nothing on disk.
type Options struct {
	Dir       string           // the data folder: friends/ and activity.json; empty for none
	Now       func() time.Time // nil for time.Now
	Lifetimes Lifetimes
	Translate func(state agents.State, message string) string // nil leaves messages as they are
	AgentPets map[string]string                               // agent → id or name of its own friend
	Away      []string                                        // ids of built-in friends that were sent away
	First     string                                          // id of the one before all others; empty: the first built-in one
	Log       *slog.Logger                                    // nil for none; no sentence goes there
}

// Store holds the friends. All its methods may be called from many goroutines.
type Store struct {
	// OnChange hears of every change, in the order in which they happened, one
	// at a time and with no lock held: it may call the Store. All later changes
	// wait for it to return. Set it before the first report.
	OnChange func(Change)

	// mu guards the fields from here to the gap, and those of each friend and
	// session. The others stay as open made them.
	mu         sync.Mutex
	friends    []*friend
	sessions   map[sessionKey]*session
	reports    int // how many have counted
	memory     memory
	heard      map[string]time.Time // agent → when it reported last, since the start
	unsaved    bool                 // something in memory is not on disk
	saveAt     time.Time            // when Run writes it; zero: not by itself
	savedAt    time.Time            // when it was last written
	changes    []Change             // not handed to OnChange yet
	delivering bool                 // somebody is handing them over
	armed      time.Time            // when Run wakes by itself; zero: never
	lifetimes  Lifetimes
	agentPets  map[string]string

	now       func() time.Time
	translate func(agents.State, string) string
	log       *slog.Logger
	wake      chan struct{} // has a token when something is due before armed

	path    string     // of activity.json; empty for none
	saving  sync.Mutex // one writer of it at a time; guards refused
	refused bool       // the last time it could not be written
	broken  []string   // what those are called who are here and cannot be drawn
	sending sync.Mutex // one friend is sent away at a time, and so the last one stays
}

// friend is one of the friends and what it is at.
type friend struct {
	Package
	state    agents.State
	sentence string   // what its bubble said last
	speaker  *session // whose sentence that was, if a session's
}

func (f *friend) wire() agents.Friend {
	return agents.Friend{ID: f.ID, Name: f.Name, State: f.state}
}

// Open loads the friends, the built-in ones first, and what they remember.
// Broken packages and files are logged and left out. The error is only for a
// program that was built without good friends of its own.
func Open(o Options) (*Store, error) {
	own, err := builtins()
	if err != nil {
		return nil, err
	}
	return open(o, own), nil
}

func open(o Options, packages []Package) *Store {
	s := &Store{
		sessions:  map[sessionKey]*session{},
		memory:    memory{},
		heard:     map[string]time.Time{},
		lifetimes: o.Lifetimes,
		agentPets: maps.Clone(o.AgentPets),
		now:       o.Now,
		translate: o.Translate,
		log:       o.Log,
		wake:      make(chan struct{}, 1),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.translate == nil {
		s.translate = func(_ agents.State, message string) string { return message }
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	here := remaining(packages, o.Away)
	if o.Dir != "" {
		here, s.broken = invited(o.Dir, here, s.log)
		s.recall(o.Dir)
	}
	if len(here) == 0 { // nobody is left: whoever wrote Away wants too much
		here = packages
	}
	for _, p := range here {
		s.friends = append(s.friends, &friend{Package: p, state: agents.Idle})
	}
	_ = s.MakeFirst(o.First) // who is not here is not the first
	s.checkAgentPets()
	return s
}

// checkAgentPets warns of agents whose own friend is not here: they report to
// the first one.
func (s *Store) checkAgentPets() {
	for _, agent := range slices.Sorted(maps.Keys(s.agentPets)) {
		if pet := s.agentPets[agent]; s.named(pet) == nil {
			s.log.Warn(fmt.Sprintf("no friend is called %q, the one for %s", pet, agent))
		}
	}
}

// Close writes what is not on disk yet.
func (s *Store) Close() error { return s.save() }

// find returns the friend that pet names. Without a name it is the agent's
// own friend, or the first one if that was sent away.
func (s *Store) find(pet, agent string) (*friend, error) {
	if pet != "" {
		if f := s.named(pet); f != nil {
			return f, nil
		}
		return nil, ErrNoFriend
	}
	if f := s.named(s.agentPets[agent]); f != nil {
		return f, nil
	}
	if len(s.friends) == 0 {
		return nil, ErrNoFriend
	}
	return s.friends[0], nil
}

// named finds a friend by its id, else by its name, in any case.
func (s *Store) named(pet string) *friend {
	for _, f := range s.friends {
		if same(f.ID, pet) {
			return f
		}
	}
	for _, f := range s.friends {
		if same(f.Name, pet) {
			return f
		}
	}
	return nil
}

// Called reports whether pet is the id or the name of f, in any case.
func Called(f agents.Friend, pet string) bool { return same(f.ID, pet) || same(f.Name, pet) }

// same compares names as people do. macOS and some keyboards write é in two
// parts.
func same(a, b string) bool {
	return strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}
