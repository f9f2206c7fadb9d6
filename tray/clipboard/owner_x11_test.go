//go:build unix && !darwin

package clipboard

import (
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
)

func (c *Clipboard) x11(t testing.TB) *x11Owner {
	t.Helper()
	o, ok := c.held.(*x11Owner)
	if !ok {
		t.Fatalf("the holder is %T", c.held)
	}
	return o
}

func TestX11Texts(t *testing.T) {
	startX(t)
	expectWay(t, "X11")
	c := open(t)
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			c.mustCopy(t, text, "X11")
			expectText(t, output(t, "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"), text)
			expectText(t, output(t, "xclip", "-o", "-selection", "clipboard", "-t", "text/plain;charset=utf-8"), text)
			expectText(t, output(t, "xsel", "--clipboard", "--output"), text)
		})
	}
}

// The old STRING is Latin-1, and refused for a text that is more than that.
func TestX11OldTarget(t *testing.T) {
	startX(t)
	g, c := visit(t), open(t)
	c.mustCopy(t, "Grüße", "X11")
	if e := g.ask(xproto.AtomString, g.atoms.scratch); e.Property != g.atoms.scratch {
		t.Errorf("the answer is %+v", e)
	}
	if p := g.property(g.atoms.scratch); string(p.Value) != "Gr\xFC\xDFe" || p.Type != xproto.AtomString {
		t.Errorf("the text is %q of type %d", p.Value, p.Type)
	}
	c.mustCopy(t, "친구", "X11")
	if e := g.ask(xproto.AtomString, g.atoms.scratch); e.Property != xproto.AtomNone {
		t.Errorf("the answer is %+v", e)
	}
}

func TestX11Targets(t *testing.T) {
	startX(t)
	c := open(t)
	for text, want := range map[string]string{
		"a": "TARGETS\nTIMESTAMP\nMULTIPLE\nUTF8_STRING\ntext/plain;charset=utf-8\nSTRING\n",
		"가": "TARGETS\nTIMESTAMP\nMULTIPLE\nUTF8_STRING\ntext/plain;charset=utf-8\n",
	} {
		c.mustCopy(t, text, "X11")
		if got := output(t, "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS"); got != want {
			t.Errorf("for %s the targets are %q, want %q", text, got, want)
		}
	}
}

// The time of the selection is the server's own, not CurrentTime.
func TestX11Timestamp(t *testing.T) {
	startX(t)
	g, c := visit(t), open(t)
	before, err := g.now()
	if err != nil {
		t.Fatal(err)
	}
	c.mustCopy(t, "text", "X11")
	after, err := g.now()
	if err != nil {
		t.Fatal(err)
	}
	g.ask(g.atoms.timestamp, g.atoms.scratch)
	p := g.property(g.atoms.scratch)
	if p.Type != xproto.AtomInteger || len(p.Value) != 4 {
		t.Fatalf("the answer is %+v", p)
	}
	if at := xproto.Timestamp(words(p.Value)[0]); at < before || at > after {
		t.Errorf("the selection is from %d, which is not between %d and %d", at, before, after)
	}
}

func TestX11Multiple(t *testing.T) {
	startX(t)
	g, c := visit(t), open(t)
	c.mustCopy(t, "친구", "X11")
	one, two, three := g.atom("ONE"), g.atom("TWO"), g.atom("THREE")
	pairs := []uint32{
		uint32(g.atoms.utf8), uint32(one),
		uint32(g.atom("image/png")), uint32(two),
		uint32(g.atoms.targets), uint32(three),
		uint32(g.atoms.multiple), uint32(g.atoms.scratch), // without an end
	}
	g.putWords(g.window, g.atoms.scratch, g.atom("ATOM_PAIR"), pairs...)
	if e := g.ask(g.atoms.multiple, g.atoms.scratch); e.Property != g.atoms.scratch {
		t.Fatalf("the answer is %+v", e)
	}
	pairs[3], pairs[7] = xproto.AtomNone, xproto.AtomNone
	if got := words(g.property(g.atoms.scratch).Value); !slices.Equal(got, pairs) {
		t.Errorf("the pairs are %v, want %v", got, pairs)
	}
	expectText(t, string(g.property(one).Value), "친구")
	if p := g.property(three); p.Type != xproto.AtomAtom || len(p.Value) != 4*5 {
		t.Errorf("the targets are %+v", p)
	}
	g.putWords(g.window, g.atoms.scratch, g.atom("ATOM_PAIR"), make([]uint32, 2*mostTargets+2)...)
	if e := g.ask(g.atoms.multiple, g.atoms.scratch); e.Property != xproto.AtomNone {
		t.Errorf("too many at once are answered with %+v", e)
	}
}

// Old programs name no property, and expect the text in that of the target's
// name.
func TestX11NoProperty(t *testing.T) {
	startX(t)
	g, c := visit(t), open(t)
	c.mustCopy(t, "text", "X11")
	if e := g.ask(g.atoms.utf8, xproto.AtomNone); e.Property != g.atoms.utf8 {
		t.Fatalf("the answer is %+v", e)
	}
	expectText(t, string(g.property(g.atoms.utf8).Value), "text")
	if e := g.ask(g.atom("image/png"), g.atoms.scratch); e.Property != xproto.AtomNone {
		t.Errorf("a picture is answered with %+v", e)
	}
}

// When somebody else copies something our connection ends, and theirs is what is
// read.
func TestX11Taken(t *testing.T) {
	startX(t)
	c := open(t)
	c.mustCopy(t, "ours", "X11")
	o := c.x11(t)
	copyWith(t, exec.Command(tool(t, "xclip"), "-i", "-selection", "clipboard"), "theirs")
	shut(t, "the connection ended", o.gone)
	expectText(t, output(t, "xsel", "--clipboard", "--output"), "theirs")
	c.mustCopy(t, "ours again", "X11")
	expectText(t, output(t, "xsel", "--clipboard", "--output"), "ours again")
}

// copyWith has another program copy a text, which it serves in the background.
func copyWith(t testing.TB, cmd *exec.Cmd, text string) {
	t.Helper()
	cmd.Stdin = strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v", cmd.Path, err)
	}
}

func TestX11SecondCopy(t *testing.T) {
	startX(t)
	c := open(t)
	c.mustCopy(t, "first", "X11")
	o := c.x11(t)
	c.mustCopy(t, "second", "X11")
	shut(t, "the first connection ended", o.gone)
	expectText(t, output(t, "xsel", "--clipboard", "--output"), "second")
}

// Somebody who wants all there is and takes none of it, and many who are gone
// before they get anything, keep nobody else from reading.
func TestX11BadReaders(t *testing.T) {
	startX(t)
	c := open(t)
	c.mustCopy(t, texts["long"], "X11")
	slow, good := visit(t), visit(t)
	for range 20 {
		xproto.ConvertSelection(slow.conn, slow.window, slow.atoms.clipboard, slow.atoms.utf8, slow.atoms.scratch, xproto.TimeCurrentTime)
	}
	for range 20 {
		x, keep, err := openX11(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		keep()
		xproto.ConvertSelection(x.conn, x.window, x.atoms.clipboard, x.atoms.utf8, x.atoms.scratch, xproto.TimeCurrentTime)
		xproto.DestroyWindow(x.conn, x.window)
		x.conn.Close()
	}
	good.ask(good.atoms.utf8, good.atoms.scratch)
	expectText(t, string(good.property(good.atoms.scratch).Value), texts["long"])
	expectText(t, output(t, "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"), texts["long"])
}

// A program that takes the selection right back makes a copy fail.
func TestX11TakenAtOnce(t *testing.T) {
	startX(t)
	g, c := visit(t), open(t)
	g.take(g.atoms.clipboard)
	done := make(chan struct{})
	go func() { // answers everybody with nothing
		defer close(done)
		for {
			e, err := g.event()
			if err != nil {
				return
			}
			switch e := e.(type) {
			case xproto.SelectionClearEvent:
				xproto.SetSelectionOwner(g.conn, g.window, g.atoms.clipboard, xproto.TimeCurrentTime)
			case xproto.SelectionRequestEvent:
				reply := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target}
				xproto.SendEvent(g.conn, false, e.Requestor, xproto.EventMaskNoEvent, string(reply.Bytes()))
			}
		}
	}()
	// Most often it is faster than the reading back; once in a hundred times not.
	until(t, "a copy failed", func() bool {
		_, err := c.Copy(t.Context(), "ours")
		return err != nil && strings.Contains(err.Error(), errNotThere.Error())
	})
	g.conn.Close()
	shut(t, "the greedy program ended", done)
}

func TestX11ServerDies(t *testing.T) {
	server := startX(t)
	c := open(t)
	c.mustCopy(t, "text", "X11")
	o := c.x11(t)
	kill(server)
	shut(t, "the connection ended", o.gone)
	c.expectError(t, "; X11: ")
	c.Close()
}

// A server that hangs is given up on, and nothing of ours is left when it comes
// alive again.
func TestX11ServerHangs(t *testing.T) {
	server := startX(t)
	c := open(t)
	c.mustCopy(t, "text", "X11")
	server.Process.Signal(syscall.SIGSTOP)
	c.limit = 10 * time.Millisecond
	c.expectError(t, "; X11: no answer in time")
	c.Close()
	server.Process.Signal(syscall.SIGCONT)
}

// At the end the text goes to a clipboard manager.
func TestX11LeftToManager(t *testing.T) {
	startX(t)
	manager, c := visit(t), open(t)
	manager.take(manager.atoms.manager)
	c.mustCopy(t, "for later", "X11")
	closed := make(chan struct{})
	go func() {
		c.Close()
		close(closed)
	}()
	request := manager.request()
	if request.Target != manager.atoms.saveTargets {
		t.Fatalf("asked for %+v", request)
	}
	wanted, err := xproto.GetProperty(manager.conn, false, request.Requestor, request.Property, xproto.AtomAtom, 0, 100).Reply()
	if err != nil || !slices.Contains(words(wanted.Value), uint32(manager.atoms.utf8)) {
		t.Errorf("to be saved are %v with error %v", wanted, err)
	}
	text, err := manager.read(1000)
	if err != nil || string(text) != "for later" {
		t.Errorf("got %q with error %v", text, err)
	}
	reply := xproto.SelectionNotifyEvent{Requestor: request.Requestor, Selection: request.Selection, Target: request.Target, Property: request.Property}
	xproto.SendEvent(manager.conn, false, request.Requestor, xproto.EventMaskNoEvent, string(reply.Bytes()))
	shut(t, "the clipboard closed", closed)
}

// request waits until somebody asks for a selection of the guest's.
func (g guest) request() xproto.SelectionRequestEvent {
	g.t.Helper()
	for {
		e, err := g.event()
		if err != nil {
			g.t.Fatal(err)
		}
		if e, ok := e.(xproto.SelectionRequestEvent); ok {
			return e
		}
	}
}

// A clipboard manager that does not answer is not waited for for long.
func TestX11SilentManager(t *testing.T) {
	startX(t)
	manager, c := visit(t), open(t)
	manager.take(manager.atoms.manager)
	c.mustCopy(t, "text", "X11")
	o := c.x11(t)
	c.Close()
	shut(t, "the connection ended", o.gone)
}
