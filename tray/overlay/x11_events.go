//go:build unix && !darwin

package overlay

import (
	"reflect"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// extensions are what the server can do beside the core protocol.
type extensions struct {
	shapes   bool // windows have a shape, and one for input apart from what is seen: SHAPE 1.1
	fixes    bool // it tells of selections' owners
	monitors bool // it lists monitors: RandR 1.5
	xinerama bool // it lists them as was done before
	saver    bool // it tells of the screen saver
}

func askExtensions(conn *xgb.Conn) (has extensions) {
	if begin(conn, "SHAPE") {
		v, err := shape.QueryVersion(conn).Reply()
		has.shapes = err == nil && (v.MajorVersion > 1 || v.MinorVersion >= 1)
	}
	if begin(conn, "XFIXES") {
		_, err := xfixes.QueryVersion(conn, 2, 0).Reply()
		has.fixes = err == nil
	}
	if begin(conn, "RANDR") {
		v, err := randr.QueryVersion(conn, 1, 5).Reply()
		has.monitors = err == nil && (v.MajorVersion > 1 || v.MinorVersion >= 5)
	}
	has.xinerama = !has.monitors && begin(conn, "XINERAMA")
	has.saver = begin(conn, "MIT-SCREEN-SAVER")
	return has
}

// begin makes an extension usable, if the server has it. It is the Init of xgb's
// packages, but leaves the tables of events and errors alone where they are right:
// all connections of the process read them, with no lock, and the clipboard has one.
func begin(conn *xgb.Conn, name string) bool {
	has, err := xproto.QueryExtension(conn, uint16(len(name)), name).Reply()
	if err != nil || !has.Present {
		return false
	}
	conn.ExtLock.Lock()
	conn.Extensions[name] = has.MajorOpcode
	conn.ExtLock.Unlock()
	enter(xgb.NewEventFuncs, xgb.NewExtEventFuncs[name], int(has.FirstEvent))
	enter(xgb.NewErrorFuncs, xgb.NewExtErrorFuncs[name], int(has.FirstError))
	return true
}

// enter has the table read an extension's events or errors, numbered from first on.
func enter[F any](table, extension map[int]F, first int) {
	for n, f := range extension {
		if reflect.ValueOf(table[first+n]).Pointer() != reflect.ValueOf(f).Pointer() {
			table[first+n] = f
		}
	}
}

// An eventQueue is the events of a connection. Of the pointer's motions that
// have piled up only the newest is in it.
type eventQueue struct {
	conn    *xgb.Conn
	event   xgb.Event // read ahead
	refusal xgb.Error
}

// next waits for an event or the refusal of a request; none means that the
// connection has ended.
func (q *eventQueue) next() (xgb.Event, xgb.Error) {
	event, refusal := q.event, q.refusal
	if q.event, q.refusal = nil, nil; event == nil && refusal == nil {
		event, refusal = q.conn.WaitForEvent()
	}
	for {
		older, ok := event.(xproto.MotionNotifyEvent)
		if !ok {
			return event, refusal
		}
		q.event, q.refusal = q.conn.PollForEvent()
		newer, ok := q.event.(xproto.MotionNotifyEvent)
		if !ok || newer.Event != older.Event {
			return event, nil
		}
		event, q.event = newer, nil
	}
}
