//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// openPetsTold is what openpets.mjs prints.
type openPetsTold struct {
	Reactions []string
	Calls     []struct {
		Result        map[string]any
		Code, Message string
	}
}

// TestClientOpenPetsSmoke: the smoke program of OpenPets' own client reaches our
// friends, and what it has them say is seen.
func TestClientOpenPetsSmoke(t *testing.T) {
	needs(t, "Xvfb")
	_, display := xServer(t)
	c := newClients(t, "DISPLAY="+display)
	smoke := func(args ...string) (stdout, stderr string, code int) {
		t.Helper()
		return c.run("@open-pets/client/dist/smoke.js", args...)
	}
	if out, errs, code := smoke("status"); code != 0 || !strings.Contains(out, `"appRunning": false`) {
		t.Errorf("status without the app: %d\n%s%s", code, out, errs)
	}
	app := c.start()
	var bare int
	c.until("three friends stand there", func() bool { now := c.screen(); bare = paper(now); return colours(now) > 400 })
	c.until("the door is open", func() bool { _, _, code := smoke("hello"); return code == 0 })
	for _, step := range []struct {
		args   []string
		answer string
	}{
		{[]string{"hello"}, `"protocol": "openpets-ipc"`},
		{[]string{"status"}, `"appRunning": true`},
		{[]string{"react", "waving"}, `"shown": true`},
		{[]string{"say", "Halfway there", "working"}, `"reaction": "working"`},
	} {
		if out, errs, code := smoke(step.args...); code != 0 || !strings.Contains(out, step.answer) {
			t.Errorf("%v: %d\n%s%s", step.args, code, out, errs)
		}
	}
	c.until("a bubble", func() bool { return paper(c.screen()) > bare+1500 })
	if got := fmt.Sprint(c.sessions()); got != "[mochi openpets working]" {
		t.Errorf("sessions %s", got)
	}
	for _, args := range [][]string{{"invalid-token"}, {"react", "sleeping"}, {"say", "See https://x.y"}} {
		if out, errs, code := smoke(args...); code != 1 || out != "" || errs == "" {
			t.Errorf("%v: %d\n%s%s, want it refused", args, code, out, errs)
		}
	}
	app.Process.Kill()
	app.Wait()
	if out, errs, code := smoke("status"); code != 0 || !strings.Contains(out, `"appRunning": false`) {
		t.Errorf("status after the app was killed: %d\n%s%s", code, out, errs)
	}
	c.start()
	c.until("the door is open again", func() bool { _, _, code := smoke("hello"); return code == 0 })
}

// TestClientOpenPets: every method of OpenPets' own client.
func TestClientOpenPets(t *testing.T) {
	c := newClients(t)
	c.start()
	ask := func(calls ...[]any) openPetsTold {
		t.Helper()
		return decoded[openPetsTold](c, "openpets.mjs", calls)
	}
	c.until("the door is open", func() bool { return ask([]any{"hello"}).Calls[0].Code == "" })

	bori, lease := map[string]any{"requestedPetId": "bori"}, map[string]any{"leaseId": "$lease"}
	steps := []struct {
		call []any
		code string
		want map[string]any // among the result
	}{
		{[]any{"hello"}, "", map[string]any{"ok": true, "protocolVersion": 1.0}},
		{[]any{"status"}, "", map[string]any{"ok": true, "appRunning": true}},
		{[]any{"listPets"}, "", map[string]any{"defaultPetId": "mochi"}},
		{[]any{"installPet", "somebody"}, "install_failed", nil},
		{[]any{"react", "thinking"}, "", map[string]any{"ok": true, "reaction": "thinking"}},
		{[]any{"say", "Nearly there"}, "", map[string]any{"ok": true}},
		{[]any{"say", "const x = 1"}, "invalid_params", nil},
		{[]any{"say", strings.Repeat("a", 141)}, "invalid_params", nil},
		{[]any{"acquireLease", map[string]any{"requestedPetId": "nobody"}}, "", map[string]any{
			"requestedPetId": "nobody", "targetKind": "default", "actualTargetPetId": "mochi", "actualTargetPetName": "Mochi",
			"usingDefaultPet": true, "fallbackReason": "pet_not_installed", "leaseActive": true}},
		{[]any{"releaseLease", "$lease"}, "", map[string]any{"released": true}},
		{[]any{"acquireLease", bori}, "", map[string]any{"targetKind": "explicit", "actualTargetPetId": "bori", "usingDefaultPet": false, "leaseActive": true}},
		{[]any{"heartbeatLease", "$lease"}, "", map[string]any{}},
		{[]any{"status", lease}, "", map[string]any{"ok": true, "appRunning": true, "actualTargetPetId": "bori", "leaseActive": true}},
		{[]any{"react", "waving", lease}, "", map[string]any{"ok": true}},
		{[]any{"say", "All green", map[string]any{"reaction": "success", "leaseId": "$lease"}}, "", map[string]any{"ok": true, "reaction": "success"}},
		{[]any{"releaseLease", "$lease"}, "", map[string]any{"released": true}},
		{[]any{"releaseLease", "$lease"}, "", map[string]any{"released": false}},
		{[]any{"heartbeatLease", "$lease"}, "unknown_lease", nil},
		{[]any{"react", "idle", lease}, "unknown_lease", nil},
		{[]any{"status", lease}, "", map[string]any{"ok": false, "appRunning": true, "leaseActive": false, "staleReason": "unknown_lease"}},
	}
	var calls [][]any
	for _, step := range steps {
		calls = append(calls, step.call)
	}
	told := ask(calls...)
	for i, step := range steps {
		got := told.Calls[i]
		if got.Code != step.code {
			t.Errorf("%v: code %q (%s), want %q", step.call, got.Code, got.Message, step.code)
		}
		for key, want := range step.want {
			if got.Result[key] != want {
				t.Errorf("%v: %s is %v, want %v", step.call, key, got.Result[key], want)
			}
		}
	}
	if pets, _ := told.Calls[2].Result["pets"].([]any); len(pets) != 3 {
		t.Errorf("listPets: %v", told.Calls[2].Result)
	}

	var all [][]any
	for _, reaction := range told.Reactions {
		all = append(all, []any{"react", reaction})
	}
	for i, call := range ask(all...).Calls {
		if call.Result["ok"] != true {
			t.Errorf("%v: %+v", all[i], call)
		}
	}
}

// TestClientOpenPetsHooks: OpenPets' hooks for one friend take a lease at each event
// and never give it back. What one says last holds, and none stays behind.
func TestClientOpenPetsHooks(t *testing.T) {
	c := newClients(t)
	c.start()
	var calls [][]any
	for _, reaction := range []string{"thinking", "waiting", "success"} {
		calls = append(calls, []any{"acquireLease", map[string]any{"requestedPetId": "bori"}},
			[]any{"react", reaction, map[string]any{"leaseId": "$lease"}})
	}
	c.until("the door is open", func() bool {
		return decoded[openPetsTold](c, "openpets.mjs", [][]any{{"hello"}}).Calls[0].Code == ""
	})
	for i, call := range decoded[openPetsTold](c, "openpets.mjs", calls).Calls {
		if call.Code != "" {
			t.Errorf("%v: %+v", calls[i], call)
		}
	}
	if got := fmt.Sprint(c.sessions()); got != "[bori openpets done]" {
		t.Errorf("sessions %s", got)
	}
}

// TestClientOpenPetsSchemas: our tools are OpenPets' in all but the words. Its server
// is in no registry; its reactions are in its client, and the rest is written here as
// that server lists it.
func TestClientOpenPetsSchemas(t *testing.T) {
	c := newClients(t)
	reactions := decoded[openPetsTold](c, "openpets.mjs", [][]any{}).Reactions
	var got []string
	for _, tool := range c.sdk("agent", []toolCall{}, "--openpets").Tools {
		got = append(got, tool.signature())
		if r, here := tool.InputSchema.Properties["reaction"]; here && !slices.Equal(r.Enum, reactions) {
			t.Errorf("%s: reactions %v, want %v", tool.Name, r.Enum, reactions)
		}
	}
	slices.Sort(got)
	want := []string{
		"openpets_react(reaction string) acts",
		"openpets_say(message string 1…140, reaction? string) acts",
		"openpets_status() looks, idempotent",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// signature is a tool's schema and hints on one line.
func (tool sdkTool) signature() string {
	var inputs []string
	for name, p := range tool.InputSchema.Properties {
		if !slices.Contains(tool.InputSchema.Required, name) {
			name += "?"
		}
		input := name + " " + p.Type
		if p.MaxLength > 0 {
			input += fmt.Sprintf(" %d…%d", p.MinLength, p.MaxLength)
		}
		inputs = append(inputs, input)
	}
	slices.Sort(inputs)
	hints := "acts"
	if tool.Annotations["readOnlyHint"] == true {
		hints = "looks"
	}
	if tool.Annotations["idempotentHint"] == true {
		hints += ", idempotent"
	}
	return fmt.Sprintf("%s(%s) %s", tool.Name, strings.Join(inputs, ", "), hints)
}
