//go:build unix && !darwin

package notify

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
)

// pixels is a picture as the hint "image-data" has it, (iiibiiay).
type pixels struct {
	Width, Height, Stride   int32
	Alpha                   bool
	BitsPerSample, Channels int32
	Data                    []byte // RGBA, not multiplied by alpha
}

func decode(icon []byte) (*pixels, error) {
	img, err := png.Decode(bytes.NewReader(icon))
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	size := img.Bounds().Size()
	to := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(to, to.Rect, img, img.Bounds().Min, draw.Src)
	return &pixels{
		Width: int32(size.X), Height: int32(size.Y), Stride: int32(to.Stride),
		Alpha: true, BitsPerSample: 8, Channels: 4,
		Data: to.Pix,
	}, nil
}
