//go:build !windows

package openpets

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	socketTail = ".sock"
	neverWait  = syscall.O_NONBLOCK
)

// listen opens a socket in dir that only we can reach.
func listen(dir string) (net.Listener, string, error) {
	if err := folder(dir); err != nil {
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	sweep(dir)
	path := filepath.Join(dir, doorName+strconv.Itoa(os.Getpid())+socketTail)
	os.Remove(path) // of a process with our number, before us
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	// The folder is ours alone, so that nobody came in before this.
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	return l, path, nil
}

// sweep removes the sockets of apps that were killed.
func sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, doorName+"*"+socketTail))
	for _, path := range left {
		if conn, err := dial(path); err == nil {
			conn.Close()
		} else if errors.Is(err, syscall.ECONNREFUSED) { // nobody holds it
			os.Remove(path)
		}
	}
}

// dial reaches a socket, of whatever program.
func dial(endpoint string) (net.Conn, error) {
	if !strings.HasPrefix(endpoint, "/") {
		return nil, errors.New("no socket")
	}
	return net.DialTimeout("unix", endpoint, knock)
}

func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

func private(info os.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }
