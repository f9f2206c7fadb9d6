//go:build unix && !darwin

package overlay

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/screensaver"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// x11 is the driver for X servers, XWayland among them. Every frame lives in
// the server as a part of a pixmap; to show one the server copies it. Of a
// picture nothing is kept here but where it takes clicks.
type x11 struct {
	conn   *xgb.Conn
	log    *slog.Logger
	root   xproto.Window
	format pixelFormat
	gc     xproto.Gcontext
	atoms  atoms
	spare  []xproto.Pixmap // numbers of pixmaps that are gone, to be used again

	windows    map[xproto.Window]*x11Window
	menu       *x11Menu // what has the grab
	view       view
	compositor bool
	saver      bool // the server tells of its screen saver

	incoming chan any
	poked    chan struct{} // filled when the view may have changed
	quit     chan struct{} // closed by close
	gone     chan struct{} // closed with the connection
	refused  sync.Once
}

func openX11(name string, log *slog.Logger) (*x11, error) {
	xgb.Logger.SetOutput(io.Discard) // it says on stderr that there is no .Xauthority, which is common
	conn, err := xgb.NewConnDisplay(name)
	if err != nil {
		return nil, err
	}
	d := &x11{
		conn: conn, log: log, windows: map[xproto.Window]*x11Window{},
		incoming: make(chan any), poked: make(chan struct{}, 1), quit: make(chan struct{}), gone: make(chan struct{}),
	}
	s, err := d.prepare()
	if err != nil {
		conn.Close()
		return nil, err
	}
	var watching sync.WaitGroup
	watching.Go(func() { d.watch(s, d.view) })
	go func() {
		d.listen()
		close(d.gone)
		watching.Wait()
		close(d.incoming)
	}()
	return d, nil
}

// prepare asks the server for everything that windows need, and for news of
// the screen.
func (d *x11) prepare() (*surveyor, error) {
	setup := xproto.Setup(d.conn)
	screen := setup.DefaultScreen(d.conn)
	d.root = screen.Root
	var ok bool
	if d.format, ok = chooseFormat(setup, screen); !ok {
		return nil, errors.New("the server has no visual with 8 bits a colour")
	}
	has := askExtensions(d.conn) // before any event is wanted: xgb reads their table for each
	if !has.shapes {
		return nil, errors.New("the server cannot cut windows to shape") // they would take clicks beside the friend
	}
	if err := d.atoms.intern(d.conn); err != nil {
		return nil, err
	}
	d.makeShared(screen)
	if err := d.hear(has); err != nil {
		return nil, err
	}
	s := &surveyor{
		conn: d.conn, root: d.root, atoms: &d.atoms, has: has,
		gdkScale: os.Getenv("GDK_SCALE"), watched: map[xproto.Window]bool{},
	}
	d.view = s.look()
	return s, nil
}

// hear asks for news of the screen, and whether a compositor runs.
func (d *x11) hear(has extensions) error {
	xproto.ChangeWindowAttributes(d.conn, d.root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify})
	if d.saver = has.saver; has.saver {
		screensaver.SelectInput(d.conn, xproto.Drawable(d.root), screensaver.EventNotifyMask)
	}
	if has.monitors {
		randr.SelectInput(d.conn, d.root, randr.NotifyMaskScreenChange|randr.NotifyMaskCrtcChange|randr.NotifyMaskOutputChange)
	} else {
		d.log.Info("the display has no RandR 1.5: changes of its monitors may be missed")
	}
	if !has.fixes {
		d.log.Info("the display has no XFIXES: friends have hard edges")
		return nil // nor has it a compositor, which needs them
	}
	xfixes.SelectSelectionInput(d.conn, d.root, d.atoms.compositor, xfixes.SelectionEventMaskSetSelectionOwner|
		xfixes.SelectionEventMaskSelectionWindowDestroy|xfixes.SelectionEventMaskSelectionClientClose)
	owner, err := xproto.GetSelectionOwner(d.conn, d.atoms.compositor).Reply()
	if err != nil {
		return fmt.Errorf("ask for the compositor: %w", err)
	}
	d.compositor = owner.Owner != xproto.WindowNone
	return nil
}

// saved reports whether the screen saver is on.
func (d *x11) saved() bool {
	if !d.saver {
		return false
	}
	info, err := screensaver.QueryInfo(d.conn, xproto.Drawable(d.root)).Reply()
	return err == nil && (info.State == screensaver.StateOn || info.State == screensaver.StateCycle)
}

// makeShared makes what all windows use.
func (d *x11) makeShared(screen *xproto.ScreenInfo) {
	if d.format.colormap == 0 {
		d.format.colormap, _ = xproto.NewColormapId(d.conn)
		xproto.CreateColormap(d.conn, xproto.ColormapAllocNone, d.format.colormap, d.root, d.format.visual)
	}
	// A graphics context belongs to a depth; a pixmap is the smallest thing that
	// has one.
	probe := d.newPixmap(onePixel)
	d.gc, _ = xproto.NewGcontextId(d.conn)
	xproto.CreateGC(d.conn, d.gc, xproto.Drawable(probe), xproto.GcGraphicsExposures, []uint32{0})
	d.freePixmap(probe)
}

// listen sends the events that matter to the loop, until the connection ends.
// Those about the screen as a whole it leaves to the surveyor.
func (d *x11) listen() {
	for events := (eventQueue{conn: d.conn}); ; {
		event, refusal := events.next()
		if event == nil && refusal == nil {
			return
		}
		if refusal != nil {
			d.refused.Do(func() { d.log.Warn("the display refused a request", "error", refusal) })
			continue
		}
		switch e := event.(type) {
		case xproto.PropertyNotifyEvent:
			if !d.atoms.watched[e.Atom] {
				continue // most of them
			}
			d.poke()
			if e.Atom != d.atoms.active {
				continue
			}
		case xproto.ConfigureNotifyEvent, randr.ScreenChangeNotifyEvent, randr.NotifyEvent:
			d.poke()
			continue
		}
		d.send(event)
	}
}

// poke has the surveyor look at the screen.
func (d *x11) poke() {
	select {
	case d.poked <- struct{}{}:
	default: // it will
	}
}

// send hands an event to the loop.
func (d *x11) send(event any) {
	select {
	case d.incoming <- event:
	case <-d.gone:
	case <-d.quit:
	}
}

func (d *x11) events() <-chan any { return d.incoming }

func (d *x11) handle(event any) news {
	switch e := event.(type) {
	case []monitor:
		d.view.monitors = e
		return news{change: rearranged}
	case float64:
		d.view.scale = e
		return news{change: restyled}
	case xfixes.SelectionNotifyEvent:
		was := d.translucent()
		d.compositor = e.Owner != xproto.WindowNone
		if d.translucent() != was {
			return news{change: restyled}
		}
	case screensaver.NotifyEvent:
		if e.State == screensaver.StateOn || e.State == screensaver.StateCycle {
			return news{change: asleep}
		}
		return news{change: awake}
	case xproto.ExposeEvent:
		if w := d.windows[e.Window]; w != nil && e.Count == 0 {
			w.repair()
		}
	default:
		return news{input: d.input(event)}
	}
	return news{}
}

func (d *x11) monitors() []monitor { return d.view.monitors }

func (d *x11) scale() float64 { return d.view.scale }

func (d *x11) translucent() bool { return d.compositor && d.format.alpha }

// close ends the connection, and with it everything the server keeps for us.
func (d *x11) close() {
	close(d.quit)
	d.conn.Close()
}
