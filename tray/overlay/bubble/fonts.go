package bubble

import (
	"bytes"
	"log/slog"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/font/gofont/goregular"
)

// Fonts are the faces that bubbles are drawn with: the Go font, which is built
// in and draws Latin, Greek and Cyrillic at once, and the system's fonts for
// the rest, found only when a text needs them.
//
// Fonts is safe for concurrent use.
type Fonts struct {
	dir, lang string
	log       *slog.Logger
	base      *font.Face

	// loading is held by the one Load at work, for as long as the disk takes.
	loading sync.Mutex

	// mu protects what follows. Faces and shapers cache inside, so it is held
	// while drawing too, but never while reading files.
	mu     sync.Mutex
	shaper *shaping.HarfbuzzShaper
	system *system // nil until a Load, and again after Release
}

// maxAnswers keeps texts of random runes from filling the memory.
const maxAnswers = 4096

// NewFonts returns fonts for a person who reads lang (a BCP 47 tag, which
// decides between the Chinese, Japanese and Korean forms of Han characters).
// It reads nothing yet. What the system's fonts are called is remembered in
// cacheDir, for quicker starts; Fonts does without where it cannot write there.
func NewFonts(cacheDir, lang string, log *slog.Logger) *Fonts {
	base, err := font.ParseTTF(bytes.NewReader(goregular.TTF))
	if err != nil {
		panic("the Go font is built in: " + err.Error())
	}
	return &Fonts{dir: cacheDir, lang: lang, log: log, base: base, shaper: new(shaping.HarfbuzzShaper)}
}

// Needs reports whether texts have characters that only fonts of the system can
// draw and that no Load has looked for yet. Boxes are drawn in their place.
func (f *Fonts) Needs(texts ...string) bool {
	parts := f.splitAll(texts)
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.missing(parts)) > 0
}

// Covers reports whether there is a font for every character of the texts. It
// knows those of the system only behind a Load.
func (f *Fonts) Covers(texts ...string) bool {
	parts := f.splitAll(texts)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, clusters := range parts {
		faces, _ := f.assign(clusters)
		for i, c := range clusters {
			if !covers(faces[i].Cmap, c.need) {
				return false
			}
		}
	}
	return true
}

// Load looks for the fonts that texts need, in the background, and closes the
// channel when Needs(texts...) has become false: at once where it is false
// already, else after 10 to 500 ms, for a text with characters that no font has
// too. Only a Release in between ends it earlier.
func (f *Fonts) Load(texts ...string) <-chan struct{} {
	done := make(chan struct{})
	if !f.Needs(texts...) {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		f.loading.Lock()
		defer f.loading.Unlock()
		f.load(f.splitAll(texts))
	}()
	return done
}

// splitAll cuts every paragraph of the texts into clusters.
func (f *Fonts) splitAll(texts []string) (parts [][]cluster) {
	for _, text := range texts {
		for _, paragraph := range paragraphs(text) {
			parts = append(parts, split(prepare(paragraph), f.lang))
		}
	}
	return parts
}

// missing lists what should be asked of the system. f.mu is held.
func (f *Fonts) missing(parts [][]cluster) (all []want) {
	for _, clusters := range parts {
		_, missing := f.assign(clusters)
		for _, w := range missing {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

// Release drops every system font and its memory. Texts that need them need a
// Load again.
func (f *Fonts) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.system = nil
	f.shaper = new(shaping.HarfbuzzShaper) // it holds on to the faces it shaped with
}

// load answers the wants of texts until none is left: where no face has all of
// a script, each of its clusters asks for itself. f.loading is held.
func (f *Fonts) load(parts [][]cluster) {
	f.mu.Lock()
	if f.system == nil {
		f.system = &system{
			orders:  map[string][]*installed{},
			cmaps:   map[*installed]font.Cmap{},
			faces:   map[*installed]*font.Face{},
			answers: map[want]*font.Face{},
		}
	}
	sys := f.system
	if len(sys.answers) > maxAnswers {
		clear(sys.answers)
	}
	missing := f.missing(parts)
	f.mu.Unlock()

	if sys.index == nil {
		sys.index = scan(folders(f.log), f.dir, f.log)
	}
	for len(missing) > 0 {
		found := make([]*font.Face, len(missing))
		for i, w := range missing {
			found[i] = sys.find(w, f.log)
		}
		f.mu.Lock()
		for i, w := range missing {
			sys.answers[w] = found[i]
		}
		missing = nil
		if f.system == sys { // else it was released meanwhile
			missing = f.missing(parts)
		}
		f.mu.Unlock()
	}
}

// ban forgets a face on which the font library stumbled. f.mu is held.
func (f *Fonts) ban(face *font.Face) {
	f.shaper = new(shaping.HarfbuzzShaper) // who knows in what state it is
	for w, answer := range f.system.answers {
		if answer == face {
			f.system.answers[w] = nil
		}
	}
}
