package bubble

import (
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
)

// An installed is a face of the system, known by name only.
type installed struct {
	file  string
	index int // among the faces of the file
	about font.Description
}

// A fontFile is what the index remembers of a file, to open it only once.
type fontFile struct {
	Changed time.Time
	Size    int64
	Faces   []font.Description // empty for a file that is no font, or broken
}

// folders is where the system keeps fonts.
func folders(log *slog.Logger) []string {
	dirs, err := fontscan.DefaultFontDirectories(logger{log})
	if err != nil {
		log.Warn("no fonts but the built-in one", "error", err)
	}
	return dirs
}

// scan lists the faces in folders. What it learns about files it keeps in dir,
// where it can.
//
// fontscan.SystemFonts does the same and more, but one file that cannot be read
// ends it without any font, for good, and so does a full disk; and it looks
// into each font for every character, where a text needs one or two fonts.
func scan(folders []string, dir string, log *slog.Logger) []*installed {
	known := readIndex(dir)
	files := map[string]fontFile{}
	for _, folder := range folders {
		filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && isFont(path) {
				look(path, known, files, log)
			}
			return nil // whatever cannot be read is left out
		})
	}
	if !maps.EqualFunc(known, files, fontFile.same) {
		if err := writeIndex(dir, files); err != nil {
			log.Warn("index of fonts not kept", "error", err)
		}
	}
	var all []*installed
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for i, about := range files[path].Faces {
			all = append(all, &installed{path, i, about})
		}
	}
	return all
}

func isFont(path string) bool {
	return slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, strings.ToLower(filepath.Ext(path)))
}

func (f fontFile) same(g fontFile) bool { return f.Changed.Equal(g.Changed) && f.Size == g.Size }

// look adds a file to files, from what is known of it if it has not changed.
func look(path string, known, files map[string]fontFile, log *slog.Logger) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	file := fontFile{Changed: info.ModTime(), Size: info.Size()}
	if old, ok := known[path]; ok && old.same(file) {
		files[path] = old
		return
	}
	if file.Faces, err = describe(path); err != nil {
		log.Info("font left out", "file", path, "error", err)
	}
	files[path] = file
}

// describe names the faces in a file.
func describe(path string) (faces []font.Description, err error) {
	err = openFont(path, func(loaders []*opentype.Loader) error {
		for _, loader := range loaders {
			about, _ := font.Describe(loader, nil)
			about.Family = font.NormalizeFamily(about.Family)
			faces = append(faces, about)
		}
		return nil
	})
	return faces, err
}

// openFont calls use with the faces of a file. Font files come from anywhere,
// and the library trusts them now and then: its panics are errors.
func openFont(path string, use func([]*opentype.Loader) error) (err error) {
	defer recovered(&err)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := checkTables(file); err != nil {
		return err
	}
	loaders, err := opentype.NewLoaders(file)
	if err != nil {
		return err
	}
	return use(loaders)
}

// checkTables returns an error unless every table of a font file lies within
// the file. The library makes room for a table before it reads it: a broken
// length costs gigabytes.
// https://learn.microsoft.com/typography/opentype/spec/otff#organization-of-an-opentype-font
func checkTables(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	faces := []uint32{0}
	if head, err := readWords(file, 0, 3); err != nil {
		return err
	} else if head[0] == collection {
		if faces, err = readWords(file, 12, min(int(head[2]), 1000)); err != nil {
			return err
		}
	}
	for _, at := range faces {
		head, err := readWords(file, int64(at), 3)
		if err != nil {
			return err
		}
		if !slices.Contains(versions, head[0]) {
			return errors.New("no OpenType font")
		}
		records, err := readWords(file, int64(at)+12, 4*int(head[1]>>16))
		if err != nil {
			return err
		}
		for record := range slices.Chunk(records, 4) {
			if int64(record[2])+int64(record[3]) > info.Size() {
				return errors.New("a table ends behind the file")
			}
		}
	}
	return nil
}

// The first words of files: a collection, or faces with outlines of TrueType
// (two spellings) and of PostScript.
const collection = 't'<<24 | 't'<<16 | 'c'<<8 | 'f'

var versions = []uint32{0x00010000, 't'<<24 | 'r'<<16 | 'u'<<8 | 'e', 'O'<<24 | 'T'<<16 | 'T'<<8 | 'O'}

// readWords reads n big-endian words of 32 bits.
func readWords(file io.ReaderAt, at int64, n int) ([]uint32, error) {
	words := make([]uint32, n)
	return words, binary.Read(io.NewSectionReader(file, at, int64(4*n)), binary.BigEndian, words)
}

// recovered turns a panic into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the font library stumbled: %v", p)
	}
}

const indexName = "fonts.gob"

// readIndex returns nothing from an index that is not there or not whole.
func readIndex(dir string) (files map[string]fontFile) {
	file, err := os.Open(filepath.Join(dir, indexName))
	if err != nil {
		return nil
	}
	defer file.Close()
	if gob.NewDecoder(file).Decode(&files) != nil {
		return nil
	}
	return files
}

func writeIndex(dir string, files map[string]fontFile) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, indexName+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone by then if all went well
	if err := gob.NewEncoder(file).Encode(files); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(dir, indexName))
}

// logger passes on what fontscan has to tell.
type logger struct{ *slog.Logger }

// Printf is fontscan's way to tell it.
func (l logger) Printf(format string, args ...any) { l.Debug(fmt.Sprintf(format, args...)) }
