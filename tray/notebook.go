package tray

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"
)

const (
	saveDelay  = time.Second      // changes are gathered so long before they are written
	retryDelay = 30 * time.Second // from a refused write to the next one, if nothing changes
)

// notebook is the state and its file. Its methods may be called from many
// goroutines.
type notebook struct {
	path string // empty: nothing is written
	log  *slog.Logger

	writing sync.Mutex // one writer at a time

	mu      sync.Mutex // guards the rest
	state   state
	timer   *time.Timer // nil: everything is on disk
	refused bool        // the last time it could not be written
}

// openNotebook reads state.json in dir. One that cannot be used is kept under
// another name, one with parts that make no sense as a copy; if that is not
// possible, it is never written over.
func openNotebook(dir string, log *slog.Logger) *notebook {
	n := &notebook{path: filepath.Join(dir, "state.json"), log: log, state: state{Version: stateVersion}}
	data, err := readSmall(n.path)
	if errors.Is(err, fs.ErrNotExist) {
		return n
	}
	if err == nil {
		var s state
		if s, err = parseState(data); err == nil || errors.Is(err, errOdd) {
			n.state = s
		}
	}
	if err != nil {
		n.keepAside(err)
	}
	return n
}

// keepAside keeps the file that cannot be used, and says why.
func (n *notebook) keepAside(why error) {
	text := "friends stand where they did at first: state.json cannot be read and was kept aside"
	var kept string
	var err error
	switch {
	case errors.Is(why, errOdd):
		text = "some of what you arranged is forgotten; a copy of state.json was kept aside"
		kept, err = copyAside(n.path)
	case errors.Is(why, errNewer):
		kept, err = moveAside(n.path, "newer")
	default:
		kept, err = moveAside(n.path, "broken")
	}
	if err != nil {
		n.log.Warn("what you arrange is not remembered: state.json cannot be read nor kept aside", "error", why, "aside", err)
		n.path = ""
		return
	}
	n.log.Warn(text, "error", why, "kept", kept)
}

func (n *notebook) get() state {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state
}

// change edits the state, and has it written soon.
func (n *notebook) change(edit func(*state)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	edit(&n.state)
	switch {
	case n.timer == nil:
		n.timer = time.AfterFunc(saveDelay, n.Save)
	case n.refused:
		n.timer.Reset(saveDelay)
	}
}

// Close writes what is not on disk yet, for the last time.
func (n *notebook) Close() {
	n.Save()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.timer != nil {
		n.timer.Stop()
	}
}

// Save writes what is not on disk yet. That it is refused is said once, and it is
// tried again.
func (n *notebook) Save() {
	n.writing.Lock()
	defer n.writing.Unlock()
	s, unsaved := n.takeUnsaved()
	if !unsaved || n.path == "" {
		return
	}
	err := writeState(n.path, s)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil && !n.refused {
		n.log.Warn("what you arrange is not remembered", "error", err)
	}
	if n.refused = err != nil; n.refused && n.timer == nil {
		n.timer = time.AfterFunc(retryDelay, n.Save)
	}
}

func (n *notebook) takeUnsaved() (s state, unsaved bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if unsaved = n.timer != nil; unsaved {
		n.timer.Stop()
		n.timer = nil
	}
	return n.state, unsaved
}

func writeState(path string, s state) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("write state.json: %w", err)
	}
	if err := replace(path, append(data, '\n'), nil); err != nil {
		return fmt.Errorf("write state.json: %w", err)
	}
	return nil
}
