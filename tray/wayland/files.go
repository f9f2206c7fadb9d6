//go:build unix

package wayland

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
)

// files are those that came and that no event has taken yet, in their order. Each
// event that brings one must be known, or others get it.
type files struct {
	mu     sync.Mutex
	came   []int
	closed bool
}

// mostFiles is how many come with one read from a compositor at most.
const mostFiles = 28

func (f *files) put(fds []int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || len(f.came) > mostFiles {
		closeAll(fds)
		return errors.New("files come that belong to nothing")
	}
	f.came = append(f.came, fds...)
	return nil
}

// take is the next file, nil when there is none.
func (f *files) take() *os.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.came) == 0 {
		return nil
	}
	fd := f.came[0]
	f.came = f.came[1:]
	syscall.SetNonblock(fd, true) // else it takes no deadlines; regular files need none
	return os.NewFile(uintptr(fd), "from the compositor")
}

// close ends those that wait, and those that come later.
func (f *files) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	closeAll(f.came)
	f.came, f.closed = nil, true
}

func closeAll(fds []int) {
	for _, fd := range fds {
		syscall.Close(fd)
	}
}

// fileReader reads from a socket, and keeps the files that come along: they are
// there no later than their events.
type fileReader struct {
	socket *net.UnixConn
	files  *files
}

func (r fileReader) Read(b []byte) (int, error) {
	rights := make([]byte, syscall.CmsgSpace(4*mostFiles))
	n, rn, _, _, err := r.socket.ReadMsgUnix(b, rights)
	if err != nil {
		return 0, err
	}
	messages, _ := syscall.ParseSocketControlMessage(rights[:rn])
	for i := range messages {
		fds, _ := syscall.ParseUnixRights(&messages[i])
		if err := r.files.put(fds); err != nil {
			return n, err
		}
	}
	return n, nil
}
