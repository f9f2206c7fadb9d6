//go:build unix

package line

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// dial connects to 127.0.0.1. The deadline binds everything on the connection.
// It uses the socket calls themselves since net initialises three times as
// many packages. A non-blocking socket in an os.File gets the runtime's own
// deadlines, so a server that trickles cannot stretch the exchange.
func dial(port int, deadline time.Time) (*os.File, error) {
	fd, err := socket()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), "127.0.0.1")
	if err = f.SetDeadline(deadline); err == nil {
		err = connect(f, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
	}
	if err != nil {
		f.Close()
		return nil, &os.PathError{Op: "connect to", Path: "the app", Err: err}
	}
	return f, nil
}

// socket opens a non-blocking socket that no child inherits. macOS has no flag
// for that, so a fork is kept off between the two calls.
func socket() (int, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return -1, err
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return -1, err
	}
	return fd, nil
}

// connect waits for the handshake under f's deadline: the runtime calls try
// again when the socket becomes writable.
func connect(f *os.File, to syscall.Sockaddr) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	asked, result := false, error(nil)
	try := func(fd uintptr) (done bool) {
		if !asked {
			asked = true
			result = syscall.Connect(int(fd), to)
			// A signal does not undo a non-blocking connect.
			return !errors.Is(result, syscall.EINPROGRESS) && !errors.Is(result, syscall.EINTR)
		}
		done, result = connected(int(fd))
		return done
	}
	if err := raw.Write(try); err != nil {
		return err
	}
	return result
}

func connected(fd int) (done bool, err error) {
	code, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ERROR)
	if err != nil {
		return true, err
	}
	if code != 0 {
		return true, syscall.Errno(code)
	}
	// A poller may wake without reason (golang/go#14548): only a peer's name
	// proves the connection.
	_, err = syscall.Getpeername(fd)
	return err == nil, nil
}
