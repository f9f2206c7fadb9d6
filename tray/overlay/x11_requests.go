//go:build unix && !darwin

package overlay

import (
	"encoding/binary"
	"fmt"
	"image"
	"os"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"
)

// maxRequest is the largest request in bytes. xgb writes a request's length in
// four-byte units as 16 bits without looking: one that is larger would be read
// as something else.
const maxRequest = 0xFFFF * 4

// A pixelFormat is how windows and pixmaps keep pixels.
type pixelFormat struct {
	visual   xproto.Visualid
	depth    byte
	colormap xproto.Colormap // 0: one of our own is needed
	alpha    bool
}

// chooseFormat finds 32 bits with alpha, else the screen's own 24 bits.
func chooseFormat(setup *xproto.SetupInfo, screen *xproto.ScreenInfo) (pixelFormat, bool) {
	if setup.ImageByteOrder != xproto.ImageOrderLSBFirst {
		return pixelFormat{}, false
	}
	deep := map[byte]bool{} // the depths with four bytes a pixel
	for _, f := range setup.PixmapFormats {
		deep[f.Depth] = f.BitsPerPixel == 32 && f.ScanlinePad == 32
	}
	var plain *pixelFormat
	for _, d := range screen.AllowedDepths {
		for _, v := range d.Visuals {
			switch {
			case !deep[d.Depth] || v.Class != xproto.VisualClassTrueColor || v.RedMask != 0xff0000 || v.BlueMask != 0xff:
			case d.Depth == 32:
				return pixelFormat{v.VisualId, 32, 0, true}, true
			case v.VisualId == screen.RootVisual:
				plain = &pixelFormat{v.VisualId, d.Depth, screen.DefaultColormap, false}
			}
		}
	}
	if plain == nil {
		return pixelFormat{}, false
	}
	return *plain, true
}

// atoms are the names that the server knows by number.
type atoms struct {
	compositor, workArea                           xproto.Atom
	utf8, netName, pid, kind, notification, shadow xproto.Atom
}

func (a *atoms) intern(conn *xgb.Conn) error {
	names := map[string]*xproto.Atom{
		fmt.Sprintf("_NET_WM_CM_S%d", conn.DefaultScreen): &a.compositor,
		"_NET_WORKAREA":                    &a.workArea,
		"UTF8_STRING":                      &a.utf8,
		"_NET_WM_NAME":                     &a.netName,
		"_NET_WM_PID":                      &a.pid,
		"_NET_WM_WINDOW_TYPE":              &a.kind,
		"_NET_WM_WINDOW_TYPE_NOTIFICATION": &a.notification,
		"_COMPTON_SHADOW":                  &a.shadow,
	}
	for name, atom := range names {
		reply, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return fmt.Errorf("intern %s: %w", name, err)
		}
		*atom = reply.Atom
	}
	return nil
}

// newWindow makes an unmapped window that lets every click through.
func (d *x11) newWindow(name string, size image.Point) *x11Window {
	id, _ := xproto.NewWindowId(d.conn) // fails only when the connection is gone, which events tell
	// The border must be named: the default copies it from the root, whose depth
	// is another one, and the server refuses the window.
	xproto.CreateWindow(d.conn, d.format.depth, id, d.root, 0, 0, uint16(size.X), uint16(size.Y), 0,
		xproto.WindowClassInputOutput, d.format.visual,
		xproto.CwBackPixel|xproto.CwBorderPixel|xproto.CwOverrideRedirect|xproto.CwColormap,
		[]uint32{0, 0, 1, uint32(d.format.colormap)})
	d.describe(id, name)
	if d.shapes {
		shape.Rectangles(d.conn, shape.SoSet, shape.SkInput, xproto.ClipOrderingUnsorted, id, 0, 0, nil)
	}
	return &x11Window{d: d, id: id, rect: image.Rectangle{Max: size}}
}

// describe says what a window is. No window manager needs it; compositors have
// rules for kinds of windows, and people look at windows with tools.
func (d *x11) describe(id xproto.Window, name string) {
	text := func(property, kind xproto.Atom, value string) {
		xproto.ChangeProperty(d.conn, xproto.PropModeReplace, id, property, kind, 8, uint32(len(value)), []byte(value))
	}
	number := func(property, kind xproto.Atom, value uint32) {
		xproto.ChangeProperty(d.conn, xproto.PropModeReplace, id, property, kind, 32, 1, binary.LittleEndian.AppendUint32(nil, value))
	}
	text(xproto.AtomWmClass, xproto.AtomString, "playpets\x00PlayPets\x00")
	text(xproto.AtomWmName, d.atoms.utf8, name)
	text(d.atoms.netName, d.atoms.utf8, name)
	if host, err := os.Hostname(); err == nil { // a process id means nothing without it
		text(xproto.AtomWmClientMachine, xproto.AtomString, host)
		number(d.atoms.pid, xproto.AtomCardinal, uint32(os.Getpid()))
	}
	number(d.atoms.kind, xproto.AtomAtom, uint32(d.atoms.notification))
	number(d.atoms.shadow, xproto.AtomCardinal, 0) // picom would draw it round the window's box
}

// newPixmap makes a picture of undefined pixels.
func (d *x11) newPixmap(size image.Point) xproto.Pixmap {
	id, _ := xproto.NewPixmapId(d.conn)
	xproto.CreatePixmap(d.conn, d.format.depth, id, xproto.Drawable(d.root), uint16(size.X), uint16(size.Y))
	return id
}

// putImage writes img to the top left of a pixmap, as many rows at a time as a
// request holds.
func (d *x11) putImage(pixmap xproto.Pixmap, img *image.RGBA) {
	const header = 24
	w, h := img.Rect.Dx(), img.Rect.Dy()
	rows := max(1, (maxRequest-header)/(4*w))
	data := make([]byte, 0, 4*w*min(rows, h))
	for y := 0; y < h; y += rows {
		n := min(rows, h-y)
		data = appendBGRA(data[:0], img.Pix[y*img.Stride:(y+n)*img.Stride])
		xproto.PutImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(pixmap), d.gc,
			uint16(w), uint16(n), 0, int16(y), 0, d.format.depth, data)
	}
}

// appendBGRA appends pixels in the server's order of bytes.
func appendBGRA(dst, rgba []byte) []byte {
	for i := 0; i+3 < len(rgba); i += 4 {
		dst = append(dst, rgba[i+2], rgba[i+1], rgba[i], rgba[i+3])
	}
	return dst
}

// setShape cuts the window to an outline; nil is the whole window again.
func (d *x11) setShape(id xproto.Window, outline []xproto.Rectangle) {
	if outline == nil {
		shape.Mask(d.conn, shape.SoSet, shape.SkBounding, id, 0, 0, xproto.PixmapNone)
		return
	}
	const header, each = 16, 8
	for op := shape.Op(shape.SoSet); ; op = shape.SoUnion {
		n := min(len(outline), (maxRequest-header)/each)
		shape.Rectangles(d.conn, op, shape.SkBounding, xproto.ClipOrderingUnsorted, id, 0, 0, outline[:n])
		if outline = outline[n:]; len(outline) == 0 {
			return
		}
	}
}

// rectangles turns rectangles into the server's. The result is not nil.
func rectangles(all []image.Rectangle) []xproto.Rectangle {
	out := make([]xproto.Rectangle, len(all))
	for i, r := range all {
		out[i] = xproto.Rectangle{X: int16(r.Min.X), Y: int16(r.Min.Y), Width: uint16(r.Dx()), Height: uint16(r.Dy())}
	}
	return out
}

// measure asks for the primary monitor, less the panels.
func (d *x11) measure() image.Rectangle {
	monitor := d.primaryMonitor()
	if free := monitor.Intersect(d.freeOfPanels()); !free.Empty() {
		return free
	}
	return monitor
}

func (d *x11) primaryMonitor() image.Rectangle {
	if d.randr {
		reply, err := randr.GetMonitors(d.conn, d.root, true).Reply()
		if err == nil && len(reply.Monitors) > 0 {
			chosen := reply.Monitors[0]
			for _, m := range reply.Monitors {
				if m.Primary {
					chosen = m
				}
			}
			return box(int(chosen.X), int(chosen.Y), int(chosen.Width), int(chosen.Height))
		}
	}
	screen, err := xproto.GetGeometry(d.conn, xproto.Drawable(d.root)).Reply()
	if err != nil {
		return d.area // the connection is gone
	}
	return box(0, 0, int(screen.Width), int(screen.Height))
}

// freeOfPanels is what no panel covers on any desktop, since friends are on all
// of them; empty when no window manager says.
func (d *x11) freeOfPanels() image.Rectangle {
	const desktops = 64
	reply, err := xproto.GetProperty(d.conn, false, d.root, d.atoms.workArea, xproto.AtomCardinal, 0, 4*desktops).Reply()
	if err != nil || reply.Format != 32 {
		return image.Rectangle{}
	}
	var free image.Rectangle
	for v := reply.Value; len(v) >= 16; v = v[16:] {
		n := func(i int) int { return int(int32(binary.LittleEndian.Uint32(v[4*i:]))) }
		desktop := box(n(0), n(1), n(2), n(3))
		if free.Empty() {
			free = desktop
		}
		free = free.Intersect(desktop)
	}
	return free
}

func box(x, y, w, h int) image.Rectangle { return image.Rect(x, y, x+w, y+h) }
