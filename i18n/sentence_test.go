package i18n

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentence(t *testing.T) {
	for _, tt := range []struct{ state, message, en, ko string }{
		{"working", "@thinking", "Thinking…", "생각 중…"},
		{"working", "@tool Bash", "Using Bash…", "Bash 쓰는 중…"},
		{"working", "@tool", "Using a tool…", "도구 쓰는 중…"},
		{"working", "@tool  ", "Using a tool…", "도구 쓰는 중…"},
		{"working", "@tool_any", "Using a tool…", "도구 쓰는 중…"},
		{"working", "@editing", "Editing files…", "파일 고치는 중…"},
		{"working", "@command", "Running a command…", "명령 실행 중…"},
		{"working", "@subtask", "Working on a subtask…", "하위 작업 하는 중…"},
		{"waiting", "@confirm", "I need your OK", "확인이 필요해요"},
		{"done", "@done", "All done!", "다 했어요!"},
		{"working", "@running npm test", "Running npm test…", "npm test 실행 중…"},
		{"working", "@running", "Running a command…", "명령 실행 중…"},
		{"error", "@failed 127", "That failed (exit code 127)", "실패했어요 (종료 코드 127)"},
		{"error", "@failed -1", "That failed (exit code -1)", "실패했어요 (종료 코드 -1)"},
		{"error", "@failed", "Something went wrong", "문제가 생겼어요"},
		{"error", "@failed badly", "Something went wrong", "문제가 생겼어요"},

		// Names of MCP tools, as each agent spells them.
		{"working", "@tool mcp__claude_ai_Notion__notion-create-pages", "Using notion-create-pages…", "notion-create-pages 쓰는 중…"},
		{"working", "@tool mcp__lab__ping", "Using ping…", "ping 쓰는 중…"},
		{"working", "@tool mcp__a__b__c", "Using b__c…", "b__c 쓰는 중…"},
		{"working", "@tool mcp_lab_ping", "Using lab_ping…", "lab_ping 쓰는 중…"},
		{"working", "@tool MCP:ping", "Using ping…", "ping 쓰는 중…"},
		{"working", "@tool mcp__lab__", "Using _lab__…", "_lab__ 쓰는 중…"},
		{"working", "@tool mcp__", "Using _…", "_ 쓰는 중…"},
		{"working", "@tool run_shell_command", "Using run_shell_command…", "run_shell_command 쓰는 중…"},

		// Arguments are shown, never read.
		{"working", "@tool {{.Tool}} {{x}} %s %d $HOME", "Using {{.Tool}} {{x}} %s %d $HOME…", "{{.Tool}} {{x}} %s %d $HOME 쓰는 중…"},
		{"working", "@running echo {{range .}}x{{end}}", "Running echo {{range .}}x{{end}}…", "echo {{range .}}x{{end}} 실행 중…"},
		{"working", "@tool <b>&amp;</b>", "Using <b>&amp;</b>…", "<b>&amp;</b> 쓰는 중…"},

		// What nobody knows becomes the state's own sentence.
		{"working", "@nosuchcode x", "Working on it…", "열심히 하는 중…"},
		{"waiting", "@", "I'm waiting for you", "기다리고 있어요"},
		{"done", "@ done", "All done!", "다 했어요!"},
		{"error", "@Failed 3", "Something went wrong", "문제가 생겼어요"},
		{"working", "@toolBash", "Working on it…", "열심히 하는 중…"},
		{"working", "@thinkinghard", "Working on it…", "열심히 하는 중…"},
		{"idle", "@nosuchcode", "", ""},
		{"nosuchstate", "@nosuchcode", "", ""},

		// A code that takes no argument says its sentence whatever follows.
		{"working", "@thinking deeply", "Thinking…", "생각 중…"},

		// So does silence: an agent that failed need not say why.
		{"error", "", "Something went wrong", "문제가 생겼어요"},
		{"idle", "", "", ""},

		// Everything else stays itself.
		{"working", "Fixing the login", "Fixing the login", "Fixing the login"},
		{"done", "me@example.com done", "me@example.com done", "me@example.com done"},
		{"done", " @done", " @done", " @done"},
		{"working", "{{.Tool}} %s", "{{.Tool}} %s", "{{.Tool}} %s"},
	} {
		if got := New("en").Sentence(tt.state, tt.message); got != tt.en {
			t.Errorf("en, %s, %q: %q, want %q", tt.state, tt.message, got, tt.en)
		}
		if got := New("ko").Sentence(tt.state, tt.message); got != tt.ko {
			t.Errorf("ko, %s, %q: %q, want %q", tt.state, tt.message, got, tt.ko)
		}
	}
}

func TestSentenceIsNeverTooLong(t *testing.T) {
	families := strings.Repeat("👨‍👩‍👧‍👦", 30)
	for _, tt := range []struct{ message, want string }{
		{"@tool " + strings.Repeat("x", 234), "Using " + strings.Repeat("x", 120) + "…"},
		{"@tool " + strings.Repeat("x", 120), "Using " + strings.Repeat("x", 120) + "…"},
		{"@tool mcp__s__" + strings.Repeat("가", 220), "Using " + strings.Repeat("가", 120) + "…"},
		{"@running " + families, "Running " + strings.Repeat("👨‍👩‍👧‍👦", 17) + "…"},
	} {
		if got := New("en").Sentence("working", tt.message); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.message, got, tt.want)
		}
	}
}

func FuzzSentence(f *testing.F) {
	for _, seed := range []string{"@tool mcp__a__b", "@running {{x}} %s", "@failed 3", "@", "", "plain", "@nosuchcode x", "@tool 👨‍👩‍👧‍👦"} {
		f.Add("working", seed)
	}
	en, ko := New("en"), New("ko")
	f.Fuzz(func(t *testing.T, state, message string) {
		for _, tr := range []*Translator{en, ko} {
			got := tr.Sentence(state, message)
			if message != "" && !strings.HasPrefix(message, "@") {
				if got != message {
					t.Fatalf("%q became %q", message, got)
				}
				continue
			}
			if n := utf8.RuneCountInString(got); n > 240 {
				t.Fatalf("%q became %d characters", message, n)
			}
			if _, known := own[state]; known && got == "" {
				t.Fatalf("%s %q says nothing", state, message)
			}
			if utf8.ValidString(message) && !utf8.ValidString(got) {
				t.Fatalf("%q became %q", message, got)
			}
		}
	})
}

func BenchmarkNewAndFirstSentence(b *testing.B) {
	for b.Loop() {
		New("ko").Sentence("working", "@tool Bash")
	}
}
