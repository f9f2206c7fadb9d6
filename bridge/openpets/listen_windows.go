package openpets

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

const neverWait = 0 // no file waits to be opened

// listen opens a named pipe that only this user can reach. Nobody can guess its
// name, and have it first.
func listen(string) (net.Listener, string, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	path := `\\.\pipe\` + doorName + rand.Text()
	l, err := winio.ListenPipe(path, &winio.PipeConfig{
		// Protected: everything for the user and the system, nothing for others.
		SecurityDescriptor: "D:P(A;;GA;;;" + user.User.Sid.String() + ")(A;;GA;;;SY)",
		InputBufferSize:    maxMessage,
		OutputBufferSize:   maxMessage, // a client that does not read holds up nobody
	})
	if err != nil {
		return nil, "", fmt.Errorf("open the door: %w", err)
	}
	return l, path, nil
}

func dial(endpoint string) (net.Conn, error) {
	if !strings.HasPrefix(endpoint, `\\.\pipe\`) { // another computer would learn who we are
		return nil, errors.New("no pipe of this computer")
	}
	timeout := knock
	return winio.DialPipe(endpoint, &timeout)
}

// The folders of a Windows account are its own by inheritance.
func ours(os.FileInfo) bool { return true }

func private(os.FileInfo) bool { return true }
