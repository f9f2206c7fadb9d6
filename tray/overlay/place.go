package overlay

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
)

// places is where the person has put friends: the feet of each, on each set of
// monitors.
type places map[string]map[string]image.Point

func newPlaces(all []Place) places {
	p := places{}
	for _, one := range all {
		p.put(one)
	}
	return p
}

func (p places) put(one Place) {
	if p[one.Monitors] == nil {
		p[one.Monitors] = map[string]image.Point{}
	}
	p[one.Monitors][one.Friend] = one.Feet
}

// setOf names a set of monitors, whichever is listed first: other monitors, or
// the same ones elsewhere, are another set.
func setOf(all []monitor) string {
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = fmt.Sprintf("%s %dx%d%+d%+d", m.name, m.whole.Dx(), m.whole.Dy(), m.whole.Min.X, m.whole.Min.Y)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// arrange puts every friend where it belongs on the monitors as they are: where
// the person has put it, else where it was put last, else in the row of the
// friends at the lower right of the primary monitor. All of it is inside a work
// area.
func (s *stage) arrange() {
	all := s.screen.monitors()
	known := s.places[setOf(all)]
	for _, f := range s.friends {
		feet, ok := known[f.ID]
		if f.moved = f.moved || ok; !f.moved || s.holds(f) {
			continue // it is where the pointer is
		}
		if !ok {
			feet = f.feet
		}
		s.place(f, feet)
	}
	for _, f := range s.friends {
		if !f.moved && !s.holds(f) {
			s.place(f, feetOf(s.slot(all[0].work, f), f.cell))
		}
	}
	s.makeRoom()
}

// lineUp gives the friends their order in the row, but for the first few, who have
// theirs already. Who was put elsewhere gets none; who is put elsewhere later leaves
// its place open, since nobody is to walk when another one is dragged.
func (s *stage) lineUp(already int) {
	known := s.places[setOf(s.screen.monitors())]
	if already == 0 {
		s.row = 0
	}
	for _, f := range s.friends[already:] {
		if _, put := known[f.ID]; !put && !f.moved {
			f.order = s.row
			s.row++
		}
	}
}

// slot is the corner of f in the row: its own place there, or, where the person has
// put somebody, the next one after all others.
func (s *stage) slot(work image.Rectangle, f *friend) image.Point {
	n := s.row
	at := standing(work, f.cell, f.order, n)
	for k := n; k < n+len(s.friends) && s.taken(at, f); k++ {
		at = standing(work, f.cell, k, n)
	}
	return at
}

// taken reports whether somebody was put where f would stand.
func (s *stage) taken(at image.Point, f *friend) bool {
	body := f.strips[rowIdle].body.Add(at)
	return slices.ContainsFunc(s.friends, func(o *friend) bool {
		return o != f && o.moved && body.Overlaps(o.strips[rowIdle].body.Add(o.at))
	})
}

// place puts f's feet at a point, or as near as a work area has room.
func (s *stage) place(f *friend, feet image.Point) {
	f.feet = feet
	corner := image.Pt(feet.X-f.cell.X/2, feet.Y-f.cell.Y)
	work := nearest(s.screen.monitors(), corner.Add(f.cell.Div(2))).work
	s.stand(f, within(work, corner, f.cell))
}

// stand moves f's cell, and all that goes with it.
func (s *stage) stand(f *friend, at image.Point) {
	if f.at != at {
		f.at, f.row = at, -1 // what is painted is elsewhere
	}
}

// settle is arrange after the friends were called back; where they stand now is
// where they are from now on.
func (s *stage) settle() {
	all := s.screen.monitors()
	set := setOf(all)
	known := s.places[set]
	delete(s.places, set)
	s.lineUp(0)
	s.arrange()
	for _, f := range s.friends {
		if _, ok := known[f.ID]; ok {
			s.remember(f)
		}
	}
}

// remember keeps where f stands as where it was put.
func (s *stage) remember(f *friend) {
	f.moved, f.feet = true, feetOf(f.at, f.cell)
	p := Place{Monitors: setOf(s.screen.monitors()), Friend: f.ID, Feet: f.feet}
	s.places.put(p)
	s.tell(Event{Kind: Moved, Friend: f.ID, Place: p})
}

// monitorOf is the monitor that f stands on.
func (s *stage) monitorOf(f *friend) monitor {
	return nearest(s.screen.monitors(), f.at.Add(f.cell.Div(2)))
}

// nearest is the monitor that a point is on, else the one next to it.
func nearest(all []monitor, p image.Point) monitor {
	return slices.MinFunc(all, func(a, b monitor) int { return cmp.Compare(distance(a.whole, p), distance(b.whole, p)) })
}

// distance is how far a point is from a rectangle, squared; 0 inside.
func distance(r image.Rectangle, p image.Point) int {
	dx := max(r.Min.X-p.X, p.X-(r.Max.X-1), 0)
	dy := max(r.Min.Y-p.Y, p.Y-(r.Max.Y-1), 0)
	return dx*dx + dy*dy
}

// standing is the corner of friend i of n: side by side along the bottom of the
// area, the first one at the right. Friends that are too many stand closer.
func standing(area image.Rectangle, size image.Point, i, n int) image.Point {
	margin := size.X / 8
	pitch := size.X + margin/2
	if room := area.Dx() - 2*margin - size.X; n > 1 {
		pitch = max(0, min(pitch, room/(n-1)))
	}
	return within(area, image.Pt(area.Max.X-margin-size.X-i*pitch, area.Max.Y-size.Y), size)
}

// feetOf is the middle of the lower edge of a cell.
func feetOf(corner, cell image.Point) image.Point {
	return image.Pt(corner.X+cell.X/2, corner.Y+cell.Y)
}

// within is the corner next to at with which a box of the given size is inside
// area. What is larger than the area begins at its top left.
func within(area image.Rectangle, at, size image.Point) image.Point {
	at.X = max(area.Min.X, min(at.X, area.Max.X-size.X))
	at.Y = max(area.Min.Y, min(at.Y, area.Max.Y-size.Y))
	return at
}

func round(v float64) int { return int(math.Round(v)) }
