//go:build unix && !darwin

package overlay

import (
	"image"
	"slices"

	"github.com/playpets/playpets/tray/wayland"
)

// A wlLayer is a surface that the layer shell puts on a monitor.
type wlLayer struct {
	surface wayland.Surface
	layer   wayland.LayerSurface
}

// namespace is what compositors call our surfaces.
const namespace = "playpets"

func (d *wl) newLayer(o *wlOutput, in wayland.Layer) *wlLayer {
	l := &wlLayer{surface: d.compositor.NewSurface()}
	l.layer = d.layers.Put(l.surface, &o.Output, in, namespace)
	return l
}

// newGround makes the surface of a monitor to which everything belongs that we
// show there: one pixel that is nothing. What stands on one ground has an order,
// while surfaces that share a layer have none. The layer is that above all
// windows but those in full screen.
func (d *wl) newGround(o *wlOutput) *wlLayer {
	l := d.newLayer(o, wayland.Top)
	l.layer.SetSize(image.Pt(1, 1))
	l.layer.SetCorner()
	l.surface.Commit()
	return l
}

// newProbe asks how much of a monitor panels leave. It is never seen.
func (d *wl) newProbe(o *wlOutput) *wlLayer {
	l := d.newLayer(o, wayland.Background)
	l.layer.Fill(true)
	l.surface.Commit()
	return l
}

func (l *wlLayer) destroy() {
	if l != nil {
		l.layer.Destroy()
		l.surface.Destroy()
	}
}

// is reports whether an event about a layer surface is about this one.
func (l *wlLayer) is(layer uint32) bool { return l != nil && l.layer.ID() == layer }

// configure takes what the compositor makes of a layer surface.
func (d *wl) configure(e wayland.LayerConfigure) change {
	for _, o := range d.outputs {
		switch {
		case o.probe.is(e.Layer):
			o.probe.layer.Ack(e.Serial)
			o.usable = e.Size
			return d.rearrange()
		case o.ground.is(e.Layer):
			o.ground.layer.Ack(e.Serial)
			o.ground.surface.SetInput(d.nothing)
			o.ground.surface.Attach(d.clear)
			o.ground.surface.Commit()
		}
	}
	return nothing
}

// lose is called when the compositor has closed a layer surface. What stood there
// comes back when monitors change, or when it has something new to show.
func (d *wl) lose(layer uint32) (in input) {
	for _, o := range d.outputs {
		switch {
		case o.probe.is(layer):
			o.probe.destroy()
			o.probe = nil
		case o.ground.is(layer):
			in = d.clearGround(o)
		}
	}
	return in
}

// clearGround takes everything off a monitor.
func (d *wl) clearGround(o *wlOutput) (in input) {
	if h := d.hand.held; h != nil && h.output == o {
		in = d.slip()
	}
	for _, s := range slices.Clone(o.stack) {
		if s.window != nil && s.window.front == s {
			s.window.front = nil
		}
		s.destroy()
	}
	o.ground.destroy()
	o.ground = nil
	return in
}

// A wlSurface is something of ours on one monitor: what shows a window, or what
// fills the monitor to catch clicks. Lengths are logical.
type wlSurface struct {
	d       *wl
	window  *wlWindow // nil for those that fill
	output  *wlOutput
	surface wayland.Surface
	part    wayland.Subsurface // of the monitor's ground
	stretch wayland.Viewport
	corner  image.Point // on the output
	frame   *wlFrame    // what it shows; nil for nothing
}

// newSurface makes a surface right in front of another one on the same monitor,
// or else in front of all.
func (d *wl) newSurface(w *wlWindow, o *wlOutput, corner image.Point, before *wlSurface) *wlSurface {
	s := &wlSurface{d: d, window: w, output: o, corner: corner, surface: d.compositor.NewSurface()}
	s.part = d.parts.Put(s.surface, o.ground.surface)
	s.part.SetCorner(corner)
	if i := slices.Index(o.stack, before); i >= 0 {
		s.part.PlaceAbove(before.surface)
		o.stack = slices.Insert(o.stack, i+1, s)
	} else {
		o.stack = append(o.stack, s)
		d.keepInFront()
	}
	return s
}

// newCatcher fills a monitor with a surface that is not seen, and has the pointer
// where nothing in front of it does.
func (d *wl) newCatcher(o *wlOutput) *wlSurface {
	s := d.newSurface(nil, o, image.Point{}, nil)
	s.stretch = d.stretcher.Stretch(s.surface, o.rect().Size())
	s.surface.Attach(d.clear)
	s.surface.Commit()
	o.ground.surface.Commit()
	return s
}

// show has the surface show f.
func (s *wlSurface) show(f *wlFrame) {
	if s.frame == f {
		return
	}
	if s.frame == nil || !slices.Equal(s.frame.input, f.input) {
		r := s.d.compositor.NewRegion(f.input)
		s.surface.SetInput(r)
		r.Destroy()
	}
	s.surface.Attach(f.buffer)
	s.surface.Commit()
	if s.frame == nil {
		s.output.ground.surface.Commit()
	}
	s.frame = f
}

// toFront puts the surface in front of all others.
func (s *wlSurface) toFront() {
	stack := s.output.stack
	if top := stack[len(stack)-1]; top != s {
		s.part.PlaceAbove(top.surface)
		s.output.stack = append(without(stack, s), s)
		s.output.ground.surface.Commit()
	}
}

// leave takes the surface off the screen, once the pointer lets go of it.
func (s *wlSurface) leave() {
	switch {
	case s == nil:
	case s != s.d.hand.held:
		s.destroy()
	case s.frame != nil:
		s.frame = nil
		s.surface.Attach(s.d.clear)
		s.surface.Commit()
	}
}

func (s *wlSurface) destroy() {
	if s.stretch.Exists() {
		s.stretch.Destroy()
	}
	s.part.Destroy()
	s.surface.Destroy()
	s.output.stack = without(s.output.stack, s)
	s.d.hand.forget(s)
}

func without(stack []*wlSurface, s *wlSurface) []*wlSurface {
	return slices.DeleteFunc(stack, func(o *wlSurface) bool { return o == s })
}
