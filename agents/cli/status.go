package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
)

// stateWords says what each state means, in completion.
var stateWords = map[agents.State]string{
	agents.Idle:    "nothing to do",
	agents.Working: "busy",
	agents.Waiting: "needs you",
	agents.Done:    "finished",
	agents.Error:   "something failed",
}

type statusOptions struct {
	*common
	state   agents.State // empty: show, rather than set
	message string
}

func newStatus(c *common) *cobra.Command {
	o := &statusOptions{common: c}
	cmd := &cobra.Command{
		Use:   "status [<state> [message|-]]",
		Short: "Show how your friends are, or tell one what you are doing",
		Long: `Without a state: show every friend (with --pet: that one) with its sessions and
what it said lately.

With a state (idle, working, waiting, done, error): your friend shows it, and says
the message if there is one. "-" reads the message from standard input.`,
		Example: `  playpets status
  playpets status working "Making the release"
  git log -1 --format=%s | playpets status done -`,
		Args:              words(0, 2),
		ValidArgsFunction: completeStates,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return o.show()
			}
			o.state = agents.State(args[0])
			if !o.state.Valid() {
				return usage(fmt.Sprintf("%q is not a state", args[0]), "The states are "+list(agents.States)+".")
			}
			if len(args) == 2 {
				if o.message, err = c.message(args[1]); err != nil {
					return err
				}
			}
			return o.run()
		},
	}
	c.jsonFlag(cmd)
	return cmd
}

func (o *statusOptions) run() error {
	client, err := o.client()
	if err != nil {
		return err
	}
	id, err := client.Report(agents.Report{Pet: o.friend(), State: o.state, Message: o.message})
	if err != nil {
		return err
	}
	return o.taken(id, func(name string) string { return name + " heard it: " + string(o.state) + "." })
}

// show prints every friend with its sessions and what it said lately.
func (o *statusOptions) show() error {
	client, err := o.client()
	if err != nil {
		return err
	}
	all, err := client.Status()
	if err != nil {
		return err
	}
	all, err = only(o.common, all, func(s agents.Status) agents.Friend { return s.Friend })
	if err != nil {
		return err
	}
	if o.json {
		return o.printJSON(map[string]any{"friends": all})
	}
	for _, s := range all {
		if err := o.showOne(s); err != nil {
			return err
		}
	}
	return nil
}

func (o *statusOptions) showOne(s agents.Status) error {
	text := fmt.Sprintf("%s (%s): %s\n", s.Name, s.ID, saying(s.State, s.Sentence))
	if s.Unseen != "" {
		text += "  nobody sees what it says: " + s.Unseen + "\n"
	}
	for _, run := range s.Sessions {
		text += "  " + orSomeone(run.Agent)
		if run.Project != "" {
			text += " in " + run.Project
		}
		text += ": " + string(run.State) + "\n"
	}
	for _, a := range s.Activities {
		when := a.Time.Local().Format("Jan _2 15:04")
		text += fmt.Sprintf("  %s  %s: %s\n", when, orSomeone(a.Agent), saying(a.State, a.Sentence))
	}
	return o.print("%s", text)
}

// saying is a state, with its sentence if there is one.
func saying(s agents.State, sentence string) string {
	if sentence == "" {
		return string(s)
	}
	return string(s) + ", " + sentence
}

// orSomeone names an agent that did not name itself.
func orSomeone(agent string) string {
	if agent == "" {
		return "someone"
	}
	return agent
}

func completeStates(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []cobra.Completion
	for _, s := range agents.States {
		all = append(all, cobra.CompletionWithDesc(string(s), stateWords[s]))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
