package cli

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/snippets"
	"github.com/playpets/playpets/snippets/edit"
)

type disconnectOptions struct {
	edits
	agents []string
}

func newDisconnect(c *common) *cobra.Command {
	o, all := &disconnectOptions{edits: edits{common: c}}, false
	cmd := &cobra.Command{
		Use:   "disconnect <agent>",
		Short: "Take PlayPets out of an agent's settings, after a look",
		Long: `Take PlayPets' hooks and its MCP server out of an agent's settings, however they
came there. The change is shown and you are asked first. Everything else in the file
stays as it is. A file that was made for PlayPets goes when nothing else is in it. The
dated copies that were kept beside the files stay.`,
		Example: `  playpets disconnect claude
  playpets disconnect --all`,
		Args:              words(0, 1),
		ValidArgsFunction: completeAgents,
		RunE: func(_ *cobra.Command, args []string) error {
			if all == (len(args) == 1) {
				return usage("name an agent, or --all", "The agents are "+list(kindNames())+".")
			}
			o.agents = kindNames()
			if !all {
				o.agents = args
				if err := knownAgent(args[0]); err != nil {
					return err
				}
			}
			return o.run()
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every agent")
	o.flags(cmd)
	return cmd
}

func (o *disconnectOptions) run() error {
	for _, agent := range o.agents {
		// Only the names of the files count here, and these know no program.
		p := snippets.Program{Path: "playpets", System: runtime.GOOS}
		all, err := snippets.Hooks(agent, p)
		if err != nil {
			return err
		}
		mcp, err := snippets.MCP(agent, p)
		if err != nil {
			return err
		}
		for _, s := range append(all, mcp) {
			o.edit(s, func(file []byte) ([]byte, error) {
				o.sayOwn(s, file)
				o.sayTables(s, file)
				return takeOut(s, file)
			})
		}
	}
	for _, f := range o.all {
		if f.changes() && blankSettings(f.new) && f.cameWithUs() {
			f.new, f.gone = nil, true
		}
	}
	done, err := o.settle()
	if done {
		o.sayCopies()
	}
	return o.problems(err)
}

// blankSettings reports whether settings say nothing. "version" is what Cursor's hooks
// cannot be without.
func blankSettings(file []byte) bool {
	switch strings.Join(strings.Fields(string(file)), "") {
	case "", "{}", `{"version":1}`:
		return true
	}
	return false
}

// sayCopies says where the copies are that were kept of old.
func (o *disconnectOptions) sayCopies() {
	for _, f := range o.all {
		if n := len(f.copies()); f.changes() && n > 1 {
			o.say(fmt.Sprintf("Of %s %d dated copies are kept: %s*%s.", f.shown, n, o.short(f.target+copyMark), copyEnd))
		}
	}
}

// sayTables says that hooks of ours stand in Codex' config.toml, where a table of
// somebody's may hold more than one: they are the person's to take out.
func (o *disconnectOptions) sayTables(s snippets.Snippet, file []byte) {
	if s.Name != "notify" {
		return
	}
	f, _ := parseSettings(o.path(s), file, s.Format) // takeOut says what is wrong with it
	if slices.ContainsFunc(commands(f.tree["hooks"]), isOurs) {
		o.say("PlayPets stands below [hooks] in " + o.shown(s) + " as well; take that out by hand.")
	}
}

// takeOut takes what is ours out of a snippet's file.
func takeOut(s snippets.Snippet, file []byte) ([]byte, error) {
	if s.Format == "json" {
		return edit.RemoveJSON(file, isOurs)
	}
	key := []string{"notify"}
	if s.Name == "mcp" {
		key = []string{"mcp_servers", "playpets"}
	}
	codex := readCodex(file)
	if s.Name == "notify" && !isOurs(codex.notify()) || s.Name == "mcp" && !isOurs(codex.server()) {
		// A file that cannot be read is refused, not passed over.
		_, err := edit.UnsetTOML(file, key)
		return file, err
	}
	return edit.UnsetTOML(file, key)
}

// codexSettings are what may be ours in Codex's config.toml, of any kind.
type codexSettings struct {
	Notify any
	Server map[string]any // the MCP server of our name
}

// readCodex reads what is there, of whatever kind: whether the file can be read is
// the business of who edits it.
func readCodex(file []byte) codexSettings {
	f, _ := parseSettings("", file, "toml")
	server, _ := at(f.tree, "mcp_servers", "playpets").(map[string]any)
	return codexSettings{f.tree["notify"], server}
}

// notify is the program and its arguments.
func (c codexSettings) notify() []string { return stringsOf(c.Notify) }

// server is the program and the arguments of the MCP server of our name.
func (c codexSettings) server() []string {
	return append(stringsOf(c.Server["command"]), stringsOf(c.Server["args"])...)
}

// taken reports whether a server of our name is somebody else's.
func (c codexSettings) taken() bool { return len(c.Server) > 0 && !isOurs(c.server()) }

// stringsOf are the strings in a value that is one or a list of them.
func stringsOf(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			all = append(all, stringsOf(one)...)
		}
	}
	return all
}
