package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newHelp stands in for cobra's own command, which exits with 0 when there is
// no such help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Explain a command",
		Example: "  playpets help run\n  playpets help exit-codes",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage(fmt.Sprintf("there is no help on %q", strings.Join(args, " ")), "`playpets --help` lists what there is.")
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && !c.Hidden {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// A command that does not run is a topic of help.

func newExitCodes() *cobra.Command {
	var b strings.Builder
	b.WriteString("The exit codes of playpets:\n\n")
	for _, e := range exits {
		fmt.Fprintf(&b, "  %3d  %s\n", e.code, e.meaning)
	}
	b.WriteString(`
` + "`run`" + ` ends with the code of the command it ran, and with 128 + n when signal n ended that.
In --json mode an error goes to standard error as {"error":{"code","message","hint"}}.`)
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: b.String()}
}

func newEnvironment() *cobra.Command {
	return &cobra.Command{Use: "environment", Short: "The environment variables that are read", Long: `The environment variables that playpets reads. An option beats its variable, and a
variable beats config.toml.

  PLAYPETS_PET     the friend that a report is for, by id or name (--pet)
  PLAYPETS_BRIDGE  the path of the app's bridge.json (--bridge)
  PLAYPETS_DATA    one folder for everything that PlayPets keeps
  PLAYPETS_LANG    the language of your friends, such as en or ko

Commands speak English whatever the language, and print no colours, so NO_COLOR
changes nothing.`}
}
