package bubble

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/fontscan"
)

// scan lists the system's fonts, from the index in dir where a file has not
// changed since.
func scan(dir string, log *slog.Logger) []fontscan.Footprint {
	index, err := indexed(usable(dir), log)
	if err == nil {
		return index
	}
	log.Warn("fonts read one by one", "error", err)
	index, err = walk(log)
	if err != nil {
		log.Warn("no fonts but the built-in one", "error", err)
	}
	return index
}

// indexed lists the fonts as fontscan does. It does so once in a process: after
// an error, later calls return nothing and no error.
func indexed(dir string, log *slog.Logger) (index []fontscan.Footprint, err error) {
	defer recovered(&err)
	index, err = fontscan.SystemFonts(quiet{log}, dir)
	if err == nil && len(index) == 0 {
		err = fmt.Errorf("the index of fonts is empty")
	}
	return index, err
}

// usable returns dir if a file of the index's size can be written there, else
// the folder for temporary files: fontscan gives up all fonts when it cannot
// write its index.
func usable(dir string) string {
	if os.MkdirAll(dir, 0o700) != nil {
		return os.TempDir()
	}
	f, err := os.CreateTemp(dir, "probe-*")
	if err != nil {
		return os.TempDir()
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, 256<<10))
	if f.Close() != nil || err != nil {
		return os.TempDir()
	}
	return dir
}

// walk reads every font file by itself and skips those that cannot be read. It
// is slower than fontscan, which stops at the first such file for good.
func walk(log *slog.Logger) (index []fontscan.Footprint, err error) {
	dirs, err := fontscan.DefaultFontDirectories(quiet{log})
	if err != nil {
		return nil, fmt.Errorf("look for font folders: %w", err)
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || seen[path] {
				return nil
			}
			seen[path] = true
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				faces, err := footprints(path)
				if err != nil {
					log.Warn("font left out", "file", path, "error", err)
				}
				index = append(index, faces...)
			}
			return nil
		})
	}
	return index, nil
}

// footprints describes the faces in one file.
func footprints(path string) (faces []fontscan.Footprint, err error) {
	defer recovered(&err)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	loaders, err := opentype.NewLoaders(file)
	if err != nil {
		return nil, err
	}
	for i, loader := range loaders {
		runes, err := runesOf(loader)
		if err != nil {
			return faces, err
		}
		about, _ := font.Describe(loader, nil)
		faces = append(faces, fontscan.Footprint{
			Location: fontscan.Location{File: path, Index: uint16(i)},
			Family:   font.NormalizeFamily(about.Family),
			Runes:    runes,
			Aspect:   about.Aspect,
		})
	}
	return faces, nil
}

// runesOf is the set of runes that a face has a glyph for.
func runesOf(loader *opentype.Loader) (fontscan.RuneSet, error) {
	raw, err := loader.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil, err
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil, err
	}
	cmap, _, err := font.ProcessCmap(table, tables.FPNone)
	if err != nil {
		return nil, err
	}
	var runes fontscan.RuneSet
	for it := cmap.Iter(); it.Next(); {
		r, _ := it.Char()
		runes.Add(r)
	}
	return runes, nil
}

// quiet passes what fontscan tells to the log, below warnings.
type quiet struct{ log *slog.Logger }

// Printf is fontscan's logger.
func (q quiet) Printf(format string, args ...any) {
	q.log.Debug("fontscan", "says", fmt.Sprintf(format, args...))
}
