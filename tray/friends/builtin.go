package friends

import (
	"embed"
	"fmt"
	"image"
	"io/fs"
)

// The friends that come with the program, in their order: the first is the
// one that is met when nobody chose another. tray/friends/art draws them.
var builtinIDs = []string{"mochi", "bori", "ssak"}

//go:embed builtin/*/pet.json builtin/*/spritesheet.*
var builtinFiles embed.FS

func builtins() ([]Package, error) {
	var all []Package
	for _, id := range builtinIDs {
		files, err := fs.Sub(builtinFiles, "builtin/"+id)
		if err != nil {
			return nil, fmt.Errorf("open the built-in friend %s: %w", id, err)
		}
		p, err := embedded(files, id)
		if err != nil {
			return nil, fmt.Errorf("open the built-in friend %s: %w", id, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// embedded reads a package out of the program.
func embedded(files fs.FS, id string) (Package, error) {
	p, sheet, err := readPackage(files, id)
	p.Builtin = true
	p.Sheet = func() (image.Image, error) { return readSheet(files, sheet) }
	return p, err
}
