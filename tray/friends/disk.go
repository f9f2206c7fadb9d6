package friends

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/natefinch/atomic"

	"github.com/playpets/playpets/agents"
)

const (
	activityName    = "activity.json"
	activityVersion = 1
	maxActivityFile = 1 << 20 // bytes; a hundred friends' fill a quarter
)

// activityFile is the form of activity.json.
type activityFile struct {
	Version int                          `json:"version"`
	Friends map[string][]agents.Activity `json:"friends"`
}

// recall reads activity.json in dir. A file that this program cannot read is
// kept under another name; if that is not possible, it is never written over.
func (s *Store) recall(dir string) {
	path := filepath.Join(dir, activityName)
	file, err := readActivities(dir)
	switch {
	case err == nil:
		s.memory = file.memory()
	case !errors.Is(err, fs.ErrNotExist):
		why := "broken"
		if errors.Is(err, errNewer) {
			why = "newer"
		}
		kept, moved := aside(path, why)
		if moved != nil {
			s.log.Warn("activities are not remembered: activity.json cannot be read nor kept aside", "error", err, "aside", moved)
			return
		}
		s.log.Warn("activities start afresh: activity.json cannot be read and was kept aside", "error", err, "kept", kept)
	}
	s.path = path
}

var errNewer = errors.New("written by a newer PlayPets")

func readActivities(dir string) (file activityFile, err error) {
	data, err := readFile(os.DirFS(dir), activityName, maxActivityFile)
	if err != nil {
		return file, err
	}
	var head struct{ Version int }
	if err := json.Unmarshal(data, &head); err != nil {
		return file, fmt.Errorf("read activity.json: %w", err)
	}
	if head.Version > activityVersion {
		return file, errNewer
	}
	if head.Version < 1 {
		return file, errors.New("read activity.json: it has no version")
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return file, fmt.Errorf("read activity.json: %w", err)
	}
	return file, nil
}

// memory takes from the file what makes sense: people may have edited it.
func (file activityFile) memory() memory {
	m := memory{}
	for id, list := range file.Friends {
		for _, a := range list {
			a.Sentence = plain(a.Sentence, agents.MaxMessage)
			a.Agent = plain(a.Agent, agents.MaxField)
			if a.State.Valid() && a.Sentence != "" {
				m.add(id, entry{Activity: a})
			}
		}
	}
	return m
}

// aside renames a file to a free name beside it.
func aside(path, why string) (string, error) {
	for n := 1; n < 100; n++ {
		name := fmt.Sprintf("%s.%s-%d", path, why, n)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, os.Rename(path, name)
		}
	}
	return "", fmt.Errorf("keep %s aside: too many were kept already", filepath.Base(path))
}

// save writes what is not on disk yet. When that is refused it says so once,
// leaves the old file as it was, and tries again with the next activity.
func (s *Store) save() error {
	s.saving.Lock()
	defer s.saving.Unlock()
	file, unsaved := s.takeUnsaved()
	if !unsaved {
		return nil
	}
	err := writeActivities(s.path, file)
	if err != nil {
		s.mu.Lock()
		s.unsaved = true
		s.mu.Unlock()
		if !s.refused {
			s.log.Warn("activities are not saved", "error", err)
		}
	}
	s.refused = err != nil
	return err
}

// takeUnsaved copies the memory if it has something new for the disk.
func (s *Store) takeUnsaved() (file activityFile, unsaved bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unsaved = s.unsaved && s.path != ""
	s.unsaved, s.saveAt, s.savedAt = false, time.Time{}, s.now()
	if unsaved {
		file = activityFile{Version: activityVersion, Friends: map[string][]agents.Activity{}}
		for id := range s.memory {
			file.Friends[id] = s.memory.activities(id)
		}
	}
	return file, unsaved
}

func writeActivities(path string, file activityFile) error {
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("write activity.json: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write activity.json: %w", err)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays one
	}
	// A temporary file beside it, readable by its owner alone, synced, renamed.
	if err := atomic.WriteFile(path, bytes.NewReader(append(data, '\n'))); err != nil {
		return fmt.Errorf("write activity.json: %w", err)
	}
	return nil
}
