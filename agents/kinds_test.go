package agents

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestKinds holds the table to what the scanner can do.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds {
		if k.Name == "" || k.Title == "" || seen[k.Name] {
			t.Errorf("kind %+v has no name of its own", k)
		}
		seen[k.Name] = true
		if got, ok := KindNamed(k.Name); !ok || got.Title != k.Title {
			t.Errorf("KindNamed(%q) = %+v, %v", k.Name, got, ok)
		}
		fields := k.payload().fields()
		if len(fields) > 64 {
			t.Errorf("%s wants %d fields, a uint64 has 64 bits", k.Name, len(fields))
		}
		for _, f := range fields {
			if len(f.path) == 0 || len(f.path) > maxLevels || (f.text == nil) == (f.flag == nil) {
				t.Errorf("%s: field %v", k.Name, f.path)
			}
		}
	}
	if _, ok := KindNamed("nobody"); ok {
		t.Error("nobody is an agent")
	}
}

// TestEvents is what the recordings do not show.
func TestEvents(t *testing.T) {
	tests := []struct {
		agent, payload string
		want           string // state and message, "" is silence
	}{
		{"claude", `{"hook_event_name":"PreToolUse"}`, "working @tool_any"},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":" \n "}`, "working @tool_any"},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":7}`, "working @tool_any"},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"ExitPlanMode"}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"ask_user_question"}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"a\u0000b\r\nc\u202ed"}`, "working @tool ab cd"},
		{"claude", `{"hook_event_name":"Notification","message":"Claude is waiting for your input"}`, ""},
		{"claude", `{"hook_event_name":"Notification","message":"Claude needs you"}`, "waiting Claude needs you"},
		{"claude", `{"hook_event_name":"Notification"}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"permission_prompt","message":" \u200b "}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"worker_permission_prompt"}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"agent_needs_input"}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"elicitation_dialog","message":"A server asks"}`, "waiting A server asks"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"elicitation_url_dialog"}`, "waiting @confirm"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"elicitation_complete","message":"x"}`, ""},
		{"claude", `{"hook_event_name":"Notification","notification_type":"auth_success","message":"x"}`, ""},
		{"claude", `{"hook_event_name":"Notification","notification_type":"something_new","message":"x"}`, ""},
		{"claude", `{"hook_event_name":"Stop","agent_id":"a"}`, ""},
		{"claude", `{"hook_event_name":"Stop","background_tasks":[{"status":"done"},{"status":"running"}]}`, "working @subtask"},
		{"claude", `{"hook_event_name":"Stop","background_tasks":[{"status":"completed"}]}`, "done @done"},
		{"claude", `{"hook_event_name":"Stop","background_tasks":[{"deep":{"status":"running"}}],"status":"running"}`, "done @done"},
		{"claude", `{"hook_event_name":"Stop","background_tasks":{"[]":{"status":"running"}}}`, "done @done"},
		{"claude", `{"hook_event_name":"StopFailure","agent_id":"a"}`, ""},
		{"claude", `{"hook_event_name":"UserPromptSubmit","agent_id":"a"}`, ""},
		{"claude", `{"hook_event_name":"SessionEnd","reason":"resume"}`, ""},
		{"claude", `{"hook_event_name":"stop","status":"completed"}`, ""},
		{"claude", `{"hook_event_name":"preToolUse","tool_name":"Shell"}`, ""},
		{"claude", `{"hook_event_name":5}`, ""},
		{"claude", `{}`, ""},
		{"codex", `{"hook_event_name":"Interrupt","agent_id":"a"}`, ""},
		{"codex", `{"hook_event_name":"Stop","agent_id":"a"}`, ""},
		{"codex", `{"type":"agent-turn-complete","last-assistant-message":"All **tests** pass.\n\n- one\n- two"}`, "done All **tests** pass. - one - two"},
		{"codex", `{"type":"agent-turn-complete","last_assistant_message":"Snake"}`, "done Snake"},
		{"codex", `{"type":"agent-turn-complete","lastAssistantMessage":"Camel"}`, "done Camel"},
		{"codex", `{"type":"agent-turn-complete","last-assistant-message":["a"]}`, "done @done"},
		{"codex", `{"type":"agent-turn-complete","thread_id":"t"}`, ""},
		{"codex", `{"type":"agent-turn-complete","threadId":"t"}`, ""},
		{"codex", `{"type":"agent-turn-complete","threadId":"t","client":"codex-tui"}`, "done @done"},
		{"codex", `{"type":"agent-turn-complete","inputMessages":["Generate a concise, single-line task title of"]}`, ""},
		{"codex", `{"type":"agent-turn-complete","input_messages":["x","Generate a concise, single-line task title of"]}`, "done @done"},
		{"codex", `{"type":"approval-requested","command":"rm -rf build"}`, ""},
		{"codex", `{"last-assistant-message":"no type"}`, ""},
		{"gemini", `{"hook_event_name":"BeforeTool","tool_name":"ask_user"}`, "waiting @confirm"},
		{"gemini", `{"hook_event_name":"Notification","message":"secret.txt"}`, "waiting @confirm"},
		{"gemini", `{"hook_event_name":"Notification","notification_type":"idle_prompt"}`, ""},
		{"gemini", `{"hook_event_name":"AfterAgent"}`, "done @done"},
		{"gemini", `{"hook_event_name":"Stop"}`, ""},
		{"cursor", `{"hook_event_name":"stop"}`, "done @done"},
		{"cursor", `{"hook_event_name":"stop","status":"error"}`, "error "},
		{"cursor", `{"hook_event_name":"stop","status":"aborted"}`, "idle "},
		{"cursor", `{"hook_event_name":"postToolUse"}`, "working @tool_any"},
		{"cursor", `{"hook_event_name":"Stop"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.agent+tt.payload, func(t *testing.T) {
			r, ok := parse(t, tt.agent, []byte(tt.payload))
			got := string(r.State) + " " + r.Message
			if !ok {
				got = ""
			}
			if got != tt.want {
				t.Errorf("says %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhere(t *testing.T) {
	tests := []struct{ agent, payload, session, project string }{
		{"claude", `"cwd":"/home/me/project/"`, "", "project"},
		{"claude", `"cwd":"C:\\Users\\me\\my work"`, "", "my work"},
		{"claude", `"cwd":"C:\Users\x\demo"`, "", "demo"}, // nobody quoted the backslashes
		{"claude", `"cwd":"C:\\"`, "", ""},
		{"claude", `"cwd":"\\\\server\\share\\y"`, "", "y"},
		{"claude", `"cwd":"/"`, "", ""},
		{"claude", `"cwd":"/tmp/a\nb\u202e"`, "", "a b"},
		{"claude", `"session_id":"s","cwd":7`, "s", ""},
		{"cursor", `"conversation_id":"c","session_id":"s","cwd":"/a/b","workspace_roots":["/c:/demo","/d"]`, "c", "demo"},
		{"cursor", `"session_id":"s","cwd":"/a/b","workspace_roots":[]`, "s", "b"},
		{"codex", `"type":"agent-turn-complete","thread-id":"t","client":"x"`, "t", ""},
	}
	event := map[string]string{
		"claude": `{"hook_event_name":"Stop",`, "cursor": `{"hook_event_name":"stop",`, "codex": `{`}
	for _, tt := range tests {
		r, ok := parse(t, tt.agent, []byte(event[tt.agent]+tt.payload+"}"))
		if !ok || r.Session != tt.session || r.Project != tt.project {
			t.Errorf("%s %s: session %q, project %q (%v), want %q, %q",
				tt.agent, tt.payload, r.Session, r.Project, ok, tt.session, tt.project)
		}
	}
}

// TestLimits: nothing an agent sends makes a Report that the bridge refuses.
func TestLimits(t *testing.T) {
	for _, long := range []string{strings.Repeat("x", 1<<20), strings.Repeat("é", 1<<19), strings.Repeat(`\"`, 1<<19)} {
		for _, payload := range []string{
			`{"hook_event_name":"PreToolUse","tool_name":"` + long + `","session_id":"` + long + `","cwd":"/` + long + `"}`,
			`{"hook_event_name":"Notification","message":"` + long + `"}`,
			`{"type":"agent-turn-complete","last-assistant-message":"` + long + `"}`,
		} {
			r, ok := parse(t, "codex", []byte(payload))
			if !ok {
				t.Fatalf("%.60s: silent", payload)
			}
			if len(r.Message) > len("@tool ")+maxTool && strings.HasPrefix(r.Message, "@") ||
				utf8.RuneCountInString(r.Message) > MaxMessage ||
				len(r.Session) > MaxField || len(r.Project) > MaxField {
				t.Errorf("%.60s: %d, %d, %d bytes", payload, len(r.Message), len(r.Session), len(r.Project))
			}
			if !utf8.ValidString(r.Message + r.Session + r.Project) {
				t.Errorf("%.60s: a rune is cut in two", payload)
			}
		}
	}
}
