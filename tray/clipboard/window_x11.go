//go:build unix && !darwin

package clipboard

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// x11 is a connection of our own to the X server, with a window that is never
// shown: selections are between windows. No extension is asked for: xgb keeps
// their events in one table for all connections, without a lock.
type x11 struct {
	conn   *xgb.Conn
	window xproto.Window
	atoms  atoms
}

type atoms struct {
	clipboard, targets, timestamp, multiple, utf8, plain, manager, saveTargets, scratch xproto.Atom
}

// openX11 connects to the server that DISPLAY names. What is done next has to be
// over at the end of ctx, unless keep is called before.
func openX11(ctx context.Context) (x *x11, keep func() bool, err error) {
	if os.Getenv("DISPLAY") == "" {
		return nil, nil, errors.New("DISPLAY is not set")
	}
	xgb.Logger.SetOutput(io.Discard) // it says on stderr that there is no .Xauthority, which is common
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, nil, err
	}
	keep = context.AfterFunc(ctx, conn.Close)
	x = &x11{conn: conn}
	if err := x.prepare(); err != nil {
		keep()
		conn.Close()
		return nil, nil, err
	}
	return x, keep, nil
}

// prepare makes the window, which hears of its properties.
func (x *x11) prepare() error {
	if err := x.atoms.intern(x.conn); err != nil {
		return err
	}
	var err error
	if x.window, err = xproto.NewWindowId(x.conn); err != nil {
		return err
	}
	root := xproto.Setup(x.conn).DefaultScreen(x.conn).Root
	return xproto.CreateWindowChecked(x.conn, 0, x.window, root, -1, -1, 1, 1, 0, xproto.WindowClassInputOnly, 0,
		xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
}

func (a *atoms) intern(conn *xgb.Conn) error {
	for name, atom := range map[string]*xproto.Atom{
		"CLIPBOARD":         &a.clipboard,
		"TARGETS":           &a.targets,
		"TIMESTAMP":         &a.timestamp,
		"MULTIPLE":          &a.multiple,
		"UTF8_STRING":       &a.utf8,
		utf8Form:            &a.plain,
		"CLIPBOARD_MANAGER": &a.manager,
		"SAVE_TARGETS":      &a.saveTargets,
		"PLAYPETS":          &a.scratch,
	} {
		reply, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return fmt.Errorf("name %s: %w", name, err)
		}
		*atom = reply.Atom
	}
	return nil
}

// now is the server's time, which it tells with every change of a property.
func (x *x11) now() (xproto.Timestamp, error) {
	x.putText(x.window, x.atoms.scratch, xproto.AtomString, nil)
	for {
		e, err := x.event()
		if err != nil {
			return 0, err
		}
		if e, ok := e.(xproto.PropertyNotifyEvent); ok && e.Atom == x.atoms.scratch {
			return e.Time, nil
		}
	}
}

// event waits for the next one.
func (x *x11) event() (xgb.Event, error) {
	event, refusal := x.conn.WaitForEvent()
	switch {
	case refusal != nil:
		return nil, refusal
	case event == nil:
		return nil, errors.New("the connection to the display ended")
	}
	return event, nil
}

// read is what another program gets of a selection, when that is no more than
// most bytes.
func (x *x11) read(most int) ([]byte, error) {
	xproto.ConvertSelection(x.conn, x.window, x.atoms.clipboard, x.atoms.utf8, x.atoms.scratch, xproto.TimeCurrentTime)
	for {
		e, err := x.event()
		if err != nil {
			return nil, err
		}
		notice, ok := e.(xproto.SelectionNotifyEvent)
		if !ok {
			continue
		}
		if notice.Property == xproto.AtomNone {
			return nil, errNotThere
		}
		text, err := xproto.GetProperty(x.conn, true, x.window, x.atoms.scratch, x.atoms.utf8, 0, uint32(most/4+1)).Reply()
		if err != nil {
			return nil, err
		}
		if text.BytesAfter != 0 {
			return nil, errNotThere
		}
		return text.Value, nil
	}
}

// mostBytes of a property go in one request, whose length xgb does not check.
const mostBytes = 64 << 10

// putText sets a property of any window.
func (x *x11) putText(to xproto.Window, property, kind xproto.Atom, text []byte) {
	mode := byte(xproto.PropModeReplace)
	for first := true; first || len(text) > 0; first = false {
		part := text[:min(len(text), mostBytes)]
		xproto.ChangeProperty(x.conn, mode, to, property, kind, 8, uint32(len(part)), part)
		mode, text = xproto.PropModeAppend, text[len(part):]
	}
}

func (x *x11) putWords(to xproto.Window, property, kind xproto.Atom, words ...uint32) {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w) // as xgb tells every server that it speaks
	}
	xproto.ChangeProperty(x.conn, xproto.PropModeReplace, to, property, kind, 32, uint32(len(words)), b)
}

// words are the numbers of a property.
func words(b []byte) []uint32 {
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}
