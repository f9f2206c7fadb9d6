package friends

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png" // sheets are PNG or WebP, told by their bytes
	"io"
	"io/fs"

	_ "golang.org/x/image/webp"
)

const (
	maxSheet = 32 << 20 // bytes; real ones have up to 4 MB
	maxSide  = 4096     // pixels
)

// checkSheet looks at the sheet's head alone: a picture of a few bytes can ask
// for gigabytes.
func checkSheet(files fs.FS, name string) error {
	f, err := openFile(files, name, maxSheet)
	if err != nil {
		return err
	}
	defer f.Close()
	return checkSize(f, name)
}

func checkSize(r io.Reader, name string) error {
	c, _, err := image.DecodeConfig(r)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if c.Width > maxSide || c.Height > maxSide || !isGrid(c.Width, c.Height, 9) && !isGrid(c.Width, c.Height, 11) {
		return fmt.Errorf("%s is %d×%d pixels, not 1536×1872 or 1536×2288 or one of these at another scale", name, c.Width, c.Height)
	}
	return nil
}

// isGrid reports whether a sheet is 8 × rows cells of 192:208. Who scales a
// whole sheet rounds its height.
func isGrid(width, height, rows int) bool {
	cell := width / 8
	off := height*192 - rows*cell*208
	return cell >= 12 && width%8 == 0 && -192 < off && off < 192
}

// readSheet decodes a sheet that may have changed since it was checked.
func readSheet(files fs.FS, name string) (sheet image.Image, err error) {
	data, err := readFile(files, name, maxSheet)
	if err != nil {
		return nil, err
	}
	if err := checkSize(bytes.NewReader(data), name); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil { // a decoder that meets what its authors did not think of
			sheet, err = nil, fmt.Errorf("read %s: %v", name, r)
		}
	}()
	sheet, _, err = image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return sheet, nil
}

// readFile reads a regular file of at most limit bytes.
func readFile(files fs.FS, name string, limit int64) ([]byte, error) {
	f, err := openFile(files, name, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// openFile opens nothing but a regular file: a named pipe would keep us for
// ever.
func openFile(files fs.FS, name string, limit int64) (fs.File, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", name)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("read %s: larger than %d bytes", name, limit)
	}
	return files.Open(name)
}
