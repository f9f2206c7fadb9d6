package tray

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/playpets/playpets/installer"
)

// guides are what a new person reads, a file a language.
//
//go:embed guide/*.txt
var guides embed.FS

// help answers the Help menu. Texts are files that the desktop opens.
func (a *app) help(topic string) {
	switch topic {
	case "start":
		guide, err := guides.ReadFile("guide/" + a.words().Lang() + ".txt")
		if err != nil {
			guide, _ = guides.ReadFile("guide/en.txt") // which a test holds
		}
		a.showText("getting-started.txt", string(guide))
	case "check":
		report, err := a.check()
		if err != nil {
			a.complain(err, "tell.not_done", nil)
			return
		}
		a.showText("check.txt", report)
	case "about":
		a.tell(a.words().Label("help.about", map[string]any{"Version": installer.Version()}))
	}
}

// checkLimit is how long a check of the setup may take in all.
const checkLimit = 20 * time.Second

// check is what `playpets doctor` prints. It ends with an error where something is
// broken, which is what people want to read.
func (a *app) check() (report string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "doctor", "--bridge", a.at.bridge).Output()
	if len(out) == 0 {
		return "", fmt.Errorf("check the setup: %w", err)
	}
	return string(out), nil
}

// showText writes a text into the data folder and opens it.
func (a *app) showText(name, text string) {
	path := filepath.Join(a.at.data, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		a.complain(fmt.Errorf("write %s: %w", name, err), "tell.not_done", nil)
		return
	}
	go a.open(path)
}

// open opens a file, or says where it is. While the program that opens it is still at
// that, it is not started again.
func (a *app) open(path string) {
	a.once(path, func() {
		if err := openFile(path); err != nil {
			a.complain(err, "tell.look", map[string]any{"Path": tilde(path)})
		}
	})
}

// openFriendsFolder opens the folder of invited friends.
func (a *app) openFriendsFolder() {
	dir := filepath.Join(a.at.data, "friends")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		a.complain(fmt.Errorf("make the friends' folder: %w", err), "tell.not_done", nil)
		return
	}
	a.open(dir)
}

// tilde shortens a path in the person's own folder.
func tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if rest, in := strings.CutPrefix(path, home+string(filepath.Separator)); in {
		return filepath.Join("~", rest)
	}
	return path
}
