//go:build unix && !darwin

package overlay

import (
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// x11 is the driver for X servers, XWayland among them. Every frame lives in
// the server as a pixmap; to show one it becomes its window's background, so
// that the server alone repairs what was covered, and nothing of it is kept
// here.
type x11 struct {
	conn   *xgb.Conn
	log    *slog.Logger
	root   xproto.Window
	format pixelFormat
	gc     xproto.Gcontext
	atoms  atoms
	shapes bool // the server has window shapes, also for input
	randr  bool // the server lists monitors

	area       image.Rectangle
	compositor bool

	incoming chan any
	quit     chan struct{} // closed by close
	refused  sync.Once
}

func openX11(name string, log *slog.Logger) (*x11, error) {
	xgb.Logger.SetOutput(io.Discard) // it says on stderr that there is no .Xauthority, which is common
	conn, err := xgb.NewConnDisplay(name)
	if err != nil {
		return nil, err
	}
	d := &x11{conn: conn, log: log, incoming: make(chan any), quit: make(chan struct{})}
	if err := d.prepare(); err != nil {
		conn.Close()
		return nil, err
	}
	go d.listen()
	return d, nil
}

// prepare asks the server for everything that windows need, and for news of the
// work area and the compositor.
func (d *x11) prepare() error {
	setup := xproto.Setup(d.conn)
	screen := setup.DefaultScreen(d.conn)
	d.root = screen.Root
	var ok bool
	if d.format, ok = chooseFormat(setup, screen); !ok {
		return errors.New("the server has no visual with 8 bits a colour")
	}
	if err := d.atoms.intern(d.conn); err != nil {
		return err
	}
	d.makeShared(screen)
	d.shapes = hasInputShapes(d.conn)
	d.randr = hasMonitors(d.conn)
	fixes := hasFixes(d.conn)

	xproto.ChangeWindowAttributes(d.conn, d.root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify})
	if d.randr {
		randr.SelectInput(d.conn, d.root, randr.NotifyMaskScreenChange|randr.NotifyMaskCrtcChange|randr.NotifyMaskOutputChange)
	}
	if fixes {
		xfixes.SelectSelectionInput(d.conn, d.root, d.atoms.compositor, xfixes.SelectionEventMaskSetSelectionOwner|
			xfixes.SelectionEventMaskSelectionWindowDestroy|xfixes.SelectionEventMaskSelectionClientClose)
	}
	owner, err := xproto.GetSelectionOwner(d.conn, d.atoms.compositor).Reply()
	if err != nil {
		return fmt.Errorf("ask for the compositor: %w", err)
	}
	d.compositor = owner.Owner != xproto.WindowNone
	d.area = d.measure()
	return nil
}

// makeShared makes what all windows use.
func (d *x11) makeShared(screen *xproto.ScreenInfo) {
	if d.format.colormap == 0 {
		d.format.colormap, _ = xproto.NewColormapId(d.conn)
		xproto.CreateColormap(d.conn, xproto.ColormapAllocNone, d.format.colormap, d.root, d.format.visual)
	}
	// A graphics context belongs to a depth; a pixmap is the smallest thing that
	// has one.
	probe := d.newPixmap(image.Pt(1, 1))
	d.gc, _ = xproto.NewGcontextId(d.conn)
	xproto.CreateGC(d.conn, d.gc, xproto.Drawable(probe), xproto.GcGraphicsExposures, []uint32{0})
	xproto.FreePixmap(d.conn, probe)
}

// listen sends the events that matter to the loop.
func (d *x11) listen() {
	defer close(d.incoming)
	for {
		event, refusal := d.conn.WaitForEvent()
		if event == nil && refusal == nil {
			return // the connection is gone
		}
		if refusal != nil {
			d.refused.Do(func() { d.log.Warn("the display refused a request", "error", refusal) })
			continue
		}
		if p, ok := event.(xproto.PropertyNotifyEvent); ok && p.Atom != d.atoms.workArea {
			continue // the root window's properties change with every focus
		}
		select {
		case d.incoming <- event:
		case <-d.quit:
		}
	}
}

func (d *x11) events() <-chan any { return d.incoming }

func (d *x11) handle(event any) news {
	if e, ok := event.(xfixes.SelectionNotifyEvent); ok {
		was := d.translucent()
		d.compositor = e.Owner != xproto.WindowNone
		if d.translucent() != was {
			return news{change: restyled}
		}
		return news{}
	}
	// Everything else that was asked for is about the work area. RandR also
	// reports monitors whose screen has the same size as before.
	if area := d.measure(); area != d.area {
		d.area = area
		return news{change: rearranged}
	}
	return news{}
}

func (d *x11) monitors() []monitor {
	return []monitor{{name: "primary", whole: d.area, work: d.area}}
}

func (d *x11) scale() float64 { return 1 }

func (d *x11) grab(balloon) {}

func (d *x11) ungrab() {}

func (d *x11) translucent() bool { return d.compositor && d.format.alpha }

// close ends the connection, and with it everything the server keeps for us.
func (d *x11) close() {
	close(d.quit)
	d.conn.Close()
}

// hasInputShapes reports whether windows may have a shape, and one for input
// apart from what is seen: SHAPE 1.1.
func hasInputShapes(conn *xgb.Conn) bool {
	if shape.Init(conn) != nil {
		return false
	}
	v, err := shape.QueryVersion(conn).Reply()
	return err == nil && (v.MajorVersion > 1 || v.MinorVersion >= 1)
}

// hasMonitors reports whether the server lists monitors: RandR 1.5.
func hasMonitors(conn *xgb.Conn) bool {
	if randr.Init(conn) != nil {
		return false
	}
	v, err := randr.QueryVersion(conn, 1, 5).Reply()
	return err == nil && (v.MajorVersion > 1 || v.MinorVersion >= 5)
}

// hasFixes reports whether the server tells of selections' owners: XFixes.
func hasFixes(conn *xgb.Conn) bool {
	if xfixes.Init(conn) != nil {
		return false
	}
	_, err := xfixes.QueryVersion(conn, 2, 0).Reply()
	return err == nil
}
