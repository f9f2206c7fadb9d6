package tray

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/playpets/playpets/tray/overlay"
)

const (
	stateVersion = 1
	maxSets      = 32      // of monitors whose places are remembered
	maxNames     = 256     // of friends in a list
	maxFar       = 1 << 16 // px; no screen is wider
)

// state is what the app remembers by itself, in state.json. Its slices are
// never changed in place, so that a copy of it is one.
type state struct {
	Version int       `json:"version"`
	Quiet   time.Time `json:"quiet_until,omitzero"`
	First   string    `json:"first,omitempty"`   // id of the friend that was made the first
	Hidden  []string  `json:"hidden,omitempty"`  // ids
	Away    []string  `json:"away,omitempty"`    // ids of built-in friends that were sent away
	NoTray  bool      `json:"no_tray,omitempty"` // it was said that no panel shows the icon
	Picked  []pick    `json:"picked,omitempty"`  // the newest last
	Places  []place   `json:"places,omitempty"`  // the newest last
}

// pick is a friend that was once chosen for an agent, as config.toml names it.
type pick struct {
	Agent string `json:"agent"`
	Pet   string `json:"pet"`
}

// place is an overlay.Place as the file has it.
type place struct {
	Monitors string `json:"monitors"`
	Friend   string `json:"friend"`
	X        int    `json:"x"`
	Y        int    `json:"y"`
}

// put remembers where a friend stands. The monitors that were used longest ago
// are forgotten beyond maxSets.
func (s *state) put(p overlay.Place) {
	kept := slices.DeleteFunc(slices.Clone(s.Places), func(o place) bool {
		return o.Monitors == p.Monitors && o.Friend == p.Friend
	})
	s.Places = bounded(append(kept, place{p.Monitors, p.Friend, p.Feet.X, p.Feet.Y}))
}

// pick remembers one choice more.
func (s *state) pick(p pick) {
	all := append(slices.Clone(s.Picked), p)
	s.Picked = all[max(0, len(all)-maxNames):]
}

// picked reports whether a friend, by the name that config.toml had for it, was once
// chosen for an agent.
func (s state) picked(agent, pet string) bool {
	return slices.ContainsFunc(s.Picked, func(p pick) bool { return p.Agent == agent && strings.EqualFold(p.Pet, pet) })
}

// bounded leaves of the places those on the newest maxSets sets of monitors.
func bounded(places []place) (kept []place) {
	sets := map[string]bool{}
	for _, p := range slices.Backward(places) {
		if sets[p.Monitors] || len(sets) < maxSets {
			sets[p.Monitors] = true
			kept = append(kept, p)
		}
	}
	slices.Reverse(kept)
	return kept
}

func (s state) places() []overlay.Place {
	var all []overlay.Place
	for _, p := range s.Places {
		all = append(all, overlay.Place{Monitors: p.Monitors, Friend: p.Friend, Feet: image.Pt(p.X, p.Y)})
	}
	return all
}

// with is a list of ids with one more, as the last.
func with(ids []string, id string) []string {
	all := append(without(ids, id), id)
	return all[max(0, len(all)-maxNames):]
}

func without(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(o string) bool { return o == id })
}

var (
	errNewer = errors.New("read state.json: written by a newer PlayPets")
	// errOdd says that the rest of the state can be used.
	errOdd = errors.New("read state.json: these parts make no sense")
)

// parseState takes from a file what makes sense, also with an error that is errOdd:
// people may have edited it.
func parseState(data []byte) (s state, err error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return s, fmt.Errorf("read state.json: %w", err)
	}
	if err := json.Unmarshal(parts["version"], &s.Version); err != nil || s.Version < 1 {
		return s, errors.New("read state.json: it has no version")
	}
	if s.Version > stateVersion {
		return s, errNewer
	}
	var odd []string
	for _, part := range []struct {
		name string
		read func([]byte) error
	}{
		{"quiet_until", s.Quiet.UnmarshalJSON},
		{"first", func(data []byte) error { return json.Unmarshal(data, &s.First) }},
		{"hidden", each(&s.Hidden)},
		{"away", each(&s.Away)},
		{"no_tray", func(data []byte) error { return json.Unmarshal(data, &s.NoTray) }},
		{"picked", each(&s.Picked)},
		{"places", each(&s.Places)},
	} {
		if data, here := parts[part.name]; here && part.read(data) != nil {
			odd = append(odd, part.name)
		}
	}
	s.tidy()
	if odd != nil {
		return s, fmt.Errorf("%w: %s", errOdd, strings.Join(odd, ", "))
	}
	return s, nil
}

// each reads a list into all. An element of another kind is left out, and an error.
func each[T any](all *[]T) func([]byte) error {
	return func(data []byte) error {
		var list []json.RawMessage
		err := json.Unmarshal(data, &list)
		for _, one := range list {
			var v T
			if odd := json.Unmarshal(one, &v); odd != nil {
				err = odd
				continue
			}
			*all = append(*all, v)
		}
		return err
	}
}

// tidy keeps what people have written within its limits.
func (s *state) tidy() {
	s.Hidden = s.Hidden[:min(len(s.Hidden), maxNames)]
	s.Away = s.Away[:min(len(s.Away), maxNames)]
	s.Picked = s.Picked[max(0, len(s.Picked)-maxNames):]
	s.Places = bounded(slices.DeleteFunc(s.Places, func(p place) bool {
		return p.Friend == "" || max(p.X, p.Y) > maxFar || min(p.X, p.Y) < -maxFar
	}))
}
