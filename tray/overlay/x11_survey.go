//go:build unix && !darwin

package overlay

import (
	"encoding/binary"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xinerama"
	"github.com/jezek/xgb/xproto"
)

// A view is what the screen is like as a whole.
type view struct {
	monitors []monitor
	scale    float64
}

// coverHolds is how long a full-screen window must be there, or not, to count:
// switchers and games that start are there for a moment.
const coverHolds = 250 * time.Millisecond

// surveyPause is the least time from one look to the next, however often
// windows change.
const surveyPause = 50 * time.Millisecond

// watch tells the loop what has changed in the view whenever it was poked.
func (d *x11) watch(s *surveyor, seen view) {
	for {
		select {
		case <-d.poked:
		case <-d.gone:
			return
		case <-d.quit:
			return
		}
		now, ok := settle(seen, s.look, func() bool { return d.wait(coverHolds) })
		if !ok {
			return
		}
		if !slices.Equal(now.monitors, seen.monitors) {
			d.send(now.monitors)
		}
		if now.scale != seen.scale {
			d.send(now.scale)
		}
		seen = now
		if !d.wait(surveyPause) {
			return
		}
	}
}

// settle looks until what is covered is as it was seen before, or as it was when
// it last looked. It reports whether wait went through.
func settle(seen view, look func() view, wait func() bool) (now view, ok bool) {
	for now = look(); coverChanged(seen, now); {
		before := now
		if !wait() {
			return now, false
		}
		if now = look(); !coverChanged(before, now) {
			break
		}
	}
	return now, true
}

// wait reports whether there still is a display after a time.
func (d *x11) wait(t time.Duration) bool {
	select {
	case <-time.After(t):
		return true
	case <-d.gone:
	case <-d.quit:
	}
	return false
}

// coverChanged reports whether a monitor that stayed where it was is covered now,
// or is no more.
func coverChanged(before, now view) bool {
	for _, m := range now.monitors {
		m.covered = !m.covered
		if slices.Contains(before.monitors, m) {
			return true
		}
	}
	return false
}

// A surveyor looks at the screen. That takes several answers of the server, one
// after the other, so it is not the loop that does.
type surveyor struct {
	conn     *xgb.Conn
	root     xproto.Window
	atoms    *atoms
	has      extensions
	gdkScale string
	watched  map[xproto.Window]bool // windows whose properties it hears of
	last     view
}

// look is the view as it is now. When the connection is gone, nothing changes
// any more.
func (s *surveyor) look() view {
	workArea, desktop := s.ask(s.root, s.atoms.workArea), s.ask(s.root, s.atoms.desktop)
	clients, stacking, active := s.ask(s.root, s.atoms.clients), s.ask(s.root, s.atoms.stacking), s.ask(s.root, s.atoms.active)
	resources := s.ask(s.root, xproto.AtomResourceManager)
	geometry := xproto.GetGeometry(s.conn, xproto.Drawable(s.root))
	monitors, mm := s.monitors()

	root, err := geometry.Reply()
	if err != nil {
		return s.last
	}
	size := image.Pt(int(root.Width), int(root.Height))
	if len(monitors) == 0 {
		monitors, mm = []monitor{{name: "screen", whole: image.Rectangle{Max: size}}}, image.Point{}
	}
	listed := windowsOf(numbers(clients))
	current := numbers(desktop)
	p := panels{struts: s.struts(listed, size), areas: boxes(numbers(workArea))}
	if len(current) == 1 {
		p.perMonitor = s.mutterAreas(current[0])
	}
	for i := range monitors {
		monitors[i].work = p.free(monitors[i].whole)
	}
	s.cover(monitors, inOrder(listed, windowsOf(numbers(stacking)), windowsOf(numbers(active))), current)
	s.last = view{monitors, systemScale(s.gdkScale, text(resources), monitors[0].whole.Size(), mm)}
	return s.last
}

// monitors are all there are, without their work areas, the primary one first;
// mm is how large that one is.
func (s *surveyor) monitors() (all []monitor, mm image.Point) {
	switch {
	case s.has.monitors:
		reply, err := randr.GetMonitors(s.conn, s.root, true).Reply()
		if err != nil {
			return nil, mm
		}
		names := make([]xproto.GetAtomNameCookie, len(reply.Monitors))
		for i, m := range reply.Monitors {
			names[i] = xproto.GetAtomName(s.conn, m.Name)
		}
		for i, m := range reply.Monitors {
			one := monitor{name: fmt.Sprint(m.Name), whole: box(int(m.X), int(m.Y), int(m.Width), int(m.Height))}
			if named, err := names[i].Reply(); err == nil {
				one.name = named.Name
			}
			if m.Primary || i == 0 {
				all = slices.Insert(all, 0, one)
				mm = image.Pt(int(m.WidthInMillimeters), int(m.HeightInMillimeters))
			} else {
				all = append(all, one)
			}
		}
	case s.has.xinerama:
		reply, err := xinerama.QueryScreens(s.conn).Reply()
		if err != nil {
			return nil, mm
		}
		for i, m := range reply.ScreenInfo {
			all = append(all, monitor{name: fmt.Sprint(i), whole: box(int(m.XOrg), int(m.YOrg), int(m.Width), int(m.Height))})
		}
	}
	return apart(all), mm
}

// apart leaves out monitors that show nothing of their own: a projector shows
// what another one does.
func apart(all []monitor) (out []monitor) {
	for _, m := range all {
		shown := slices.ContainsFunc(out, func(o monitor) bool { return m.whole.In(o.whole) })
		if !shown && !m.whole.Empty() {
			out = append(out, m)
		}
	}
	return out
}

// ask requests a property; numbers and text wait for it.
func (s *surveyor) ask(id xproto.Window, property xproto.Atom) xproto.GetPropertyCookie {
	const most = 1 << 16 // four-byte units
	return xproto.GetProperty(s.conn, false, id, property, xproto.GetPropertyTypeAny, 0, most)
}

// numbers is a property of 32-bit numbers; none if it is not there or another
// kind.
func numbers(asked xproto.GetPropertyCookie) (all []int) {
	reply, err := asked.Reply()
	if err != nil || reply.Format != 32 {
		return nil
	}
	for v := reply.Value; len(v) >= 4; v = v[4:] {
		all = append(all, int(int32(binary.LittleEndian.Uint32(v))))
	}
	return all
}

func text(asked xproto.GetPropertyCookie) string {
	reply, err := asked.Reply()
	if err != nil || reply.Format != 8 {
		return ""
	}
	return string(reply.Value)
}

func windowsOf(numbers []int) []xproto.Window {
	out := make([]xproto.Window, len(numbers))
	for i, n := range numbers {
		out[i] = xproto.Window(uint32(n))
	}
	return out
}

// boxes reads rectangles of four numbers each: place and size.
func boxes(n []int) (all []image.Rectangle) {
	for ; len(n) >= 4; n = n[4:] {
		all = append(all, box(n[0], n[1], n[2], n[3]))
	}
	return all
}
