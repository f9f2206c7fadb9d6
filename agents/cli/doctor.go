package cli

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
)

// newDoctor takes the checks of the desktop, which only the app's room knows.
func newDoctor(c *common, desktop func(context.Context) []installer.Check) *cobra.Command {
	o := &doctorOptions{common: c, desktop: desktop}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether all is well, and say what mends it",
		Long: `Look whether all is well: the app, the settings of your agents, the desktop. Each
line is ok, warn or fail, and says what mends it. With --quiet only what is not ok.

It changes nothing. What it prints can be shown to others: no path outside your
home folder is in it, and no token.`,
		Example:           "  playpets doctor\n  playpets doctor --json",
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	c.jsonFlag(cmd)
	return cmd
}

type doctorOptions struct {
	*common
	desktop func(context.Context) []installer.Check
}

func (o *doctorOptions) run() error {
	ctx, stop := untilStopped()
	defer stop()
	path, err := o.bridgePath()
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return err
	}
	desktop := make(chan []installer.Check, 1)
	go func() { desktop <- o.desktop(ctx) }()
	checks := append(examine(path), <-desktop...)
	for i := range checks {
		checks[i].Detail, checks[i].Fix = showable(checks[i].Detail), showable(checks[i].Fix)
	}
	if err := o.printChecks(checks); err != nil {
		return err
	}
	for _, c := range checks {
		if c.Status == installer.Fail {
			return exitCode(exitOther.code)
		}
	}
	return nil
}

// examine makes the checks of this room.
func examine(bridgePath string) []installer.Check {
	d := doctor{system: runtime.GOOS, getenv: os.Getenv, now: time.Now(), bridge: bridgePath, managed: managedSettings(runtime.GOOS)}
	d.home, _ = os.UserHomeDir()
	checks := []installer.Check{d.findProgram()}
	app := checkApp(bridgePath)
	d.statuses, d.heard = app.statuses, app.heard
	return append(append(checks, app.checks...), d.agents()...)
}

// findProgram looks where this program is.
func (d *doctor) findProgram() installer.Check {
	p, err := installer.Find()
	d.program = p
	c := installer.Check{ID: "program", Status: installer.OK, Detail: installer.Version() + ", " + installer.Short(p.Path)}
	switch {
	case err != nil:
		c.Status, c.Detail = installer.Warn, installer.Reason(err)
	case p.Temporary:
		c.Status, c.Fix = installer.Warn, "Copy it to a place where it stays: agents cannot start it later."
		c.Detail += ", which does not stay there"
	case p.Translocated:
		c.Status, c.Fix = installer.Warn, "Move PlayPets into Applications and start it from there: macOS runs a copy that agents cannot find."
		c.Detail += ", a copy of a download"
	}
	return c
}

// printChecks prints a line for each check, and what mends it below.
func (o *doctorOptions) printChecks(checks []installer.Check) error {
	if o.json {
		return o.printJSON(map[string]any{"checks": checks})
	}
	width := 0
	for _, c := range checks {
		width = max(width, len(c.ID))
	}
	for _, c := range checks {
		if o.quiet && c.Status == installer.OK {
			continue
		}
		if err := o.print("%-4s  %-*s  %s\n", c.Status, width, c.ID, c.Detail); err != nil {
			return err
		}
		if c.Fix == "" {
			continue
		}
		if err := o.print("%*s  %s\n", len("fail")+2+width, "", c.Fix); err != nil {
			return err
		}
	}
	return nil
}

// absolutePath finds paths of two names and more that do not begin at ~.
var absolutePath = regexp.MustCompile(`(^|[\s"'=(\[,:])((?:[A-Za-z]:)?[/\\](?:[^\s"'/\\]+[/\\])+)[^\s"'/\\]`)

// showable is a text that may be shown to others. Whoever wrote it has shortened
// paths; this is for what an error quotes all the same.
func showable(text string) string {
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		text = strings.ReplaceAll(text, home, "~")
	}
	text = absolutePath.ReplaceAllStringFunc(text, func(found string) string {
		m := absolutePath.FindStringSubmatch(found)
		return m[1] + strings.TrimPrefix(found, m[1]+m[2])
	})
	return agents.Plain(text)
}
