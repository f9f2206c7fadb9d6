// Command art draws the built-in friends.
//
// The pictures are code, so that anyone can change one by changing a number: rows.go says
// how a friend moves, rig.go how it is built, mochi.go, bori.go and ssak.go what each wears.
// It writes pet packages (an atlas of 8×11 cells of 192×208 and its pet.json) and contact
// sheets, and nothing else; the app never imports it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/image/draw"
)

//go:generate go run . -out ../builtin

const (
	columns = 8
	atlasW  = columns * cellW

	sheetName = "spritesheet.png"
)

var friends = []*costume{mochi, bori, ssak}

func main() {
	out := flag.String("out", "tray/friends/builtin", "folder for the pet packages")
	sheet := flag.String("sheet", "", "write a contact sheet of all friends to this file instead")
	zoom := flag.Float64("zoom", .5, "size of the contact sheet; 1 is as on the screen")
	flag.Parse()
	err := error(nil)
	if *sheet != "" {
		err = writePNG(*sheet, contact(*zoom))
	} else {
		err = writeAll(*out)
	}
	if err != nil {
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
	if err := writeManifest(dir, c); err != nil {
		return err
	}
	return writePNG(filepath.Join(dir, sheetName), reduce(atlas(c)))
}

func writeManifest(dir string, c *costume) error {
	manifest, err := json.MarshalIndent(struct {
		ID          string `json:"id"`
		Name        string `json:"displayName"`
		Description string `json:"description"`
		Sheet       string `json:"spritesheetPath"`
		Version     int    `json:"spriteVersionNumber"`
		Scaling     string `json:"scaling"`
	}{c.id, c.name, c.description, sheetName, 2, "smooth"}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "pet.json"), append(manifest, '\n'), 0o644)
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
			for x := range row.cells() {
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
	if i >= r.Frames {
		return pose(c, r.Stills[i-r.Frames], follow(idle, 6, 0))
	}
	t := float64(i)
	return pose(c, sample(r.Keys, r.Frames, t), follow(r.Keys, r.Frames, t))
}

// contact shows everybody in every frame, side by side on a quiet ground.
func contact(zoom float64) image.Image {
	w, h := int(atlasW*zoom), int(float64(len(rows)*cellH)*zoom)
	out := image.NewRGBA(image.Rect(0, 0, w*len(friends), h))
	draw.Draw(out, out.Rect, image.NewUniform(rgb(0xEEF1F5)), image.Point{}, draw.Src)
	for i, c := range friends {
		m := atlas(c)
		draw.CatmullRom.Scale(out, image.Rect(i*w, 0, (i+1)*w, h), m, m.Rect, draw.Over, nil)
	}
	return out
}
