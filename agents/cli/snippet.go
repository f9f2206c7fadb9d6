package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
)

type snippetOptions struct {
	*common
	agent, name string
	mcp, copy   bool
	program     installer.Program
}

func newSnippet(c *common) *cobra.Command {
	o := &snippetOptions{common: c}
	cmd := &cobra.Command{
		Use:   "snippet [agent]",
		Short: "Print what to paste into an agent's settings",
		Long: `Print what to paste into an agent's settings so that it reports to your friends.
The text goes to standard output; where it belongs is said on standard error. Without
an agent, list the agents and their files.

An agent's reports go to the friend that was picked for it in the menu, also to one that
is picked after you pasted. With --pet they always go to that friend.`,
		Example: `  playpets snippet claude
  playpets snippet codex --file hooks
  playpets snippet cursor --mcp`,
		Args: words(0, 1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return snippets.Agents(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if o.program, err = installer.Find(); err != nil {
				return err
			}
			if len(args) == 0 {
				return o.list()
			}
			o.agent = args[0]
			return o.run()
		},
	}
	cmd.Flags().BoolVar(&o.mcp, "mcp", false, "the settings of the MCP server, short for --file mcp")
	cmd.Flags().StringVar(&o.name, "file", "", "which `name` of those that are listed without an agent")
	cmd.Flags().BoolVar(&o.copy, "copy", false, "let the app copy it instead of printing it")
	cmd.RegisterFlagCompletionFunc("file", cobra.FixedCompletions([]cobra.Completion{"hooks", "notify", "mcp"}, cobra.ShellCompDirectiveNoFileComp))
	c.jsonFlag(cmd)
	return cmd
}

func (o *snippetOptions) run() error {
	if !slices.Contains(snippets.Agents(), o.agent) {
		return usage(fmt.Sprintf("there is no agent %q", o.agent), "The agents are "+list(snippets.Agents())+".")
	}
	all, err := o.all(o.agent)
	if err != nil {
		return err
	}
	s, err := o.pick(all)
	switch {
	case err != nil:
		return err
	case o.copy:
		return o.letCopy(s)
	case o.json:
		return o.printJSON(s)
	}
	if err := o.print("%s", s.Text); err != nil {
		return err
	}
	o.say("Paste it into " + o.where(s) + ". " + s.Note)
	o.sayMore(s, all)
	return nil
}

// pick finds the one that is asked for, which is the first when nothing is said.
func (o *snippetOptions) pick(all []snippets.Snippet) (snippets.Snippet, error) {
	name := o.name
	if o.mcp {
		if name != "" {
			return snippets.Snippet{}, usage("--mcp and --file do not go together", "--mcp is short for --file mcp.")
		}
		name = "mcp"
	}
	var names []string
	for _, s := range all {
		if name == "" || name == s.Name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return snippets.Snippet{}, usage(fmt.Sprintf("%s has no %q", o.agent, name), "It has "+list(names)+".")
}

// sayMore names what else an agent needs to tell all, and a program that will
// not be where the snippet says.
func (o *snippetOptions) sayMore(s snippets.Snippet, all []snippets.Snippet) {
	switch {
	case o.program.Temporary:
		o.say("But install playpets first: this one is gone when it has run.")
	case o.program.Translocated:
		o.say("But move PlayPets to Applications first: macOS runs a copy of it from elsewhere.")
	}
	for _, other := range all {
		if other.Name != s.Name && other.Name != "mcp" && s.Name != "mcp" {
			o.say(fmt.Sprintf("There is more: `playpets snippet %s --file %s`.", o.agent, other.Name))
		}
	}
}

// letCopy has the app copy what it offers in its menu, with the friend picked
// there.
func (o *snippetOptions) letCopy(s snippets.Snippet) error {
	if o.pet != "" {
		return usage("--copy does not go with --pet", "Pick the friend in the app, or print the snippet.")
	}
	client, err := o.client()
	if err != nil {
		return err
	}
	message, err := client.Copy(s.Agent, s.Name)
	if err != nil {
		return err
	}
	if o.json {
		return o.printJSON(map[string]any{"ok": true, "message": message})
	}
	o.say(message)
	return nil
}

// list lists every snippet: agent, name, file.
func (o *snippetOptions) list() error {
	if o.copy || o.mcp || o.name != "" {
		return usage("an agent is missing", "The agents are "+list(snippets.Agents())+".")
	}
	var every []snippets.Snippet
	for _, agent := range snippets.Agents() {
		all, err := o.all(agent)
		if err != nil {
			return err
		}
		every = append(every, all...)
	}
	if o.json {
		return o.printJSON(every)
	}
	table := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	rows := terminal{out: table}
	for _, s := range every {
		if err := rows.print("%s\t%s\t%s\n", s.Agent, s.Name, o.where(s)); err != nil {
			return err
		}
	}
	return table.Flush()
}

// where is the file that a snippet belongs in, for people.
func (o *snippetOptions) where(s snippets.Snippet) string {
	home, err := os.UserHomeDir()
	if err != nil && snippets.Path(s, "", os.Getenv) == snippets.Path(s, "", func(string) string { return "" }) {
		return s.File // nothing else is known
	}
	if file := snippets.Shown(s, home, os.Getenv); file != "" {
		return visible(file)
	}
	return "your tool's settings"
}

// all are an agent's snippets, for this program and this bridge.
func (o *snippetOptions) all(agent string) ([]snippets.Snippet, error) {
	p, err := o.startedAs(o.program.Path, agent)
	if err != nil {
		return nil, err
	}
	return snippets.All(agent, p)
}

// startedAs is what an agent is to start: the program at path, with the bridge of
// this command's options, and their friend or the one that was picked for it.
func (c *common) startedAs(path, agent string) (snippets.Program, error) {
	bridge := c.bridge
	if bridge == "" {
		var err error
		if bridge, err = line.DefaultPath(); err != nil {
			return snippets.Program{}, err
		}
	}
	bridge, err := filepath.Abs(bridge)
	if err != nil {
		return snippets.Program{}, fmt.Errorf("find bridge.json: %w", err)
	}
	return snippets.Program{Path: path, Bridge: bridge, Pet: cmp.Or(c.pet, c.picked(agent)), System: runtime.GOOS}, nil
}
