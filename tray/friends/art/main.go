// Command art draws the built-in friends.
//
// The pictures are code, so that anyone can change one by changing a number: rows.go says
// how a friend moves, rig.go how it is built, mochi.go, bori.go and ssak.go what each wears.
// It writes pet packages (an atlas of 8×9 cells of 192×208 and its pet.json) and contact
// sheets, and nothing else; the app never imports it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"sync"
)

//go:generate go run . -out ../builtin

const (
	columns = 8
	atlasW  = columns * cellW
)

var friends = []*costume{mochi, bori, ssak}

func main() {
	out := flag.String("out", "tray/friends/builtin", "folder for the pet packages")
	sheet := flag.String("sheet", "", "write a contact sheet of everybody to this file instead")
	flag.Parse()
	deed := func() error { return writeAll(*out) }
	if *sheet != "" {
		deed = func() error { return writePNG(*sheet, contact()) }
	}
	if err := deed(); err != nil {
		fmt.Fprintln(os.Stderr, "art:", err)
		os.Exit(1)
	}
}

func writeAll(dir string) error {
	for _, c := range friends {
		if err := write(filepath.Join(dir, c.id), c); err != nil {
			return err
		}
	}
	return nil
}

// write makes one pet package in dir.
func write(dir string, c *costume) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	manifest, err := json.MarshalIndent(struct {
		ID          string `json:"id"`
		Name        string `json:"displayName"`
		Description string `json:"description"`
		Sheet       string `json:"spritesheetPath"`
	}{c.id, c.name, c.description, "spritesheet.png"}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "pet.json"), append(manifest, '\n'), 0o644); err != nil {
		return err
	}
	return writePNG(filepath.Join(dir, "spritesheet.png"), atlas(c))
}

func writePNG(path string, m image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(f, m); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// atlas draws every row of one friend, rows at the same time.
func atlas(c *costume) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, atlasW, len(rows)*cellH))
	var wg sync.WaitGroup
	for y, row := range rows {
		wg.Go(func() {
			for x := range row.Frames {
				cell := frame(c, row, x)
				draw.Draw(out, cell.Bounds().Add(image.Pt(x*cellW, y*cellH)), cell, image.Point{}, draw.Src)
			}
		})
	}
	wg.Wait()
	return out
}

// frame draws one cell.
func frame(c *costume, r Row, i int) *image.NRGBA {
	t := float64(i)
	return pose(c, sample(r.Keys, r.Frames, t), follow(r.Keys, r.Frames, t))
}

// contact shows everybody in every frame on a quiet ground.
func contact() image.Image {
	const gap = 16
	w, h := atlasW+2*gap, len(rows)*cellH+2*gap
	out := image.NewNRGBA(image.Rect(0, 0, w*len(friends), h))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.NRGBA{0xEE, 0xF1, 0xF5, 255}), image.Point{}, draw.Src)
	for i, c := range friends {
		m := atlas(c)
		draw.Draw(out, m.Bounds().Add(image.Pt(i*w+gap, gap)), m, image.Point{}, draw.Over)
	}
	return out
}
