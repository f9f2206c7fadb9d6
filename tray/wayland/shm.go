//go:build unix

package wayland

import (
	"fmt"
	"image"
	"math"
	"os"
)

// ShmKind takes pictures.
var ShmKind = Kind{Name: "wl_shm", Version: 1}

// A Shm takes pictures out of memory that both sides can see.
type Shm struct{ Object }

var (
	poolKind   = Kind{Name: "wl_shm_pool", Version: 1}
	bufferKind = Kind{Name: "wl_buffer", Version: 1}
)

// A Buffer is a picture at the compositor.
type Buffer struct {
	Object
	Size  image.Point // in pixels, a multiple of Scale
	Scale int         // pixels for one logical one, each way
}

// Destroy frees the buffer. A surface that shows it goes on doing so: nobody
// writes to its memory again.
func (b Buffer) Destroy() { b.End(0) }

// Store gives premultiplied pictures of one size to the compositor. Where their
// size is no multiple of scale, clear pixels are added at the right and below.
// Nothing of them is kept here.
func (s Shm) Store(pictures []*image.RGBA, scale int) ([]Buffer, error) {
	if len(pictures) == 0 {
		return nil, nil
	}
	size := pictures[0].Rect.Size()
	size = image.Pt(ceil(size.X, scale), ceil(size.Y, scale))
	length := 4 * size.X * size.Y
	if length <= 0 || length > math.MaxInt32/len(pictures) {
		return nil, fmt.Errorf("store %d pictures of %v pixels: more than a pool can be", len(pictures), size)
	}
	f, err := sharedFile()
	if err != nil {
		return nil, fmt.Errorf("store a picture: %w", err)
	}
	defer f.Close()
	pixels := make([]byte, length)
	for _, p := range pictures {
		swizzle(pixels, p, size)
		if _, err := f.Write(pixels); err != nil {
			return nil, fmt.Errorf("store a picture: %w", err)
		}
	}
	pool := s.conn.New(&poolKind)
	if err := s.SendFile(f, 0, pool, length*len(pictures)); err != nil {
		return nil, err
	}
	buffers := make([]Buffer, len(pictures))
	for i := range buffers {
		buffers[i] = Buffer{s.conn.New(&bufferKind), size, scale}
		const argb8888 = 0
		pool.Send(0, buffers[i], i*length, size.X, size.Y, 4*size.X, argb8888)
	}
	pool.End(1) // the buffers keep its memory
	return buffers, nil
}

// ceil is the smallest multiple of unit that is not below n.
func ceil(n, unit int) int { return (n + unit - 1) / unit * unit }

// swizzle writes the pixels of p as Wayland wants them, 32-bit words of the
// machine with alpha on top, in lines as wide as size.
func swizzle(to []byte, p *image.RGBA, size image.Point) {
	clear(to)
	for y := range p.Rect.Dy() {
		line := p.Pix[y*p.Stride:][:4*p.Rect.Dx()]
		for x := 0; x < len(line); x += 4 {
			word := uint32(line[x+3])<<24 | uint32(line[x])<<16 | uint32(line[x+1])<<8 | uint32(line[x+2])
			order.PutUint32(to[4*y*size.X+x:], word)
		}
	}
}

// sharedFile makes a file without a name where files are memory.
func sharedFile() (*os.File, error) {
	f, err := os.CreateTemp(os.Getenv("XDG_RUNTIME_DIR"), "playpets-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
