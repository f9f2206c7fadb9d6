package agents

// cursor is an event of Cursor.
type cursor struct {
	event
	conversation string
	root         string // the first folder of the workspace
	status       string // how a turn ended
}

func (p *cursor) fields() []field {
	return append(p.event.fields(),
		field{path: []string{"conversation_id"}, text: &p.conversation},
		field{path: []string{"workspace_roots", "[0]"}, text: &p.root},
		field{path: []string{"status"}, text: &p.status},
	)
}

// common prefers the workspace: the working folder of a person's own hooks is
// ~/.cursor, that of a tool may be anywhere.
func (p *cursor) common() *event {
	e := p.event
	if p.conversation != "" {
		e.session = p.conversation
	}
	if p.root != "" {
		e.cwd = p.root
	}
	return &e
}

// says leaves out the steps before tools: Cursor's table of tools is told by
// the steps behind them, and it waits for each hook.
func (p *cursor) says() (State, string) {
	switch p.name {
	case "beforeSubmitPrompt":
		p.begins = true
		return Working, "@thinking"
	case "afterAgentThought":
		return Working, "@thinking"
	case "postToolUse":
		return p.used()
	case "postToolUseFailure": // a failed tool is no failed turn
		return Working, "@thinking"
	case "afterFileEdit":
		return Working, "@editing"
	case "afterShellExecution":
		return Working, "@command"
	case "subagentStart":
		return Working, "@subtask"
	case "stop":
		return p.stop()
	case "sessionEnd":
		return Idle, ""
	}
	return "", ""
}

func (p *cursor) stop() (State, string) {
	switch p.status {
	case "error":
		return Error, ""
	case "aborted": // the person did it
		return Idle, ""
	}
	return Done, "@done"
}
