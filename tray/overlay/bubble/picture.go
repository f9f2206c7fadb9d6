package bubble

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"github.com/go-text/typesetting/font"
	"golang.org/x/image/draw"
)

// biggestPicture is the side in px of the largest glyph bitmap that is decoded;
// those of emoji fonts have 96 to 256.
const biggestPicture = 1024

// decode returns a glyph's bitmap scaled to a size in px; nil if it has no
// colours or cannot be read.
func decode(data font.GlyphBitmap, width, height float64) *image.RGBA {
	config, read := png.DecodeConfig, png.Decode
	switch data.Format {
	case font.PNG:
	case font.JPG:
		config, read = jpeg.DecodeConfig, jpeg.Decode
	default:
		return nil
	}
	if c, err := config(bytes.NewReader(data.Data)); err != nil || c.Width > biggestPicture || c.Height > biggestPicture {
		return nil
	}
	src, err := read(io.Reader(bytes.NewReader(data.Data)))
	if err != nil {
		return nil
	}
	w, h := int(math.Round(width)), int(math.Round(height))
	if w <= 0 || h <= 0 || w > biggestPicture || h > biggestPicture {
		return nil
	}
	// Most have a palette, whose pixels the scaler takes ten times as long to read.
	flat := image.NewRGBA(src.Bounds())
	draw.Draw(flat, flat.Rect, src, flat.Rect.Min, draw.Src)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(out, out.Rect, flat, flat.Rect, draw.Src, nil)
	return out
}
