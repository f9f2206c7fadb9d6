//go:build !unix || darwin

package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"github.com/gen2brain/beeep"
)

// signal is what beeep cannot tell: that a message was clicked.
type signal struct{}

// A beeepDesk shows messages through beeep, which takes its time: Windows waits a
// tenth of a second, macOS until the notice is there, at most two seconds, and
// neither can be interrupted. So it has a goroutine of its own, at one message at
// a time.
type beeepDesk struct {
	icon []byte
	jobs chan job
}

type job struct {
	m    Message
	done chan<- error
}

// names are what shows notifications on these systems.
var names = map[string]string{"windows": "Windows", "darwin": "macOS"}

func newDesk(icon []byte, _ *slog.Logger) desk {
	beeep.AppName = "PlayPets"
	if runtime.GOOS == "windows" && !fitsToast(os.Getenv("LOCALAPPDATA")) {
		icon = nil
	}
	d := &beeepDesk{icon: icon, jobs: make(chan job)}
	go d.work()
	return d
}

// Server returns who shows notifications here: the system itself.
func Server(context.Context) (name string, err error) {
	if name := names[runtime.GOOS]; name != "" {
		return name, nil
	}
	return "", fmt.Errorf("find who shows notifications: nobody is known on %s", runtime.GOOS)
}

func (d *beeepDesk) work() {
	for j := range d.jobs {
		j.done <- d.notify(j.m)
	}
}

func (d *beeepDesk) notify(m Message) error {
	title, body := m.Title, m.Body
	if runtime.GOOS == "windows" {
		title, body = toastText(title), toastText(body)
	}
	var icon any = ""
	if d.icon != nil {
		icon = d.icon
	}
	if m.Sound {
		return beeep.Alert(title, body, icon)
	}
	return beeep.Notify(title, body, icon)
}

// show waits as long as callLimit twice: for the message before this one, and for
// this one.
func (d *beeepDesk) show(ctx context.Context, m Message, _ string) (server string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*callLimit)
	defer cancel()
	done := make(chan error, 1)
	select {
	case d.jobs <- job{m, done}:
	case <-ctx.Done():
		return "", errors.New("show a notification: the one before it is not shown yet")
	}
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("show a notification: %w", err)
	}
	return names[runtime.GOOS], nil
}

func (d *beeepDesk) withdraw(context.Context, string)       {}
func (d *beeepDesk) signals() <-chan *signal                { return nil }
func (d *beeepDesk) heard(*signal) (friend string, ok bool) { return "", false }
func (d *beeepDesk) close()                                 { close(d.jobs) }
