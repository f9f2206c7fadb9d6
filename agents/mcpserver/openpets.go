package mcpserver

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
)

// openpets are OpenPets' tools, for agents that were taught them.
var openpets = []tool{
	{define("openpets_status", "Friend status", "Tell whether the desktop app runs and which friend is yours.", looks), (*tools).status},
	{define("openpets_react", "Show what you are doing", "Have your friend show what you are doing, or make a gesture.", acts,
		mcp.WithString("reaction", mcp.Required(), mcp.Enum(reactions()...), mcp.Description("What to show.")),
	), (*tools).openpetsReact},
	{define("openpets_say", "Say something", "Have your friend say one short status line, and show what you are doing with it.", acts,
		mcp.WithString("message", mcp.Required(), mcp.Description("The line, at most 140 characters.")),
		mcp.WithString("reaction", mcp.Enum(reactions()...), mcp.Description("What to show with it.")),
	), (*tools).openpetsSay},
}

func reactions() (names []string) {
	for _, r := range agents.OpenPets {
		names = append(names, r.Name)
	}
	return names
}

// shown is what the app made of it.
type shown struct {
	OK       bool   `json:"ok"`
	Reaction string `json:"reaction,omitempty"`
	Result   struct {
		OK    bool `json:"ok"`
		Shown bool `json:"shown"`
	} `json:"result"`
}

func done(reaction string) (s shown) {
	s.OK, s.Reaction, s.Result.OK, s.Result.Shown = true, reaction, true, true
	return s
}

func (t *tools) openpetsReact(a args) (string, any, error) {
	name, err := one(a, "reaction", reactions())
	if err != nil {
		return "", nil, err
	}
	r, _ := agents.OpenPetsNamed(name)
	return "Your friend shows it: " + name + ".", done(name), t.openpets(r, "")
}

func (t *tools) openpetsSay(a args) (string, any, error) {
	message, err := a.sentence("message", speech.OpenPets, true)
	if err != nil {
		return "", nil, err
	}
	name, err := a.text("reaction")
	if err == nil && name != "" {
		name, err = one(a, "reaction", reactions())
	}
	if err != nil {
		return "", nil, err
	}
	r, _ := agents.OpenPetsNamed(name)
	return "Your friend says it.", done(name), t.openpets(r, message)
}

// openpets shows a reaction with a sentence; either may be missing. A state and
// its sentence are one report, and so one bubble.
func (t *tools) openpets(r agents.OpenPetsReaction, message string) error {
	return t.keeper.with(func(lease string) (err error) {
		to := agents.Target{Lease: lease}
		if r.State != "" {
			_, err = t.app.Report(agents.Report{Lease: lease, State: r.State, Message: message})
			return err
		}
		if r.Reaction != "" {
			if _, err = t.app.React(to, r.Reaction); err != nil {
				return err
			}
		}
		if message != "" {
			_, err = t.app.Say(to, message)
		}
		return err
	})
}
