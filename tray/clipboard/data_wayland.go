//go:build unix && !darwin

package clipboard

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/playpets/playpets/tray/wayland"
)

// Those who ask for a text call it by one of these names.
const utf8Form = "text/plain;charset=utf-8"

var textForms = []string{utf8Form, "text/plain", "UTF8_STRING", "STRING", "TEXT"}

const (
	mostReaders = 16               // at once; those beyond get nothing
	readerLimit = 30 * time.Second // that one has to take all of the text
)

// dataControl is a connection to a compositor that lets programs without a window
// see and set what is in the clipboard.
type dataControl struct {
	conn    *wayland.Conn
	offered map[string]wayland.Global
	control wayland.DataControl
	device  wayland.DataDevice
	offer   uint32 // what is in the clipboard
}

// openDataControl connects, with what is in the clipboard. It and what is done
// next has to be over at the end of ctx, unless keep is called before.
func openDataControl(ctx context.Context) (d *dataControl, keep func() bool, err error) {
	conn, err := wayland.Dial()
	if err != nil {
		return nil, nil, err
	}
	keep = context.AfterFunc(ctx, conn.Close)
	d = &dataControl{conn: conn, offered: map[string]wayland.Global{}}
	if err := d.prepare(); err != nil {
		keep()
		conn.Close()
		return nil, nil, err
	}
	return d, keep, nil
}

func (d *dataControl) prepare() error {
	registry := d.conn.Registry()
	if err := d.sync(); err != nil {
		return err
	}
	for _, k := range wayland.DataControlKinds {
		if d.control = (wayland.DataControl{Object: registry.Bind(d.offered[k.Name], k)}); d.control.Exists() {
			break
		}
	}
	if !d.control.Exists() {
		return errors.New("the compositor does not offer it")
	}
	seat := wayland.Seat{Object: registry.Bind(d.offered[wayland.SeatKind.Name], &wayland.SeatKind)}
	if !seat.Exists() {
		return errors.New("the compositor has no seat")
	}
	d.device = d.control.Device(seat)
	return d.sync()
}

// sync waits until the compositor has done all that was asked, and notes what it
// tells meanwhile.
func (d *dataControl) sync() error {
	done := wayland.Done{Sync: d.conn.Sync()}
	for {
		if err := d.conn.Flush(); err != nil {
			return err
		}
		e, err := d.conn.Next()
		if err != nil {
			return err
		}
		switch e := e.(type) {
		case wayland.Done:
			if e == done {
				return nil
			}
		case wayland.Global:
			if _, known := d.offered[e.Interface]; !known {
				d.offered[e.Interface] = e
			}
		case wayland.Selection:
			d.offer = e.Offer
		case wayland.DataSend:
			e.To.Close() // nobody knows of ours yet
		}
	}
}

func findWayland(ctx context.Context) error {
	d, keep, err := openDataControl(ctx)
	if err != nil {
		return err
	}
	keep()
	d.conn.Close()
	return nil
}

func copyWayland(ctx context.Context, text string) (holder, error) {
	d, keep, err := openDataControl(ctx)
	if err != nil {
		return nil, err
	}
	source := d.control.NewSource()
	for _, form := range textForms {
		source.Offer(form)
	}
	d.device.SetSelection(source)
	if err := d.sync(); err != nil {
		keep()
		d.conn.Close()
		return nil, err
	}
	s := serveWayland(d, text)
	got, err := readWayland(ctx, len(text))
	if err == nil && string(got) != text {
		err = errNotThere
	}
	if !keep() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// readWayland is what another program gets, at most a byte more than most.
func readWayland(ctx context.Context, most int) ([]byte, error) {
	d, keep, err := openDataControl(ctx)
	if err != nil {
		return nil, err
	}
	defer d.conn.Close()
	defer keep()
	if d.offer == 0 {
		return nil, errNotThere
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	defer context.AfterFunc(ctx, func() { r.Close() })()
	err = d.device.Offer(d.offer).Receive(utf8Form, w)
	w.Close()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, int64(most)+1))
}

// waylandSource serves a text over Wayland.
type waylandSource struct {
	*dataControl
	text    string
	readers chan struct{} // full: no more of them
	quit    context.Context
	stop    context.CancelFunc
	gone    chan struct{} // closed with the connection
}

func serveWayland(d *dataControl, text string) *waylandSource {
	s := &waylandSource{dataControl: d, text: text, readers: make(chan struct{}, mostReaders), gone: make(chan struct{})}
	s.quit, s.stop = context.WithCancel(context.Background())
	go s.serve()
	return s
}

func (s *waylandSource) serve() {
	defer close(s.gone)
	defer s.conn.Close()
	for {
		e, err := s.conn.Next()
		if err != nil {
			return
		}
		switch e := e.(type) {
		case wayland.DataSend:
			s.give(e)
		case wayland.DataOffered:
			s.device.Offer(e.Offer).Destroy() // ours, and what is marked with the mouse
			s.conn.Flush()
		case wayland.DataCancelled, wayland.DataFinished:
			return
		}
	}
}

// give writes the text to who asks for it, who may be slow, gone, or neither read
// nor go.
func (s *waylandSource) give(e wayland.DataSend) {
	select {
	case s.readers <- struct{}{}:
	default:
		e.To.Close()
		return
	}
	go func() {
		defer func() { <-s.readers }()
		defer e.To.Close()
		defer context.AfterFunc(s.quit, func() { e.To.Close() })()
		e.To.SetWriteDeadline(time.Now().Add(readerLimit)) // regular files take none, and need none
		if slices.Contains(textForms, e.Type) {
			io.WriteString(e.To, s.text)
		}
	}()
}

// leave has nothing to do: clipboard managers see every text at once.
func (s *waylandSource) leave(context.Context) {}

func (s *waylandSource) end() {
	s.stop()
	s.conn.Close()
}
