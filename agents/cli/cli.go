// Package cli is how things are said from a shell: one command a file, the exit
// codes, and what is printed. It speaks English only, keeps nothing between two
// calls, and decides nothing about friends: it asks the app over the bridge.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents/hook"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/installer"
)

// Apps are the parts of PlayPets that main alone may join to the commands. What
// returns an int returns an exit code.
type Apps struct {
	// Run is the app that stays, until ctx ends. An empty bridgePath is the
	// default one, an empty link is none.
	Run func(ctx context.Context, bridgePath, link string, stderr io.Writer) int
	// Demo plays the demo, on the display or into framesDir if that is not empty.
	Demo func(ctx context.Context, framesDir string, stdout, stderr io.Writer) int
	// Config prints the settings, or what they mean.
	Config func(explain bool, stdout, stderr io.Writer) int
	// Picked is the friend that was picked for an agent, by id or name; empty for
	// none.
	Picked func(agent string) string
	// Check looks at the desktop for `playpets doctor`, within a few seconds.
	Check func(ctx context.Context) []installer.Check
}

// common is what every command gets: the common options and the terminal.
type common struct {
	terminal
	pet, bridge string
	picked      func(agent string) string // Apps.Picked
}

// Main runs the command line of this process and returns its exit code.
func Main(apps Apps) int {
	// Cobra would refuse to run when Windows' Explorer starts the program, which
	// is how most people start it.
	cobra.MousetrapHelpText = ""

	c := &common{terminal: terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr}, picked: apps.Picked}
	root, began := newRoot(c, apps), false
	root.PersistentPreRun = func(*cobra.Command, []string) { began = true }
	cmd, err := root.ExecuteC()
	if err == nil {
		return exitOK.code
	}
	args := os.Args[1:]
	if !began {
		if at := hookWord(args); at >= 0 {
			return hook.Main(args[at+1:])
		}
		// A flag that cobra refuses ends its reading: --json may stand behind it.
		c.json = c.json || cmd.Flags().Lookup("json") != nil && slices.Contains(args, "--json")
		err = asUsage(cmd, err)
	}
	return c.fail(c.explain(err))
}

// newRoot is the table of commands.
func newRoot(c *common, apps Apps) *cobra.Command {
	root := newStart(c, apps.Run)
	root.AddGroup(
		&cobra.Group{ID: "friends", Title: "Your friends:"},
		&cobra.Group{ID: "agents", Title: "For agents and scripts:"},
		&cobra.Group{ID: "more", Title: "More:"},
	)
	help := newHelp()
	for _, group := range []struct {
		id       string
		commands []*cobra.Command
	}{
		{"friends", []*cobra.Command{newPets(c), newStatus(c), newSay(c), newReact(c)}},
		{"agents", []*cobra.Command{newConnect(c), newDisconnect(c), newSnippet(c), newRun(c), newMCP(c), newHook()}},
		{"more", []*cobra.Command{newDoctor(c, apps.Check), newDemo(c, apps.Demo), newConfig(c, apps.Config), newNotifyTest(c), newVersion(c), newCompletion(c), help}},
		{"", []*cobra.Command{newExitCodes(), newEnvironment()}},
	} {
		for _, cmd := range group.commands {
			cmd.GroupID = group.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommand(help)
	return root
}

// client speaks to the app of --bridge, or to the default one. What it brings
// from there is safe to print.
func (c *common) client() (*bridge.Client, error) {
	path, err := c.bridgePath()
	return bridge.NewClient(path), err
}

// bridgePath is the bridge.json of --bridge, or the default one.
func (c *common) bridgePath() (string, error) {
	if c.bridge != "" {
		return c.bridge, nil
	}
	return line.DefaultPath()
}

// friend is the friend that a command is for: --pet, else PLAYPETS_PET, else
// none, and the app chooses.
func (c *common) friend() string {
	if c.pet != "" {
		return c.pet
	}
	return os.Getenv("PLAYPETS_PET")
}

// untilStopped ends with the signals by which people end a program, unless the
// program was started to ignore them (nohup).
func untilStopped() (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(context.Background(), heeded(endings...)...)
}

// hookWord is where `hook` stands behind nothing but flags, or -1. Cobra reads
// `--mistyped hook` as a flag and its value, and exit code 2, its answer to
// that, is how a hook forbids an agent to go on: a hook never does.
func hookWord(args []string) int {
	for i, arg := range args {
		if arg == "hook" {
			return i
		}
		value := i > 0 && strings.HasPrefix(args[i-1], "-")
		if !strings.HasPrefix(arg, "-") && !value {
			break
		}
	}
	return -1
}

// asUsage makes wrong usage of what cobra refused before a command began.
func asUsage(cmd *cobra.Command, err error) error {
	var known *failure
	if errors.As(err, &known) {
		return err
	}
	return usage(err.Error(), "See `"+cmd.CommandPath()+" --help`.")
}
