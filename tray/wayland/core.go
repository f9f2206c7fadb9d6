//go:build unix

package wayland

import "image"

// A Global is something that the compositor offers, and Bind makes ours.
type Global struct {
	Name      uint32 // its number
	Interface string
	Version   uint32
}

// A GlobalRemoved is a Global that is no more.
type GlobalRemoved struct{ Name uint32 }

var registryKind = Kind{Name: "wl_registry", Version: 1, Events: []func(uint32, *Reader) any{
	func(_ uint32, r *Reader) any { return Global{r.Uint(), r.Text(), r.Uint()} },
	func(_ uint32, r *Reader) any { return GlobalRemoved{r.Uint()} },
}}

// A Registry tells what the compositor offers.
type Registry struct{ Object }

// Registry asks for a Global of everything that there is, and for news of that.
func (c *Conn) Registry() Registry {
	o := c.New(&registryKind)
	Object{c, display}.Send(1, o)
	return Registry{o}
}

// Bind makes g an object, in the newest version that both sides know; the zero
// Object when there is no such version.
func (r Registry) Bind(g Global, k *Kind) Object {
	if g.Interface != k.Name || g.Version < k.Least {
		return Object{}
	}
	o := r.conn.New(k)
	r.Send(0, g.Name, k.Name, min(k.Version, g.Version), o)
	return o
}

// A Done says that the compositor has done all that was asked before a Sync.
type Done struct{ Sync uint32 }

var callbackKind = Kind{Name: "wl_callback", Version: 1, Events: []func(uint32, *Reader) any{
	func(id uint32, _ *Reader) any { return Done{id} },
}}

// Sync asks for a Done, with the number that is returned.
func (c *Conn) Sync() uint32 {
	o := c.New(&callbackKind)
	Object{c, display}.Send(0, o)
	return o.id
}

// CompositorKind makes surfaces.
var CompositorKind = Kind{Name: "wl_compositor", Least: 4, Version: 4}

// A Compositor makes surfaces.
type Compositor struct{ Object }

var surfaceKind = Kind{Name: "wl_surface", Version: 4}

// NewSurface makes a surface, which shows nothing yet.
func (c Compositor) NewSurface() Surface {
	o := c.conn.New(&surfaceKind)
	c.Send(0, o)
	return Surface{o}
}

var regionKind = Kind{Name: "wl_region", Version: 1}

// NewRegion makes a region of rectangles, to be ended after its use.
func (c Compositor) NewRegion(parts []image.Rectangle) Region {
	o := c.conn.New(&regionKind)
	c.Send(1, o)
	for _, p := range parts {
		o.Send(1, p.Min.X, p.Min.Y, p.Dx(), p.Dy())
	}
	return Region{o}
}

// A Region is a part of a surface.
type Region struct{ Object }

// Destroy ends the region; what it was used for stays.
func (r Region) Destroy() { r.End(0) }

// A Surface is a rectangle of pixels. What is set of it counts from the next
// Commit on. Its coordinates are logical: a buffer has scale times as many
// pixels.
type Surface struct{ Object }

// Destroy takes the surface away. What gave it its role goes first.
func (s Surface) Destroy() { s.End(0) }

// Attach has the surface show b, and have its size.
func (s Surface) Attach(b Buffer) {
	s.Send(1, b, 0, 0)
	s.Send(8, b.Scale)
	s.Send(9, 0, 0, b.Size.X, b.Size.Y) // all of it is to be drawn again
}

// SetInput limits the pointer to a region.
func (s Surface) SetInput(r Region) { s.Send(5, r) }

// Commit has everything count that was set.
func (s Surface) Commit() { s.Send(6) }

// SubcompositorKind puts surfaces onto others.
var SubcompositorKind = Kind{Name: "wl_subcompositor", Version: 1}

// A Subcompositor puts surfaces onto others.
type Subcompositor struct{ Object }

var subsurfaceKind = Kind{Name: "wl_subsurface", Version: 1}

// Put makes s a part of a surface, in front of all other parts. It may well be
// outside of that one's bounds. Its own commits count at once; where it is, from
// the other one's next Commit on.
func (c Subcompositor) Put(s, onto Surface) Subsurface {
	o := c.conn.New(&subsurfaceKind)
	c.Send(1, o, s, onto)
	o.Send(5)
	return Subsurface{o}
}

// A Subsurface is the place of a surface on another one.
type Subsurface struct{ Object }

// SetCorner moves the surface.
func (s Subsurface) SetCorner(at image.Point) { s.Send(1, at.X, at.Y) }

// PlaceAbove puts the surface right in front of another part.
func (s Subsurface) PlaceAbove(other Surface) { s.Send(2, other) }

// Destroy takes the surface off the screen, before the surface itself goes.
func (s Subsurface) Destroy() { s.End(0) }

// ViewporterKind scales surfaces.
var ViewporterKind = Kind{Name: "wp_viewporter", Version: 1}

// A Viewporter scales surfaces.
type Viewporter struct{ Object }

var viewportKind = Kind{Name: "wp_viewport", Version: 1}

// Stretch has a surface show its buffer in a logical size of its own.
func (v Viewporter) Stretch(s Surface, size image.Point) Viewport {
	o := v.conn.New(&viewportKind)
	v.Send(1, o, s)
	o.Send(2, size.X, size.Y)
	return Viewport{o}
}

// A Viewport is the size of a surface.
type Viewport struct{ Object }

// Destroy gives the surface the size of its buffer, before the surface goes.
func (v Viewport) Destroy() { v.End(0) }
