//go:build unix && !darwin

package overlay

import (
	"encoding/binary"
	"fmt"
	"image"
	"os"

	"github.com/jezek/xgb"
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
	compositor                                     xproto.Atom
	utf8, netName, pid, kind, notification, shadow xproto.Atom

	workArea, desktop, clients, stacking, active xproto.Atom // of the root window
	state, fullScreen, hidden                    xproto.Atom // of others
	onDesktop, strut, strutPartial, normal       xproto.Atom

	watched map[xproto.Atom]bool // properties that say something about the screen
}

// intern asks for all of them at once: a display may be far away.
func (a *atoms) intern(conn *xgb.Conn) error {
	names := map[string]*xproto.Atom{
		fmt.Sprintf("_NET_WM_CM_S%d", conn.DefaultScreen): &a.compositor,
		"UTF8_STRING":                      &a.utf8,
		"_NET_WM_NAME":                     &a.netName,
		"_NET_WM_PID":                      &a.pid,
		"_NET_WM_WINDOW_TYPE":              &a.kind,
		"_NET_WM_WINDOW_TYPE_NOTIFICATION": &a.notification,
		"_NET_WM_WINDOW_TYPE_NORMAL":       &a.normal,
		"_COMPTON_SHADOW":                  &a.shadow,
		"_NET_WORKAREA":                    &a.workArea,
		"_NET_CURRENT_DESKTOP":             &a.desktop,
		"_NET_CLIENT_LIST":                 &a.clients,
		"_NET_CLIENT_LIST_STACKING":        &a.stacking,
		"_NET_ACTIVE_WINDOW":               &a.active,
		"_NET_WM_STATE":                    &a.state,
		"_NET_WM_STATE_FULLSCREEN":         &a.fullScreen,
		"_NET_WM_STATE_HIDDEN":             &a.hidden,
		"_NET_WM_DESKTOP":                  &a.onDesktop,
		"_NET_WM_STRUT":                    &a.strut,
		"_NET_WM_STRUT_PARTIAL":            &a.strutPartial,
	}
	asked := map[string]xproto.InternAtomCookie{}
	for name := range names {
		asked[name] = xproto.InternAtom(conn, false, uint16(len(name)), name)
	}
	for name, cookie := range asked {
		reply, err := cookie.Reply()
		if err != nil {
			return fmt.Errorf("intern %s: %w", name, err)
		}
		*names[name] = reply.Atom
	}
	a.watched = map[xproto.Atom]bool{
		a.workArea: true, a.desktop: true, a.clients: true, a.stacking: true, a.active: true,
		a.state: true, a.onDesktop: true, xproto.AtomResourceManager: true,
	}
	return nil
}

// newWindow makes an unmapped window that lets every click through.
func (d *x11) newWindow(name string) *x11Window {
	id, _ := xproto.NewWindowId(d.conn) // fails only when the connection is gone, which events tell
	// The border must be named: the default copies it from the root, whose depth
	// is another one, and the server refuses the window.
	xproto.CreateWindow(d.conn, d.format.depth, id, d.root, 0, 0, 1, 1, 0,
		xproto.WindowClassInputOutput, d.format.visual,
		xproto.CwBackPixel|xproto.CwBorderPixel|xproto.CwOverrideRedirect|xproto.CwEventMask|xproto.CwColormap,
		[]uint32{0, 0, 1, windowEvents, uint32(d.format.colormap)})
	d.describe(id, name)
	d.setShape(id, shape.SkInput, []xproto.Rectangle{})
	w := &x11Window{d: d, id: id, rect: image.Rectangle{Max: onePixel}}
	d.windows[id] = w
	return w
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
func (d *x11) newPixmap(size image.Point) (id xproto.Pixmap) {
	// A client has two million numbers, and xgb gives each but once.
	if n := len(d.spare); n > 0 {
		id, d.spare = d.spare[n-1], d.spare[:n-1]
	} else {
		id, _ = xproto.NewPixmapId(d.conn)
	}
	xproto.CreatePixmap(d.conn, d.format.depth, id, xproto.Drawable(d.root), uint16(size.X), uint16(size.Y))
	return id
}

func (d *x11) freePixmap(id xproto.Pixmap) {
	xproto.FreePixmap(d.conn, id)
	d.spare = append(d.spare, id)
}

// putImage writes img into a pixmap with its left edge at x, as many rows at a
// time as a request holds.
func (d *x11) putImage(pixmap xproto.Pixmap, x int, img *image.RGBA) {
	const header = 24
	w, h := img.Rect.Dx(), img.Rect.Dy()
	rows := max(1, (maxRequest-header)/(4*w))
	data := make([]byte, 0, 4*w*min(rows, h))
	for y := 0; y < h; y += rows {
		n := min(rows, h-y)
		data = appendBGRA(data[:0], img.Pix[y*img.Stride:(y+n)*img.Stride])
		xproto.PutImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(pixmap), d.gc,
			uint16(w), uint16(n), int16(x), int16(y), 0, d.format.depth, data)
	}
}

// appendBGRA appends pixels in the server's order of bytes.
func appendBGRA(dst, rgba []byte) []byte {
	for i := 0; i+3 < len(rgba); i += 4 {
		dst = append(dst, rgba[i+2], rgba[i+1], rgba[i], rgba[i+3])
	}
	return dst
}

// setShape cuts what is seen of a window, or where it takes clicks, to
// rectangles; nil is the whole window.
func (d *x11) setShape(id xproto.Window, kind shape.Kind, cut []xproto.Rectangle) {
	if cut == nil {
		shape.Mask(d.conn, shape.SoSet, kind, id, 0, 0, xproto.PixmapNone)
		return
	}
	const header, each = 16, 8
	for op := shape.Op(shape.SoSet); ; op = shape.SoUnion {
		n := min(len(cut), (maxRequest-header)/each)
		shape.Rectangles(d.conn, op, kind, xproto.ClipOrderingUnsorted, id, 0, 0, cut[:n])
		if cut = cut[n:]; len(cut) == 0 {
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

func box(x, y, w, h int) image.Rectangle { return image.Rect(x, y, x+w, y+h) }
