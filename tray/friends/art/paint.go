package main

import (
	"image"
	"image/color"
	"slices"

	"golang.org/x/image/draw"
)

const (
	cellW, cellH = 192, 208

	outerLine = 3.0 // pixels outside the silhouette
	innerLine = 1.9 // pixels where one part lies on another
)

// A part is one piece of the puppet. Parts are painted in order, but all outer lines go
// down first: so the line is thick around the whole and thin inside it.
type part struct {
	shape shape
	fill  color.NRGBA
	shade color.NRGBA // lower right, soft edge; zero alpha: flat
	rim   color.NRGBA // light at the upper left; zero alpha: none
	line  color.NRGBA // zero alpha: no line
	bulk  float64     // how far the shade reaches in, pixels
	open  shape       // takes the inner line in place of shape, where a limb grows out of a body
	clip  shape       // paint only inside it
	soft  float64     // blurs the edge of the fill, pixels
	cast  bool        // throws a soft shadow on what lies beneath
}

// shrink brings the canvas down to the cell; its weights are worked out once.
var shrink = draw.CatmullRom.NewScaler(cellW, cellH, cellW*scale, cellH*scale)

// paint renders the parts as one finished cell with straight alpha.
func paint(parts []part) *image.NRGBA {
	c := canvas{image.NewRGBA(image.Rect(0, 0, cellW*scale, cellH*scale))}
	for _, p := range parts {
		if p.line.A > 0 {
			c.lay(p.shape.mask(outerLine), p.line)
		}
	}
	for _, p := range parts {
		c.part(p)
	}
	small := image.NewRGBA(image.Rect(0, 0, cellW, cellH))
	shrink.Scale(small, small.Bounds(), c.img, c.img.Bounds(), draw.Src, nil)
	return straight(small)
}

type canvas struct{ img *image.RGBA }

func (c canvas) part(p part) {
	m := p.shape.mask(0)
	if p.cast {
		s := offset(blur(m, 3), pt{1.5, 4})
		c.within(s)
		c.lay(s, fade(p.line, .22))
	}
	if p.line.A > 0 {
		edge := p.open
		if edge.pts == nil {
			edge = p.shape
		}
		c.lay(edge.mask(innerLine), mix(p.line, p.fill, .15))
	}
	if p.soft > 0 {
		m = blur(m, p.soft)
	}
	if p.clip.pts != nil {
		m = inside(m, p.clip.mask(0))
	}
	c.lay(m, p.fill)
	if p.shade.A > 0 {
		c.crescent(m, p.shade, pt{-p.bulk, -p.bulk * 1.1}, p.bulk*.55)
	}
	if p.rim.A > 0 {
		c.crescent(m, p.rim, pt{1.7, 1.9}, .8)
	}
}

// crescent paints what the mask shows beside itself when it is moved by d.
func (c canvas) crescent(m *image.Alpha, ink color.NRGBA, d pt, soft float64) {
	c.lay(outside(m, offset(blur(m, soft), d)), ink)
}

// lay composites ink through the mask.
func (c canvas) lay(m *image.Alpha, ink color.NRGBA) {
	box := m.Rect.Intersect(c.img.Rect)
	sr, sg, sb := uint32(ink.R), uint32(ink.G), uint32(ink.B)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		src := m.Pix[m.PixOffset(box.Min.X, y):]
		dst := c.img.Pix[c.img.PixOffset(box.Min.X, y):]
		for x := range box.Dx() {
			if src[x] == 0 {
				continue
			}
			a := uint32(src[x]) * uint32(ink.A) // of 255²
			k := 255*255 - a
			d := dst[4*x : 4*x+4 : 4*x+4]
			d[0] = uint8((sr*a + uint32(d[0])*k + 32512) / 65025)
			d[1] = uint8((sg*a + uint32(d[1])*k + 32512) / 65025)
			d[2] = uint8((sb*a + uint32(d[2])*k + 32512) / 65025)
			d[3] = uint8((255*a + uint32(d[3])*k + 32512) / 65025)
		}
	}
}

// within cuts the mask down to what is painted already.
func (c canvas) within(m *image.Alpha) {
	box := m.Rect.Intersect(c.img.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := m.Pix[m.PixOffset(box.Min.X, y):][:box.Dx()]
		under := c.img.Pix[c.img.PixOffset(box.Min.X, y):]
		for x, v := range row {
			if v > 0 {
				row[x] = uint8(uint32(v) * uint32(under[4*x+3]) / 255)
			}
		}
	}
}

// inside is what of m lies in by.
func inside(m, by *image.Alpha) *image.Alpha {
	out := image.NewAlpha(m.Rect.Intersect(by.Rect))
	w := out.Rect.Dx()
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		row := out.Pix[out.PixOffset(out.Rect.Min.X, y):][:w]
		p, q := m.Pix[m.PixOffset(out.Rect.Min.X, y):][:w], by.Pix[by.PixOffset(out.Rect.Min.X, y):][:w]
		for x, v := range p {
			row[x] = uint8(uint32(v) * uint32(q[x]) / 255)
		}
	}
	return out
}

// outside is what of m lies beyond by.
func outside(m, by *image.Alpha) *image.Alpha {
	out := &image.Alpha{Pix: slices.Clone(m.Pix), Stride: m.Stride, Rect: m.Rect}
	box := m.Rect.Intersect(by.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := out.Pix[out.PixOffset(box.Min.X, y):][:box.Dx()]
		q := by.Pix[by.PixOffset(box.Min.X, y):]
		for x, v := range row {
			row[x] = uint8(uint32(v) * (255 - uint32(q[x])) / 255)
		}
	}
	return out
}

func offset(m *image.Alpha, d pt) *image.Alpha {
	by := image.Pt(int(d.x*scale), int(d.y*scale))
	return &image.Alpha{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect.Add(by)}
}

// blur softens by about radius pixels: two box passes each way.
func blur(m *image.Alpha, radius float64) *image.Alpha {
	r := max(int(radius*scale/2), 1)
	box := m.Rect.Inset(-2*r - 1)
	out, tmp := image.NewAlpha(box), image.NewAlpha(box)
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		copy(out.Pix[out.PixOffset(m.Rect.Min.X, y):], m.Pix[m.PixOffset(m.Rect.Min.X, y):][:m.Rect.Dx()])
	}
	for range 2 {
		across(tmp, out, r)
		down(out, tmp, r)
	}
	return out
}

// across averages every sample of src with r neighbours on both sides; beyond the ends
// is nothing, and the masks have room for that.
func across(dst, src *image.Alpha, r int) {
	w, k := src.Rect.Dx(), reciprocal(r)
	for y := range src.Rect.Dy() {
		in, out := src.Pix[y*w:][:w], dst.Pix[y*w:][:w]
		sum := uint32(0)
		for x := range w + r {
			if x < w {
				sum += uint32(in[x])
			}
			if x > 2*r {
				sum -= uint32(in[x-2*r-1])
			}
			if x >= r {
				out[x-r] = uint8(sum * k >> 16)
			}
		}
	}
}

// down does the same from row to row, all columns at a time: a column at a time would
// miss the cache at every step.
func down(dst, src *image.Alpha, r int) {
	w, h, k := src.Rect.Dx(), src.Rect.Dy(), reciprocal(r)
	sum := make([]uint32, w)
	for y := range h + r {
		if y < h {
			for x, v := range src.Pix[y*w:][:w] {
				sum[x] += uint32(v)
			}
		}
		if y > 2*r {
			for x, v := range src.Pix[(y-2*r-1)*w:][:w] {
				sum[x] -= uint32(v)
			}
		}
		if y >= r {
			out := dst.Pix[(y-r)*w:][:w]
			for x, v := range sum {
				out[x] = uint8(v * k >> 16)
			}
		}
	}
}

// reciprocal is 1/(2r+1) in 65536ths, rounded up so that a full box stays full.
func reciprocal(r int) uint32 { return uint32(65536/(2*r+1) + 1) }

// straight undoes premultiplication. What is too faint to see becomes nothing, so that
// the cell's margin and the unused cells compare as empty.
func straight(m *image.RGBA) *image.NRGBA {
	out := image.NewNRGBA(m.Rect)
	for i := 0; i < len(m.Pix); i += 4 {
		a := uint32(m.Pix[i+3])
		if a < 4 {
			continue
		}
		for k := range 3 {
			out.Pix[i+k] = uint8(min((uint32(m.Pix[i+k])*255+a/2)/a, 255))
		}
		out.Pix[i+3] = uint8(a)
	}
	return out
}
