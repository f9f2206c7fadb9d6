//go:build unix

package wayland

import "image"

// Output is what an output says of itself; OutputDone follows when everything
// was said.
type (
	// OutputGeometry is where an output is and how it is turned. Transforms with
	// bit 0 set swap width and height.
	OutputGeometry struct {
		Output    uint32
		At        image.Point
		Transform int
	}
	// OutputMode is the size of an output in its own pixels, before it is turned.
	OutputMode struct {
		Output uint32
		Size   image.Point
	}
	// OutputDone says that all news of an output were told.
	OutputDone struct{ Output uint32 }
	// OutputScale is how many pixels of an output make a logical one, rounded up.
	OutputScale struct {
		Output uint32
		Scale  int
	}
	// OutputName is the connector's: "HDMI-A-1".
	OutputName struct {
		Output uint32
		Name   string
	}
)

// OutputKind tells of a monitor.
var OutputKind = Kind{Name: "wl_output", Least: 3, Version: 4, Events: []func(uint32, *Reader) any{
	func(id uint32, r *Reader) any {
		at := image.Pt(r.Int(), r.Int())
		r.Int() // millimetres, subpixels, maker and model are nothing to us
		r.Int()
		r.Int()
		r.Text()
		r.Text()
		return OutputGeometry{id, at, r.Int()}
	},
	func(id uint32, r *Reader) any {
		const current = 1
		if r.Uint()&current == 0 {
			return nil
		}
		return OutputMode{id, image.Pt(r.Int(), r.Int())}
	},
	func(id uint32, _ *Reader) any { return OutputDone{id} },
	func(id uint32, r *Reader) any { return OutputScale{id, r.Int()} },
	func(id uint32, r *Reader) any { return OutputName{id, r.Text()} },
}}

// An Output is a monitor.
type Output struct{ Object }

// Release gives the output back.
func (o Output) Release() { o.End(0) }

// LayoutKind knows where outputs are when they are scaled by a fraction.
var LayoutKind = Kind{Name: "zxdg_output_manager_v1", Version: 3}

// A Layout knows where outputs are when they are scaled by a fraction.
type Layout struct{ Object }

// What a layout says of an output. OutputDone follows, of the Output itself or,
// from older compositors, of the Place.
type (
	PlaceAt struct {
		Place uint32
		At    image.Point
	}
	PlaceSize struct {
		Place uint32
		Size  image.Point
	}
)

var placeKind = Kind{Name: "zxdg_output_v1", Version: 3, Events: []func(uint32, *Reader) any{
	func(id uint32, r *Reader) any { return PlaceAt{id, image.Pt(r.Int(), r.Int())} },
	func(id uint32, r *Reader) any { return PlaceSize{id, image.Pt(r.Int(), r.Int())} },
	func(id uint32, _ *Reader) any { return OutputDone{id} },
}}

// Place asks where an output is.
func (l Layout) Place(o Output) Place {
	p := l.conn.New(&placeKind)
	l.Send(1, p, o)
	return Place{p}
}

// A Place is where an output is, in logical pixels.
type Place struct{ Object }

// Destroy ends the news of it.
func (p Place) Destroy() { p.End(0) }
