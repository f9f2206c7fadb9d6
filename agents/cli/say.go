package cli

import (
	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
)

type sayOptions struct {
	*common
	message string
}

func newSay(c *common) *cobra.Command {
	o := &sayOptions{common: c}
	cmd := &cobra.Command{
		Use:   "say <message|->",
		Short: "Let a friend say something",
		Long: `Let a friend say something in a bubble. What it shows of an agent's work stays
as it is. "-" reads the message from standard input.`,
		Example: `  playpets say "Lunch at noon?"
  date | playpets say - --pet mochi`,
		Args:              words(1, 1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if o.message, err = c.message(args[0]); err != nil {
				return err
			}
			return o.run()
		},
	}
	c.jsonFlag(cmd)
	return cmd
}

func (o *sayOptions) run() error {
	client, err := o.client()
	if err != nil {
		return err
	}
	id, err := client.Say(agents.Target{Pet: o.friend()}, o.message)
	if err != nil {
		return err
	}
	unseen := o.unseen(client, id)
	switch {
	case unseen == "":
		return o.taken(id, func(name string) string { return name + " says it." })
	case o.json:
		return o.printJSON(map[string]any{"ok": true, "petId": id, "unseen": unseen})
	}
	o.say(o.nameOf(id) + " says it, but nobody sees that: " + unseen + ".")
	return nil
}

// unseen is why nobody sees what the friend with that id says.
func (o *sayOptions) unseen(client *bridge.Client, id string) string {
	all, _ := client.Status() // it was said, whatever the app answers now
	for _, s := range all {
		if s.ID == id {
			return s.Unseen
		}
	}
	return ""
}
