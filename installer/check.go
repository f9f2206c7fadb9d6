package installer

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// Status is how a Check went.
type Status string

// The three of them. Only Fail means that something does not work.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// A Check is one thing that `playpets doctor` looked at. People post what it
// prints: no path outside their home is in it (Short, Reason), and no secret.
type Check struct {
	ID     string `json:"id"` // one word, the same in every run
	Status Status `json:"status"`
	Detail string `json:"detail"` // what was found
	Fix    string `json:"fix"`    // a sentence that says what mends it; empty where nothing must be
}

// Short is a path as a Check shows it: below the home with a ~, elsewhere its
// last name alone.
func Short(path string) string {
	home, err := os.UserHomeDir()
	if err == nil {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join("~", rel)
		}
	}
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// Reason is what an error says without the path or address that it is about.
func Reason(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	var network *net.OpError
	switch {
	case errors.As(err, &path):
		return Reason(path.Err)
	case errors.As(err, &link):
		return Reason(link.Err)
	case errors.As(err, &network):
		return Reason(network.Err)
	case errors.As(err, &call):
		return Reason(call.Err)
	}
	return err.Error()
}
