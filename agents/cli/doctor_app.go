package cli

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/installer"
)

// An appReport is what the line to the app shows.
type appReport struct {
	checks   []installer.Check
	statuses []agents.Status // nil when the app does not tell
	heard    map[string]time.Time
}

const restart = "Quit PlayPets and start it again: that writes a new bridge.json."

// checkApp follows the line to the app, as far as it holds.
func checkApp(path string) (r appReport) {
	row := func(id string, s installer.Status, detail, fix string) {
		r.checks = append(r.checks, installer.Check{ID: id, Status: s, Detail: detail, Fix: fix})
	}
	held, err := line.Held(path)
	_, noFile := os.Lstat(path)
	switch {
	case err != nil:
		row("app", installer.Fail, "its lock cannot be tested: "+installer.Reason(err), "Make the data folder yours.")
		return r
	case !held && noFile == nil:
		row("app", installer.Fail, "not running; one that ended early has left its bridge.json", "Start it with `playpets`.")
		return r
	case !held:
		row("app", installer.Fail, "not running", "Start it with `playpets`.")
		return r
	}
	row("app", installer.OK, "running", "")
	if _, err := line.Find(path); err != nil {
		detail := installer.Short(path) + ": " + installer.Reason(err)
		if noFile != nil {
			detail = installer.Short(path) + " is missing"
		}
		row("bridge", installer.Fail, detail, restart)
		return r
	}
	row("bridge", installer.OK, installer.Short(path)+", for you alone", "")
	app, err := bridge.NewClient(path).App()
	if err != nil {
		r.checks = append(r.checks, explainSilence(err))
		return r
	}
	row("answer", installer.OK, "the app answers and takes the token", "")
	r.statuses, r.heard = app.Friends, app.Heard
	if ours := installer.Version(); app.Version != ours {
		row("version", installer.Warn, fmt.Sprintf("the app is %s, this command is %s", orUnknown(app.Version), ours),
			"Quit PlayPets and start it again; if that does not help, an older copy is installed somewhere.")
	} else {
		row("version", installer.OK, "the app and this command are both "+ours, "")
	}
	return r
}

func orUnknown(version string) string {
	if version == "" {
		return "of an unknown version"
	}
	return version
}

// explainSilence says why what listens there did not answer as the app does.
func explainSilence(err error) installer.Check {
	c := installer.Check{ID: "answer", Status: installer.Fail, Fix: restart}
	var refused *bridge.Error
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized && refused.Code != "":
		c.ID, c.Detail = "token", "the app does not take the token in bridge.json"
	case errors.As(err, &refused) && refused.Code != "":
		c.Detail = "the app answers: " + refused.Message
	case errors.As(err, &refused):
		c.Detail = "what listens on the port of bridge.json is not PlayPets"
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Detail, c.Fix = "the app does not answer in time", "If that stays so, end it and start `playpets` again."
	case errors.Is(err, bridge.ErrNotRunning):
		c.Detail, c.Fix = "the app has just ended", "Start it with `playpets`."
	default:
		c.Detail = "the port of bridge.json: " + installer.Reason(err)
	}
	return c
}
