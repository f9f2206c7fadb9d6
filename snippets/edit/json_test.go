package edit

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// Snippets as small as they can be. A command line with an X in it is ours.
const (
	claudeSnippet = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "X 2"}]}]}}` + "\n"
	cursorSnippet = `{"version": 1, "hooks": {"stop": [{"command": "X 2"}]}}` + "\n"
	mcpSnippet    = `{"mcpServers": {"x": {"command": "X", "args": ["mcp"], "env": {"PET": "bori"}}}}` + "\n"
)

func isX(words []string) bool { return strings.Contains(strings.Join(words, " "), "X") }

// isOwn are the person's own that start us.
func isOwn(words []string) bool { return strings.Contains(strings.Join(words, " "), "own") }

// jsonCases: file and snippet, the file with it, and the file after that without
// it; "" is the file as it was.
var jsonCases = []struct{ name, file, snippet, want, back string }{
	{"empty", "", cursorSnippet, cursorSnippet, `{"version": 1}` + "\n"},
	{"white space with a mark", "\ufeff \r\n", claudeSnippet, "\ufeff" + claudeSnippet, "\ufeff{}\n"},
	{"empty object", "{}", cursorSnippet, `{
  "version": 1,
  "hooks": {
    "stop": [
      {
        "command": "X 2"
      }
    ]
  }
}`, "{\n  \"version\": 1\n}"},
	{"empty object on two lines", "{\n}\n", mcpSnippet, `{
  "mcpServers": {
    "x": {
      "command": "X",
      "args": [
        "mcp"
      ],
      "env": {
        "PET": "bori"
      }
    }
  }
}
`, "{}\n"},
	{"compact", `{"a":1}`, claudeSnippet, `{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"X 2"}]}]}}`, ""},
	{"one line", `{"a": 1}`, claudeSnippet, `{"a": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "X 2"}]}]}}`, ""},
	{"its own indentation", "{\n\t\"a\": 1.50 // one\n}\n", cursorSnippet, `{
	"a": 1.50, // one
	"version": 1,
	"hooks": {
		"stop": [
			{
				"command": "X 2"
			}
		]
	}
}
`, "{\n\t\"a\": 1.50, // one\n\t\"version\": 1\n}\n"},
	{"Windows", "\ufeff{\r\n    \"a\": \"\\u0061\"\r\n}", cursorSnippet, "\ufeff{\r\n    \"a\": \"\\u0061\",\r\n    \"version\": 1,\r\n    \"hooks\": {\r\n" +
		"        \"stop\": [\r\n            {\r\n                \"command\": \"X 2\"\r\n            }\r\n        ]\r\n    }\r\n}",
		"\ufeff{\r\n    \"a\": \"\\u0061\",\r\n    \"version\": 1\r\n}"},
	{"version stays", `{"version": 3, "a": [],}`, cursorSnippet, `{"version": 3, "a": [], "hooks": {"stop": [{"command": "X 2"}]},}`, ""},
	{"comma at the end", "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [ {\"command\": \"y\"}, ] }, // y\n    ],\n  },\n} // end", claudeSnippet,
		"{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [ {\"command\": \"y\"}, ] }, // y\n" +
			"      {\"hooks\": [{\"type\": \"command\", \"command\": \"X 2\"}]},\n    ],\n  },\n} // end", ""},
	{"comments at the end", "{ // a\n  \"a\": 1 /* b */ , /* c */\n  // d\n}", claudeSnippet, `{ // a
  "a": 1 /* b */ , /* c */
  // d
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "X 2"
          }
        ]
      }
    ]
  },
}`, ""},
	{"another event", `{"hooks": {"Start": [{"hooks": []}]}}`, claudeSnippet,
		`{"hooks": {"Start": [{"hooks": []}], "Stop": [{"hooks": [{"type": "command", "command": "X 2"}]}]}}`, ""},
	{"replaced", `{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "y"}, {"command": "X", "args": ["1"]}, {"command": "z"}]}, {"b": 1}]}}`, claudeSnippet,
		`{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "y"}, {"type": "command", "command": "X 2"}, {"command": "z"}]}, {"b": 1}]}}`,
		`{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "y"}, {"command": "z"}]}, {"b": 1}]}}`},
	{"behind a matcher", `{"hooks": {"Stop": [{"matcher": "m", "hooks": [{"command": "y"}, {"command": "X"}]}]}}`, claudeSnippet,
		`{"hooks": {"Stop": [{"matcher": "m", "hooks": [{"command": "y"}]}, {"hooks": [{"type": "command", "command": "X 2"}]}]}}`,
		`{"hooks": {"Stop": [{"matcher": "m", "hooks": [{"command": "y"}]}]}}`},
	{"told by an own line", `{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "y"}, {"command": "own"}]}]}}`, claudeSnippet,
		`{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "y"}, {"command": "own"}]}]}}`, ""},
	{"told by an own line, flat", `{"version": 1, "hooks": {"stop": [{"command": "g", "args": ["own"]}]}}`, cursorSnippet,
		`{"version": 1, "hooks": {"stop": [{"command": "g", "args": ["own"]}]}}`, ""},
	{"told of some by an own line", `{"hooks": {"Stop": [{"matcher": "m", "hooks": [{"command": "own"}]}]}}`, claudeSnippet,
		`{"hooks": {"Stop": [{"matcher": "m", "hooks": [{"command": "own"}]}, {"hooks": [{"type": "command", "command": "X 2"}]}]}}`, ""},
	{"twice", `{"hooks": {"Stop": [{"hooks": [{"command": "X 1"}, {"command": "X 3"}]}, /* y */ {"hooks": [{"command": "X 4"}]}]}}`, claudeSnippet,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "X 2"}]} /* y */]}}`, `{"hooks": {"Stop": [ /* y */]}}`},
	{"there already, written otherwise", "{\"hooks\": {\"Stop\":\n[{\"hooks\": [{\"command\": \"\\u0058 2\",\n\"type\": \"command\",}]}]}}", claudeSnippet,
		"{\"hooks\": {\"Stop\":\n[{\"hooks\": [{\"command\": \"\\u0058 2\",\n\"type\": \"command\",}]}]}}", "{}"},
	{"replaced on lines", "{\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"X 1\"\n      }\n    ]\n  }\n}\n", cursorSnippet,
		"{\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"X 2\"\n      }\n    ]\n  },\n  \"version\": 1\n}\n", "{\n  \"version\": 1\n}\n"},
	{"server beside another", `{"mcpServers": {"y": {"command": "y"}}, "b": null}`, mcpSnippet,
		`{"mcpServers": {"y": {"command": "y"}, "x": {"command": "X", "args": ["mcp"], "env": {"PET": "bori"}}}, "b": null}`, ""},
	{"server known", `{"mcpServers": {"x": {"trust": true, "command": "old X", "args": [], "env": {"A": "1"}}}}`, mcpSnippet,
		`{"mcpServers": {"x": {"trust": true, "command": "X", "args": ["mcp"], "env": {"A": "1", "PET": "bori"}}}}`, `{}`},
	{"of a project as well", `{"projects": {"/a": {"mcpServers": {"x": {"command": "X"}}, "b": 1}, "/c": {"mcpServers": {"z": {"url": "u"}}}, "/d": 1}, "mcpServers": {"y": {}}}`, mcpSnippet,
		`{"projects": {"/a": {"mcpServers": {"x": {"command": "X"}}, "b": 1}, "/c": {"mcpServers": {"z": {"url": "u"}}}, "/d": 1}, "mcpServers": {"y": {}, "x": {"command": "X", "args": ["mcp"], "env": {"PET": "bori"}}}}`,
		`{"projects": {"/a": {"b": 1}, "/c": {"mcpServers": {"z": {"url": "u"}}}, "/d": 1}, "mcpServers": {"y": {}}}`},
	{"first of several", `{"mcpServers": {"x": {"command": "X", "args": ["mcp"], "env": {"PET": "bori"}}, /* y */ "y": {}}}`, mcpSnippet,
		`{"mcpServers": {"x": {"command": "X", "args": ["mcp"], "env": {"PET": "bori"}}, /* y */ "y": {}}}`, `{"mcpServers": { /* y */ "y": {}}}`},
}

func TestJSON(t *testing.T) {
	for _, c := range jsonCases {
		t.Run(c.name, func(t *testing.T) {
			out, err := AddJSON([]byte(c.file), []byte(c.snippet), isX, isOwn)
			if err != nil || string(out) != c.want {
				t.Fatalf("got  %q (%v)\nwant %q", out, err, c.want)
			}
			if again, err := AddJSON(out, []byte(c.snippet), isX, isOwn); err != nil || !bytes.Equal(again, out) {
				t.Errorf("a second time it is %q (%v)", again, err)
			}
			back, err := RemoveJSON(out, isX)
			want := c.back
			if want == "" {
				want = c.file
			}
			if err != nil || string(back) != want {
				t.Errorf("back it is %q (%v)\nnot        %q", back, err, want)
			}
			if again, err := RemoveJSON(back, isX); err != nil || !bytes.Equal(again, back) {
				t.Errorf("removed a second time it is %q (%v)", again, err)
			}
		})
	}
}

func TestJSONRefuses(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"{\n  a: 1}", "line 2, column 3: "},
		{"{\n", "line 3, column 1: "},
		{"\n []", "line 2, column 2: the file is no object"},
		{"null", "the file is no object"},
		{`{"hooks": []}`, `line 1, column 11: "hooks" is no object`},
		{"{\"hooks\": {\n\"Stop\": {}}}", `line 2, column 9: "Stop" is no list`},
		{`{"hooks": {}, "hooks": {}}`, `line 1, column 15: "hooks" stands here a second time`},
		{`{"hooks": {"Stop": [], "\u0053top": []}}`, `column 24: "Stop" stands here a second time`},
		{`{"hooks": {"Stop": [{"hooks": [], "hooks": []}]}}`, `column 35: "hooks" stands here a second time`},
		{"\xff\xfe{\x00}\x00", "line 1, column 1: "},
	} {
		if out, err := AddJSON([]byte(c.file), []byte(claudeSnippet), isX, isOwn); err == nil || !strings.Contains(err.Error(), c.want) || out != nil {
			t.Errorf("%q: %q, %v, not %q", c.file, out, err, c.want)
		}
	}
	for _, file := range []string{`{"mcpServers": 1}`, `{"mcpServers": {"x": {"command": "X", "env": {}, "env": {}}}}`,
		`{"mcpServers": {"x": {"type": "http", "url": "https://pets.example"}}}`, `{"mcpServers": {"x": {"command": "npx", "args": ["other"]}}}`} {
		if out, err := AddJSON([]byte(file), []byte(mcpSnippet), isX, isOwn); err == nil {
			t.Errorf("%q: %q", file, out)
		}
	}
	for _, snippet := range []string{"", "[]", "{"} {
		if out, err := AddJSON([]byte("{}"), []byte(snippet), isX, isOwn); err == nil {
			t.Errorf("snippet %q: %q", snippet, out)
		}
	}
	for _, file := range []string{"{", "[]", `{"hooks": {}, "hooks": {}}`} {
		if out, err := RemoveJSON([]byte(file), isX); err == nil {
			t.Errorf("remove from %q: %q", file, out)
		}
	}
}

func TestUnsetJSON(t *testing.T) {
	for file, want := range map[string]string{
		`{"a": {"b": {"c": 1, /* d */ "d": 2}}}`: `{"a": {"b": { /* d */ "d": 2}}}`,
		`{"a": {"b": {"c": 1}, "d": 2}}`:         `{"a": {"d": 2}}`,
		`{"a": {"b": {"c": 1}}}`:                 `{}`,
		`{"a": {"b": {}}}`:                       "", `{"a": {"b": []}}`: "", `{"a": 1}`: "", `{"b": {"c": 1}}`: "",
	} {
		if want == "" {
			want = file
		}
		if out, err := UnsetJSON([]byte(file), "a", "b", "c"); err != nil || string(out) != want {
			t.Errorf("%s became %s (%v), not %s", file, out, err, want)
		}
	}
	for _, file := range []string{"{", `{"a": {"b": {"c": 1, "c": 2}}}`} {
		if out, err := UnsetJSON([]byte(file), "a", "b", "c"); err == nil {
			t.Errorf("%s became %s", file, out)
		}
	}
}

// TestRemoveJSONLeaves walks files in which nothing is ours, or not where we
// put it.
func TestRemoveJSONLeaves(t *testing.T) {
	for _, file := range []string{
		"", " \n", "{}", `{"hooks": "X"}`, `{"hooks": {"enabled": true, "disabled": ["X"]}}`, `{"hooks": {"Stop": [[], {}, {"hooks": 1}]}}`,
		`{"mcpServers": {}}`, `{"mcpServers": {"playpets": {"command": "other"}}}`, `{"statusLine": {"command": "X"}}`, `{"hooks": {"Stop": []}}`,
	} {
		if out, err := RemoveJSON([]byte(file), isX); err != nil || string(out) != file {
			t.Errorf("%q became %q (%v)", file, out, err)
		}
	}
}

// commands lists every command line in a settings file.
func commands(t *testing.T, file []byte) (all []string) {
	t.Helper()
	_, text := splitBOM(file)
	f, err := parseJSON(text, nil)
	if err != nil {
		t.Fatalf("%q: %v", file, err)
	}
	for v := range f.root.All() {
		all = append(all, commandWords(v)...)
	}
	return all
}

func FuzzJSON(f *testing.F) {
	for _, c := range jsonCases {
		f.Add([]byte(c.file), uint8(0))
		f.Add([]byte(c.want), uint8(1))
	}
	snippets := []string{claudeSnippet, cursorSnippet, mcpSnippet}
	f.Fuzz(func(t *testing.T, file []byte, which uint8) {
		snippet := []byte(snippets[int(which)%len(snippets)])
		out, err := AddJSON(file, snippet, isX, isOwn)
		if err != nil {
			return
		}
		if len(commands(t, out)) == 0 {
			t.Fatalf("%q → %q: no command", file, out)
		}
		if again, err := AddJSON(out, snippet, isX, isOwn); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q: a second time %q, %v", out, again, err)
		}
		back, err := RemoveJSON(out, isX)
		if err != nil {
			t.Fatalf("%q: remove: %v", out, err)
		}
		// What is not ours says the same with and without.
		bare, err := RemoveJSON(file, isX)
		if err != nil {
			return // something doubtful that the snippet has nothing to do with
		}
		if got, want := others(back), others(bare); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q → %q → %q: %v, not %v", file, out, back, got, want)
		}
		if bytes.Equal(bare, file) && reversible(file) && !bytes.Contains(snippet, []byte("version")) && !bytes.Equal(back, file) {
			t.Fatalf("%q → %q → %q", file, out, back)
		}
	})
}

// others is what a file says, but for the names under which ours stand.
func others(file []byte) (says map[string]any) {
	says = map[string]any{}
	_, text := splitBOM(file)
	plain, err := hujson.Standardize(append(bytes.Clone(text), '\n'))
	if err != nil {
		return says
	}
	json.Unmarshal(plain, &says)
	delete(says, "version")
	if servers, ok := says["mcpServers"].(map[string]any); ok {
		delete(servers, "x")
	}
	for _, name := range []string{"hooks", "mcpServers"} {
		members, _ := says[name].(map[string]any)
		for event, list := range members {
			if entries, ok := list.([]any); ok && len(entries) == 0 {
				delete(members, event)
			}
		}
		if members != nil && len(members) == 0 {
			delete(says, name)
		}
	}
	return says
}

// reversible reports whether a file has something in all its brackets, and no
// server of our name.
func reversible(file []byte) bool {
	_, text := splitBOM(file)
	root, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		return false
	}
	if servers := memberOf(&root, "mcpServers"); servers != nil && memberOf(servers, "x") != nil {
		return false
	}
	for v := range root.All() {
		o, isObject := v.Value.(*hujson.Object)
		a, isArray := v.Value.(*hujson.Array)
		if isObject && len(o.Members) == 0 || isArray && len(a.Elements) == 0 {
			return false
		}
	}
	return true
}
