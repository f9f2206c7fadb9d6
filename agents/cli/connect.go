package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
	"github.com/playpets/playpets/snippets"
	"github.com/playpets/playpets/snippets/edit"
)

type connectOptions struct {
	edits
	agent string
	mcp   bool
	chain *chain // what to do about somebody else's notify
}

func newConnect(c *common) *cobra.Command {
	o := &connectOptions{edits: edits{common: c}}
	cmd := &cobra.Command{
		Use:   "connect <agent>",
		Short: "Write PlayPets into an agent's settings, after a look",
		Long: `Write into an agent's settings what ` + "`playpets snippet`" + ` prints, so that it reports
to your friends. The change is shown and you are asked first. Everything else in the
file stays as it is, comments and all, and a copy of the file is kept beside it.
Connecting again brings a moved or updated playpets up to date.

An agent's reports go to the friend that was picked for it in the menu, also to one that
is picked later. With --pet they always go to that friend.`,
		Example: `  playpets connect claude --dry-run
  playpets connect codex
  playpets connect cursor --mcp`,
		Args:              words(1, 1),
		ValidArgsFunction: completeAgents,
		RunE: func(_ *cobra.Command, args []string) error {
			o.agent = args[0]
			if err := knownAgent(o.agent); err != nil {
				return err
			}
			return o.run()
		},
	}
	cmd.Flags().BoolVar(&o.mcp, "mcp", false, "the MCP server instead of the hooks")
	o.flags(cmd)
	return cmd
}

func (o *connectOptions) run() error {
	all, err := o.snippets()
	if err != nil {
		return err
	}
	for _, s := range all {
		o.edit(s, func(file []byte) ([]byte, error) { return o.add(s, file) })
	}
	if !o.installed(all[0]) {
		o.say(agentTitle(o.agent) + " has no settings here yet. Is it installed?")
	}
	done, err := o.settle()
	if done {
		o.say(nextStep(o.agent, o.mcp))
	}
	err = o.problems(err)
	if o.chain != nil {
		err = exitCode(o.fail(o.explain(err)))
		fmt.Fprint(o.err, visible(o.chain.words()))
	}
	return err
}

// snippets are what there is to write.
func (o *connectOptions) snippets() ([]snippets.Snippet, error) {
	p, err := o.program()
	if err != nil {
		return nil, err
	}
	if o.mcp {
		s, err := snippets.MCP(o.agent, p)
		return []snippets.Snippet{s}, err
	}
	return snippets.Hooks(o.agent, p)
}

// program is what agents are to start: this one, unless it will be gone.
func (o *connectOptions) program() (snippets.Program, error) {
	found, err := installer.Find()
	switch {
	case err != nil:
		return snippets.Program{}, err
	case found.Temporary:
		return snippets.Program{}, &failure{exitOther, "this playpets will not stay where it is", "Install it first, then connect with that one."}
	case found.Translocated:
		return snippets.Program{}, &failure{exitOther, "macOS runs a copy of this playpets from elsewhere", "Move PlayPets to Applications first."}
	}
	return o.startedAs(found.Path, o.agent)
}

// add puts a snippet into its file.
func (o *connectOptions) add(s snippets.Snippet, file []byte) ([]byte, error) {
	o.sayOwn(s, file)
	switch {
	case s.Format == "json":
		file, err := edit.AddJSON(file, []byte(s.Text), isOurs, startsUs)
		if err == nil && o.mcp && !strings.Contains(s.Text, petVariable) {
			file, err = edit.UnsetJSON(file, "mcpServers", "playpets", "env", petVariable)
		}
		return file, err
	case s.Name == "notify":
		c, both := otherNotify(s, file, o.path(s))
		if both {
			return file, nil
		}
		if o.chain = c; c != nil {
			return nil, &failure{exitOther, o.shown(s) + " notifies another program already, and was left as it is", ""}
		}
	case s.Name == "mcp":
		if codex := readCodex(file); codex.taken() {
			return nil, &failure{exitOther, "the server playpets in " + o.shown(s) + " is somebody else's, and was left as it is", ""}
		}
		if !strings.Contains(s.Text, petVariable) {
			var err error
			if file, err = edit.UnsetTOML(file, []string{"mcp_servers", "playpets", "env", petVariable}); err != nil {
				return nil, err
			}
		}
	}
	return edit.AddTOML(file, []byte(s.Text))
}

// petVariable names the friend to an MCP server.
const petVariable = "PLAYPETS_PET"

// startsUs tells those that start us of all.
func startsUs(words []string) bool { return snippets.Starts(words...) }

// isOurs tells our command lines from other people's.
func isOurs(words []string) bool {
	_, ours := snippets.Ours(words...)
	return ours
}

// installed reports whether the folder of an agent's settings is there, or the
// file, if it lies in the person's own folder.
func (o *connectOptions) installed(s snippets.Snippet) bool {
	folder := filepath.Dir(o.path(s))
	if folder == o.home() {
		folder = o.path(s)
	}
	_, err := os.Stat(folder)
	return !errors.Is(err, os.ErrNotExist)
}

// nextStep is what a person does for the new settings to be heard.
func nextStep(agent string, mcp bool) string {
	switch {
	case agent == "codex" && !mcp:
		return "Now type /hooks in Codex and trust them: until then it passes over them."
	case agent == "cursor":
		return "Now start Cursor again."
	}
	return "Now start a new session of " + agentTitle(agent) + "."
}

// knownAgent refuses what has no settings that PlayPets could find.
func knownAgent(name string) error {
	if _, ok := agents.KindNamed(name); ok {
		return nil
	}
	if name == snippets.Other {
		return usage("where your tool keeps its settings is not known", "`playpets snippet "+name+"` prints what belongs there.")
	}
	return usage(fmt.Sprintf("there is no agent %q", name), "The agents are "+list(kindNames())+".")
}

func kindNames() []string {
	return slices.DeleteFunc(snippets.Agents(), func(name string) bool { return name == snippets.Other })
}

func agentTitle(name string) string {
	k, _ := agents.KindNamed(name)
	return k.Title
}
