package agents

import "bytes"

// claude is an event of Claude Code, and of those who copied its hooks.
type claude struct {
	event
	subagent   string // set inside a subagent
	notice     string // a notification's type
	message    string
	reason     string // why a session ended
	background bool   // a task runs on behind the turn
	woken      bool   // the prompt is from such a task, not from the person
}

func (p *claude) fields() []field {
	return append(p.event.fields(),
		field{path: []string{"agent_id"}, text: &p.subagent},
		field{path: []string{"notification_type"}, text: &p.notice},
		field{path: []string{"message"}, text: &p.message},
		field{path: []string{"reason"}, text: &p.reason},
		field{path: []string{"background_tasks", "[]", "status"}, flag: &p.background, prefix: "running"},
		field{path: []string{"prompt"}, flag: &p.woken, prefix: "<task-notification>"},
	)
}

// says leaves out what Claude Code has besides: SubagentStop must not say done
// while the main agent works on, SessionStart and PreCompact come in the middle
// of a turn. Cursor runs Claude's hooks too and gives them its own payload; its
// event names begin small, so none of them is known here.
func (p *claude) says() (State, string) {
	p.part = p.whose()
	switch p.name {
	case "UserPromptSubmit":
		if p.subagent == "" {
			p.begins = !p.woken
			return Working, "@thinking"
		}
	case "PreToolUse":
		return p.uses()
	case "PostToolUse", "PostToolUseFailure":
		// Between the permission and the tool's end nothing is sent, so this
		// is what ends waiting. A failed tool is no failed turn.
		return Working, "@thinking"
	case "PermissionRequest":
		// It comes with the dialog; the notification, six seconds later.
		return Waiting, "@confirm"
	case "Notification":
		return p.notification()
	case "SubagentStart":
		return Working, "@subtask"
	case "Stop":
		return p.stop()
	case "StopFailure":
		// No sentence: the agent's one quotes the API.
		if p.subagent == "" {
			return Error, ""
		}
	case "SessionEnd":
		return sessionEnd(p.reason)
	}
	return "", ""
}

// whose event it is: subagents work while a question of the main agent is open,
// and the main agent while one of theirs is. Two are nobody's: a prompt, since it is
// typed when no question is open, and a notification, which does not tell who asks.
func (p *claude) whose() string {
	switch {
	case p.name == "UserPromptSubmit" || p.name == "Notification":
		return ""
	case p.subagent != "":
		return p.subagent
	}
	return MainPart
}

// stop is the end of a turn, but for a subagent's, and but for a turn that left
// a task running: when that ends, the agent takes another turn.
func (p *claude) stop() (State, string) {
	switch {
	case p.subagent != "":
		return "", ""
	case p.background:
		return Working, "@subtask"
	}
	return Done, "@done"
}

// notification tells a question from a reminder: idle_prompt comes a minute
// after each turn and leaves it done.
func (p *claude) notification() (State, string) {
	if !p.asks() {
		return "", ""
	}
	if message := Words(p.message); message != "" {
		return Waiting, message
	}
	return Waiting, "@confirm"
}

func (p *claude) asks() bool {
	switch p.notice {
	case "permission_prompt", "worker_permission_prompt", "agent_needs_input",
		"elicitation_dialog", "elicitation_url_dialog":
		return true
	case "": // before 2.0.37 there were no types
		return !bytes.Contains(bytes.ToLower([]byte(p.message)), []byte("waiting for your input"))
	}
	return false
}

// sessionEnd is idle, unless the next session follows in the same breath.
func sessionEnd(reason string) (State, string) {
	if reason == "clear" || reason == "resume" {
		return "", ""
	}
	return Idle, ""
}
