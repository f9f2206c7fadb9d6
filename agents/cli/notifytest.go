package cli

import "github.com/spf13/cobra"

type notifyTestOptions struct{ *common }

func newNotifyTest(c *common) *cobra.Command {
	o := &notifyTestOptions{c}
	return &cobra.Command{
		Use:   "notify-test",
		Short: "Have the app show a notification, to see that you get them",
		Long: `Have the running app show a notification. It names the program that shows it, or
says why there is none.`,
		Example:           "  playpets notify-test",
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
}

func (o *notifyTestOptions) run() error {
	client, err := o.client()
	if err != nil {
		return err
	}
	message, err := client.Notify()
	if err != nil {
		return err
	}
	o.say(message)
	return nil
}
