package mcpserver

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
	"github.com/playpets/playpets/bridge"
)

var update = flag.Bool("update", false, "write the snapshots anew; then look at them")

// snapshot compares JSON with the one that is kept.
func snapshot(t *testing.T, name string, got []byte) {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, bytes.TrimSpace(got), "", "  "); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	pretty.WriteByte('\n')
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(pretty.Bytes(), want) {
		t.Errorf("%s is not what it was; look and, if it is right, run with -update:\n%s", name, pretty.Bytes())
	}
}

// vocabularies are both, by the name of their snapshot.
var vocabularies = map[string]bool{"tools.json": false, "tools-openpets.json": true}

func TestSnapshots(t *testing.T) {
	for name, openPets := range vocabularies {
		snapshot(t, name, list(t, Options{App: nobody{}, OpenPets: openPets}))
	}
}

// list is the result of tools/list.
func list(t *testing.T, o Options) []byte {
	t.Helper()
	var r struct{ Result json.RawMessage }
	answer := new(home).connect(t, o).ask("tools/list", "{}")
	if err := json.Unmarshal([]byte(answer), &r); err != nil || r.Result == nil {
		t.Fatal(answer)
	}
	return r.Result
}

// TestSchemas: what some client cannot read is in no schema, and each tool says
// what it does to the world.
func TestSchemas(t *testing.T) {
	for name, openPets := range vocabularies {
		var got struct {
			Tools []struct {
				Name, Title, Description string
				InputSchema              map[string]any
				Annotations              map[string]any
			}
		}
		if err := json.Unmarshal(list(t, Options{App: nobody{}, OpenPets: openPets}), &got); err != nil || len(got.Tools) < 3 {
			t.Fatalf("%s: %d tools, %v", name, len(got.Tools), err)
		}
		for _, tool := range got.Tools {
			if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`).MatchString(tool.Name) {
				t.Errorf("no client may like the name %q", tool.Name)
			}
			if tool.Title == "" || tool.Title != tool.Annotations["title"] || tool.Description == "" {
				t.Errorf("%s: title %q and %q, description %q", tool.Name, tool.Title, tool.Annotations["title"], tool.Description)
			}
			for _, hint := range []string{"destructiveHint", "openWorldHint", "readOnlyHint", "idempotentHint"} {
				if is, ok := tool.Annotations[hint].(bool); !ok || is && strings.ContainsAny(hint[:1], "do") {
					t.Errorf("%s: %s is %v", tool.Name, hint, tool.Annotations[hint])
				}
			}
			if tool.InputSchema["additionalProperties"] != nil {
				t.Errorf("%s refuses what it does not know", tool.Name)
			}
			plain(t, tool.Name, tool.InputSchema)
		}
	}
}

// plain checks that a schema and all in it has one type.
func plain(t *testing.T, where string, schema map[string]any) {
	t.Helper()
	for _, word := range []string{"$ref", "anyOf", "oneOf", "allOf", "$schema"} {
		if schema[word] != nil {
			t.Errorf("%s has %s", where, word)
		}
	}
	if _, ok := schema["type"].(string); !ok {
		t.Errorf("%s: the type is %v", where, schema["type"])
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		p, ok := property.(map[string]any)
		if !ok || p["description"] == "" {
			t.Errorf("%s.%s is %v", where, name, property)
			continue
		}
		plain(t, where+"."+name, p)
	}
}

// long is a message of n characters.
func long(n int) string { return strings.Repeat("é", n) }

const (
	badState    = "state must be one of idle, working, waiting, done, error."
	badAction   = "action must be one of wave, jump, pet."
	badReaction = "reaction must be one of idle, thinking, working, editing, running, testing, waiting, waving, success, error, celebrating."
	noMessage   = "message must be one short sentence."
	nobodyHere  = "No friend is called that: leave pet out, or name one of Mochi, Bori."
	codeWords   = "Say it in words, without code."
)

// TestTools calls each tool rightly and wrongly, at a real bridge.
func TestTools(t *testing.T) {
	for _, c := range []struct {
		tool, arguments string // no arguments: none are sent
		text            string // the answer
		told            string // what the app heard; empty: the call is an error
	}{
		{"list_pets", ``, "Mochi (mochi): idle\nBori (bori): working", "-"},
		{"list_pets", `{"more":[1]}`, "Mochi (mochi): idle\nBori (bori): working", "-"},
		{"list_pets", `null`, "Mochi (mochi): idle\nBori (bori): working", "-"},
		{"status", `"what"`, "PlayPets runs, and your friend is Mochi (mochi), the default.", "-"},

		{"set_pet_state", `{"state":"working"}`, "Mochi shows that: working.", "working mochi"},
		{"set_pet_state", `{"state":"idle"}`, "Mochi shows that: idle.", "idle mochi"},
		{"set_pet_state", `{"state":"done","message":" All green ","pet":"BORI"}`, "bori shows that: done.", "done All green bori"},
		{"set_pet_state", `{"state":"error","message":null,"pet":null}`, "Mochi shows that: error.", "error mochi"},
		{"set_pet_state", `{"state":" waiting ","message":"","pet":""}`, "Mochi shows that: waiting.", "waiting mochi"},
		{"set_pet_state", `{"state":"working","message":"null","pet":" Null "}`, "Mochi shows that: working.", "working mochi"},
		{"set_pet_state", `{"state":"working","message":"Editing src/main.go","more":{"x":1},"PET":"nobody"}`, "Mochi shows that: working.", "working Editing src/main.go mochi"},
		{"set_pet_state", `{"state":"working","message":"` + long(speech.PlayPets) + `"}`, "Mochi shows that: working.", "working " + long(speech.PlayPets) + " mochi"},
		{"set_pet_state", ``, badState, ""},
		{"set_pet_state", `null`, badState, ""},
		{"set_pet_state", `[]`, badState, ""},
		{"set_pet_state", `"working"`, badState, ""},
		{"set_pet_state", `7`, badState, ""},
		{"set_pet_state", `{"state":null}`, badState, ""},
		{"set_pet_state", `{"state":"busy"}`, badState, ""},
		{"set_pet_state", `{"state":["working"]}`, badState, ""},
		{"set_pet_state", `{"STATE":"working"}`, badState, ""},
		{"set_pet_state", `{"state":"working","message":5}`, "message must be a string.", ""},
		{"set_pet_state", `{"state":"working","pet":{"id":"bori"}}`, "pet must be a string.", ""},
		{"set_pet_state", `{"state":"working","message":"` + long(speech.PlayPets+1) + `"}`, "Say it in 1 to 240 characters.", ""},
		{"set_pet_state", `{"state":"working","message":"a\nb"}`, "Say it in one line.", ""},
		{"set_pet_state", `{"state":"working","pet":"nobody"}`, nobodyHere, ""},
		{"set_pet_state", `{"state":"working","pet":"` + long(500) + `"}`, nobodyHere, ""},
		{"set_pet_state", `{"state":"working","pet":"` + long(9000) + `"}`, nobodyHere, ""},
		{"set_pet_state", `{"state":"working","pet":"a\u0000/etc/passwd"}`, nobodyHere, ""},

		{"say", `{"message":"Lunch?"}`, "Mochi says it.", "say Lunch? mochi"},
		{"say", `{"message":"@done","pet":"bori"}`, "bori says it.", "say @done bori"},
		{"say", `{"message":"안녕 & 🐾"}`, "Mochi says it.", "say 안녕 & 🐾 mochi"},
		{"say", ``, noMessage, ""},
		{"say", `{"message":null}`, noMessage, ""},
		{"say", `{"message":"  "}`, noMessage, ""},
		{"say", `{"message":"null"}`, noMessage, ""},
		{"say", `{"message":true}`, "message must be a string.", ""},
		{"say", `{"message":"const x = 1;"}`, codeWords, ""},
		{"say", `{"message":"hi","pet":7}`, "pet must be a string.", ""},
		{"say", `{"message":"hi","pet":"nobody"}`, nobodyHere, ""},

		{"react", `{"action":"jump"}`, "Mochi does it: jump.", "jump mochi"},
		{"react", `{"action":"pet","pet":"Bori"}`, "bori does it: pet.", "pet bori"},
		{"react", `{"action":"wave","pet":"null"}`, "Mochi does it: wave.", "wave mochi"},
		{"react", ``, badAction, ""},
		{"react", `{"action":"dance"}`, badAction, ""},
		{"react", `{"action":1}`, badAction, ""},
		{"react", `{"action":"wave","pet":"nobody"}`, nobodyHere, ""},

		{"openpets_status", ``, "PlayPets runs, and your friend is Mochi (mochi), the default.", "-"},
		{"openpets_status", `{"more":1}`, "PlayPets runs, and your friend is Mochi (mochi), the default.", "-"},

		{"openpets_react", `{"reaction":"testing"}`, "Your friend shows that: testing.", "working mochi"},
		{"openpets_react", `{"reaction":"celebrating","pet":"bori"}`, "Your friend shows that: celebrating.", "jump mochi"},
		{"openpets_react", ``, badReaction, ""},
		{"openpets_react", `{"reaction":null}`, badReaction, ""},
		{"openpets_react", `{"reaction":"dance"}`, badReaction, ""},
		{"openpets_react", `{"reaction":{}}`, badReaction, ""},

		{"openpets_say", `{"message":"All green"}`, "Your friend says it.", "say All green mochi"},
		{"openpets_say", `{"message":"All green","reaction":null}`, "Your friend says it.", "say All green mochi"},
		{"openpets_say", `{"message":"All green","reaction":"success"}`, "Your friend says it.", "done All green mochi"},
		{"openpets_say", `{"message":"Hello","reaction":"waving"}`, "Your friend says it.", "wave mochi, say Hello mochi"},
		{"openpets_say", `{"message":"` + long(speech.OpenPets) + `"}`, "Your friend says it.", "say " + long(speech.OpenPets) + " mochi"},
		{"openpets_say", ``, noMessage, ""},
		{"openpets_say", `{"message":"","reaction":"success"}`, noMessage, ""},
		{"openpets_say", `{"message":7}`, "message must be a string.", ""},
		{"openpets_say", `{"message":"` + long(speech.OpenPets+1) + `"}`, "Say it in 1 to 140 characters.", ""},
		{"openpets_say", `{"message":"let x = 1"}`, codeWords, ""},
		{"openpets_say", `{"message":"hi","reaction":"dance"}`, badReaction, ""},
		{"openpets_say", `{"message":"hi","reaction":4}`, badReaction, ""},
	} {
		h := open(t)
		s := h.connect(t, Options{OpenPets: strings.HasPrefix(c.tool, "openpets_")})
		got := s.call(c.tool, c.arguments)
		if got.IsError != (c.told == "") || got.text() != c.text || got.IsError != (got.StructuredContent == nil) {
			t.Errorf("%s %.80s: answers %+v, want %q", c.tool, c.arguments, got, c.text)
		}
		if told := h.heard(); told != strings.Trim(c.told, "-") {
			t.Errorf("%s %.80s: the app heard %q, want %q", c.tool, c.arguments, told, c.told)
		}
		s.end()
		if h.holds() != 0 {
			t.Errorf("%s %.80s: the friend is not given back", c.tool, c.arguments)
		}
	}
}

// TestNamesOfTools: the vocabularies are those that are promised, and people can
// read of each.
func TestNamesOfTools(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tools []tool
		want  string
	}{
		{ours, "list_pets set_pet_state say react status"},
		{openpets, "openpets_status openpets_react openpets_say"},
	} {
		var names []string
		for _, tool := range c.tools {
			names = append(names, tool.Name)
			if !bytes.Contains(readme, []byte("`"+tool.Name+"`")) {
				t.Errorf("README.md says nothing of %s", tool.Name)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("the tools are %s, want %s", got, c.want)
		}
	}
}

func TestStructuredContent(t *testing.T) {
	h := open(t)
	mine, theirs := h.connect(t, Options{}), h.connect(t, Options{OpenPets: true})
	for _, c := range []struct {
		client          *model
		tool, arguments string
		unseen          string
		want            string
	}{
		{mine, "list_pets", ``, "", `{"pets":[{"id":"mochi","name":"Mochi","state":"idle"},{"id":"bori","name":"Bori","state":"working"}]}`},
		{mine, "set_pet_state", `{"state":"done","pet":"bori"}`, "", `{"ok":true,"petId":"bori"}`},
		{mine, "say", `{"message":"hi"}`, "quiet is on", `{"ok":true,"petId":"mochi"}`},
		{mine, "react", `{"action":"wave"}`, "", `{"ok":true,"petId":"mochi"}`},
		{theirs, "openpets_react", `{"reaction":"waiting"}`, "", `{"ok":true,"reaction":"waiting","result":{"ok":true,"reaction":"waiting","shown":true}}`},
		{theirs, "openpets_react", `{"reaction":"waving"}`, "quiet is on", `{"ok":true,"reaction":"waving","result":{"ok":true,"reaction":"waving","shown":false,"reason":"quiet is on"}}`},
		{theirs, "openpets_say", `{"message":"hi"}`, "", `{"ok":true,"result":{"ok":true,"shown":true}}`},
		{theirs, "openpets_say", `{"message":"hi","reaction":"error"}`, "it is sent away", `{"ok":true,"result":{"ok":true,"reaction":"error","shown":false,"reason":"it is sent away"}}`},
	} {
		h.unseen = c.unseen
		got := c.client.call(c.tool, c.arguments)
		if string(got.StructuredContent) != c.want {
			t.Errorf("%s %s: %s, want %s", c.tool, c.arguments, got.StructuredContent, c.want)
		}
		if c.client == theirs && c.unseen != "" && !strings.HasSuffix(got.text(), ", but nobody sees it now: "+c.unseen+".") {
			t.Errorf("%s %s while %s: %q", c.tool, c.arguments, c.unseen, got.text())
		}
	}
	h.empty = true
	if got := mine.call("list_pets", ``); string(got.StructuredContent) != `{"pets":[]}` || got.text() != "No friend is there yet." {
		t.Errorf("nobody is there: %+v", got)
	}
	if got := mine.call("say", `{"message":"hi"}`); got.text() != "No friend is there yet: go on without one; the person can invite one." {
		t.Errorf("nobody is there: %+v", got)
	}
}

// TestOpenPetsReactions: each of OpenPets' words becomes the state or gesture that
// the table says, with a line in one report where that is possible.
func TestOpenPetsReactions(t *testing.T) {
	if got := strings.Join(agents.OpenPetsNames(), " "); got != "idle thinking working editing running testing waiting waving success error celebrating" {
		t.Errorf("OpenPets' words are %s", got)
	}
	h := open(t)
	s := h.connect(t, Options{OpenPets: true})
	for _, r := range agents.OpenPets {
		alone, beside := string(r.State)+" mochi", string(r.State)+" hi mochi"
		if r.State == "" {
			alone, beside = string(r.Reaction)+" mochi", string(r.Reaction)+" mochi, say hi mochi"
		}
		s.call("openpets_react", fmt.Sprintf(`{"reaction":%q}`, r.Name))
		if got := h.heard(); got != alone {
			t.Errorf("%s: the app heard %q, want %q", r.Name, got, alone)
		}
		s.call("openpets_say", fmt.Sprintf(`{"message":"hi","reaction":%q}`, r.Name))
		if got := h.heard(); got != beside {
			t.Errorf("%s with a line: the app heard %q, want %q", r.Name, got, beside)
		}
	}
}

// TestStatus: how things are, in both vocabularies alike.
func TestStatus(t *testing.T) {
	all := map[string]any{}
	for _, c := range []struct {
		name, pet string
		app       App // nil: the one at home
		ends      string
	}{
		{name: "the default"},
		{name: "as configured", pet: "Bori"},
		{name: "in place of one that is not here", pet: "momo"},
		{name: "in place of no name", pet: "Bad Pet"},
		{name: "in place of a broken one", pet: "torn"},
		{name: "the app was never there", pet: "bori", ends: "before"},
		{name: "the app ended", pet: "bori", ends: "later"},
		{name: "the app is older", pet: "bori", app: older{}},
	} {
		var answers []string
		for openPets, tool := range map[bool]string{false: "status", true: "openpets_status"} {
			h := &home{path: filepath.Join(t.TempDir(), "bridge.json")}
			end := h.start(t)
			if c.ends == "before" {
				end()
			}
			s := h.connect(t, Options{Pet: c.pet, OpenPets: openPets, App: c.app})
			if c.ends == "later" {
				s.call(tool, "")
				end()
			}
			got := s.call(tool, "")
			if got.IsError {
				t.Errorf("%s: %+v", c.name, got)
			}
			answers = append(answers, got.text()+string(got.StructuredContent))
			all[c.name] = map[string]any{"text": got.text(), "structured": got.StructuredContent}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: not the same in both: %q", c.name, answers)
		}
	}
	got, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	snapshot(t, "status.json", got)
}

// older is an app from before there were leases.
type older struct{ nobody }

func (older) Lease(agents.LeaseRequest) (agents.Lease, error) {
	return agents.Lease{}, &bridge.Error{Status: 404, Code: "no_such_path", Message: "The bridge has no such path."}
}

// FuzzArguments: whatever a model sends with a call, it is told what to do, and
// what it sends is not told again.
func FuzzArguments(f *testing.F) {
	for _, call := range everyCall {
		f.Add(call.tool, call.arguments)
	}
	f.Add("set_pet_state", `{"state":"working","pet":null,"message":"null"}`)
	f.Add("openpets_say", `{"message":"\ud800 \u202e","reaction":{}}`)
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		for _, offer := range slices.Concat(ours, openpets) {
			var sent json.RawMessage
			if offer.Name != tool || json.Unmarshal([]byte(arguments), &sent) != nil {
				continue
			}
			s := new(home).connect(t, Options{App: leased{failings{bridge.ErrNoFriend}}, OpenPets: strings.HasPrefix(tool, "openpets_")})
			var line bytes.Buffer
			if err := json.Compact(&line, sent); err != nil {
				t.Fatal(err)
			}
			got := s.call(tool, line.String())
			if said := got.text(); said == "" || strings.ContainsAny(said, "\n\x00") || leaks(said) != nil {
				t.Errorf("%s %s: %+v", tool, arguments, got)
			}
		}
	})
}
