package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// shells is the table of shells that cobra can complete in.
var shells = []struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
	{"zsh", (*cobra.Command).GenZshCompletion},
}

type completionOptions struct {
	*common
	shell string
}

// newCompletion stands in for cobra's own command, which takes the name of an
// unknown shell for a call for help.
func newCompletion(c *common) *cobra.Command {
	o := &completionOptions{common: c}
	cmd := &cobra.Command{
		Use:   "completion <bash|fish|powershell|zsh>",
		Short: "Print the script that completes commands in your shell",
		Long: `Print the script that completes commands, states, reactions and your friends'
names in your shell.`,
		Example: `  source <(playpets completion bash)
  playpets completion fish > ~/.config/fish/completions/playpets.fish`,
		Args: words(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.shell = args[0]
			return o.run(cmd.Root())
		},
	}
	for _, s := range shells {
		cmd.ValidArgs = append(cmd.ValidArgs, s.name)
	}
	return cmd
}

func (o *completionOptions) run(root *cobra.Command) error {
	for _, s := range shells {
		if s.name == o.shell {
			return s.write(root, o.out)
		}
	}
	return usage(fmt.Sprintf("%q is not a shell that can complete", o.shell), "The shells are bash, fish, powershell, zsh.")
}
