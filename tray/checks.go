package tray

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/notify"
	"github.com/playpets/playpets/tray/overlay"
	"github.com/playpets/playpets/tray/overlay/bubble"
)

// checkLimit is how long one look at the desktop may take.
const checkLimit = 2 * time.Second

// A check looks at one thing.
type check struct {
	id   string
	look func(context.Context) installer.Check // without the id
}

func good(detail string) installer.Check {
	return installer.Check{Status: installer.OK, Detail: detail}
}

func odd(detail, fix string) installer.Check {
	return installer.Check{Status: installer.Warn, Detail: detail, Fix: fix}
}

func broken(detail, fix string) installer.Check {
	return installer.Check{Status: installer.Fail, Detail: detail, Fix: fix}
}

// checkTable is everything that Checks looks at, in the order in which it is told.
var checkTable = append(append([]check{{"display", checkDisplay}}, busChecks...), []check{
	{"notices", checkNotices},
	{"fonts", checkFonts},
	{"data", checkData},
	{"settings", checkSettings},
	{"login", checkLogin},
}...)

// Checks looks at the desktop and at the app's own files for `playpets doctor`.
// All looks are at once, each for two seconds at most. It shows nothing, and
// changes nothing.
func Checks(ctx context.Context) []installer.Check {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	return runChecks(ctx, checkTable)
}

// runChecks makes every check at once. What does not heed the context is left
// behind when that ends.
func runChecks(ctx context.Context, table []check) []installer.Check {
	checks := make([]installer.Check, len(table))
	var looks sync.WaitGroup
	for i, c := range table {
		looks.Go(func() {
			found := make(chan installer.Check, 1)
			go func() { found <- c.look(ctx) }()
			select {
			case checks[i] = <-found:
			case <-ctx.Done():
				checks[i] = odd("no answer in time", "")
			}
			checks[i].ID = c.id
		})
	}
	looks.Wait()
	return checks
}

func checkDisplay(ctx context.Context) installer.Check {
	screen, err := overlay.Probe(ctx)
	switch {
	case err == nil && screen.Translucent:
		return good(screen.Way + ", with a compositor")
	case err == nil:
		return odd(screen.Way + ", without a compositor: friends have hard edges", "Start a compositor, such as picom.")
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
		return odd("friends are not drawn on this system yet", "The tray, notifications and commands work.")
	case !named():
		return odd("this command sees no display", "Run it in a terminal on your desktop.")
	case os.Getenv("DISPLAY") == "":
		return broken("this Wayland desktop takes no friends by itself", "Install XWayland and log in again.")
	}
	return broken(installer.Reason(err), "Set DISPLAY as it is in a terminal on your desktop.")
}

func checkNotices(ctx context.Context) installer.Check {
	server, err := notify.Server(ctx)
	if err != nil {
		return odd("nobody shows notifications: " + installer.Reason(err), "Start a notification daemon, such as dunst.")
	}
	return good("shown by " + server)
}

// checkFonts looks whether bubbles have every letter of the language that
// friends speak.
func checkFonts(ctx context.Context) installer.Check {
	dir, err := settingsDir()
	if err != nil {
		return odd(installer.Reason(err), "")
	}
	s, _ := readSettings(dir)
	language := s.language()
	text := i18n.New(language).Sentence("done", "") + " Aa"
	fonts := bubble.NewFonts(cacheDir(), language, slog.New(slog.DiscardHandler))
	select {
	case <-fonts.Load(text):
	case <-ctx.Done():
		return odd("the system's fonts take long to read", "")
	}
	if !fonts.Covers(text) {
		return odd("no font has the letters of " + language + ": bubbles show boxes", "Install one, such as Noto Sans CJK (fonts-noto-cjk).")
	}
	return good("all letters of " + language)
}

// checkData looks whether the app can keep what it must remember.
func checkData(context.Context) installer.Check {
	dir, err := line.DataDir()
	if err != nil {
		return broken(installer.Reason(err), "Set HOME, or PLAYPETS_DATA to a folder.")
	}
	short := installer.Short(dir)
	probe, err := os.CreateTemp(dir, "doctor-*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		return good(short + " is made at the first start")
	}
	if err != nil {
		return broken(short + " cannot be written: " + installer.Reason(err), "Make it yours, and see whether the disk is full.")
	}
	probe.Close()
	os.Remove(probe.Name())
	return good(short + " can be written")
}

func checkSettings(context.Context) installer.Check {
	dir, err := settingsDir()
	if err != nil {
		return odd(installer.Reason(err), "")
	}
	short := installer.Short(settingsPath(dir))
	if _, err := os.Lstat(settingsPath(dir)); errors.Is(err, fs.ErrNotExist) {
		return good("no " + short + ": everything is as by default")
	}
	if _, warnings := readSettings(dir); len(warnings) > 0 {
		return odd(strings.Join(warnings, "; "), "`playpets config --explain` tells what each line may be.")
	}
	return good(short)
}

// checkLogin tells what starts at login. Nobody must.
func checkLogin(context.Context) installer.Check {
	const again = "Switch \"Start at login\" off and on again in the menu."
	on, err := installer.AtLogin()
	program, lost := installer.LoginProgram()
	switch {
	case errors.Is(err, installer.ErrElsewhere) && !there(program):
		return odd("what starts at login is not there any more", again)
	case errors.Is(err, installer.ErrElsewhere):
		return odd(fmt.Sprintf("another copy starts at login (%s)", installer.Short(program)), again)
	case err != nil || lost != nil:
		return odd("what starts at login cannot be read: " + installer.Reason(errors.Join(err, lost)), "")
	case on:
		return good("starts at login")
	}
	return good("does not start at login")
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
