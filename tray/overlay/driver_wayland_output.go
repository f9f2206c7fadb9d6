//go:build unix && !darwin

package overlay

import (
	"fmt"
	"image"
	"slices"

	"github.com/playpets/playpets/tray/wayland"
)

// A wlOutput is a monitor, in logical pixels.
type wlOutput struct {
	wayland.Output
	global    uint32 // its number among what the compositor offers
	place     wayland.Place
	probe     *wlLayer     // its size is what panels leave
	ground    *wlLayer     // nil when there is none, or not yet
	stack     []*wlSurface // what stands on the ground, the last one in front
	known     bool         // everything below was told
	name      string
	at        image.Point
	mode      image.Point // its size in its own pixels, unless turned
	transform int
	scale     int
	size      image.Point // when there is a layout
	usable    image.Point // what panels leave; zero before that is known
}

// adopt asks an output what it is.
func (d *wl) adopt(g wayland.Global) {
	o := &wlOutput{Output: wayland.Output{Object: d.registry.Bind(g, &wayland.OutputKind)}, global: g.Name, scale: 1}
	if !o.Exists() {
		return
	}
	o.name = fmt.Sprintf("WL-%d", g.Name) // older compositors do not say
	if d.layout.Exists() {
		o.place = d.layout.Place(o.Output)
	}
	d.outputs = append(d.outputs, o)
}

// measure takes what an output says of itself.
func (d *wl) measure(event any) {
	switch e := event.(type) {
	case wayland.OutputGeometry:
		if o := d.output(e.Output); o != nil {
			o.transform = e.Transform
			if o.size == (image.Point{}) {
				o.at = e.At
			}
		}
	case wayland.OutputMode:
		if o := d.output(e.Output); o != nil {
			o.mode = e.Size
		}
	case wayland.OutputScale:
		if o := d.output(e.Output); o != nil {
			o.scale = min(max(e.Scale, 1), 4)
		}
	case wayland.OutputName:
		if o := d.output(e.Output); o != nil && e.Name != "" {
			o.name = e.Name
		}
	case wayland.PlaceAt:
		if o := d.output(e.Place); o != nil {
			o.at = e.At
		}
	case wayland.PlaceSize:
		if o := d.output(e.Place); o != nil {
			o.size = e.Size
		}
	}
}

// output finds an output by the number of it or of its place.
func (d *wl) output(id uint32) *wlOutput {
	for _, o := range d.outputs {
		if id == o.ID() || id == o.place.ID() {
			return o
		}
	}
	return nil
}

// rect is where the output is.
func (o *wlOutput) rect() image.Rectangle {
	size := o.size
	if size == (image.Point{}) {
		size = o.mode.Div(o.scale)
		if o.transform&1 != 0 {
			size.X, size.Y = size.Y, size.X
		}
	}
	return image.Rectangle{Max: size}.Add(o.at)
}

// farthest is how large and how far away an output can be.
const farthest = 1 << 17

// measured is called when an output has said everything.
func (d *wl) measured(id uint32) change {
	o := d.output(id)
	if o == nil {
		return nothing
	}
	r := o.rect()
	if r.Empty() || !r.In(image.Rect(-farthest, -farthest, farthest, farthest)) {
		d.log.Warn("the compositor has an impossible monitor", "name", o.name, "at", r)
		d.conn.Close()
		return nothing
	}
	o.known = true
	if o.probe == nil {
		o.probe = d.newProbe(o)
	}
	if o.ground == nil {
		o.ground = d.newGround(o)
	}
	return d.rearrange()
}

// withdraw takes back what the compositor does not offer any more.
func (d *wl) withdraw(global uint32) (n news) {
	i := slices.IndexFunc(d.outputs, func(o *wlOutput) bool { return o.global == global })
	if i < 0 {
		return n
	}
	o := d.outputs[i]
	d.outputs = slices.Delete(d.outputs, i, i+1)
	if d.hand.keyed == o {
		d.hand.keyed = nil
	}
	n.input = d.clearGround(o)
	o.probe.destroy()
	if o.place.Exists() {
		o.place.Destroy()
	}
	o.Release()
	n.change = d.rearrange()
	return n
}

// rearrange compares the monitors with what they were, and has every window be
// where it belongs.
func (d *wl) rearrange() change {
	factor, all := 1, []monitor(nil)
	for _, o := range d.outputs {
		if o.known {
			factor = max(factor, o.scale)
		}
	}
	for _, o := range d.outputs {
		if o.known {
			all = append(all, o.monitor(factor))
		}
	}
	if len(all) == 0 {
		return nothing // somebody is about to plug in the other one
	}
	before, was := d.arranged, d.factor
	d.arranged, d.factor = all, factor
	for _, w := range d.windows {
		w.settle()
	}
	switch {
	case factor != was:
		return restyled
	case !slices.Equal(all, before):
		return rearranged
	}
	return nothing
}

// monitor is the output in the screen's coordinates. A layer shell tells how
// much panels take, but not at which side: friends stay clear of both.
func (o *wlOutput) monitor(factor int) monitor {
	whole := o.rect()
	work := whole
	if o.usable != (image.Point{}) {
		panels := whole.Size().Sub(o.usable)
		work = image.Rectangle{whole.Min.Add(panels), whole.Max.Sub(panels)}
	}
	if work.Empty() || !work.In(whole) {
		work = whole
	}
	times := func(r image.Rectangle) image.Rectangle { return image.Rectangle{r.Min.Mul(factor), r.Max.Mul(factor)} }
	return monitor{name: o.name, whole: times(whole), work: times(work)}
}

func (d *wl) monitors() []monitor { return d.arranged }

func (d *wl) scale() float64 { return float64(d.factor) }

// outputAt is the output at a logical place, or the one next to it; nil when none
// can show anything.
func (d *wl) outputAt(p image.Point) (nearest *wlOutput) {
	least := 0
	for _, o := range d.outputs {
		if o.ground == nil {
			continue
		}
		r := o.rect()
		away := p.Sub(within(r, p, image.Pt(1, 1)))
		if distance := away.X*away.X + away.Y*away.Y; nearest == nil || distance < least {
			nearest, least = o, distance
		}
	}
	return nearest
}
