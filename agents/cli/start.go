package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/installer"
)

// newStart is the root: without a command it starts the app.
func newStart(c *common, run func(ctx context.Context, bridgePath, link string, stderr io.Writer) int) *cobra.Command {
	o := &startOptions{common: c, app: run}
	cmd := &cobra.Command{
		Use:   "playpets",
		Short: "Desktop friends that show what your coding agents are doing",
		Long: `PlayPets keeps animated friends on your desktop. They show what the coding
agents on this computer are doing. Nothing leaves your computer.

Without a command it starts the app; a second start brings your friends to the front.`,
		Example: `  playpets                        start the app
  playpets run -- npm test        a friend watches a command
  playpets say "Lunch at noon?"   a friend says it`,
		Version:       installer.Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		// Cobra's default, which only its own check of the words would set.
		SuggestionsMinimumDistance: 2,
		Args:                       linkOrNothing,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.link = args[0]
			}
			return o.run()
		},
	}
	cmd.SetVersionTemplate("playpets {{.Version}}\n")
	flags := cmd.PersistentFlags()
	flags.StringVar(&c.pet, "pet", "", "friend, by `id or name` (PLAYPETS_PET)")
	flags.StringVar(&c.bridge, "bridge", "", "`path` of the app's bridge.json (PLAYPETS_BRIDGE)")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "say nothing when it went well")
	cmd.RegisterFlagCompletionFunc("pet", c.completeFriends)
	return cmd
}

type startOptions struct {
	*common
	app  func(ctx context.Context, bridgePath, link string, stderr io.Writer) int
	link string
}

func (o *startOptions) run() error {
	if o.link == "" && lostArguments(o.in, os.Getenv) {
		return nil
	}
	ctx, stop := untilStopped()
	defer stop()
	return exitCode(o.app(ctx, o.bridge, o.link, o.err))
}

// agentMarks are variables that coding agents set for what they start.
var agentMarks = []string{"CLAUDECODE", "CLAUDE_PROJECT_DIR", "CURSOR_VERSION", "GEMINI_SESSION_ID", "COPILOT_CLI"}

// lostArguments reports whether an agent started us as a hook and dropped the
// arguments on the way, as some do with commands that hold spaces or quotes:
// an event waits on standard input, and nobody asked for the app.
func lostArguments(stdin *os.File, getenv func(string) string) bool {
	info, err := stdin.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return false
	}
	for _, mark := range agentMarks {
		if getenv(mark) != "" {
			return true
		}
	}
	return false
}

// linkOrNothing accepts one playpets: link, which the desktop hands over, and
// refuses all other words.
func linkOrNothing(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || len(args) == 1 && isLink(args[0]) {
		return nil
	}
	hint := "`playpets --help` lists the commands."
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "Did you mean `playpets " + strings.Join(near, "` or `playpets ") + "`?"
	}
	return usage(fmt.Sprintf("unknown command %q", args[0]), hint)
}

func isLink(word string) bool {
	const scheme = "playpets:"
	return len(word) > len(scheme) && strings.EqualFold(word[:len(scheme)], scheme)
}
