package tray

import (
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"github.com/playpets/playpets/tray/overlay"
)

// animation is the file that a demo without a display writes.
const animation = "playpets-demo.gif"

// writePictures writes what was recorded into an animation in the current
// folder, or as numbered frames into framesDir, and says where.
func writePictures(r *overlay.Recorder, framesDir string, stdout io.Writer) error {
	if framesDir == "" {
		if err := create(animation, func(w io.Writer) error { return overlay.WriteGIF(w, r.Frames()) }); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "Look at %s.\n", animation)
		return nil
	}
	if err := os.MkdirAll(framesDir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the frames: %w", err)
	}
	n := 0
	for picture := range r.Frames() {
		n++
		name := filepath.Join(framesDir, fmt.Sprintf("frame-%04d.png", n))
		if err := create(name, func(w io.Writer) error { return png.Encode(w, picture) }); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "Look at the %d frames in %s.\n", n, framesDir)
	return nil
}

// create writes a file whole or not at all.
func create(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".playpets-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer os.Remove(f.Name())
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
