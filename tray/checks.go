package tray

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/notify"
	"github.com/playpets/playpets/tray/clipboard"
	"github.com/playpets/playpets/tray/overlay"
	"github.com/playpets/playpets/tray/overlay/bubble"
)

// looksLimit is how long the looks of Checks may take.
const looksLimit = 2 * time.Second

// A look is at one thing, or at several that hang on one.
type look struct {
	id   string // of its first check
	look func(context.Context) []installer.Check
}

// looks are all there are, in the order in which they are told.
var looks = []look{
	{"display", one(checkDisplay)},
	{"bus", checkBus},
	{"clipboard", one(checkClipboard)},
	{"fonts", one(checkFonts)},
	{"data", one(checkData)},
	{"settings", one(checkSettings)},
	{"openpets", one(checkOpenPets)},
	{"login", one(checkLogin)},
}

// Checks looks at the desktop and at the app's own files for `playpets doctor`,
// within two seconds. It shows nothing, and changes nothing.
func Checks(ctx context.Context) []installer.Check {
	ctx, cancel := context.WithTimeout(ctx, looksLimit)
	defer cancel()
	return lookAt(ctx, looks)
}

// lookAt takes all looks at once. What does not heed the context is left behind
// when that ends.
func lookAt(ctx context.Context, looks []look) []installer.Check {
	found := make([]chan []installer.Check, len(looks))
	for i, l := range looks {
		found[i] = make(chan []installer.Check, 1)
		go func() { found[i] <- l.look(ctx) }()
	}
	var all []installer.Check
	for i, l := range looks {
		all = append(all, inTime(ctx, l.id, found[i])...)
	}
	return all
}

// inTime waits for the checks of a look. Those that are there count, whatever
// others took.
func inTime(ctx context.Context, id string, found <-chan []installer.Check) []installer.Check {
	select {
	case checks := <-found:
		return checks
	case <-ctx.Done():
	}
	select {
	case checks := <-found:
		return checks
	default:
		return []installer.Check{odd(id, "no answer in time", "")}
	}
}

func one(check func(context.Context) installer.Check) func(context.Context) []installer.Check {
	return func(ctx context.Context) []installer.Check { return []installer.Check{check(ctx)} }
}

func good(id, detail string) installer.Check {
	return installer.Check{ID: id, Status: installer.OK, Detail: detail}
}

func odd(id, detail, fix string) installer.Check {
	return installer.Check{ID: id, Status: installer.Warn, Detail: detail, Fix: fix}
}

func broken(id, detail, fix string) installer.Check {
	return installer.Check{ID: id, Status: installer.Fail, Detail: detail, Fix: fix}
}

func checkDisplay(ctx context.Context) installer.Check {
	const id = "display"
	screen, err := overlay.Probe(ctx)
	switch {
	case err == nil && screen.Saved: // who reads this sees the screen all the same
		return odd(id, screen.Way+", whose screen saver is on: friends stand still", "`xset s reset` ends it, `xset s off` keeps it off.")
	case err == nil && screen.Translucent:
		return good(id, screen.Way+", with a compositor")
	case err == nil:
		return odd(id, screen.Way+", without a compositor: friends have hard edges", "Start a compositor, such as picom.")
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
		return odd(id, "friends are not drawn on this system yet", "")
	case !named():
		return odd(id, "this command sees no display", "Run it in a terminal on your desktop.")
	case os.Getenv("DISPLAY") == "":
		return broken(id, "this Wayland desktop shows no friends by itself: "+installer.Reason(err), "Install XWayland and log in again.")
	}
	return broken(id, installer.Reason(err), "Set DISPLAY as it is in a terminal on your desktop.")
}

func checkNotices(ctx context.Context) installer.Check {
	server, err := notify.Server(ctx)
	if err != nil {
		return odd("notices", "nobody shows notifications: "+installer.Reason(err), "Start a notification daemon, such as dunst.")
	}
	return good("notices", "shown by "+server)
}

func checkClipboard(ctx context.Context) installer.Check {
	way, err := clipboard.Way(ctx)
	if err != nil {
		return odd("clipboard", "nothing takes what is copied: "+installer.Reason(err), "What you copy is saved into a file that is opened.")
	}
	return good("clipboard", "by "+way)
}

// checkFonts looks whether bubbles have the letters of the language that friends
// speak.
func checkFonts(ctx context.Context) installer.Check {
	dir, err := settingsDir()
	if err != nil {
		return odd("fonts", installer.Reason(err), "Set HOME.")
	}
	words := i18n.New(readConfig(settingsPath(dir)).settings.language())
	return checkLetters(ctx, words.Lang(), words.Sentence("done", "")+" Aa")
}

func checkLetters(ctx context.Context, language, text string) installer.Check {
	const id = "fonts"
	fonts := bubble.NewFonts(cacheDir(), language, slog.New(slog.DiscardHandler))
	select {
	case <-fonts.Load(text):
	case <-ctx.Done():
		return odd(id, "the system's fonts take long to read", "")
	}
	if !fonts.Covers(text) {
		return odd(id, "no font has the letters of "+languageName(language)+": bubbles show boxes", "Install one, such as Noto Sans CJK.")
	}
	return good(id, "the letters of "+languageName(language)+" are there")
}

func languageName(code string) string {
	all := i18n.Languages()
	if i := slices.IndexFunc(all, func(l i18n.Language) bool { return l.Code == code }); i >= 0 {
		return all[i].Name
	}
	return code
}

// checkData looks whether the app can keep what it must remember.
func checkData(context.Context) installer.Check {
	const id = "data"
	dir, err := line.DataDir()
	if err != nil {
		return broken(id, installer.Reason(err), "Set HOME, or PLAYPETS_DATA to a folder.")
	}
	short := installer.Short(dir)
	probe, err := os.CreateTemp(dir, "doctor-*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		return good(id, short+" is made at the first start")
	}
	if err != nil {
		return broken(id, short+" cannot be written: "+installer.Reason(err), "Make it yours, and see whether the disk is full.")
	}
	probe.Close()
	os.Remove(probe.Name())
	return good(id, short+" can be written")
}

func checkSettings(context.Context) installer.Check {
	const id, explain = "settings", "`playpets config --explain` tells what each line may be."
	dir, err := settingsDir()
	if err != nil {
		return odd(id, installer.Reason(err), "Set HOME.")
	}
	short := installer.Short(settingsPath(dir))
	r := readConfig(settingsPath(dir))
	var problems []string
	for _, p := range r.odd {
		problems = append(problems, p.String())
	}
	switch {
	case r.err != nil:
		return odd(id, short+" cannot be used: "+installer.Reason(r.err), explain)
	case len(problems) > 0:
		return odd(id, strings.Join(problems, "; "), explain)
	case r.data == nil:
		return good(id, "no "+short+": all is as it comes")
	}
	return good(id, short)
}

// checkLogin tells what starts at login. Nothing must.
func checkLogin(context.Context) installer.Check {
	const id, again = "login", "Switch \"Start at login\" on in the menu."
	on, err := installer.AtLogin()
	program, unread := installer.LoginProgram()
	switch _, gone := os.Stat(program); {
	case errors.Is(err, installer.ErrForeign):
		return odd(id, "what has PlayPets' name among what starts at login is not PlayPets", "Change it by hand: \"Start at login\" in the menu leaves it alone.")
	case errors.Is(err, installer.ErrElsewhere) && gone != nil:
		return odd(id, "what starts at login is not there any more", again)
	case errors.Is(err, installer.ErrElsewhere):
		return odd(id, "another copy starts at login ("+installer.Short(program)+")", again)
	case err != nil || unread != nil:
		return odd(id, "what starts at login cannot be read: "+strings.TrimPrefix(installer.Reason(cmp.Or(err, unread)), "read what starts at login: "), "")
	case on:
		return good(id, "starts at login")
	}
	return good(id, "does not start at login")
}
