package tray

import (
	"bytes"
	"slices"
	"sync"
)

// settingsFile is config.toml while the app runs: people edit it by hand, the app
// for them. Its methods may be called from many goroutines.
type settingsFile struct {
	path string
	log  diary
	// warn is told what watch warns of, once each, beside the log; nil: nobody is.
	// It is set before watch.
	warn func(string)

	wrote chan struct{} // there is something that set has written

	files sync.Mutex // held while the file is read and believed, or written
	mu    sync.Mutex // guards the rest
	good  reading    // the last that could be used
	// broken is why the file cannot be used, as it was told; empty: it can.
	broken string
}

// openSettings reads config.toml in dir, or the defaults. Warnings are lines for
// the person; a file that cannot be used is copied aside and left where it is.
func openSettings(dir string, log diary) (f *settingsFile, warnings []string) {
	f = &settingsFile{path: settingsPath(dir), log: log, wrote: make(chan struct{}, 1)}
	f.good = readConfig(f.path)
	warnings = f.good.warnings(f.path)
	if f.good.err != nil {
		f.broken = f.good.err.Error()
		f.good = reading{settings: f.good.settings}
	}
	return f, warnings
}

// get returns the last settings that could be used. Nobody may change their maps.
func (f *settingsFile) get() settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.good.settings
}

// take takes up what the file says. It reports false, and leaves it, when the file
// has become unusable or empty and may be half written; not if sure.
func (f *settingsFile) take(sure bool) bool {
	f.files.Lock()
	defer f.files.Unlock()
	r := readConfig(f.path)
	f.mu.Lock()
	was, broken := f.good, f.broken
	emptied := len(bytes.TrimSpace(r.data)) == 0 && len(bytes.TrimSpace(was.data)) > 0
	if !sure && (r.err != nil || emptied) {
		f.mu.Unlock()
		return false
	}
	if f.broken = ""; r.err == nil {
		f.good = r
	} else {
		f.broken = r.err.Error()
	}
	f.mu.Unlock()
	switch {
	case r.err == nil:
		f.tellNew(r.odd, was.odd)
	case r.err.Error() != broken:
		f.tell(r.broken("the last good ones"))
	}
	return true
}

// tellNew warns of problems that were not there before, on whatever line.
func (f *settingsFile) tellNew(now, before []problem) {
	for _, p := range now {
		if !slices.ContainsFunc(before, func(o problem) bool { return o.text == p.text }) {
			f.tell(p.String())
		}
	}
}

func (f *settingsFile) tell(warning string) {
	f.log.tell("%s", warning)
	if f.warn != nil {
		f.warn(warning)
	}
}
