package clipboard

import (
	"context"
	"runtime"
	"testing"
	"time"
)

func TestWindowsTexts(t *testing.T) {
	expectWay(t, "Windows")
	c := open(t)
	for name, text := range texts {
		c.mustCopy(t, text, "Windows")
		var got string
		err := withClipboard(t.Context(), func() (err error) { got, err = getText(); return err })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		expectText(t, got, text)
	}
	c.expectNoZeros(t)
}

// A zero would be the end of the text for those who paste it.
func (c *Clipboard) expectNoZeros(t *testing.T) {
	t.Helper()
	if way, err := c.Copy(t.Context(), "one\x00two"); err == nil {
		t.Errorf("copied a zero by way of %s", way)
	}
}

// Another program that has the clipboard open is waited for, but not for ever.
func TestWindowsOpenElsewhere(t *testing.T) {
	opened, release, closed := make(chan bool), make(chan struct{}), make(chan struct{})
	go func() {
		runtime.LockOSThread() // and ended with its thread, which had the clipboard
		ok, _, _ := openClipboard.Call(0)
		opened <- ok != 0
		<-release
		closeClipboard.Call()
		close(closed)
	}()
	if !<-opened {
		t.Fatal("the clipboard does not open")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*pause)
	defer cancel()
	if err := withClipboard(ctx, func() error { return nil }); err == nil {
		t.Skip("here a thread may open what another one has open") // Wine: within one process
	}
	time.AfterFunc(3*pause, func() { close(release) })
	open(t).mustCopy(t, "text", "Windows")
	shut(t, "the other one closed it", closed)
}
