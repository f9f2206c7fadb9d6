package cli

import (
	"io"

	"github.com/spf13/cobra"
)

type configOptions struct {
	*common
	app     func(explain bool, stdout, stderr io.Writer) int
	explain bool
}

func newConfig(c *common, config func(explain bool, stdout, stderr io.Writer) int) *cobra.Command {
	o := &configOptions{common: c, app: config}
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where they come from",
		Long: `Show the settings that are in effect, in the form of config.toml: behind each, the line
of that file or what else it comes from. An option beats the environment, the environment
beats config.toml, and that the default. Mistakes in the file are told line by line.`,
		Example: `  playpets config             what is in effect
  playpets config --explain   what every key means`,
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	cmd.Flags().BoolVar(&o.explain, "explain", false, "print a config.toml that explains every key and changes nothing")
	return cmd
}

func (o *configOptions) run() error { return exitCode(o.app(o.explain, o.out, o.err)) }
