package agents

// gemini is an event of Gemini CLI.
type gemini struct {
	event
	notice string // a notification's type
	reason string // why a session ended
	silent bool   // the turn had no answer
}

func (p *gemini) fields() []field {
	return append(p.event.fields(),
		field{path: []string{"notification_type"}, text: &p.notice},
		field{path: []string{"reason"}, text: &p.reason},
		field{path: []string{"prompt_response"}, flag: &p.silent, prefix: "[no response text]"},
	)
}

func (p *gemini) says() (State, string) {
	switch p.name {
	case "BeforeAgent":
		p.begins = true
		return Working, "@thinking"
	case "BeforeTool":
		return p.uses()
	case "AfterTool":
		return Working, "@thinking" // ends waiting, as in claude.go
	case "Notification":
		// Its message names files and commands, so it stays here.
		if p.notice == "" || p.notice == "ToolPermission" {
			return Waiting, "@confirm"
		}
	case "AfterAgent":
		if p.silent { // all that is to be seen of an API error
			return Error, ""
		}
		return Done, "@done"
	case "SessionEnd":
		return sessionEnd(p.reason)
	}
	return "", ""
}
