//go:build unix && !darwin

package overlay

import (
	"fmt"
	"image"

	"github.com/jezek/xgb/xproto"
)

// panels is what is known of where panels are. Window managers say it in several
// ways, the better first.
type panels struct {
	perMonitor []image.Rectangle // what is free, by Mutter: one for each monitor
	struts     []strut
	areas      []image.Rectangle // what is free, by everybody: one for each desktop, over all monitors
}

// A strut is what a panel keeps for itself along an edge of the screen.
type strut struct {
	edge edge
	box  image.Rectangle
}

type edge int

const (
	leftEdge edge = iota
	rightEdge
	topEdge
	bottomEdge
)

// free is what no panel covers of a monitor. Friends are on all desktops.
func (p panels) free(whole image.Rectangle) image.Rectangle {
	switch {
	case len(p.perMonitor) > 0:
		for _, area := range p.perMonitor {
			if area.In(whole) && usable(area, whole) {
				return area
			}
		}
		return whole
	case len(p.struts) > 0:
		work := whole
		for _, s := range p.struts {
			if cut := s.cut(work); usable(cut, whole) {
				work = cut
			}
		}
		return work
	}
	work := whole
	for _, area := range p.areas {
		work = work.Intersect(area)
	}
	if !usable(work, whole) {
		return whole
	}
	return work
}

// usable reports whether a work area can be meant: a panel does not take half of
// a monitor. A strut that does is one of a monitor beside, which reaches from
// there to the edge of the screen.
func usable(work, whole image.Rectangle) bool {
	const least = 200
	w, h := work.Dx(), work.Dy()
	if w < min(least, whole.Dx()) || h < min(least, whole.Dy()) {
		return false
	}
	return 2*w*h >= whole.Dx()*whole.Dy()
}

// cut is what a strut leaves of r.
func (s strut) cut(r image.Rectangle) image.Rectangle {
	if !s.box.Overlaps(r) {
		return r
	}
	switch s.edge {
	case leftEdge:
		r.Min.X = max(r.Min.X, s.box.Max.X)
	case rightEdge:
		r.Max.X = min(r.Max.X, s.box.Min.X)
	case topEdge:
		r.Min.Y = max(r.Min.Y, s.box.Max.Y)
	case bottomEdge:
		r.Max.Y = min(r.Max.Y, s.box.Min.Y)
	}
	return r
}

// strutsOf reads _NET_WM_STRUT_PARTIAL, or _NET_WM_STRUT which is the same without
// from where to where, on a screen of some size.
func strutsOf(n []int, screen image.Point) (all []strut) {
	if len(n) < 4 {
		return nil
	}
	from, to := [4]int{}, [4]int{screen.Y, screen.Y, screen.X, screen.X}
	if len(n) >= 12 {
		for i := range 4 {
			from[i], to[i] = n[4+2*i], n[5+2*i]+1
		}
	}
	add := func(e edge, r image.Rectangle) {
		if !r.Empty() {
			all = append(all, strut{e, r})
		}
	}
	add(leftEdge, image.Rectangle{Min: image.Pt(0, from[0]), Max: image.Pt(n[0], to[0])})
	add(rightEdge, image.Rectangle{Min: image.Pt(screen.X-n[1], from[1]), Max: image.Pt(screen.X, to[1])})
	add(topEdge, image.Rectangle{Min: image.Pt(from[2], 0), Max: image.Pt(to[2], n[2])})
	add(bottomEdge, image.Rectangle{Min: image.Pt(from[3], screen.Y-n[3]), Max: image.Pt(to[3], screen.Y)})
	return all
}

// struts are those of all windows that are managed.
func (s *surveyor) struts(clients []xproto.Window, screen image.Point) (all []strut) {
	type asked struct{ partial, plain xproto.GetPropertyCookie }
	answers := make([]asked, len(clients))
	for i, id := range clients {
		answers[i] = asked{s.ask(id, s.atoms.strutPartial), s.ask(id, s.atoms.strut)}
	}
	for _, a := range answers {
		partial, plain := numbers(a.partial), numbers(a.plain)
		if len(partial) == 0 {
			partial = plain
		}
		all = append(all, strutsOf(partial, screen)...)
	}
	return all
}

// mutterAreas are the work areas that Mutter tells GTK: no panel of GNOME is a
// window of this server.
func (s *surveyor) mutterAreas(desktop int) []image.Rectangle {
	name := fmt.Sprintf("_GTK_WORKAREAS_D%d", desktop)
	reply, err := xproto.InternAtom(s.conn, true, uint16(len(name)), name).Reply()
	if err != nil || reply.Atom == xproto.AtomNone {
		return nil
	}
	return boxes(numbers(s.ask(s.root, reply.Atom)))
}
