package hook

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestStreamNeverCloses: the agent that keeps its end open is served all the
// same, once.
func TestStreamNeverCloses(t *testing.T) {
	for payload, want := range map[string][]string{
		`{"session_id":"s1","hook_event_name":"Stop"}`: {"done @done"},
		`{"session_id":"s1","hook_event_na`:            nil,
		`no JSON`:                                      nil,
		``:                                             nil,
	} {
		t.Run(payload, func(t *testing.T) {
			t.Parallel() // where no object comes, the watchdog has to
			a := startApp(t)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			if _, err := io.WriteString(w, payload); err != nil {
				t.Fatal(err)
			}
			cmd, folder := hookCommand(t, "claude", "--bridge", a.bridge)
			cmd.Stdin = r
			quiet(t, cmd, folder, "")
			if got := says(a.take(t)); !slices.Equal(got, want) {
				t.Errorf("reports %q, want %q", got, want)
			}
		})
	}
}

// TestLargeInput: the event is found behind megabytes, and its writer meets no
// broken pipe, whether anybody listens or not.
func TestLargeInput(t *testing.T) {
	text := strings.Repeat("line of text é😀\n", 180000)
	content, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	object := `{"session_id":"s1","tool_input":{"content":` + string(content) + `},"cwd":"/work","hook_event_name":"PreToolUse","tool_name":"Write"}`
	a := startApp(t)
	tests := []struct {
		name, payload, answer string
		want                  []string
		args                  []string
	}{
		{"event last", object, "", []string{"working @tool Write"}, []string{"claude", "--bridge", a.bridge}},
		{"more behind it", object + text, "", []string{"working @tool Write"}, []string{"claude", "--bridge", a.bridge}},
		{"no object", "[" + object + "]", "", nil, []string{"claude", "--bridge", a.bridge}},
		{"app is off", object, "", nil, []string{"claude", "--bridge", "/no/such/bridge.json"}},
		{"cursor, unknown flag", object, "{}", nil, []string{"cursor", "--no-such-flag"}},
		{"unknown agent", object, "", nil, []string{"nobody"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd, folder := hookCommand(t, tt.args...)
			cmd.Stdin = r
			written := make(chan error, 1)
			go func() {
				_, err := io.WriteString(w, tt.payload)
				w.Close()
				written <- err
			}()
			quiet(t, cmd, folder, tt.answer)
			r.Close()
			if err := <-written; err != nil {
				t.Errorf("the agent meets %v", err)
			}
			if got := says(a.take(t)); !slices.Equal(got, tt.want) {
				t.Errorf("reports %q, want %q", got, tt.want)
			}
		})
	}
}

// TestGoesOnDraining: what takes longer to come than a hook waits for more is
// read all the same, while it keeps coming.
func TestGoesOnDraining(t *testing.T) {
	cmd, folder := hookCommand(t, "claude", "--bridge", "/no/such/bridge.json")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = r
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(w, `{"hook_event_name":"Stop"}`)
		piece := make([]byte, 1<<20)
		for n := 0; err == nil && n < 1<<6; n++ {
			_, err = w.Write(piece)
		}
		w.Close()
		written <- err
	}()
	quiet(t, cmd, folder, "")
	r.Close()
	if err := <-written; err != nil {
		t.Errorf("the agent meets %v", err)
	}
}
