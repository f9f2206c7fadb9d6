package bubble

import (
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
)

// assign chooses a face for every cluster from those at hand, and lists what
// should be asked of the system. f.mu is held.
//
// The letters of a script keep to one face where one has them all: the base
// face, then one of the system, and only then whatever has the single letter.
func (f *Fonts) assign(clusters []cluster) (faces []*font.Face, missing []want) {
	// ask reports whether the answer is in; nil is one.
	ask := func(tag, runes string) (face *font.Face, ok bool) {
		w := want{tag, runes}
		if f.system != nil {
			if face, ok = f.system.answers[w]; ok {
				return face, true
			}
		}
		if !slices.Contains(missing, w) {
			missing = append(missing, w)
		}
		return nil, false
	}
	scripts, answered := f.assignScripts(clusters, ask)
	faces = make([]*font.Face, len(clusters))
	text := f.base // the face of the text before
	for i, c := range clusters {
		face, answered := scripts[c.tag], answered
		switch {
		case c.need == "":
			// A space is as wide as in the text around it; an emoji font's
			// is too wide.
			faces[i] = text
			continue
		case c.tag == tagEmoji:
			face, answered = ask(tagEmoji, c.need)
		case !c.own && covers(f.base.Cmap, c.need):
			face = f.base
		case face != nil && !c.own && !covers(face.Cmap, c.need):
			face = nil
		}
		if face == nil && covers(f.base.Cmap, c.need) {
			face = f.base
		}
		if face == nil && answered {
			face, _ = ask(c.fallback(), c.need)
		}
		if face == nil {
			face = f.base // draws a box
		}
		faces[i] = face
		if c.tag != tagEmoji {
			text = face
		}
	}
	return faces, missing
}

// assignScripts finds, for each script of the text, one face with all its
// letters. It reports whether every answer is in.
func (f *Fonts) assignScripts(clusters []cluster, ask func(tag, runes string) (*font.Face, bool)) (faces map[string]*font.Face, answered bool) {
	letters := map[string]string{}
	var order []string
	for _, c := range clusters {
		if !c.own {
			continue
		}
		if letters[c.tag] == "" {
			order = append(order, c.tag)
		}
		letters[c.tag] = union(letters[c.tag], c.need)
	}
	faces, answered = map[string]*font.Face{}, true
	for _, tag := range order {
		if covers(f.base.Cmap, letters[tag]) {
			faces[tag] = f.base
			continue
		}
		face, ok := ask(tag, letters[tag])
		faces[tag], answered = face, answered && ok
	}
	return faces, answered
}

// fallback is the tag under which a cluster asks for itself. An emoji that the
// emoji font lacks may still stand in some other font.
func (c cluster) fallback() string {
	if c.tag == tagEmoji {
		return ""
	}
	return c.tag
}

func union(set, more string) string {
	for _, r := range more {
		if !strings.ContainsRune(set, r) {
			set += string(r)
		}
	}
	return set
}

// covers reports whether every one of the runes has a glyph.
func covers(cmap font.Cmap, runes string) (ok bool) {
	var err error
	defer recovered(&err) // then ok is false
	for _, r := range runes {
		if _, ok := cmap.Lookup(r); !ok {
			return false
		}
	}
	return true
}
