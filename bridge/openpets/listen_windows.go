package openpets

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// listen opens a named pipe that only this user can reach.
func listen(string) (net.Listener, string, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	path := `\\.\pipe\openpets-playpets-` + strconv.Itoa(os.Getpid())
	l, err := winio.ListenPipe(path, &winio.PipeConfig{
		// Protected: everything for the user and the system, nothing for others.
		SecurityDescriptor: "D:P(A;;GA;;;" + user.User.Sid.String() + ")(A;;GA;;;SY)",
	})
	if err != nil {
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	return l, path, nil
}

func dial(endpoint string) (net.Conn, error) {
	timeout := knock
	return winio.DialPipe(endpoint, &timeout)
}

// The folders of a Windows account are its own by inheritance.
func ours(os.FileInfo) bool { return true }

func private(os.FileInfo) bool { return true }
