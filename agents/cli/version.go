package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
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
			"version": version(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
		})
	}
	return o.print("playpets %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the release or the commit that the Go toolchain stamped into this
// program, or "(devel)".
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
