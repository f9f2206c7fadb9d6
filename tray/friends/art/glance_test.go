package main

import (
	"image"
	"math"
	"testing"
)

// look is the cell of a direction, 0 to 15 clockwise from up.
func look(m *image.NRGBA, i int) *image.NRGBA { return cell(m, i%columns, 9+i/columns) }

// eyesAt is the middle of all that has the colour of the eyes. Mouths and noses have it too,
// and go where the face goes.
func eyesAt(c *costume, m *image.NRGBA) (mid pt, pixels float64) {
	for y := range cellH {
		for x := range cellW {
			if distance(at(m, x, y), c.eye) < 30 {
				mid = mid.add(pt{float64(x), float64(y)})
				pixels++
			}
		}
	}
	return mid.mul(1 / pixels), pixels
}

func TestGlancesGoClockwiseFromUp(t *testing.T) {
	for _, c := range friends {
		m := committed(t, c)
		rest, _ := eyesAt(c, cell(m, 6, 0))
		for i := range 16 {
			to, _ := eyesAt(c, look(m, i))
			way := to.sub(rest)
			got := math.Atan2(way.x, -way.y) * 180 / math.Pi
			off := math.Remainder(got-22.5*float64(i), 360)
			if way.len() < 6 || way.len() > 16 || math.Abs(off) > 20 {
				t.Errorf("%s direction %d: the eyes go %.1f pixels at %.0f°", c.id, i, way.len(), got)
			}
		}
	}
}

// A glance is no jump: it starts from idle's first frame, only the head moves, and not far.
func TestGlancesAreSmall(t *testing.T) {
	for _, c := range friends {
		m := committed(t, c)
		rest := cell(m, 6, 0)
		if apart(cell(m, 0, 0), rest) > 0 {
			t.Errorf("%s: at rest it is not as in idle's first frame", c.id)
		}
		for i := range 16 {
			here := look(m, i)
			if got := outline(rest, here); got > .05 {
				t.Errorf("%s direction %d: %.3f of the silhouette is another", c.id, i, got)
			}
			if got := apart(here, look(m, (i+1)%16)); got < .03 || got > .25 {
				t.Errorf("%s: directions %d and the next differ in %.2f of their pixels", c.id, i, got)
			}
			for y := floor - 20; y < cellH; y++ {
				for x := range cellW {
					if distance(at(rest, x, y), at(here, x, y)) > 24 {
						t.Fatalf("%s direction %d: a foot moves at (%d, %d)", c.id, i, x, y)
					}
				}
			}
		}
	}
}

// A friend dozes in the blink's closed frame, for as long as nothing happens.
func TestBlinkCloses(t *testing.T) {
	for _, c := range friends {
		m := committed(t, c)
		_, open := eyesAt(c, cell(m, 0, 0))
		_, half := eyesAt(c, cell(m, 1, 0))
		_, closed := eyesAt(c, cell(m, 2, 0))
		if half > open*.8 || closed > open*.6 || closed < open*.2 {
			t.Errorf("%s: of %v dark pixels the half-closed eyes have %v, the closed ones %v", c.id, open, half, closed)
		}
		if p := sample(idle, 6, 2); p.Shut != 1 || p.Brow != 0 || p.Frown != 0 {
			t.Errorf("the closed frame is not peaceful: %+v", p)
		}
	}
}

// Whoever runs looks ahead, and what is on one side stays on that side.
func TestRunsLookAhead(t *testing.T) {
	for _, c := range friends {
		m := committed(t, c)
		for x := range 8 {
			right, left := cell(m, x, 1), cell(m, x, 2)
			for dir, f := range map[float64]*image.NRGBA{1: right, -1: left} {
				eyes, _ := eyesAt(c, f)
				box := drawn(f)
				if ahead := dir * (eyes.x - float64(box.Min.X+box.Max.X)/2); ahead < 5 {
					t.Errorf("%s frame %d, %v: the eyes are %.1f pixels ahead of the middle", c.id, x, dir, ahead)
				}
			}
			if got := apart(mirrored(right), left); got < .08 {
				t.Errorf("%s frame %d: left is right in the mirror but for %.2f", c.id, x, got)
			}
		}
	}
}

func mirrored(m *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, cellW, cellH))
	for y := range cellH {
		for x := range cellW {
			out.SetNRGBA(x, y, at(m, cellW-1-x, y))
		}
	}
	return out
}
