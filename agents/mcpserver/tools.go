package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
)

// instructions are what a model is told of the server as a whole.
const instructions = "Show the person what you are doing with a small friend on their desktop: " +
	"short status lines only, never code, secrets, URLs or paths."

// tool is one tool: what the model reads of it, and what it does.
type tool struct {
	mcp.Tool
	handle func(*tools, args) (text string, structured any, err error)
}

// tools do what the model asks for, with the app.
type tools struct {
	app    App
	keeper *keeper
	pet    string // that was asked for when the server started
}

// ours are PlayPets' tools.
var ours = []tool{
	{define("list_pets", "List friends", "List the friends on the person's desktop: name, id and state of each.", looks), (*tools).listPets},
	{define("set_pet_state", "Show what you are doing",
		"Have your friend show what you are doing, for the person to see at a glance. "+
			"Set working when you begin, waiting as soon as you need the person, and at the end done, or error if you cannot go on; "+
			"idle takes all of that back. With a message the friend also says what it is about.", sets,
		mcp.WithString("state", mcp.Required(), mcp.Enum(words(agents.States)...), mcp.Description("What you are doing.")),
		mcp.WithString("message", mcp.MaxLength(speech.PlayPets), mcp.Description("One short sentence for the friend to say.")),
		mcp.WithString("pet", mcp.Description(petHelp)),
	), (*tools).setState},
	{define("say", "Say something",
		"Have a friend say one short sentence in a bubble. What it shows of your work stays as it is: set_pet_state tells that.", acts,
		mcp.WithString("message", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(speech.PlayPets), mcp.Description("The sentence.")),
		mcp.WithString("pet", mcp.Description(petHelp)),
	), (*tools).say},
	{define("react", "Make a gesture", "Have a friend wave, jump for joy, or enjoy being petted, once.", acts,
		mcp.WithString("action", mcp.Required(), mcp.Enum(words(agents.Reactions)...), mcp.Description("The gesture.")),
		mcp.WithString("pet", mcp.Description(petHelp)),
	), (*tools).react},
	{define("status", "See whether friends are there", "Tell whether PlayPets runs, and which friend is yours.", looks), (*tools).status},
}

const petHelp = "A friend's id or name; leave it out for your own friend."

// What a tool does to the world, as its annotations say it. Nothing here destroys
// anything or reaches beyond this computer; mcp-go's defaults say both.
var (
	looks = mcp.ToolAnnotation{ReadOnlyHint: yes, DestructiveHint: no, IdempotentHint: yes, OpenWorldHint: no}
	sets  = mcp.ToolAnnotation{ReadOnlyHint: no, DestructiveHint: no, IdempotentHint: yes, OpenWorldHint: no}
	acts  = mcp.ToolAnnotation{ReadOnlyHint: no, DestructiveHint: no, IdempotentHint: no, OpenWorldHint: no}

	yes, no = mcp.ToBoolPtr(true), mcp.ToBoolPtr(false)
)

// define describes a tool to a model. Clients of before 2025-06-18 look for the
// title among the annotations.
func define(name, title, description string, a mcp.ToolAnnotation, inputs ...mcp.ToolOption) mcp.Tool {
	a.Title = title
	options := []mcp.ToolOption{mcp.WithToolTitle(title), mcp.WithDescription(description), mcp.WithToolAnnotation(a)}
	return mcp.NewTool(name, append(options, inputs...)...)
}

func words[S ~string](all []S) (texts []string) {
	for _, s := range all {
		texts = append(texts, string(s))
	}
	return texts
}

// newServer offers the tools of one vocabulary.
func newServer(o Options, k *keeper) *server.MCPServer {
	name, offered := "playpets", ours
	if o.OpenPets {
		name, offered = "open-pets", openpets
	}
	s := server.NewMCPServer(name, o.Version,
		server.WithToolCapabilities(false), server.WithRecovery(), server.WithInstructions(instructions))
	t := &tools{o.App, k, o.Pet}
	for _, offer := range offered {
		s.AddTool(offer.Tool, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, structured, err := offer.handle(t, r.GetArguments())
			if err != nil {
				return mcp.NewToolResultError(t.explain(err)), nil
			}
			return mcp.NewToolResultStructured(structured, text), nil
		})
	}
	return s
}

// taken is what a tool did, for programs.
type taken struct {
	OK    bool   `json:"ok"`
	PetID string `json:"petId"`
}

// listed is what list_pets answers to programs.
type listed struct {
	Pets []agents.Friend `json:"pets"`
}

func (t *tools) listPets(args) (string, any, error) {
	all, err := t.app.Friends()
	if err != nil {
		return "", nil, err
	}
	if len(all) == 0 {
		return "No friend is there yet.", listed{[]agents.Friend{}}, nil
	}
	var lines []string
	for _, f := range all {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", f.Name, f.ID, f.State))
	}
	return strings.Join(lines, "\n"), listed{all}, nil
}

func (t *tools) setState(a args) (string, any, error) {
	state, err := one(a, "state", agents.States)
	if err != nil {
		return "", nil, err
	}
	message, err := a.sentence("message", speech.PlayPets)
	if err != nil {
		return "", nil, err
	}
	return t.tell(a, "shows that: "+string(state), func(to agents.Target) (string, error) {
		return t.app.Report(agents.Report{Pet: to.Pet, Lease: to.Lease, State: state, Message: message})
	})
}

func (t *tools) say(a args) (string, any, error) {
	message, err := a.must("message", speech.PlayPets)
	if err != nil {
		return "", nil, err
	}
	return t.tell(a, "says it", func(to agents.Target) (string, error) { return t.app.Say(to, message) })
}

func (t *tools) react(a args) (string, any, error) {
	action, err := one(a, "action", agents.Reactions)
	if err != nil {
		return "", nil, err
	}
	return t.tell(a, "does it: "+string(action), func(to agents.Target) (string, error) { return t.app.React(to, action) })
}

// tell has the friend that is meant do something, and says who did.
func (t *tools) tell(a args, did string, do func(agents.Target) (petID string, err error)) (string, any, error) {
	pet, err := a.friend("pet")
	if err != nil {
		return "", nil, err
	}
	var id, name string
	err = t.keeper.with(func(l agents.Lease) (err error) {
		id, err = do(agents.Target{Pet: pet, Lease: l.ID})
		if name = id; id == l.PetID {
			name = l.PetName
		}
		return err
	})
	return name + " " + did + ".", taken{true, id}, err
}
