package openpets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/playpets/playpets/bridge/line"
)

// places are where OpenPets' clients look: the discovery file, and the folder of
// its sockets (which Windows has none of).
type places struct {
	file, sockets string
	chosen        bool // by the person: the file's folder is not ours to shut
}

// card is the discovery file.
type card struct {
	Protocol        string `json:"protocol"`
	ProtocolVersion int    `json:"protocolVersion"`
	Endpoint        string `json:"endpoint"`
	Token           string `json:"token"`
	AppVersion      string `json:"appVersion"`
	PID             int    `json:"pid"`
	Platform        string `json:"platform"`
}

// platform is a system as node names it.
func platform(goos string) string {
	if goos == "windows" {
		return "win32"
	}
	return goos
}

const (
	fileName = "ipc.json"
	doorName = "openpets-playpets-" // how the name of each of our sockets and pipes begins
)

// find names the places as OpenPets' clients do. It makes nothing.
func find(goos string, getenv func(string) string) (at places, err error) {
	run := secure(getenv("XDG_RUNTIME_DIR"))
	if goos != "windows" {
		// Their other choice is a folder in /tmp; that is theirs, and so no TMPDIR.
		at.sockets = fmt.Sprintf("/tmp/openpets-%d", os.Getuid())
		if goos == "linux" && run != "" && len(run) <= maxRun {
			at.sockets = filepath.Join(run, "openpets")
		}
	}
	home := getenv("HOME")
	switch {
	case getenv("OPENPETS_DISCOVERY_FILE") != "":
		at.file, at.chosen = getenv("OPENPETS_DISCOVERY_FILE"), true
		if !filepath.IsAbs(at.file) {
			return at, errors.New("OPENPETS_DISCOVERY_FILE is no absolute path")
		}
		return at, nil
	case goos == "windows" && getenv("APPDATA") != "":
		at.file = filepath.Join(getenv("APPDATA"), "OpenPets", "runtime", fileName)
	case goos == "darwin" && home != "":
		at.file = filepath.Join(home, "Library", "Application Support", "OpenPets", "runtime", fileName)
	case goos == "linux" && run != "":
		at.file = filepath.Join(run, "openpets", fileName)
	case goos == "linux" && getenv("XDG_CONFIG_HOME") != "":
		at.file = filepath.Join(getenv("XDG_CONFIG_HOME"), "OpenPets", "runtime", fileName)
	case goos == "linux" && home != "":
		at.file = filepath.Join(home, ".config", "OpenPets", "runtime", fileName)
	default:
		return at, errors.New("the environment names no home")
	}
	return at, nil
}

// maxRun keeps a socket's path within what the kernels take, 104 bytes.
const maxRun = 60

// secure is dir if only we can look into it, else empty.
func secure(dir string) string {
	info, err := os.Lstat(dir)
	if err != nil || !filepath.IsAbs(dir) || !info.IsDir() || info.Mode().Perm() != 0o700 || !ours(info) {
		return ""
	}
	return dir
}

// folder makes a folder that only we can look into, or finds that it is one.
func folder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir() || !ours(info):
		return fmt.Errorf("%s is not our folder", filepath.Base(dir))
	case private(info):
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// read reads the discovery file; not one that other users could have written.
func (at places) read() (c card, err error) {
	f, err := os.OpenFile(at.file, os.O_RDONLY|neverWait, 0) // what is no file could keep us
	if err != nil {
		return c, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	if !info.Mode().IsRegular() || !ours(info) {
		return c, errors.New("the discovery file is not ours")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxMessage+1))
	if err != nil {
		return c, err
	}
	if len(data) > maxMessage {
		return c, errors.New("the discovery file is too large")
	}
	if err := json.Unmarshal(data, &c); err != nil || c.Protocol != protocol {
		return c, errors.New("the discovery file is none of OpenPets'")
	}
	return c, nil
}

// ours reports whether the discovery file is the one that we published.
func (at places) ours(c card) bool {
	found, err := at.read()
	return err == nil && found == c
}

// owner is who published the discovery file, and whether it answers.
func (at places) owner() (c card, live bool, err error) {
	if c, err = at.read(); err != nil {
		return c, false, err
	}
	return c, reached(c), nil
}

// reached reports whether a door answers. Ours does not once its socket is gone,
// as it is when /tmp is cleaned.
func reached(c card) bool {
	conn, err := reach(c.Endpoint)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// Place is who answers OpenPets' clients on this computer.
type Place struct {
	PID  int  // the program that says so; 0: none does
	Ours bool // it is PlayPets
	Live bool // it can be reached
}

// Look returns who has the place. It changes nothing.
func Look() (Place, error) {
	at, err := find(runtime.GOOS, os.Getenv)
	if err != nil {
		return Place{}, err
	}
	c, live, err := at.owner()
	if errors.Is(err, fs.ErrNotExist) {
		return Place{}, nil
	}
	if err != nil {
		return Place{}, fmt.Errorf("read %s: %w", fileName, err)
	}
	return Place{PID: c.PID, Ours: strings.Contains(c.Endpoint, doorName), Live: live}, nil
}

// reach opens a connection to a door. That of a Windows OpenPets is a port, for
// clients inside its Linux; it is tried only where it can be no far computer's.
func reach(endpoint string) (net.Conn, error) {
	port, tcp := strings.CutPrefix(endpoint, "tcp://")
	if !tcp {
		return dial(endpoint)
	}
	at, err := netip.ParseAddrPort(port)
	if err != nil || !at.Addr().IsLoopback() && !at.Addr().IsPrivate() {
		return nil, errors.New("no door of this computer")
	}
	return net.DialTimeout("tcp", at.String(), knock)
}

// publish writes the discovery file, whole or not at all.
func (at places) publish(c card) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	dir := filepath.Dir(at.file)
	if at.chosen {
		err = os.MkdirAll(dir, 0o700)
	} else {
		err = folder(dir)
	}
	if err != nil {
		return fmt.Errorf("publish the door: %w", err)
	}
	if err := line.WritePrivate(at.file, append(data, '\n')); err != nil {
		return fmt.Errorf("publish the door: %w", err)
	}
	return nil
}

// withdraw removes the discovery file if it is ours still.
func (at places) withdraw(c card) {
	if at.ours(c) {
		os.Remove(at.file)
	}
}
