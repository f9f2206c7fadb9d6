package snippets

import "strings"

// MCP is the snippet by which an agent gets PlayPets as an MCP server. Nothing
// of it passes through a shell. An error says that there is no such agent, or
// that a path cannot be written.
func MCP(agent string, p Program) (Snippet, error) {
	if err := p.check(agent); err != nil {
		return Snippet{}, err
	}
	s := Snippet{Agent: agent, Name: "mcp", Format: "json", Note: "If the file has mcpServers already, add playpets to them; then start a new session."}
	switch agent {
	case "codex":
		s.File, s.Format, s.Text = p.file(".codex/config.toml"), "toml", mcpTOML(p)
		s.Note = "Put it at the end of the file; then start a new session."
		return s, nil
	case "claude":
		s.File, s.Text = p.file(".claude.json"), mcpJSON(p, `"type": "stdio", `)
		return s, nil
	case "gemini":
		s.File = p.file(".gemini/settings.json")
	case "cursor":
		s.File = p.file(".cursor/mcp.json")
	case Other:
		s.Note = "It belongs in the settings of your tool, among its mcpServers."
	}
	s.Text = mcpJSON(p, "")
	return s, nil
}

func mcpJSON(p Program, kind string) string {
	env := ""
	if p.Pet != "" {
		env = `, "env": {"PLAYPETS_PET": ` + quoteJSON(p.Pet) + "}"
	}
	return "{\"mcpServers\": {\n  \"playpets\": {" + kind + `"command": ` + quoteJSON(p.Path) +
		`, "args": ` + quoteList(p.mcpArgs()) + env + "}\n}}\n"
}

func mcpTOML(p Program) string {
	text := "[mcp_servers.playpets]\ncommand = " + quoteJSON(p.Path) + "\nargs = " + quoteList(p.mcpArgs()) + "\n"
	if p.Pet != "" {
		text += "\n[mcp_servers.playpets.env]\nPLAYPETS_PET = " + quoteJSON(p.Pet) + "\n"
	}
	return text
}

// mcpArgs name the bridge: Codex hides from its servers the variables that
// would lead there.
func (p Program) mcpArgs() []string {
	p.Pet = "" // goes as PLAYPETS_PET
	return append([]string{"mcp"}, p.flags()...)
}

// flags are the options of a hook or server.
func (p Program) flags() (all []string) {
	if p.Bridge != "" {
		all = append(all, "--bridge", p.Bridge)
	}
	if p.Pet != "" {
		all = append(all, "--pet", p.Pet)
	}
	return all
}

// quoteList is an array of strings, in JSON and in TOML alike.
func quoteList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteJSON(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
