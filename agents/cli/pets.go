package cli

import (
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
)

type petsOptions struct{ *common }

func newPets(c *common) *cobra.Command {
	o := &petsOptions{c}
	cmd := &cobra.Command{
		Use:   "pets",
		Short: "List your friends and how they are",
		Long: `List your friends: id, state and name. Either id or name goes behind --pet.
With --pet, list that friend only.`,
		Example:           "  playpets pets --json",
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	c.jsonFlag(cmd)
	return cmd
}

func (o *petsOptions) run() error {
	friends, err := o.friends()
	if err != nil {
		return err
	}
	friends, err = only(o.common, friends, func(f agents.Friend) agents.Friend { return f })
	if err != nil {
		return err
	}
	if o.json {
		return o.printJSON(friends)
	}
	// The name comes last since letters of some scripts are two columns wide.
	table := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	list := terminal{out: table}
	for _, f := range friends {
		if err := list.print("%s\t%s\t%s\n", f.ID, f.State, f.Name); err != nil {
			return err
		}
	}
	return table.Flush()
}
