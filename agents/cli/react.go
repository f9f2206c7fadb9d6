package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
)

// reactionWords says what a friend does.
var reactionWords = map[agents.Reaction]string{
	agents.Wave: "waves",
	agents.Jump: "jumps",
	agents.Pet:  "enjoys that",
}

type reactOptions struct {
	*common
	reaction agents.Reaction
}

func newReact(c *common) *cobra.Command {
	o := &reactOptions{common: c}
	cmd := &cobra.Command{
		Use:               "react <wave|jump|pet>",
		Short:             "Let a friend wave, let it jump, or pet it",
		Long:              "Let a friend wave or jump once, or pet it. Then it goes on with what it did.",
		Example:           "  playpets react jump",
		Args:              words(1, 1),
		ValidArgsFunction: completeReactions,
		RunE: func(_ *cobra.Command, args []string) error {
			o.reaction = agents.Reaction(args[0])
			if !o.reaction.Valid() {
				return usage(fmt.Sprintf("%q is not a reaction", args[0]), "The reactions are "+list(agents.Reactions)+".")
			}
			return o.run()
		},
	}
	c.jsonFlag(cmd)
	return cmd
}

func (o *reactOptions) run() error {
	client, err := o.client()
	if err != nil {
		return err
	}
	id, err := client.React(agents.Target{Pet: o.friend()}, o.reaction)
	if err != nil {
		return err
	}
	return o.taken(id, func(name string) string { return name + " " + reactionWords[o.reaction] + "." })
}

func completeReactions(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []cobra.Completion
	for _, r := range agents.Reactions {
		all = append(all, cobra.CompletionWithDesc(string(r), "your friend "+reactionWords[r]))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
