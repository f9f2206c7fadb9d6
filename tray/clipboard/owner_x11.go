//go:build unix && !darwin

package clipboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jezek/xgb/xproto"
)

func findX11(ctx context.Context) error {
	x, keep, err := openX11(ctx)
	if err == nil {
		keep()
		x.conn.Close()
	}
	return err
}

func copyX11(ctx context.Context, text string) (holder, error) {
	x, keep, err := openX11(ctx)
	if err != nil {
		return nil, err
	}
	o, err := x.own(text)
	if err != nil {
		keep()
		x.conn.Close()
		return nil, err
	}
	err = o.check(ctx, text)
	if !keep() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		o.end()
		return nil, err
	}
	return o, nil
}

// An x11Owner owns the selection CLIPBOARD until somebody else does (ICCCM,
// section 2). Nothing is told to it meanwhile but that somebody wants the text.
type x11Owner struct {
	*x11
	texts map[xproto.Atom][]byte // by the target that asks for it
	since xproto.Timestamp
	asked chan struct{} // filled when somebody asked in which forms there is a text
	left  chan struct{} // filled when a clipboard manager has answered
	gone  chan struct{} // closed with the connection
}

// own makes the text the selection, and serves it.
func (x *x11) own(text string) (*x11Owner, error) {
	o := &x11Owner{
		x11: x, texts: x.forms(text),
		asked: make(chan struct{}, 1), left: make(chan struct{}, 1), gone: make(chan struct{}),
	}
	var err error
	if o.since, err = x.now(); err != nil {
		return nil, err
	}
	xproto.SetSelectionOwner(x.conn, x.window, x.atoms.clipboard, o.since)
	owner, err := xproto.GetSelectionOwner(x.conn, x.atoms.clipboard).Reply()
	if err != nil {
		return nil, fmt.Errorf("own the selection: %w", err)
	}
	if owner.Owner != x.window {
		return nil, errNotThere
	}
	go o.serve()
	return o, nil
}

// forms are the text as it is wanted by target. The old STRING is Latin-1, and
// not there for a text that is more than that.
func (x *x11) forms(text string) map[xproto.Atom][]byte {
	forms := map[xproto.Atom][]byte{x.atoms.utf8: []byte(text), x.atoms.plain: []byte(text)}
	latin := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xFF {
			return forms
		}
		latin = append(latin, byte(r))
	}
	forms[xproto.AtomString] = latin
	return forms
}

// check reads the text back.
func (o *x11Owner) check(ctx context.Context, text string) error {
	x, keep, err := openX11(ctx)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	defer keep()
	got, err := x.read(len(text))
	if err != nil {
		return err
	}
	if string(got) != text {
		return errNotThere
	}
	if !x.underWayland() {
		return nil
	}
	// The selection is only half of the clipboard. A compositor that takes it into
	// the other half asks at once what there is; we ourselves never do.
	deadline, _ := ctx.Deadline()
	select {
	case <-o.asked:
		return nil
	case <-o.gone:
		return errNotThere
	case <-time.After(time.Until(deadline) / 2):
		return errors.New("the Wayland compositor does not take it")
	}
}

// underWayland is whether the server is a part of a Wayland desktop. XWayland
// itself says so from version 23.1 on.
func (x *x11) underWayland() bool {
	if os.Getenv("XDG_SESSION_TYPE") == "wayland" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return true
	}
	const name = "XWAYLAND"
	extension, err := xproto.QueryExtension(x.conn, uint16(len(name)), name).Reply()
	return err == nil && extension.Present
}

func (o *x11Owner) serve() {
	defer close(o.gone)
	for {
		event, refusal := o.conn.WaitForEvent()
		if event == nil && refusal == nil {
			return
		}
		switch e := event.(type) { // what is refused was for windows that are gone
		case xproto.SelectionRequestEvent:
			o.answer(e)
		case xproto.SelectionNotifyEvent:
			signal(o.left)
		case xproto.SelectionClearEvent:
			o.conn.Close()
		}
	}
}

// signal fills a channel with room for one.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (o *x11Owner) answer(e xproto.SelectionRequestEvent) {
	reply := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
	if reply.Property == xproto.AtomNone {
		reply.Property = e.Target // as old programs want it
	}
	if e.Selection != o.atoms.clipboard || !o.put(e.Requestor, reply.Property, e.Target) {
		reply.Property = xproto.AtomNone
	}
	xproto.SendEvent(o.conn, false, e.Requestor, xproto.EventMaskNoEvent, string(reply.Bytes()))
}

// put writes what target asks for into a property; false if there is no such
// thing.
func (o *x11Owner) put(to xproto.Window, property, target xproto.Atom) bool {
	switch target {
	case o.atoms.targets:
		signal(o.asked)
		o.putWords(to, property, xproto.AtomAtom, o.targets()...)
	case o.atoms.timestamp:
		o.putWords(to, property, xproto.AtomInteger, uint32(o.since))
	case o.atoms.multiple:
		return o.putEach(to, property)
	default:
		text, ok := o.texts[target]
		if ok {
			o.putText(to, property, target, text)
		}
		return ok
	}
	return true
}

func (o *x11Owner) targets() []uint32 {
	all := []uint32{uint32(o.atoms.targets), uint32(o.atoms.timestamp), uint32(o.atoms.multiple)}
	for _, target := range []xproto.Atom{o.atoms.utf8, o.atoms.plain, xproto.AtomString} {
		if o.texts[target] != nil {
			all = append(all, uint32(target))
		}
	}
	return all
}

// mostTargets are asked for at once.
const mostTargets = 32

// putEach handles MULTIPLE: the property has pairs of a target and a property of
// its own, of which the latter is cleared where there is no such target.
func (o *x11Owner) putEach(to xproto.Window, property xproto.Atom) bool {
	asked, err := xproto.GetProperty(o.conn, false, to, property, xproto.GetPropertyTypeAny, 0, 2*mostTargets).Reply()
	if err != nil || asked.Format != 32 || asked.BytesAfter != 0 {
		return false
	}
	pairs := words(asked.Value)
	for i := 0; i+1 < len(pairs); i += 2 {
		target, place := xproto.Atom(pairs[i]), xproto.Atom(pairs[i+1])
		if target == o.atoms.multiple || place == xproto.AtomNone || !o.put(to, place, target) {
			pairs[i+1] = xproto.AtomNone
		}
	}
	o.putWords(to, property, asked.Type, pairs...)
	return true
}

// leave asks the clipboard manager, where one runs, to take the text over
// (freedesktop.org, clipboard manager).
func (o *x11Owner) leave(ctx context.Context) {
	manager, err := xproto.GetSelectionOwner(o.conn, o.atoms.manager).Reply()
	if err != nil || manager.Owner == xproto.WindowNone {
		return
	}
	o.putWords(o.window, o.atoms.saveTargets, xproto.AtomAtom, o.targets()...)
	xproto.ConvertSelection(o.conn, o.window, o.atoms.manager, o.atoms.saveTargets, o.atoms.saveTargets, xproto.TimeCurrentTime)
	select {
	case <-o.left:
	case <-o.gone:
	case <-ctx.Done():
	}
}

func (o *x11Owner) end() {
	o.conn.Close()
}
