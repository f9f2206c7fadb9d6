package tray

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/natefinch/atomic"
)

// saveDelay is how long changes are gathered before they are written.
const saveDelay = time.Second

// notebook is the state and its file. Its methods may be called from many
// goroutines.
type notebook struct {
	path string // empty: nothing is written
	log  *slog.Logger

	writing sync.Mutex // one writer at a time; guards refused
	refused bool       // the last time it could not be written

	mu    sync.Mutex // guards the rest
	state state
	timer *time.Timer // nil: everything is on disk
}

// openNotebook reads state.json in dir. One that cannot be used is kept under
// another name; if that is not possible, it is never written over.
func openNotebook(dir string, log *slog.Logger) *notebook {
	n := &notebook{path: filepath.Join(dir, "state.json"), log: log, state: state{Version: stateVersion}}
	s, err := readState(n.path)
	switch {
	case err == nil:
		n.state = s
	case !errors.Is(err, fs.ErrNotExist):
		kept := n.path + ".broken"
		if moved := os.Rename(n.path, kept); moved != nil {
			log.Warn("what you arrange is not remembered: state.json cannot be read nor kept aside", "error", err, "aside", moved)
			n.path = ""
			break
		}
		log.Warn("friends stand where they did at first: state.json cannot be read and was kept aside", "error", err, "kept", kept)
	}
	return n
}

func readState(path string) (s state, err error) {
	data, err := readSmall(path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return state{}, fmt.Errorf("read state.json: %w", err)
	}
	if s.Version < 1 || s.Version > stateVersion {
		return state{}, fmt.Errorf("read state.json: version %d is not one that this PlayPets reads (%d)", s.Version, stateVersion)
	}
	s.tidy()
	return s, nil
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
	if n.timer == nil {
		n.timer = time.AfterFunc(saveDelay, n.Save)
	}
}

// Save writes what is not on disk yet. That it is refused is said once.
func (n *notebook) Save() {
	n.writing.Lock()
	defer n.writing.Unlock()
	s, unsaved := n.takeUnsaved()
	if !unsaved || n.path == "" {
		return
	}
	err := writeState(n.path, s)
	if err != nil && !n.refused {
		n.log.Warn("what you arrange is not remembered", "error", err)
	}
	n.refused = err != nil
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
	// A temporary file beside it, readable by its owner alone, synced, renamed.
	if err := atomic.WriteFile(path, bytes.NewReader(append(data, '\n'))); err != nil {
		return fmt.Errorf("write state.json: %w", err)
	}
	return nil
}
