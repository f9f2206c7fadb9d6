package agents

// codex is an event of Codex: one of its hooks, which speak as Claude's do, or
// a notice of its older `notify` setting, which has no event name.
type codex struct {
	claude
	kind   string // the notice's type
	thread string
	client string // the program that the person sits at
	answer string
	title  bool // the thread makes a title for another one
}

// maxAnswer is how much of an answer is shown, in code points.
const maxAnswer = 120

// fields takes each key in the three ways that Codex has written it
// (openai/codex#4954).
func (p *codex) fields() []field {
	fields := append(p.claude.fields(),
		field{path: []string{"type"}, text: &p.kind},
		field{path: []string{"client"}, text: &p.client})
	for _, key := range []string{"thread-id", "thread_id", "threadId"} {
		fields = append(fields, field{path: []string{key}, text: &p.thread})
	}
	for _, key := range []string{"last-assistant-message", "last_assistant_message", "lastAssistantMessage"} {
		fields = append(fields, field{path: []string{key}, text: &p.answer})
	}
	for _, key := range []string{"input-messages", "input_messages", "inputMessages"} {
		fields = append(fields, field{path: []string{key, "[0]"}, flag: &p.title,
			prefix: "Generate a concise, single-line task title"})
	}
	return fields
}

func (p *codex) says() (State, string) {
	switch p.name {
	case "":
		return p.turn()
	case "Interrupt":
		if p.subagent == "" {
			return Idle, ""
		}
		return "", ""
	}
	return p.claude.says()
}

// turn is the notice that a turn ended. The thread that makes the title and the
// threads of subagents send it as well, while the main one works on: the first
// is known by its prompt, the others by naming a thread and no client.
func (p *codex) turn() (State, string) {
	if p.kind != "agent-turn-complete" || p.title || p.thread != "" && p.client == "" {
		return "", ""
	}
	p.session = p.thread
	if answer := cut(Words(p.answer), maxAnswer); answer != "" {
		return Done, answer
	}
	return Done, "@done"
}
