package cli

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/installer"
)

type versionOptions struct{ *common }

func newVersion(c *common) *cobra.Command {
	o := &versionOptions{c}
	cmd := &cobra.Command{
		Use:               "version",
		Short:             "Tell which PlayPets this is",
		Long:              "Tell which PlayPets this is, and what it was built with.",
		Example:           "  playpets version --json",
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	c.jsonFlag(cmd)
	return cmd
}

func (o *versionOptions) run() error {
	if o.json {
		return o.printJSON(map[string]string{
			"version": installer.Version(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
		})
	}
	return o.print("playpets %s (%s, %s/%s)\n", installer.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
