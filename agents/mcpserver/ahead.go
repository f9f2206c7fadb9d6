package mcpserver

import (
	"bytes"
	"io"
	"sync"
)

// maxAhead is how far the input is read ahead, in bytes: a few hundred calls.
const maxAhead = 256 << 10

// ahead reads on while a message is answered, so that the end of the input is
// known although nobody has come to it yet.
type ahead struct {
	ended chan struct{} // closed once all is read

	mu   sync.Mutex // guards the rest
	news sync.Cond  // it has changed
	kept bytes.Buffer
	err  error // what ended the input
}

// readAhead reads r. The goroutine that does lives until r ends, or a read
// returns after close.
func readAhead(r io.Reader) *ahead {
	a := &ahead{ended: make(chan struct{})}
	a.news.L = &a.mu
	go func() {
		defer close(a.ended)
		part := make([]byte, 32<<10)
		for {
			n, err := r.Read(part)
			if !a.keep(part[:n], err) {
				return
			}
		}
	}()
	return a
}

// keep keeps what was read once there is room for it, and reports whether to
// read more.
func (a *ahead) keep(part []byte, err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.kept.Len() > maxAhead && a.err == nil {
		a.news.Wait()
	}
	if a.err != nil {
		return false
	}
	a.kept.Write(part)
	a.err = err
	a.news.Broadcast()
	return err == nil
}

func (a *ahead) Read(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.kept.Len() == 0 && a.err == nil {
		a.news.Wait()
	}
	if a.kept.Len() == 0 {
		return 0, a.err
	}
	a.news.Broadcast()
	return a.kept.Read(p)
}

// close lets go of the goroutine that reads.
func (a *ahead) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = io.ErrClosedPipe
	}
	a.news.Broadcast()
}
