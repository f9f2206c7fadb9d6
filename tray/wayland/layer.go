//go:build unix

package wayland

import "image"

// LayerShellKind puts surfaces above and below everybody's windows.
var LayerShellKind = Kind{Name: "zwlr_layer_shell_v1", Version: 1}

// A LayerShell puts surfaces above and below everybody's windows.
type LayerShell struct{ Object }

// A Layer is how far in front a surface is.
type Layer uint32

// The layers, from the wallpaper on. Windows are between Bottom and Top, those
// in full screen above Top.
const (
	Background Layer = iota
	Bottom
	Top
	Over
)

type (
	// LayerConfigure wants to be answered by Ack. Without the first one a surface
	// must not have a buffer. The size is the one that was asked for, or what
	// there is where that was zero.
	LayerConfigure struct {
		Layer  uint32
		Serial uint32
		Size   image.Point
	}
	// LayerClosed says that the surface is not shown any more.
	LayerClosed struct{ Layer uint32 }
)

var layerSurfaceKind = Kind{Name: "zwlr_layer_surface_v1", Version: 1, Events: []func(uint32, *Reader) any{
	func(id uint32, r *Reader) any { return LayerConfigure{id, r.Uint(), image.Pt(r.Int(), r.Int())} },
	func(id uint32, _ *Reader) any { return LayerClosed{id} },
}}

// Put gives a surface its place on an output, nil for one of the compositor's
// choice. Like all of LayerSurface it counts
// from the next Commit of the surface on; the first one has no buffer.
func (l LayerShell) Put(s Surface, o *Output, in Layer, namespace string) LayerSurface {
	ls := l.conn.New(&layerSurfaceKind)
	var on any
	if o != nil {
		on = o
	}
	l.Send(0, ls, s, on, uint32(in), namespace)
	return LayerSurface{ls}
}

// A LayerSurface is the place of a surface on an output. Lengths are logical.
type LayerSurface struct{ Object }

// SetSize asks for a size.
func (l LayerSurface) SetSize(size image.Point) { l.Send(0, size.X, size.Y) }

// SetCorner puts the surface into the output's upper left corner, whatever else
// is there.
func (l LayerSurface) SetCorner() {
	const top, left = 1, 4
	l.Send(1, uint32(top|left))
	l.Send(2, -1)
}

// Fill gives the surface the whole output; panels stay clear of it, or it of
// them.
func (l LayerSurface) Fill(panels bool) {
	const all = 15
	l.Send(1, uint32(all))
	if !panels {
		l.Send(2, -1)
	}
}

// SetKeyboard has the surface take the keyboard from everybody, or give it back.
func (l LayerSurface) SetKeyboard(take bool) {
	if take {
		l.Send(4, uint32(1))
	} else {
		l.Send(4, uint32(0))
	}
}

// Ack answers a LayerConfigure, before the next Commit.
func (l LayerSurface) Ack(serial uint32) { l.Send(6, serial) }

// Destroy takes the surface off the screen, before the surface itself goes.
func (l LayerSurface) Destroy() { l.End(7) }
