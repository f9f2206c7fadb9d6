package agents

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzScan holds the scanner to encoding/json where that takes the input, and
// to itself however the input is cut into pieces.
func FuzzScan(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		p := newProbe()
		p.scanner.feed(in)
		for _, size := range []int{1, 3} {
			if got := scanInPieces(string(in), size); got != p.found() {
				t.Errorf("in pieces of %d: found %q, whole %q", size, got, p.found())
			}
		}
		var v any
		if json.Unmarshal(in, &v) != nil || bytes.IndexByte(in, 0) >= 0 {
			return
		}
		object, isObject := v.(map[string]any)
		if p.scanner.whole() != isObject {
			t.Fatalf("whole %v, an object %v", p.scanner.whole(), isObject)
		}
		text, _ := object["text"].(string)
		same(t, "text", p.text, text)
		list, _ := object["list"].([]any)
		var first string
		if len(list) > 0 {
			first, _ = list[0].(string)
		}
		same(t, "first", p.first, first)
		if p.begins != strings.HasPrefix(first, "be") {
			t.Errorf("begins: %v, first is %q", p.begins, first)
		}
		for _, element := range list {
			member, _ := element.(map[string]any)
			if is, _ := member["is"].(string); strings.HasPrefix(is, "on") && !p.any {
				t.Errorf("an element is %q", is)
			}
		}
	})
}

// same compares up to the length that is kept.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want && !(len(got) >= maxText-utf8.UTFMax && strings.HasPrefix(want, got)) {
		t.Errorf("%s: found %q, encoding/json %q", what, got, want)
	}
}

// FuzzReport: no payload makes a reader panic, or a Report that is not clean.
func FuzzReport(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, k := range Kinds {
			r, ok := parse(t, k.Name, in)
			if !ok {
				if r != (Report{}) {
					t.Errorf("says nothing, yet %+v", r)
				}
				continue
			}
			if !r.State.Valid() || r.Agent != k.Name {
				t.Errorf("%+v", r)
			}
			for _, s := range []string{r.Message, r.Session, r.Project, r.Part} {
				if Plain(s) != s {
					t.Errorf("%+q is not plain", s)
				}
			}
			if len(r.Session) > MaxField || len(r.Project) > MaxField || len(r.Part) > MaxField || utf8.RuneCountInString(r.Message) > MaxMessage {
				t.Errorf("too long: %+v", r)
			}
			if strings.ContainsAny(r.Project, `/\`) {
				t.Errorf("project %q is a path", r.Project)
			}
		}
	})
}

// declared is the members of a payload that may come through, by agent:
// everything else is private.
var declared = map[string][]string{
	"claude": {"message"},
	"codex":  {"message", "thread-id", "thread_id", "threadId", "last-assistant-message", "last_assistant_message", "lastAssistantMessage"},
	"gemini": {},
	"cursor": {"conversation_id", "workspace_roots"},
}

// decisive is the members that only choose what is said.
var decisive = []string{"hook_event_name", "type", "client", "notification_type", "reason", "status", "agent_id"}

// FuzzPrivate plants a marker in each private member of each payload.
func FuzzPrivate(f *testing.F) {
	seeds(f)
	const marker = "zqxjkv"
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte(marker)) {
			return
		}
		for _, k := range Kinds {
			var payload map[string]any
			if json.Unmarshal(in, &payload) != nil || payload == nil {
				return
			}
			for key, value := range payload {
				if !slices.Contains(declared[k.Name], key) && !slices.Contains(decisive, key) &&
					!slices.Contains([]string{"session_id", "cwd", "tool_name"}, key) {
					payload[key] = plant(value, marker)
				}
			}
			for _, key := range []string{"prompt", "tool_input", "tool_response", "prompt_response", "details", "input-messages", "text", "command"} {
				if payload[key] == nil {
					payload[key] = marker
				}
			}
			planted, err := json.Marshal(payload)
			if err != nil {
				t.Fatal(err)
			}
			r, _ := parse(t, k.Name, planted)
			if said := r.Message + r.Session + r.Project; strings.Contains(said, marker) {
				t.Errorf("%s tells %q", k.Name, said)
			}
		}
	})
}

// plant puts the marker into every string and key of a value.
func plant(value any, marker string) any {
	switch v := value.(type) {
	case string:
		return marker + v + marker
	case []any:
		for i := range v {
			v[i] = plant(v[i], marker)
		}
	case map[string]any:
		planted := map[string]any{}
		for key, inner := range v {
			planted[marker+key] = plant(inner, marker)
		}
		return planted
	}
	return value
}
