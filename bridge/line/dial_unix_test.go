//go:build unix

package line

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// Nobody accepts and the queue is full: connecting alone takes all the time.
func TestExchangeEndsWhileConnecting(t *testing.T) {
	e := fullQueue(t)
	if _, _, err := e.Exchange("POST", "/events", []byte("{}"), 50*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// fullQueue is a listener that accepts nobody and whose queue is full.
func fullQueue(t *testing.T) Endpoint {
	t.Helper()
	fd, err := socket()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	to := name.(*syscall.SockaddrInet4)
	for range 8 { // more than the kernel rounds up to
		guest, err := socket()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Close(guest) })
		syscall.Connect(guest, to)
	}
	return Endpoint{Port: to.Port, Token: token}
}

// A child of `playpets run` must not keep the connection open.
func TestSocketIsNotInherited(t *testing.T) {
	fd, err := socket()
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
	if errno != 0 || flags&syscall.FD_CLOEXEC == 0 {
		t.Errorf("flags %x, %v", flags, errno)
	}
}
