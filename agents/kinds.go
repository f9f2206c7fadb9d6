package agents

import "bytes"

// Kind is a coding agent that runs `playpets hook` itself.
type Kind struct {
	Name     string // as the command line and a Report name it
	Title    string // as people know it
	Answer   string // what the agent must read on its hook's standard output
	Argument bool   // its payload may come as the last argument
	Client   string // how the name begins by which it introduces itself to an MCP server

	payload func() payload
}

// Kinds is the one table of agents, in the order in which they are offered.
var Kinds = []Kind{
	{Name: "claude", Title: "Claude Code", Client: "claude-code", payload: func() payload { return new(claude) }},
	{Name: "codex", Title: "Codex", Argument: true, Client: "codex", payload: func() payload { return new(codex) }},
	{Name: "gemini", Title: "Gemini CLI", Client: "gemini-cli", payload: func() payload { return new(gemini) }},
	// {} is a good answer to each of Cursor's steps; some of its versions take
	// an empty one for a failure (stablyai/orca#15651).
	{Name: "cursor", Title: "Cursor", Answer: "{}", Client: "cursor", payload: func() payload { return new(cursor) }},
}

// KindNamed finds a Kind by its Name.
func KindNamed(name string) (Kind, bool) {
	for _, k := range Kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// KindOfClient is the Name of the kind whose MCP client introduces itself so, or
// "mcp" for all others.
func KindOfClient(client string) string {
	for _, k := range Kinds {
		n := len(k.Client)
		if len(client) >= n && bytes.EqualFold([]byte(client[:n]), []byte(k.Client)) {
			return k.Name
		}
	}
	return "mcp"
}

// payload is an event of one agent: only what a Report is made of. Prompts,
// tool inputs and tool results have no place in it.
type payload interface {
	fields() []field
	common() *event
	// says is what the event means; no State is nothing to say.
	says() (State, string)
}

// event is what the events of all agents have.
type event struct {
	name, session, cwd, tool string
	part                     string // these as in a Report; says sets them
	begins                   bool
}

func (e *event) common() *event { return e }

func (e *event) fields() []field {
	return []field{
		{path: []string{"hook_event_name"}, text: &e.name},
		{path: []string{"session_id"}, text: &e.session},
		{path: []string{"cwd"}, text: &e.cwd},
		{path: []string{"tool_name"}, text: &e.tool},
	}
}

// uses is what the event before a tool call means. These tools ask the person
// and do nothing else.
func (e *event) uses() (State, string) {
	switch e.tool {
	case "AskUserQuestion", "ExitPlanMode", "ask_user", "ask_user_question":
		return Waiting, "@confirm"
	}
	return e.used()
}

// used is the same for a tool that is not about to ask.
func (e *event) used() (State, string) {
	name := Plain(cutBytes(Plain(e.tool), maxTool))
	if name == "" {
		return Working, "@tool_any"
	}
	return Working, "@tool " + name
}

// maxTool is the longest tool name that is sent on, in bytes.
const maxTool = 120

// Reader makes a Report of one payload, in whatever pieces it comes.
type Reader struct {
	kind    Kind
	payload payload
	scanner scanner
}

// Reader returns a reader for a payload of this kind. That of the zero Kind
// only finds the end of the payload.
func (k Kind) Reader() *Reader {
	r := &Reader{kind: k}
	if k.payload != nil {
		r.payload = k.payload()
		r.scanner.fields = r.payload.fields()
	}
	return r
}

// Feed takes the next bytes. It reports whether it has all it needs: the
// first JSON object is whole, or there is none.
func (r *Reader) Feed(p []byte) bool { return r.scanner.feed(p) }

// Report is what the payload says. ok is false when the payload is no whole
// JSON object, or says nothing that a friend would show.
func (r *Reader) Report() (report Report, ok bool) {
	if r.payload == nil || !r.scanner.whole() {
		return Report{}, false
	}
	state, message := r.payload.says()
	if state == "" {
		return Report{}, false
	}
	e := r.payload.common()
	return Report{
		State:   state,
		Message: cut(message, MaxMessage),
		Agent:   r.kind.Name,
		Session: name(e.session),
		Project: name(lastName(e.cwd)),
		Part:    name(e.part),
		Begins:  e.begins,
	}, true
}

// Words is what an agent wrote, as it can be shown. A code is the program's own:
// what only begins like one ("@types/node is updated") must not be read so.
func Words(s string) string {
	s = Plain(s)
	if len(s) > 0 && s[0] == '@' {
		return "\uff20" + s[1:] // a full-width @
	}
	return s
}

// name makes a name of s that the bridge accepts.
// A cut may leave a space at the end.
func name(s string) string { return Plain(cutBytes(Plain(s), MaxField)) }

// lastName is the last name of a path: a person's folders are nobody's business.
// It takes both kinds of slashes on every system, for Cursor sends "/c:/demo".
func lastName(path string) string {
	end := len(path)
	for end > 0 && isSlash(path[end-1]) {
		end--
	}
	start := end
	for start > 0 && !isSlash(path[start-1]) {
		start--
	}
	if end > 0 && path[end-1] == ':' { // a drive
		return ""
	}
	return path[start:end]
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }
