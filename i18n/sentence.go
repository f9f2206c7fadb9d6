package i18n

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// maxArgument is how much of a code's argument is shown, in code points: with
// the words around it a sentence stays below the 240 of the wire.
const maxArgument = 120

// code is how one of the wire's codes is said.
type code struct {
	key  string // its sentence
	slot string // the placeholder that takes its argument, if it has one
	tidy func(string) string
	bare string // its sentence when the argument is missing or of no use
}

// codes is every code of the wire.
var codes = map[string]code{
	"@thinking": {key: "code.thinking"},
	"@tool":     {key: "code.tool", slot: "Tool", tidy: toolName, bare: "code.tool_any"},
	"@tool_any": {key: "code.tool_any"},
	"@editing":  {key: "code.editing"},
	"@command":  {key: "code.command"},
	"@subtask":  {key: "code.subtask"},
	"@confirm":  {key: "code.confirm"},
	"@done":     {key: "code.done"},
	"@running":  {key: "code.running", slot: "Command", tidy: clip, bare: "code.command"},
	"@failed":   {key: "code.failed", slot: "Code", tidy: exitCode, bare: "state.error"},
}

// own is what a state says by itself. Idle has nothing to say.
var own = map[string]string{
	"working": "state.working",
	"waiting": "state.waiting",
	"done":    "state.done",
	"error":   "state.error",
}

// Sentence returns what a friend says for a message that came with a state:
// for a code its sentence, for no message and for a code that nobody knows the
// state's own sentence (none for idle), and for anything else the message as
// it is.
func (t *Translator) Sentence(state, message string) string {
	if message == "" {
		return t.ownSentence(state)
	}
	if !strings.HasPrefix(message, "@") {
		return message
	}
	name, argument, _ := strings.Cut(message, " ")
	c, known := codes[name]
	switch {
	case !known:
		return t.ownSentence(state)
	case c.slot == "":
		return t.Label(c.key, nil)
	}
	argument = c.tidy(strings.TrimSpace(argument))
	if argument == "" {
		return t.Label(c.bare, nil)
	}
	s := t.Label(c.key, map[string]any{c.slot: argument})
	return strings.ReplaceAll(s, "……", "…") // a clipped argument before the sentence's own dots
}

func (t *Translator) ownSentence(state string) string {
	key, ok := own[state]
	if !ok {
		return ""
	}
	return t.Label(key, nil)
}

// toolName leaves of a tool's name what people know it by. Tools of MCP
// servers are called mcp__server__tool (Claude Code, Codex), mcp_server_tool
// (Gemini CLI) or MCP:tool (Cursor).
func toolName(name string) string {
	if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" && parts[2] != "" {
		return clip(parts[2])
	}
	for _, prefix := range []string{"mcp_", "MCP:"} {
		if tail, ok := strings.CutPrefix(name, prefix); ok && tail != "" {
			return clip(tail)
		}
	}
	return clip(name)
}

// exitCode refuses what is not a number.
func exitCode(s string) string {
	if _, err := strconv.Atoi(s); err != nil {
		return ""
	}
	return s
}

// clip cuts s to maxArgument code points, on a grapheme border.
func clip(s string) string {
	kept, count := 0, 0
	for rest, state := s, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if count += utf8.RuneCountInString(cluster); count > maxArgument {
			return s[:kept] + "…"
		}
		kept += len(cluster)
	}
	return s
}
