package tray

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	settleTime = 200 * time.Millisecond // after the last sign of a change, to read it
	doubtTime  = time.Second            // more, until a file that got worse is believed
)

// watch calls changed, on its own goroutine, whenever the settings are others than
// those that were told last, at first told, by whoever's hand, until ctx ends. A file
// that cannot be used is warned of once, and the last good settings stay.
func (f *settingsFile) watch(ctx context.Context, told settings, changed func(settings)) {
	touched := make(chan struct{}, 1)
	w, err := fsnotify.NewWatcher()
	if err != nil {
		f.unwatched(err)
	} else {
		go f.look(ctx, w, touched)
	}
	f.follow(ctx, touched, told, changed)
}

// follow is watch without eyes of its own: touched says that the file may be
// another.
func (f *settingsFile) follow(ctx context.Context, touched <-chan struct{}, told settings, changed func(settings)) {
	timer := time.NewTimer(settleTime) // what happened since the file was opened
	defer timer.Stop()
	sure := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-touched:
			sure = false
			timer.Reset(settleTime)
		case <-timer.C:
			if sure = !f.take(sure); sure {
				timer.Reset(doubtTime)
			}
		case <-f.wrote:
		}
		if s := f.get(); !reflect.DeepEqual(s, told) {
			told = s
			changed(s)
		}
	}
}

// look touches whenever something happens where the file is, until ctx ends.
func (f *settingsFile) look(ctx context.Context, w *fsnotify.Watcher, touched chan<- struct{}) {
	defer w.Close()
	said := false
	for {
		entries, err := aim(w, f.path)
		if err != nil && !said {
			said = true
			f.unwatched(err)
		}
		select {
		case touched <- struct{}{}:
		default:
		}
		if !await(ctx, w, entries) {
			return
		}
	}
}

func (f *settingsFile) unwatched(why error) {
	f.log.tell("what is changed in config.toml by hand is seen at the next start: %v", why)
}

// await waits for something to happen to one of the entries, and reports false when
// ctx has ended.
func await(ctx context.Context, w *fsnotify.Watcher, entries []string) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case e := <-w.Events:
			is := func(entry string) bool {
				return strings.EqualFold(e.Name, entry) || strings.EqualFold(e.Name, filepath.Dir(entry))
			}
			if slices.ContainsFunc(entries, is) {
				return true
			}
		case <-w.Errors: // events were lost
			return true
		}
	}
}

// aim has w watch the folders in which a change of the file shows, and returns the
// entries that matter there.
func aim(w *fsnotify.Watcher, path string) (entries []string, err error) {
	for range maxTries { // folders come and go meanwhile
		now := lookouts(path)
		if slices.Equal(now, entries) {
			break
		}
		entries, err = now, nil
		var folders []string
		for _, entry := range entries {
			folders = append(folders, filepath.Dir(entry))
		}
		for _, old := range w.WatchList() {
			if !slices.Contains(folders, old) {
				w.Remove(old) // it may be gone already
			}
		}
		for _, folder := range folders {
			// Once more also if it is watched: it may be another one of that name.
			if e := w.Add(folder); e != nil && !errors.Is(e, fs.ErrNotExist) {
				err = e
			}
		}
	}
	return entries, err
}

// lookouts are the file and where its links lead, each as an entry of a real folder:
// of the nearest one that is there.
func lookouts(path string) []string {
	var all []string
	for _, entry := range links(path) {
		for {
			dir := filepath.Dir(entry)
			real, err := filepath.EvalSymlinks(dir)
			if err == nil {
				all = append(all, filepath.Join(real, filepath.Base(entry)))
				break
			}
			if dir == entry {
				break
			}
			entry = dir
		}
	}
	return all
}
