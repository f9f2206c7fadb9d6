//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"

	"github.com/playpets/playpets/tray/overlay/wayland"
)

// A wlSurface is something of ours on one monitor: what shows a window, or what
// fills the monitor to learn something. Lengths are logical.
type wlSurface struct {
	d       *wl
	window  *wlWindow // nil for those that fill
	output  *wlOutput
	surface wayland.Surface
	layer   wayland.LayerSurface
	stretch wayland.Viewport
	ready   bool // it may show something
	empty   bool // it shows nothing any more

	corner, size image.Point // on the output
	frame        *wlFrame    // what it shows; nil for nothing yet
}

// namespace is what compositors call our surfaces.
const namespace = "playpets"

func (d *wl) place(o *wlOutput, in wayland.Layer) *wlSurface {
	s := &wlSurface{d: d, output: o, surface: d.compositor.NewSurface()}
	s.layer = d.layers.Put(s.surface, o.Output, in, namespace)
	d.surfaces = append(d.surfaces, s)
	return s
}

// newSurface asks for a surface that will show w.
func (d *wl) newSurface(w *wlWindow, o *wlOutput, corner, size image.Point) *wlSurface {
	in := wayland.Top
	if w == d.hand.menu {
		in = wayland.Over
	}
	s := d.place(o, in)
	s.window, s.corner, s.size = w, corner, size
	s.layer.SetSize(size)
	s.layer.SetCorner(corner)
	if w == d.hand.menu {
		s.layer.TakeKeyboard()
	}
	s.surface.Commit()
	return s
}

// newProbe asks how much of a monitor panels leave. It is never seen.
func (d *wl) newProbe(o *wlOutput) *wlSurface {
	s := d.place(o, wayland.Background)
	s.layer.Fill(true)
	s.surface.Commit()
	return s
}

// newCatcher fills a monitor with a surface that is not seen, and is clicked
// when nothing of ours is.
func (d *wl) newCatcher(o *wlOutput) *wlSurface {
	s := d.place(o, wayland.Top)
	s.layer.Fill(false)
	s.surface.Commit()
	return s
}

// configure answers the compositor, and has a new surface show its window.
func (d *wl) configure(e wayland.LayerConfigure) change {
	s := d.surface(func(s *wlSurface) bool { return s.layer.ID() == e.Layer })
	if s == nil {
		return nothing
	}
	s.layer.Ack(e.Serial)
	first := !s.ready
	s.ready = true
	switch {
	case s == s.output.probe:
		s.output.usable = e.Size
		return d.rearrange()
	case s.window == nil:
		s.cover(e.Size)
	case first && s == s.window.front:
		s.draw(s.window.frame)
		s.window.back.leave()
		s.window.back = nil
	}
	return nothing
}

// cover has a catcher be as large as its monitor.
func (s *wlSurface) cover(size image.Point) {
	if size.X <= 0 || size.Y <= 0 || size == s.size {
		return
	}
	if s.size != (image.Point{}) {
		s.stretch.Destroy()
	}
	s.size = size
	s.stretch = s.d.stretcher.Stretch(s.surface, size)
	s.surface.Attach(s.d.clear)
	s.surface.Commit()
}

// update has the surface show f elsewhere, or in another size.
func (s *wlSurface) update(f *wlFrame, corner, size image.Point) {
	if size != s.size {
		s.size = size
		s.layer.SetSize(size)
	}
	if corner != s.corner {
		s.corner = corner
		s.layer.SetCorner(corner)
	}
	if s.ready {
		s.draw(f)
	}
}

// draw has the surface show f, and everything count that was set.
func (s *wlSurface) draw(f *wlFrame) {
	if s.frame == nil || !slices.Equal(s.frame.input, f.input) {
		r := s.d.compositor.NewRegion(f.input)
		s.surface.SetInput(r)
		r.Destroy()
	}
	if s.frame != f {
		s.frame = f
		s.surface.Attach(f.buffer)
	}
	s.surface.Commit()
}

// leave takes the surface off the screen, once the pointer lets go of it.
func (s *wlSurface) leave() {
	switch {
	case s == nil:
	case s != s.d.hand.held:
		s.destroy()
	case s.ready && !s.empty:
		s.empty = true
		s.surface.Attach(s.d.clear)
		s.surface.Commit()
	}
}

func (s *wlSurface) destroy() {
	if s.stretch.Exists() {
		s.stretch.Destroy()
	}
	s.layer.Destroy()
	s.surface.Destroy()
	s.d.surfaces = slices.DeleteFunc(s.d.surfaces, func(o *wlSurface) bool { return o == s })
	s.d.hand.forget(s)
}

// lose is called when the compositor has taken a surface away. Its window comes
// back when monitors change, or when it has something new to show.
func (d *wl) lose(layer uint32) (in input) {
	s := d.surface(func(s *wlSurface) bool { return s.layer.ID() == layer })
	if s == nil {
		return in
	}
	if s == d.hand.held {
		in = d.slip()
	}
	if w := s.window; w != nil {
		if w.front == s {
			w.front = nil
		}
		if w.back == s {
			w.back = nil
		}
	}
	if s.output.probe == s {
		s.output.probe = nil
	}
	if slices.Contains(d.surfaces, s) {
		s.destroy()
	}
	return in
}
