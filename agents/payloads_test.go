package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const silent State = ""

type said struct {
	state   State
	message string
}

// recorded is what each recorded payload means.
var recorded = map[string]said{
	"claude/Notification.idle_prompt.json":           {silent, ""},
	"claude/Notification.json":                       {Waiting, "Claude needs your permission"},
	"claude/Notification.permission_prompt.json":     {Waiting, "Claude needs your permission"},
	"claude/PermissionRequest.ask.json":              {Waiting, "@confirm"},
	"claude/PermissionRequest.json":                  {Waiting, "@confirm"},
	"claude/PostToolBatch.edit.json":                 {silent, ""},
	"claude/PostToolBatch.json":                      {silent, ""},
	"claude/PostToolBatch.subagent.json":             {silent, ""},
	"claude/PostToolUse.edit.json":                   {Working, "@thinking"},
	"claude/PostToolUse.json":                        {Working, "@thinking"},
	"claude/PostToolUse.mcp.json":                    {Working, "@thinking"},
	"claude/PostToolUse.subagent.json":               {Working, "@thinking"},
	"claude/PostToolUse.write.json":                  {Working, "@thinking"},
	"claude/PostToolUseFailure.json":                 {Working, "@thinking"},
	"claude/PreCompact.json":                         {silent, ""},
	"claude/PreToolUse.ask.json":                     {Waiting, "@confirm"},
	"claude/PreToolUse.edit.json":                    {Working, "@tool Read"},
	"claude/PreToolUse.in_subagent.json":             {Working, "@tool Bash"},
	"claude/PreToolUse.json":                         {Working, "@tool Bash"},
	"claude/PreToolUse.mcp.json":                     {Working, "@tool mcp__lab__ping"},
	"claude/PreToolUse.subagent.json":                {Working, "@tool Agent"},
	"claude/PreToolUse.write.json":                   {Working, "@tool Write"},
	"claude/SessionEnd.clear.json":                   {silent, ""},
	"claude/SessionEnd.edit.json":                    {Idle, ""},
	"claude/SessionEnd.exit.json":                    {Idle, ""},
	"claude/SessionEnd.json":                         {Idle, ""},
	"claude/SessionEnd.subagent.json":                {Idle, ""},
	"claude/SessionStart.clear.json":                 {silent, ""},
	"claude/SessionStart.edit.json":                  {silent, ""},
	"claude/SessionStart.interactive.json":           {silent, ""},
	"claude/SessionStart.json":                       {silent, ""},
	"claude/SessionStart.subagent.json":              {silent, ""},
	"claude/Stop.background_running.json":            {Working, "@subtask"},
	"claude/Stop.edit.json":                          {Done, "@done"},
	"claude/Stop.json":                               {Done, "@done"},
	"claude/Stop.subagent.json":                      {Working, "@subtask"},
	"claude/StopFailure.json":                        {Error, ""},
	"claude/SubagentStart.subagent.json":             {Working, "@subtask"},
	"claude/SubagentStop.subagent.json":              {silent, ""},
	"claude/UserPromptSubmit.edit.json":              {Working, "@thinking"},
	"claude/UserPromptSubmit.json":                   {Working, "@thinking"},
	"claude/UserPromptSubmit.subagent.json":          {Working, "@thinking"},
	"claude/UserPromptSubmit.task_notification.json": {Working, "@thinking"},
	"codex/Interrupt.json":                           {Idle, ""},
	"codex/PermissionRequest.json":                   {Waiting, "@confirm"},
	"codex/PostCompact.json":                         {silent, ""},
	"codex/PostToolUse.apply_patch.json":             {Working, "@thinking"},
	"codex/PostToolUse.fail.json":                    {Working, "@thinking"},
	"codex/PostToolUse.json":                         {Working, "@thinking"},
	"codex/PostToolUse.mcp.json":                     {Working, "@thinking"},
	"codex/PostToolUse.subagent.json":                {Working, "@thinking"},
	"codex/PreCompact.json":                          {silent, ""},
	"codex/PreToolUse.apply_patch.json":              {Working, "@tool apply_patch"},
	"codex/PreToolUse.in_subagent.json":              {Working, "@tool Bash"},
	"codex/PreToolUse.json":                          {Working, "@tool Bash"},
	"codex/PreToolUse.mcp.json":                      {Working, "@tool mcp__lab__ping"},
	"codex/PreToolUse.subagent.json":                 {Working, "@tool spawn_agent"},
	"codex/SessionEnd.json":                          {Idle, ""},
	"codex/SessionEnd.subagent.json":                 {Idle, ""},
	"codex/SessionStart.json":                        {silent, ""},
	"codex/SessionStart.subagent.json":               {silent, ""},
	"codex/Stop.json":                                {Done, "@done"},
	"codex/Stop.subagent.json":                       {Done, "@done"},
	"codex/SubagentStart.subagent.json":              {Working, "@subtask"},
	"codex/SubagentStop.subagent.json":               {silent, ""},
	"codex/UserPromptSubmit.in_subagent.json":        {silent, ""},
	"codex/UserPromptSubmit.json":                    {Working, "@thinking"},
	"codex/UserPromptSubmit.subagent.json":           {Working, "@thinking"},
	"codex/notify.argv.json":                         {Done, "Hello from the lab."},
	"codex/notify.json":                              {Done, "Hello from the lab."},
	"codex/notify.subagent.argv.json":                {silent, ""},
	"codex/notify.subagent.json":                     {silent, ""},
	"codex/notify.title_generation.argv.json":        {silent, ""},
	"codex/notify.title_generation.json":             {silent, ""},
	"cursor/afterAgentResponse.json":                 {silent, ""},
	"cursor/afterAgentThought.json":                  {Working, "@thinking"},
	"cursor/afterFileEdit.json":                      {Working, "@editing"},
	"cursor/afterShellExecution.json":                {Working, "@command"},
	"cursor/beforeShellExecution.json":               {silent, ""},
	"cursor/beforeSubmitPrompt.json":                 {Working, "@thinking"},
	"cursor/postToolUse.json":                        {Working, "@tool Shell"},
	"cursor/postToolUseFailure.json":                 {Working, "@thinking"},
	"cursor/preToolUse.json":                         {silent, ""},
	"cursor/sessionEnd.json":                         {Idle, ""},
	"cursor/sessionStart.json":                       {silent, ""},
	"cursor/stop.json":                               {Done, "@done"},
	"cursor/subagentStart.json":                      {Working, "@subtask"},
	"cursor/subagentStop.json":                       {silent, ""},
	"gemini/AfterAgent.api_error.json":               {Error, ""},
	"gemini/AfterAgent.cancelled.json":               {Done, "@done"},
	"gemini/AfterAgent.json":                         {Done, "@done"},
	"gemini/AfterModel.json":                         {silent, ""},
	"gemini/AfterTool.cancelled.json":                {Working, "@thinking"},
	"gemini/AfterTool.fail.json":                     {Working, "@thinking"},
	"gemini/AfterTool.json":                          {Working, "@thinking"},
	"gemini/AfterTool.mcp.json":                      {Working, "@thinking"},
	"gemini/AfterTool.subagent.json":                 {Working, "@thinking"},
	"gemini/AfterTool.write.json":                    {Working, "@thinking"},
	"gemini/BeforeAgent.json":                        {Working, "@thinking"},
	"gemini/BeforeModel.json":                        {silent, ""},
	"gemini/BeforeTool.ask.json":                     {Waiting, "@confirm"},
	"gemini/BeforeTool.json":                         {Working, "@tool run_shell_command"},
	"gemini/BeforeTool.mcp.json":                     {Working, "@tool mcp_lab_ping"},
	"gemini/BeforeTool.subagent.json":                {Working, "@tool invoke_agent"},
	"gemini/BeforeTool.write.json":                   {Working, "@tool write_file"},
	"gemini/BeforeToolSelection.json":                {silent, ""},
	"gemini/Notification.ask.json":                   {Waiting, "@confirm"},
	"gemini/Notification.edit_permission.json":       {Waiting, "@confirm"},
	"gemini/Notification.exec_permission.json":       {Waiting, "@confirm"},
	"gemini/Notification.json":                       {Waiting, "@confirm"},
	"gemini/PreCompress.json":                        {silent, ""},
	"gemini/SessionEnd.clear.json":                   {silent, ""},
	"gemini/SessionEnd.json":                         {Idle, ""},
	"gemini/SessionStart.clear.json":                 {silent, ""},
	"gemini/SessionStart.json":                       {silent, ""},
}

// prompts are those that the person typed.
var prompts = []string{
	"claude/UserPromptSubmit.edit.json", "claude/UserPromptSubmit.json", "claude/UserPromptSubmit.subagent.json",
	"codex/UserPromptSubmit.json", "codex/UserPromptSubmit.subagent.json",
	"cursor/beforeSubmitPrompt.json", "gemini/BeforeAgent.json",
}

func TestRecordedPayloads(t *testing.T) {
	seen := 0
	for file, want := range recorded {
		t.Run(file, func(t *testing.T) {
			agent := filepath.Dir(file)
			payload := load(t, file)
			got, ok := parse(t, agent, payload)
			if ok != (want.state != silent) {
				t.Fatalf("says something: %v, %+v", ok, got)
			}
			if !ok {
				return
			}
			want := Report{State: want.state, Message: want.message,
				Agent: agent, Session: session(t, payload), Project: "project", Part: part(t, agent, payload), Begins: slices.Contains(prompts, file)}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
		seen++
	}
	files, err := filepath.Glob("testdata/payloads/*/*.json")
	if err != nil || len(files) != seen {
		t.Errorf("%d payloads are recorded, the table has %d (%v)", len(files), seen, err)
	}
}

// load reads a recorded payload; of a recorded command line it is the last
// argument.
func load(t *testing.T, file string) []byte {
	t.Helper()
	payload, err := os.ReadFile(filepath.Join("testdata/payloads", file))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".argv.json") {
		var line struct{ Argv []string }
		if err := json.Unmarshal(payload, &line); err != nil {
			t.Fatal(err)
		}
		payload = []byte(line.Argv[len(line.Argv)-1])
	}
	return payload
}

func session(t *testing.T, payload []byte) string {
	t.Helper()
	var ids struct {
		Session string `json:"session_id"`
		Thread  string `json:"thread-id"`
	}
	if err := json.Unmarshal(payload, &ids); err != nil {
		t.Fatal(err)
	}
	if ids.Session+ids.Thread == "" {
		t.Fatal("the payload names no session")
	}
	return ids.Session + ids.Thread
}

// part is whose event it is, where the agent tells.
func part(t *testing.T, agent string, payload []byte) string {
	t.Helper()
	var p struct {
		Agent string `json:"agent_id"`
		Event string `json:"hook_event_name"`
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		t.Fatal(err)
	}
	switch {
	case agent != "claude" && agent != "codex":
		return ""
	case p.Agent != "":
		return p.Agent
	case slices.Contains([]string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "Stop", "StopFailure", "SessionEnd"}, p.Event):
		return MainPart
	}
	return ""
}

func parse(t testing.TB, agent string, payload []byte) (Report, bool) {
	t.Helper()
	k, ok := KindNamed(agent)
	if !ok {
		t.Fatalf("no agent %q", agent)
	}
	r := k.Reader()
	r.Feed(payload)
	return r.Report()
}
