package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
)

// TestAhead: all comes through, in order, and then the reader's own error.
func TestAhead(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789"), maxAhead/3)
	broken := errors.New("broken")
	in := readAhead(io.MultiReader(bytes.NewReader(want), iotest.ErrReader(broken)))
	got, err := io.ReadAll(iotest.HalfReader(in))
	if !bytes.Equal(got, want) || !errors.Is(err, broken) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	<-in.ended
}

// TestAheadKnowsTheEnd before anything is read.
func TestAheadKnowsTheEnd(t *testing.T) {
	in := readAhead(iotest.OneByteReader(bytes.NewReader(make([]byte, 1000))))
	<-in.ended
	if got, err := io.ReadAll(in); len(got) != 1000 || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestAheadHoldsLittle of an input without an end, and lets go of it.
func TestAheadHoldsLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		in := readAhead(counter{&n})
		synctest.Wait()
		if n := n.Load(); n < maxAhead || n > maxAhead+100<<10 {
			t.Errorf("%d bytes are read ahead", n)
		}
		in.close()
		synctest.Wait()
		<-in.ended
	})
}

// counter counts what is read of nothing but zeros.
type counter struct{ n *atomic.Int64 }

func (c counter) Read(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return zeros{}.Read(p)
}
