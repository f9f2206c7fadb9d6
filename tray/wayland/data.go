//go:build unix

package wayland

import "os"

// DataControlKinds are the ways to see and set what is in the clipboard without
// having a window, the best one first. They differ in their names only.
var DataControlKinds = []*Kind{
	{Name: "ext_data_control_manager_v1", Version: 1},
	{Name: "zwlr_data_control_manager_v1", Version: 1}, // the second tells of every text that is marked
}

// A DataControl sees and sets what is in the clipboard of a seat.
type DataControl struct{ Object }

var dataSourceKind = Kind{Name: "data control source", Version: 1, Events: []func(uint32, *Reader) any{
	func(_ uint32, r *Reader) any { return DataSend{r.Text(), r.File()} },
	func(uint32, *Reader) any { return DataCancelled{} },
}}

// What happens to a DataSource.
type (
	// DataSend wants the data in the form Type written to To, which is to be
	// closed then.
	DataSend struct {
		Type string
		To   *os.File
	}
	// DataCancelled says that something else is in the clipboard now.
	DataCancelled struct{}
)

// NewSource makes something that can be put into the clipboard.
func (d DataControl) NewSource() DataSource {
	o := d.conn.New(&dataSourceKind)
	d.Send(0, o)
	return DataSource{o}
}

// A DataSource is data that we have.
type DataSource struct{ Object }

// Offer says in which form, a MIME type, the data can be had.
func (s DataSource) Offer(form string) { s.Send(0, form) }

var dataDeviceKind = Kind{Name: "data control device", Version: 1, Events: []func(uint32, *Reader) any{
	func(_ uint32, r *Reader) any { return DataOffered{r.Uint()} },
	func(_ uint32, r *Reader) any { return Selection{r.Uint()} },
	func(uint32, *Reader) any { return DataFinished{} },
}}

// What is told of a clipboard.
type (
	// DataOffered comes before any use of an offer.
	DataOffered struct{ Offer uint32 }
	// Selection says what is in the clipboard now; Offer is 0 when it is empty.
	Selection struct{ Offer uint32 }
	// DataFinished says that the seat is gone.
	DataFinished struct{}
)

// Device asks for the clipboard of a seat, and what is in it now and later.
func (d DataControl) Device(s Seat) DataDevice {
	o := d.conn.New(&dataDeviceKind)
	d.Send(1, o, s)
	return DataDevice{o}
}

// A DataDevice is the clipboard of a seat.
type DataDevice struct{ Object }

// SetSelection puts s into the clipboard. A source can be put there once.
func (d DataDevice) SetSelection(s DataSource) { d.Send(0, s) }

// Offer is what DataOffered told of.
func (d DataDevice) Offer(id uint32) DataOffer { return DataOffer{Object{d.conn, id}} }

// A DataOffer is data that another program has, or we ourselves.
type DataOffer struct{ Object }

// Receive has the data written to f in the form that is asked for, which may be
// one that was never offered: then nothing comes.
func (o DataOffer) Receive(form string, f *os.File) error { return o.SendFile(f, 0, form) }

// Destroy says that the offer is of no use any more. It is the compositor's own
// number, which is not given again here.
func (o DataOffer) Destroy() { o.Send(1) }
