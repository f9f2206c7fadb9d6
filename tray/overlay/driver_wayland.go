//go:build unix && !darwin

package overlay

import (
	"errors"
	"image"
	"io"
	"log/slog"
	"syscall"

	"github.com/playpets/playpets/tray/wayland"
)

// wl is the driver for Wayland compositors that have a layer shell. Every window
// is a surface of its own, every frame a buffer that the compositor keeps.
//
// A Wayland screen is laid out in logical pixels, of which monitors show more or
// fewer physical ones. The screen's coordinates here are the logical ones times
// factor, the pixels of the finest monitor, so that friends are sharp there.
type wl struct {
	conn       *wayland.Conn
	log        *slog.Logger
	registry   wayland.Registry
	compositor wayland.Compositor
	shm        wayland.Shm
	parts      wayland.Subcompositor
	layers     wayland.LayerShell
	stretcher  wayland.Viewporter
	layout     wayland.Layout
	offered    map[string]wayland.Global // the first of each kind
	plugged    []wayland.Global          // outputs, until the rest is known

	outputs  []*wlOutput
	factor   int
	arranged []monitor // the outputs as they were told of last
	windows  []*wlWindow
	clear    wayland.Buffer // one pixel that is nothing
	nothing  wayland.Region // takes no clicks

	hand wlHand

	incoming chan any
	quit     chan struct{} // closed by close
}

var errNoLayers = errors.New("the Wayland compositor offers no layer shell")

func openWayland(log *slog.Logger) (driver, error) {
	conn, err := wayland.Dial()
	if err != nil {
		return nil, err
	}
	d := &wl{
		conn:     conn,
		log:      log,
		offered:  map[string]wayland.Global{},
		factor:   1,
		arranged: []monitor{{whole: nowhere, work: nowhere}},
		incoming: make(chan any),
		quit:     make(chan struct{}),
	}
	if err := d.prepare(); err != nil {
		conn.Close()
		return nil, err
	}
	go d.listen()
	return d, nil
}

// nowhere is where friends stand while no monitor is there.
var nowhere = image.Rect(0, 0, 1280, 720)

// prepare asks for everything that windows need.
func (d *wl) prepare() error {
	d.registry = d.conn.Registry()
	if err := d.answers(); err != nil {
		return err
	}
	d.bind()
	switch {
	case !d.layers.Exists():
		return errNoLayers
	case !d.compositor.Exists() || !d.parts.Exists() || !d.shm.Exists():
		return errors.New("the Wayland compositor is too old")
	}
	clear, err := d.shm.Store([]*image.RGBA{image.NewRGBA(image.Rect(0, 0, 1, 1))}, 1)
	if err != nil {
		return err
	}
	d.clear, d.nothing = clear[0], d.compositor.NewRegion(nil)
	for range 2 { // the outputs say what they are, and then what panels leave of them
		if err := d.answers(); err != nil {
			return err
		}
	}
	return nil
}

// bind makes what is offered ours.
func (d *wl) bind() {
	bound := func(k *wayland.Kind) wayland.Object { return d.registry.Bind(d.offered[k.Name], k) }
	d.compositor = wayland.Compositor{Object: bound(&wayland.CompositorKind)}
	d.shm = wayland.Shm{Object: bound(&wayland.ShmKind)}
	d.layers = wayland.LayerShell{Object: bound(&wayland.LayerShellKind)}
	d.parts = wayland.Subcompositor{Object: bound(&wayland.SubcompositorKind)}
	d.stretcher = wayland.Viewporter{Object: bound(&wayland.ViewporterKind)}
	d.layout = wayland.Layout{Object: bound(&wayland.LayoutKind)}
	d.hand.seat = wayland.Seat{Object: bound(&wayland.SeatKind)}
	d.hand.cursors = wayland.Cursors{Object: bound(&wayland.CursorsKind)}
	for _, g := range d.plugged {
		d.adopt(g)
	}
	d.plugged = nil
}

// answers waits until the compositor has answered everything, and handles that.
func (d *wl) answers() error {
	sync := d.conn.Sync()
	for {
		if err := d.conn.Flush(); err != nil {
			return err
		}
		e, err := d.conn.Next()
		if err != nil {
			return err
		}
		if e == any(wayland.Done{Sync: sync}) {
			return nil
		}
		d.handle(e)
	}
}

// listen sends the events to the loop.
func (d *wl) listen() {
	defer close(d.incoming)
	for {
		e, err := d.conn.Next()
		if err != nil {
			d.mourn(err)
			return
		}
		select {
		case d.incoming <- e:
		case <-d.quit:
			return
		}
	}
}

// mourn says why the connection ended, if that is not just that somebody left.
func (d *wl) mourn(err error) {
	select {
	case <-d.quit:
	default:
		if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			d.log.Warn("the connection to the compositor ended", "error", err)
		}
	}
}

func (d *wl) events() <-chan any { return d.incoming }

func (d *wl) handle(event any) (n news) {
	defer d.flush()
	switch e := event.(type) {
	case wayland.Global:
		d.offer(e)
	case wayland.GlobalRemoved:
		n = d.withdraw(e.Name)
	case wayland.LayerConfigure:
		n.change = d.configure(e)
	case wayland.LayerClosed:
		n.input = d.lose(e.Layer)
	case wayland.OutputDone:
		n.change = d.measured(e.Output)
	case wayland.OutputGeometry, wayland.OutputMode, wayland.OutputScale, wayland.OutputName, wayland.PlaceAt, wayland.PlaceSize:
		d.measure(e)
	default:
		n.input = d.feel(e)
	}
	return n
}

// offer takes what the compositor has to offer.
func (d *wl) offer(g wayland.Global) {
	switch _, known := d.offered[g.Interface]; {
	case g.Interface == wayland.OutputKind.Name && d.shm.Exists():
		d.adopt(g)
	case g.Interface == wayland.OutputKind.Name:
		d.plugged = append(d.plugged, g)
	case !known:
		d.offered[g.Interface] = g
	}
}

// flush sends what was asked for. An error ends the connection, which listen
// sees.
func (d *wl) flush() { d.conn.Flush() }

func (d *wl) translucent() bool { return true }

// close ends the connection, and with it everything the compositor keeps for us.
func (d *wl) close() {
	close(d.quit)
	d.conn.Close()
}

// surface finds a surface of ours by its number.
func (d *wl) surface(id uint32) *wlSurface {
	for _, o := range d.outputs {
		for _, s := range o.stack {
			if s.surface.ID() == id {
				return s
			}
		}
	}
	return nil
}
