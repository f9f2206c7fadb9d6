package snippets

import (
	"fmt"
	"strings"
)

// A form is how an agent's hooks are written.
type form struct {
	file   string // below the home folder
	head   string // how the file begins
	entry  string // what stands for each event; %s is the command's members
	note   string
	events []string // those that agents.Kind understands and that each version of the agent knows
}

const beside = "If the file has hooks already, add these beside them; then "

// No form has a matcher: Claude Code's are read by Cursor too, but only when one
// of them has it. Timeouts are seconds, Gemini's milliseconds.
var forms = map[string]form{
	"claude": {
		file: ".claude/settings.json", head: `{"hooks": {`,
		entry: `[{"hooks": [{"type": "command", "timeout": 5, %s}]}]`,
		note:  beside + "start a new session.",
		events: []string{"UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest",
			"Notification", "Stop", "StopFailure", "SessionEnd"},
	},
	"codex": {
		file: ".codex/hooks.json", head: `{"hooks": {`,
		entry:  `[{"hooks": [{"type": "command", "timeout": 5, %s}]}]`,
		note:   beside + "type /hooks in Codex and trust them.",
		events: []string{"UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "Interrupt"},
	},
	"gemini": {
		file: ".gemini/settings.json", head: `{"hooks": {`,
		entry:  `[{"hooks": [{"type": "command", "timeout": 5000, %s}]}]`,
		note:   beside + "start a new session.",
		events: []string{"BeforeAgent", "BeforeTool", "AfterTool", "Notification", "AfterAgent", "SessionEnd"},
	},
	// One event that its version does not know, and Cursor reads none.
	"cursor": {
		file: ".cursor/hooks.json", head: `{"version": 1, "hooks": {`,
		entry:  `[{%s}]`,
		note:   beside + "start Cursor again.",
		events: []string{"beforeSubmitPrompt", "postToolUse", "afterFileEdit", "afterShellExecution", "stop", "sessionEnd"},
	},
}

// Hooks are the snippets by which an agent tells what it does. Codex has two:
// "notify", which needs nobody's trust, comes first. Other has none. An error
// says that there is no such agent, or that a path cannot be written.
func Hooks(agent string, p Program) ([]Snippet, error) {
	if err := p.check(agent); err != nil {
		return nil, err
	}
	switch agent {
	case Other:
		return nil, nil
	case "codex":
		return []Snippet{codexNotify(p), hooks(agent, p)}, nil
	}
	return []Snippet{hooks(agent, p)}, nil
}

// All are an agent's snippets: Hooks, then MCP.
func All(agent string, p Program) ([]Snippet, error) {
	all, err := Hooks(agent, p)
	if err != nil {
		return nil, err
	}
	mcp, err := MCP(agent, p)
	return append(all, mcp), err
}

// hooks is one line for each event, so that people can add them one by one.
func hooks(agent string, p Program) Snippet {
	f, c := forms[agent], hookCommand(agent, p)
	members := `"command": ` + quoteJSON(c.line)
	if c.shell != "" {
		members = `"shell": ` + quoteJSON(c.shell) + ", " + members
	}
	var b strings.Builder
	b.WriteString(f.head + "\n")
	width := 0
	for _, event := range f.events {
		width = max(width, len(event)+len(`"":`))
	}
	for i, event := range f.events {
		comma := ","
		if i == len(f.events)-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "  %-*s "+f.entry+comma+"\n", width, `"`+event+`":`, members)
	}
	b.WriteString("}}\n")
	text := b.String()
	if agent == "cursor" {
		text = commentless(text)
	}
	return Snippet{Agent: agent, Name: "hooks", File: p.file(f.file), Format: "json", Text: text, Note: f.note}
}

// commentless writes JSON without // and /*, for Cursor takes them out before
// it reads the file, also inside strings.
func commentless(json string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range json {
		switch {
		case last == '/' && r == '/':
			b.WriteString(`\/`)
		case last == '/' && r == '*':
			b.WriteString(`\u002a`)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// codexNotify is a program and its arguments: Codex starts it without a shell,
// and adds the event as one more argument.
func codexNotify(p Program) Snippet {
	words := append([]string{p.Path, "hook", "codex"}, p.flags()...)
	return Snippet{
		Agent: "codex", Name: "notify", File: p.file(".codex/config.toml"), Format: "toml",
		Text: "notify = " + quoteList(words) + "\n",
		Note: "It must be the first line of the file, above every [table], and the only notify.",
	}
}
