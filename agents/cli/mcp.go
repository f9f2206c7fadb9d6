package cli

import (
	"os/signal"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/mcpserver"
	"github.com/playpets/playpets/installer"
)

type mcpOptions struct {
	*common
	openPets bool
}

func newMCP(c *common) *cobra.Command {
	o := &mcpOptions{common: c}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer an agent over MCP, on standard input and output",
		Long: `Answer an agent over MCP, on standard input and output. Agents start it
themselves. These put it into an agent's settings, print what to paste and where,
and print it for every other tool:

  playpets connect claude --mcp
  playpets snippet codex --mcp
  playpets snippet mcp

It takes a friend when it starts, or the one of --pet, and gives it back when the
agent closes the connection. It waits for the app as long as that is not running.

With --openpets it offers the tools of OpenPets (openpets_status, openpets_react
and openpets_say) in place of its own.`,
		Example: `  playpets mcp --pet mochi
  playpets mcp --openpets`,
		Args:              words(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		Version:           installer.Version(),
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	cmd.Flags().BoolVar(&o.openPets, "openpets", false, "speak OpenPets' tools")
	return cmd
}

func (o *mcpOptions) run() error {
	pet := strings.TrimSpace(o.friend())
	if len(pet) > agents.MaxField || strings.ContainsFunc(pet, unicode.IsControl) || strings.ContainsAny(pet, `/\`) {
		return usage("that is no friend's id or name", "What --pet or PLAYPETS_PET says has at most 128 bytes, no slashes and no control characters.")
	}
	client, err := o.client()
	if err != nil { // no app can run here: the tools say so, and the agent goes on
		o.say(err.Error())
	}
	if isTerminal(o.in) {
		o.say("This is for agents, which write MCP messages here, one a line. " +
			"`playpets connect <agent> --mcp` puts it into an agent's settings.")
	}
	// An agent that is gone closes our output; we have a friend to give back then.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := untilStopped()
	defer stop()
	return mcpserver.Serve(ctx, mcpserver.Options{
		OpenPets: o.openPets, Pet: pet, Project: project(), Version: installer.Version(),
		App: client, In: o.in, Out: o.out,
	})
}
