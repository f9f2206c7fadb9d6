package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/installer"
)

// TestHooksThatAreNotCalled has hooks in which our line is there, and whether the
// agent would call it.
func TestHooksThatAreNotCalled(t *testing.T) {
	const claudeHook = `{"type": "command", "command": "'EXE' hook claude"}`
	group := func(hook string) string { return `[{"hooks": [` + hook + `]}]` }
	good := everyHook("claude", group(claudeHook))
	every := func(agent, entry string) string { return `{"version": 1, ` + everyHook(agent, entry) + `}` }
	odd := func(entry string) string { // at one event
		return `{` + strings.Replace(good, `"Stop": `+group(claudeHook), `"Stop": `+entry, 1) + `}`
	}
	for _, test := range []struct {
		name, agent, file string
		want              installer.Status
		detail, fix       string // a part of it
	}{
		{"good", "claude", `{` + good + `}`, installer.OK, "connected", ""},
		{"good among others", "claude", odd(`[{"matcher": "Bash", "hooks": [` + claudeHook + `]}, 7, {"hooks": [{"type": "prompt"}, ` + claudeHook + `]}]`), installer.OK, "connected", ""},
		{"all matched", "claude", every("claude", `[{"matcher": "*", "hooks": [`+claudeHook+`]}]`), installer.OK, "connected", ""},
		{"a line of one's own", "claude", every("claude", group(`{"type": "command", "command": "~/x && 'EXE' hook claude"}`)), installer.Warn, "connected, no event yet; the entry in ~/.claude/settings.json is a line of your own that starts PlayPets", "Look after it"},
		{"no inner list", "claude", every("claude", `[`+claudeHook+`]`), installer.Fail, "UserPromptSubmit stands where Claude Code does not look", "Take it out of there, then `playpets connect claude"},
		{"no inner list at one", "claude", odd(`[` + claudeHook + `]`), installer.Warn, "the hook for Stop stands where Claude Code does not look", "Take it out of there, then `playpets connect claude"},
		{"no list", "claude", odd(`{"hooks": [` + claudeHook + `]}`), installer.Warn, "the hook for Stop stands where", "Take it out of there, then `playpets connect claude"},
		{"a list of events", "claude", `{"hooks": [` + claudeHook + `]}`, installer.Fail, "SessionEnd, Stop, StopFailure, UserPromptSubmit stands where", "Take it out"},
		{"only an unknown event", "claude", `{"hooks": {"Stopp": ` + group(claudeHook) + `}}`, installer.Fail, "the hook for Stopp is at none that PlayPets listens to", "playpets connect claude"},
		{"few events", "claude", `{"hooks": {"Stop": ` + group(claudeHook) + `}}`, installer.Warn, "for Notification, PermissionRequest, PostToolUse, PostToolUseFailure, PreToolUse, SessionEnd, StopFailure, UserPromptSubmit is missing", "`playpets connect claude` puts"},
		{"no type", "claude", every("claude", group(`{"command": "'EXE' hook claude"}`)), installer.Fail, `has no "type": "command"`, "playpets connect claude"},
		{"another type", "cursor", every("cursor", `[{"type": "prompt", "command": "'EXE' hook cursor"}]`), installer.Fail, `has no "type": "command"`, "playpets connect cursor"},
		{"another agent", "claude", every("claude", group(`{"type": "command", "command": "'EXE' hook gemini"}`)), installer.Fail, "does not run `playpets hook claude`", "playpets connect claude"},
		{"another agent in a line of one's own", "claude", every("claude", group(`{"type": "command", "command": "x; playpets hook gemini"}`)), installer.Fail, "starts PlayPets; in ~/.claude/settings.json the hook for Notification", "playpets connect claude"},
		{"no hook at all", "claude", every("claude", group(`{"type": "command", "command": "'EXE' mcp"}`)), installer.Fail, "does not run `playpets hook claude`", "playpets connect claude"},
		{"a matcher", "claude", odd(`[{"matcher": "Bash", "hooks": [` + claudeHook + `]}]`), installer.Warn, `Stop has a "matcher"`, "playpets connect claude"},
		{"a condition", "claude", odd(group(`{"if": "Bash(x)", "type": "command", "command": "'EXE' hook claude"}`)), installer.Warn, `Stop has a "if"`, "playpets connect claude"},
		{"no time", "claude", every("claude", group(`{"timeout": 0.001, "type": "command", "command": "'EXE' hook claude"}`)), installer.Fail, `"timeout" of 0.001, which is too short`, "playpets connect claude"},
		{"time as a text", "claude", every("claude", group(`{"timeout": "5", "type": "command", "command": "'EXE' hook claude"}`)), installer.Fail, `"timeout"`, "playpets connect claude"},
		{"seconds for milliseconds", "gemini", every("gemini", group(`{"timeout": 5, "type": "command", "command": "'EXE' hook gemini"}`)), installer.Fail, `"timeout" of 5, which is too short`, "playpets connect gemini"},
		{"seconds", "cursor", every("cursor", `[{"timeout": 5, "command": "'EXE' hook cursor"}]`), installer.OK, "connected", ""},
		{"arguments apart", "claude", every("claude", group(`{"type": "command", "command": "EXE", "args": ["hook", "claude"]}`)), installer.Warn, `"args", which Claude Code before 2.1.139 does not know`, "playpets connect claude"},
		{"arguments apart", "gemini", every("gemini", group(`{"type": "command", "command": "EXE", "args": ["hook", "gemini"]}`)), installer.Fail, `"args", which Gemini CLI does not know`, "playpets connect gemini"},
		{"in Claude's form", "cursor", every("cursor", group(`{"type": "command", "command": "'EXE' hook cursor"}`)), installer.Fail, "stands where Cursor does not look", "Take it out of there, then `playpets connect cursor"},
		{"off by an older version's switch", "gemini", `{` + strings.Replace(everyHook("gemini", group(`{"type": "command", "command": "'EXE' hook gemini"}`)), "{", `{"enabled": false, `, 1) + `}`, installer.Fail, `"hooks": no hook runs`, "true"},
	} {
		t.Run(test.agent+"/"+test.name, func(t *testing.T) {
			files := map[string]string{"claude": ".claude/settings.json", "gemini": ".gemini/settings.json", "cursor": ".cursor/hooks.json"}
			checkSetup(t, test.agent, map[string]string{files[test.agent]: test.file}, test.want, test.detail, test.fix)
		})
	}
	codex := func(name, notify, hooks string, want installer.Status, detail, fix string) {
		t.Run("codex/"+name, func(t *testing.T) {
			checkSetup(t, "codex", map[string]string{".codex/config.toml": notify, ".codex/hooks.json": hooks}, want, detail, fix)
		})
	}
	codex("notify for another", `notify = ["EXE", "hook", "claude"]`, "{}", installer.Fail, "notify in ~/.codex/config.toml does not run `playpets hook codex`", "playpets connect codex")
	codex("few events in two files", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ntimeout = 5\ncommand = \"'EXE' hook codex\"\n",
		`{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "'EXE' hook codex"}]}]}}`,
		installer.Fail, "in ~/.codex/config.toml and ~/.codex/hooks.json the hook for Interrupt, PermissionRequest, PostToolUse, UserPromptSubmit is missing", "/hooks")
}

// checkSetup looks at an agent's files.
func checkSetup(t *testing.T, agent string, files map[string]string, want installer.Status, detail, fix string) {
	t.Helper()
	d := newTestDoctor(t)
	d.write(t, agent, files)
	kind, _ := agents.KindNamed(agent)
	got := d.agent(kind)
	gotDetail, gotFix := showable(got.Detail), showable(got.Fix)
	if got.ID != agent || got.Status != want || !strings.Contains(gotDetail, detail) || !strings.Contains(gotFix, fix) || (fix == "") != (gotFix == "") {
		t.Errorf("%s %s\n%s\nwant %s %q %q", got.Status, gotDetail, gotFix, want, detail, fix)
	}
	if said := strings.Split(gotDetail, "; "); len(slices.Compact(said)) < strings.Count(gotDetail, "; ")+1 {
		t.Errorf("said twice: %s", gotDetail)
	}
	if all := gotDetail + gotFix; strings.Contains(all, d.home) || strings.Contains(all, "secret/") {
		t.Errorf("it shows a path: %s", all)
	}
}
