package cli

import (
	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/hook"
)

// newHook documents `hook`. The fast door (agents/hook) has answered most calls
// of it before cobra existed; those with options in front come through here.
func newHook() *cobra.Command {
	return &cobra.Command{
		Use:   "hook <claude|codex|gemini|cursor>",
		Short: "Pass on a coding agent's event (its settings call this)",
		Long: `Pass on an event of a coding agent; its settings call this, not you. The event is
JSON on standard input, for codex also the last argument.

It never disturbs the agent: it prints nothing (for cursor exactly {}), always exits
with 0, and gives up by itself within seconds, whether the app runs or not. It sends
which event it was and which tool; prompts and what tools are given stay behind.`,
		Example:               `  "command": "/usr/local/bin/playpets hook claude"`,
		ValidArgsFunction:     completeAgents,
		DisableFlagParsing:    true,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return exitCode(hook.Main(args))
		},
	}
}

func completeAgents(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []cobra.Completion
	for _, k := range agents.Kinds {
		all = append(all, cobra.CompletionWithDesc(k.Name, k.Title))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
