package mcpserver

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
)

// openpets are OpenPets' tools, for agents that were taught them. Names, inputs
// and their limits are OpenPets'; the words are ours.
var openpets = []tool{
	{define("openpets_status", "Friend status", "Tell whether the desktop app runs, and which friend is yours. Call it before the other tools.", looks), (*tools).status},
	{define("openpets_react", "Show what you are doing",
		"Have your friend show what you are doing, for the person to see at a glance, or make a gesture. "+
			"Use waiting as soon as you need the person, and success or error at the end.", acts,
		mcp.WithString("reaction", mcp.Required(), mcp.Enum(agents.OpenPetsNames()...), mcp.Description("What to show.")),
	), (*tools).openpetsReact},
	{define("openpets_say", "Say something",
		"Have your friend say one short status line, and show what you are doing with it.", acts,
		mcp.WithString("message", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(speech.OpenPets), mcp.Description("The line.")),
		mcp.WithString("reaction", mcp.Enum(agents.OpenPetsNames()...), mcp.Description("What to show with it.")),
	), (*tools).openpetsSay},
}

// outcome is OpenPets' answer to a reaction or a line.
type outcome struct {
	OK       bool   `json:"ok"`
	Reaction string `json:"reaction,omitempty"`
	Result   shown  `json:"result"`
}

// shown is what the app made of it.
type shown struct {
	OK       bool   `json:"ok"`
	Reaction string `json:"reaction,omitempty"`
	Shown    bool   `json:"shown"`
	Reason   string `json:"reason,omitempty"` // why nobody sees it
}

func (t *tools) openpetsReact(a args) (string, any, error) {
	name, err := one(a, "reaction", agents.OpenPetsNames())
	if err != nil {
		return "", nil, err
	}
	result, err := t.openpets(name, "")
	return result.sentence("Your friend shows that: " + name), outcome{true, name, result}, err
}

func (t *tools) openpetsSay(a args) (string, any, error) {
	message, err := a.must("message", speech.OpenPets)
	if err != nil {
		return "", nil, err
	}
	name, err := a.text("reaction")
	if err != nil || name != "" {
		name, err = one(a, "reaction", agents.OpenPetsNames())
	}
	if err != nil {
		return "", nil, err
	}
	result, err := t.openpets(name, message)
	return result.sentence("Your friend says it"), outcome{OK: true, Result: result}, err
}

func (s shown) sentence(did string) string {
	if s.Shown {
		return did + "."
	}
	return did + ", but nobody sees it now: " + s.Reason + "."
}

// openpets shows a reaction with a sentence; either may be missing. A state and
// its sentence are one report, and so one bubble.
func (t *tools) openpets(name, message string) (shown, error) {
	var deeds []func(lease string) (petID string, err error)
	r, _ := agents.OpenPetsNamed(name)
	if r.State != "" {
		report := agents.Report{State: r.State, Message: message}
		message = ""
		deeds = append(deeds, func(lease string) (string, error) { report.Lease = lease; return t.app.Report(report) })
	}
	if r.Reaction != "" {
		deeds = append(deeds, func(lease string) (string, error) { return t.app.React(agents.Target{Lease: lease}, r.Reaction) })
	}
	if message != "" {
		deeds = append(deeds, func(lease string) (string, error) { return t.app.Say(agents.Target{Lease: lease}, message) })
	}
	var id string
	for _, deed := range deeds {
		err := t.keeper.with(func(l agents.Lease) (err error) {
			id, err = deed(l.ID)
			return err
		})
		if err != nil {
			return shown{}, err
		}
	}
	reason := t.unseen(id)
	return shown{true, name, reason == "", reason}, nil
}

// unseen is why nobody sees what the friend with that id says now.
func (t *tools) unseen(id string) string {
	all, _ := t.app.Status() // it was said, whatever the app answers now
	for _, s := range all {
		if s.ID == id {
			return s.Unseen
		}
	}
	return ""
}
