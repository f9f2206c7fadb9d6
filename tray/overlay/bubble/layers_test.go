package bubble

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"sort"
	"testing"

	"github.com/go-text/typesetting/font"
	"golang.org/x/image/font/gofont/goregular"
)

// words are what OpenType tables are made of.
func words(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			b.Write(v)
		case int:
			binary.Write(&b, binary.BigEndian, int16(v))
		case float64: // 2.14
			binary.Write(&b, binary.BigEndian, int16(v*(1<<14)))
		default:
			binary.Write(&b, binary.BigEndian, v)
		}
	}
	return b.Bytes()
}

// offset24 is how a paint names another one behind it.
func offset24(n int) []byte { return []byte{byte(n >> 16), byte(n >> 8), byte(n)} }

// The paints of version 1, as bytes; see the OpenType specification of COLR.
func solid(entry int, alpha float64) []byte { return words(uint8(2), entry, alpha) }

func glyphPaint(glyph font.GID, paint []byte) []byte {
	return words(uint8(10), offset24(6), uint16(glyph), paint)
}

func layersPaint(first, n int) []byte { return words(uint8(1), uint8(n), uint32(first)) }

func composite(mode int, source, backdrop []byte) []byte {
	return words(uint8(32), offset24(8), uint8(mode), offset24(8+len(source)), source, backdrop)
}

// colourLine runs from palette entry 0 (red) to 1 (blue).
func colourLine(extend int) []byte {
	return words(uint8(extend), 2, 0.0, 0, 1.0, 1.0, 1, 1.0)
}

// colourFont is the Go font with colours for the letter H (a version 0 glyph
// for the letter I).
func colourFont(t *testing.T, h []byte, layers ...[]byte) *font.Face {
	t.Helper()
	face, err := font.ParseTTF(bytes.NewReader(goregular.TTF))
	if err != nil {
		t.Fatal(err)
	}
	glyph := func(r rune) uint16 { g, _ := face.NominalGlyph(r); return uint16(g) }

	const header = 34
	base0 := words(glyph('I'), 0, 2)
	layer0 := words(glyph('I'), 0, glyph('o'), 1)
	baseList := words(uint32(1), glyph('H'), uint32(10), h)
	layerList := words(uint32(len(layers)))
	at := 4 + 4*len(layers)
	for _, l := range layers {
		layerList = append(layerList, words(uint32(at))...)
		at += len(l)
	}
	for _, l := range layers {
		layerList = append(layerList, l...)
	}
	afterLayers := header + len(base0) + len(layer0)
	colr := words(1, 1, uint32(header), uint32(header+len(base0)), 2,
		uint32(afterLayers), uint32(afterLayers+len(baseList)), uint32(0), uint32(0), uint32(0),
		base0, layer0, baseList, layerList)
	cpal := words(0, 3, 1, 3, uint32(14), 0, /* blue, green, red, alpha */
		[]byte{0, 0, 255, 255}, []byte{255, 0, 0, 255}, []byte{0, 255, 0, 255})
	face, err = font.ParseTTF(bytes.NewReader(withTables(goregular.TTF, map[string][]byte{"COLR": colr, "CPAL": cpal})))
	if err != nil {
		t.Fatal(err)
	}
	return face
}

// withTables adds tables to a font file.
func withTables(ttf []byte, more map[string][]byte) []byte {
	old := int(binary.BigEndian.Uint16(ttf[4:]))
	tables := map[string][]byte{}
	for i := range old {
		r := ttf[12+16*i:]
		tables[string(r[:4])] = ttf[binary.BigEndian.Uint32(r[8:]):][:binary.BigEndian.Uint32(r[12:])]
	}
	for name, data := range more {
		tables[name] = data
	}
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	sort.Strings(names)
	out := words(ttf[:4], len(names), 0, 0, 0)
	at := 12 + 16*len(names)
	var body []byte
	for _, name := range names {
		out = append(out, words([]byte(name), uint32(0), uint32(at+len(body)), uint32(len(tables[name])))...)
		body = append(body, tables[name]...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(out, body...)
}

func TestColourLayers(t *testing.T) {
	red, blue, green, clear := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{0, 255, 0, 255}, color.RGBA{}
	purple := color.RGBA{128, 0, 127, 255}
	regular, err := font.ParseTTF(bytes.NewReader(goregular.TTF))
	if err != nil {
		t.Fatal(err)
	}
	// The stencil is a block from 0,-432 to 1229,1935, in font units.
	block, _ := regular.NominalGlyph('█')
	bar := func(paint []byte) []byte { return glyphPaint(block, paint) }
	horizontal := words(uint8(4), offset24(16), 0, 0, 1000, 0, 0, 1000, colourLine(0))
	repeated := words(uint8(4), offset24(16), 0, 0, 500, 0, 0, 500, colourLine(1))
	mirrored := words(uint8(4), offset24(16), 0, 0, 500, 0, 0, 500, colourLine(2))
	circles := words(uint8(6), offset24(16), 500, 500, uint16(0), 500, 500, uint16(400), colourLine(0))
	turn := words(uint8(8), offset24(12), 500, 500, -1.0, 0.0, colourLine(0)) // half a turn
	for _, test := range []struct {
		name  string
		paint []byte
		want  map[image.Point]color.RGBA // by font units
	}{
		{"solid", bar(solid(0, 1)), map[image.Point]color.RGBA{{500, 500}: red, {1900, 500}: clear}},
		{"text colour", bar(solid(-1, 1)), map[image.Point]color.RGBA{{500, 500}: {9, 9, 9, 255}}},
		{"no such colour", bar(solid(77, 1)), map[image.Point]color.RGBA{{500, 500}: clear}},
		{"half transparent", bar(solid(0, 0.5)), map[image.Point]color.RGBA{{500, 500}: {128, 0, 0, 128}}},
		{"linear", bar(horizontal), map[image.Point]color.RGBA{{10, 500}: {252, 0, 3, 255}, {500, 500}: purple, {1100, 500}: blue}},
		{"linear, repeated", bar(repeated), map[image.Point]color.RGBA{{250, 500}: purple, {750, 500}: purple, {990, 500}: {5, 0, 250, 255}}},
		{"linear, mirrored", bar(mirrored), map[image.Point]color.RGBA{{250, 500}: purple, {990, 500}: {250, 0, 5, 255}}},
		{"radial", bar(circles), map[image.Point]color.RGBA{{500, 500}: {250, 0, 5, 255}, {700, 500}: purple, {1000, 1000}: blue}},
		{"sweep", bar(turn), map[image.Point]color.RGBA{{1000, 600}: {239, 0, 16, 255}, {500, 900}: purple}},
		{"moved", words(uint8(14), offset24(8), 700, 0, bar(solid(0, 1))), map[image.Point]color.RGBA{{500, 500}: clear, {1000, 500}: red, {1800, 500}: red}},
		{"scaled", words(uint8(16), offset24(8), 0.5, 0.5, bar(solid(0, 1))), map[image.Point]color.RGBA{{300, 300}: red, {1000, 300}: clear}},
		{"scaled about a point", words(uint8(22), offset24(10), 0.5, 1000, 0, bar(solid(0, 1))), map[image.Point]color.RGBA{{300, 300}: clear, {800, 300}: red}},
		{"turned", words(uint8(24), offset24(6), 0.5, bar(solid(0, 1))), map[image.Point]color.RGBA{{500, 500}: clear, {-300, 500}: red}},
		{"transform", words(uint8(12), offset24(7), offset24(7+len(bar(solid(0, 1)))), bar(solid(0, 1)), uint32(1<<16), uint32(0), uint32(0), uint32(1<<16), uint32(700<<16), uint32(0)), map[image.Point]color.RGBA{{500, 500}: clear, {1000, 500}: red}},
		{"layers", layersPaint(0, 2), map[image.Point]color.RGBA{{300, 500}: green, {1000, 500}: red}},
		{"layers that are not there", layersPaint(1, 7), map[image.Point]color.RGBA{{500, 500}: clear}},
		{"another glyph", words(uint8(11), uint16(gid(regular, 'I'))), map[image.Point]color.RGBA{{400, 1400}: red}},
		{"itself, for ever", words(uint8(11), uint16(gid(regular, 'H'))), map[image.Point]color.RGBA{{500, 500}: clear}},
		{"source in", composite(5, bar(solid(0, 1)), bar(solid(1, 0.5))), map[image.Point]color.RGBA{{500, 500}: {128, 0, 0, 128}}},
		{"destination out", composite(8, bar(solid(0, 1)), bar(solid(1, 1))), map[image.Point]color.RGBA{{500, 500}: clear}},
		{"source over", composite(3, bar(solid(0, 1)), bar(solid(1, 1))), map[image.Point]color.RGBA{{500, 500}: red}},
		{"multiply", composite(23, bar(solid(0, 1)), bar(solid(1, 1))), map[image.Point]color.RGBA{{500, 500}: {0, 0, 0, 255}}},
		{"screen", composite(13, bar(solid(0, 1)), bar(solid(1, 1))), map[image.Point]color.RGBA{{500, 500}: {255, 0, 255, 255}}},
		{"soft light", composite(20, bar(solid(0, 1)), bar(solid(0, 1))), map[image.Point]color.RGBA{{500, 500}: red}},
	} {
		t.Run(test.name, func(t *testing.T) {
			face := colourFont(t, test.paint, bar(solid(0, 1)), words(uint8(16), offset24(8), 0.25, 1.0, bar(solid(2, 1))))
			data, ok := face.GlyphDataColor(gid(face, 'H'))
			if !ok {
				t.Fatal("no colours")
			}
			img := image.NewRGBA(image.Rect(0, 0, 300, 300))
			const scale = 200.0 / 2048
			l := layers{face: face, ink: color.NRGBA{9, 9, 9, 255}}
			l.paint(img, data.Paint, affine{scale, 0, 50, 0, -scale, 250}, nil)
			for at, want := range test.want {
				got := img.RGBAAt(50+int(float64(at.X)*scale), 250-int(float64(at.Y)*scale))
				if differ(got.R, want.R)+differ(got.G, want.G)+differ(got.B, want.B)+differ(got.A, want.A) > 12 {
					t.Errorf("at %v %v, want %v", at, got, want)
				}
			}
		})
	}
}

func gid(face *font.Face, r rune) font.GID { g, _ := face.NominalGlyph(r); return g }

// A font of coloured glyphs is drawn in its colours, in the bubble.
func TestColourGlyphsInABubble(t *testing.T) {
	f := newFonts(t)
	f.base = colourFont(t, glyphPaint(gid(f.base, 'H'), solid(0, 1)))
	for _, text := range []string{"H", "I"} { // versions 1 and 0
		img := drawn(f, text, "", Style{Theme: Light, Scale: 2})
		if !colourful(img) {
			t.Errorf("%s has no colour", text)
		}
		within := ink(f, text, "", Style{Theme: Light, Scale: 2}, img.Rect)
		if want := 22; within.Dy() < want-2 || within.Dy() > want+4 {
			t.Errorf("%s is %d px high, want about %d", text, within.Dy(), want)
		}
	}
}
