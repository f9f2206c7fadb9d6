package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

type demoOptions struct {
	*common
	app    func(ctx context.Context, framesDir string, stdout, stderr io.Writer) int
	frames string
}

func newDemo(c *common, demo func(ctx context.Context, framesDir string, stdout, stderr io.Writer) int) *cobra.Command {
	o := &demoOptions{common: c, app: demo}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Meet a friend: a recorded session, played on your desktop",
		Long: `Play a recorded session of Claude Code the way a real one goes: through the hook
and the bridge to a friend on your desktop. Your own friends and settings are not touched.
Without a display it draws playpets-demo.gif instead.`,
		Example:           "  playpets demo --frames pictures",
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	cmd.Flags().StringVar(&o.frames, "frames", "", "draw every frame as a PNG into this `folder`")
	cmd.MarkFlagDirname("frames")
	return cmd
}

func (o *demoOptions) run() error {
	ctx, stop := untilStopped()
	defer stop()
	return exitCode(o.app(ctx, o.frames, o.out, o.err))
}
