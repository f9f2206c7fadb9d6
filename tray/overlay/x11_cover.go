//go:build unix && !darwin

package overlay

import (
	"image"
	"iter"
	"slices"

	"github.com/jezek/xgb/xproto"
)

// A client is a window that people work with.
type client struct {
	id         xproto.Window
	rect       image.Rectangle
	fullScreen bool
}

// cover marks the monitors whose topmost client is a full-screen one, and returns
// the topmost ones. Clients come from the top. A client is on the monitor that
// has its middle: shadows reach over edges.
func cover(monitors []monitor, clients iter.Seq[client]) (topmost []xproto.Window) {
	decided := make([]bool, len(monitors))
	for c := range clients {
		for i := range monitors {
			m := &monitors[i]
			full := c.fullScreen && m.whole.In(c.rect)
			if decided[i] || !full && !middle(c.rect).In(m.whole) {
				continue
			}
			decided[i], m.covered = true, full
			topmost = append(topmost, c.id)
		}
		if !slices.Contains(decided, false) {
			break
		}
	}
	return topmost
}

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }

// inOrder is all windows from the bottom to the top, as far as that is known:
// window managers that say nothing of the order at least have one on top.
func inOrder(listed, stacking, active []xproto.Window) []xproto.Window {
	if len(stacking) > 0 {
		return stacking
	}
	return append(slices.Clip(listed), active...)
}

// cover finds out which monitors are covered on the current desktop.
func (s *surveyor) cover(monitors []monitor, stack []xproto.Window, current []int) {
	topmost := cover(monitors, func(yield func(client) bool) {
		for _, id := range slices.Backward(stack) {
			if c, ok := s.client(id, current); ok && !yield(c) {
				return
			}
		}
	})
	for id := range s.watched {
		if !slices.Contains(topmost, id) {
			s.hear(id, xproto.EventMaskNoEvent)
			delete(s.watched, id)
		}
	}
}

// hear asks for events of a window. A refusal is one of a window that is gone;
// nobody waits for it.
func (s *surveyor) hear(id xproto.Window, events uint32) {
	xproto.ChangeWindowAttributesChecked(s.conn, id, xproto.CwEventMask, []uint32{events})
}

// client looks at a window. What nobody sees, on this desktop, is none; neither
// are panels, desktops, notifications, dialogs and whatever else is no window
// that people work in.
func (s *surveyor) client(id xproto.Window, current []int) (client, bool) {
	if !s.watched[id] {
		s.watched[id] = true
		s.hear(id, xproto.EventMaskPropertyChange) // first, so that no change is missed
	}
	attributes := xproto.GetWindowAttributes(s.conn, id)
	geometry := xproto.GetGeometry(s.conn, xproto.Drawable(id))
	place := xproto.TranslateCoordinates(s.conn, id, s.root, 0, 0)
	stateAsked, kindAsked, desktopAsked := s.ask(id, s.atoms.state), s.ask(id, s.atoms.kind), s.ask(id, s.atoms.onDesktop)
	leader := s.ask(id, xproto.AtomWmTransientFor)

	state, kinds, desktop, transient := numbers(stateAsked), numbers(kindAsked), numbers(desktopAsked), numbers(leader)
	a, err := attributes.Reply()
	g, err2 := geometry.Reply()
	p, err3 := place.Reply()
	if err != nil || err2 != nil || err3 != nil {
		return client{}, false // it is gone
	}
	const everywhere = -1
	elsewhere := len(desktop) == 1 && len(current) == 1 && desktop[0] != everywhere && desktop[0] != current[0]
	normal := len(kinds) == 0 && len(transient) == 0 || slices.Contains(kinds, int(s.atoms.normal))
	if a.MapState != xproto.MapStateViewable || elsewhere || !normal || slices.Contains(state, int(s.atoms.hidden)) {
		return client{}, false
	}
	return client{
		id:         id,
		rect:       box(int(p.DstX), int(p.DstY), int(g.Width), int(g.Height)),
		fullScreen: slices.Contains(state, int(s.atoms.fullScreen)),
	}, true
}
