package friends

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxName        = 80       // code points, as the galleries have it
	maxDescription = 500      // code points
	maxManifest    = 64 << 10 // bytes
)

// Package is a friend as it comes: a pet package of the first or second kind,
// that is pet.json and one sheet of 8 × 9 or 8 × 11 cells.
type Package struct {
	ID, Name, Description string
	Builtin               bool
	// Smooth is for drawings with soft edges: they look right at any size. The
	// others are pixel art, and only whole factors keep its pixels square.
	Smooth bool

	// Sheet decodes the sheet, each time anew: some 12 MB that nobody keeps
	// but the caller. It is 1536 pixels wide with cells of 192 × 208, or the
	// same at another scale.
	Sheet func() (image.Image, error)

	dir string // its folder; empty if it is built in
}

// manifest is what we read of pet.json. Other programs put more there.
type manifest struct {
	ID              string `json:"id"`
	DisplayName     string `json:"displayName"`
	Description     string `json:"description"`
	SpritesheetPath string `json:"spritesheetPath"`
	Scaling         any    `json:"scaling"` // ours: "smooth"; what others mean by it may be no string
}

// invited adds the packages in dir/friends to those that are here already. A
// package that is of no use, or whose id is taken, is logged and left out; broken
// is what such ones are called.
func invited(dir string, here []Package, log *slog.Logger) (all []Package, broken []string) {
	dir = filepath.Join(dir, "friends")
	folders, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("invited friends are not here", "error", err)
	}
	all = slices.Clone(here)
	for _, entry := range folders {
		// The importer works in folders that begin with a dot, and whoever was
		// sent away is in one.
		if strings.HasPrefix(entry.Name(), ".") || entry.Type().IsRegular() {
			continue
		}
		p, err := openPackage(filepath.Join(dir, entry.Name()))
		if err == nil && slices.ContainsFunc(all, func(q Package) bool { return same(p.ID, q.ID) }) {
			err = fmt.Errorf("another friend has the id %q", p.ID)
		}
		if err != nil {
			log.Warn("a friend is not here", "folder", entry.Name(), "error", err)
			broken = append(broken, entry.Name(), p.ID, p.Name)
			continue
		}
		all = append(all, p)
	}
	return all, broken
}

// openPackage reads the package in a folder, and once its whole sheet. The folder may be a symbolic
// link, as people who keep their settings elsewhere make them, but nothing in
// it is read that lies outside. With an error comes what is known of it.
func openPackage(dir string) (Package, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Package{}, err
	}
	defer root.Close()
	p, sheet, err := readPackage(root.FS(), filepath.Base(dir))
	if err != nil {
		return p, err
	}
	p.dir = dir
	p.Sheet = func() (image.Image, error) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return readSheet(root.FS(), sheet)
	}
	// A good head says little of the rest, and a friend that nobody can see would
	// swallow what its agents report.
	_, err = p.Sheet()
	return p, err
}

// readPackage reads pet.json and the sheet's head, and returns a package that
// still lacks its Sheet, and the sheet's name.
func readPackage(files fs.FS, folder string) (p Package, sheet string, err error) {
	data, err := readFile(files, "pet.json", maxManifest)
	if err != nil {
		return p, "", err
	}
	var m manifest
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &m); err != nil {
		return p, "", fmt.Errorf("read pet.json: %w", err)
	}
	if p.ID = safeID(m.ID, folder); p.ID == "" {
		return p, "", errors.New("neither pet.json nor the folder gives an id")
	}
	if p.Name = plain(m.DisplayName, maxName); p.Name == "" {
		p.Name = p.ID
	}
	p.Description = plain(m.Description, maxDescription)
	p.Smooth = m.Scaling == "smooth"
	if sheet, err = sheetName(files, m.SpritesheetPath); err != nil {
		return p, "", err
	}
	return p, sheet, checkSheet(files, sheet)
}

// safeID is the id that the package gives itself, if that could be the name
// of a folder; else its folder's name.
func safeID(id, folder string) string {
	id = plain(id, maxName)
	if id == "" || id[0] == '.' || strings.ContainsAny(id, `/\:`) || !filepath.IsLocal(id) {
		return plain(folder, maxName)
	}
	return id
}

// sheetName is where the manifest says that the sheet is, inside the folder.
func sheetName(files fs.FS, name string) (string, error) {
	if name == "" {
		if _, err := fs.Stat(files, "spritesheet.webp"); err == nil {
			return "spritesheet.webp", nil
		}
		return "spritesheet.png", nil
	}
	clean := path.Clean(name)
	if strings.Contains(name, ":") || !filepath.IsLocal(clean) {
		return "", fmt.Errorf("the sheet %q is not in the package's folder", plain(name, maxName))
	}
	return clean, nil
}
