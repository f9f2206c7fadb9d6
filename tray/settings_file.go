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

// take takes up what the file says, and tells what is wrong with it. It reports
// false, and leaves it, when the file has become unusable or empty and may be half
// written; not if sure.
func (f *settingsFile) take(sure bool) bool {
	warnings, taken := f.takeUntold(sure)
	for _, w := range warnings { // without a lock: who is told may write settings
		f.log.tell("%s", w)
		if f.warn != nil {
			f.warn(w)
		}
	}
	return taken
}

func (f *settingsFile) takeUntold(sure bool) (warnings []string, taken bool) {
	f.files.Lock()
	defer f.files.Unlock()
	r := readConfig(f.path)
	f.mu.Lock()
	defer f.mu.Unlock()
	emptied := len(bytes.TrimSpace(r.data)) == 0 && len(bytes.TrimSpace(f.good.data)) > 0
	switch {
	case !sure && (r.err != nil || emptied):
		return nil, false
	case r.err == nil:
		warnings = newProblems(r.odd, f.good.odd)
		f.good, f.broken = r, ""
	case r.err.Error() != f.broken:
		warnings = []string{r.broken("the last good ones")}
		f.broken = r.err.Error()
	}
	return warnings, true
}

// newProblems are lines about what was not wrong before, on whatever line.
func newProblems(now, before []problem) (lines []string) {
	for _, p := range now {
		if !slices.ContainsFunc(before, func(o problem) bool { return o.text == p.text }) {
			lines = append(lines, p.String())
		}
	}
	return lines
}
