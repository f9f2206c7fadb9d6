package edit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// tomlCases: file, key, value, the file with it. A value of nil unsets.
var tomlCases = []struct {
	name, file, key string
	value           any
	want            string
}{
	{"empty", "", "a", 1, "a = 1\n"},
	{"empty, in a table", "", "t.a", "x", "[t]\na = \"x\"\n"},
	{"last of the root", "a = 1\n\n[t]\nb = 2\n", "c", true, "a = 1\nc = true\n\n[t]\nb = 2\n"},
	{"below a remark", "a = 1 # one\n# about a\n\n# about t\n[t]\n", "c", true, "a = 1 # one\n# about a\nc = true\n\n# about t\n[t]\n"},
	{"above the first table", "[t]\nb = 2\n", "a", []string{"x", "y z"}, "a = [\"x\", \"y z\"]\n\n[t]\nb = 2\n"},
	{"above what is said of the table", "# about t\n[t]\nb = 2\n", "a", 1, "a = 1\n\n# about t\n[t]\nb = 2\n"},
	{"below the head of the file", "# mine\n# all mine\n\n# about t\n[t]\n", "a", 1, "# mine\n# all mine\na = 1\n\n# about t\n[t]\n"},
	{"only comments", "# mine\n", "a", 1, "# mine\na = 1\n"},
	{"no number", "x = nan\ny = [nan, 1]\n", "a", 1, "x = nan\ny = [nan, 1]\na = 1\n"},
	{"no line end", "a = 1", "b", 2, "a = 1\nb = 2"},
	{"no line end, new table", "a = 1", "t.b", 2, "a = 1\n\n[t]\nb = 2"},
	{"new table", "a = 1\n", "t.b", 2, "a = 1\n\n[t]\nb = 2\n"},
	{"table after a list of tables", "[[l]]\nx = 1\n", "t.b", 2, "[[l]]\nx = 1\n\n[t]\nb = 2\n"},
	{"last of its table", "[t]\nb = 2\n# about u\n[u]\nc = 3\n", "t.a", 1, "[t]\nb = 2\na = 1\n# about u\n[u]\nc = 3\n"},
	{"a table of its own name twice over", "[t.t]\nb = 2\n", "t.b", 1, "[t.t]\nb = 2\n\n[t]\nb = 1\n"},
	{"indented", "  [t]\n    b = 2\n", "t.a", 1, "  [t]\n    b = 2\n    a = 1\n"},
	{"indented header alone", "  [t]\n", "t.a", 1, "  [t]\n  a = 1\n"},
	{"replaced", "[t]\nb   =   2   # two\nc = 3\n", "t.b", 5, "[t]\nb   =   5   # two\nc = 3\n"},
	{"replaced over several lines", "n = [\n  \"a\", # first\n  \"b\",\n]\nc = 3\n", "n", []string{"z"}, "n = [\"z\"]\nc = 3\n"},
	{"replaced, another kind", "b = 2\n", "b", "two", "b = \"two\"\n"},
	{"the same already", "b = 'two' # so\n", "b", "two", "b = 'two' # so\n"},
	{"quoted keys", "'a b' . \"c\" = 1\n", "a b.c", 2, "'a b' . \"c\" = 2\n"},
	{"new quoted key", "[\"a b\"]\n", "a b.c d", 2, "[\"a b\"]\n\"c d\" = 2\n"},
	{"with dots", "t.b = 2\nc = 3\n", "t.a", 1, "t.b = 2\nt.a = 1\nc = 3\n"},
	{"with dots in a table", "[s]\nt.b = 2\n", "s.t.a", 1, "[s]\nt.b = 2\nt.a = 1\n"},
	{"with dots, replaced", "[s]\nt . b = 2\n", "s.t.b", 1, "[s]\nt . b = 1\n"},
	{"below a table with dots", "s.b = 2\n[u]\n", "s.t.a", 1, "s.b = 2\n[u]\n\n[s.t]\na = 1\n"},
	{"braces", "t = { b = 2 } # t\n", "t.a", 1, "t = { b = 2, a = 1 } # t\n"},
	{"braces, replaced", "t = { b = 2, c = { d = 4 } }\n", "t.c.d", 1, "t = { b = 2, c = { d = 1 } }\n"},
	{"braces in braces", "t = { b = 2, c = { d = 4 } }\n", "t.c.e", 1, "t = { b = 2, c = { d = 4, e = 1 } }\n"},
	{"braces, deeper", "t = { b = 2 }\n", "t.c.e", 1, "t = { b = 2, c.e = 1 }\n"},
	{"empty braces", "t = {}\n", "t.a", 1, "t = { a = 1 }\n"},
	{"empty wide braces", "t = { }\n", "t.a", 1, "t = { a = 1 }\n"},
	{"a header within a string", "s = \"\"\"\n[t]\n#a = 1\n\"\"\"\n", "t.a", 1, "s = \"\"\"\n[t]\n#a = 1\n\"\"\"\n\n[t]\na = 1\n"},
	{"commented out", "#a = 0\n\n# about b\n#b = \"x\"\n\n[t]\n", "a", 1, "#a = 0\na = 1\n\n# about b\n#b = \"x\"\n\n[t]\n"},
	{"commented out in the table", "[t]\n# a\n#a = 0\n# b\n#b = 0\nc = 1\n\n[u]\n#a = 0\n", "t.a", 1, "[t]\n# a\n#a = 0\na = 1\n# b\n#b = 0\nc = 1\n\n[u]\n#a = 0\n"},
	{"commented out elsewhere", "[t]\n#b = 0\n\n# u\n[u]\n#a = 0\n", "t.a", 1, "[t]\n#b = 0\na = 1\n\n# u\n[u]\n#a = 0\n"},
	{"two keys meet", "a = 1\r\n", "b", "x", "a = 1\r\nb = \"x\"\r\n"},
	{"Windows, new table", "\ufeffa = 1\r\n", "t.b", "x", "\ufeffa = 1\r\n\r\n[t]\r\nb = \"x\"\r\n"},
	{"odd letters", "", "a", "\t\"\\\n보\x7f", "a = \"\\t\\\"\\\\\\n보\\u007f\"\n"},

	{"unset", "a = 1\nb = 2 # two\nc = 3\n", "b", nil, "a = 1\nc = 3\n"},
	{"unset, over several lines", "a = [\n1,\n]\nc = 3\n", "a", nil, "c = 3\n"},
	{"unset what is not there", "a = 1", "b", nil, "a = 1"},
	{"unset the last line", "a = 1\r\nb = 2", "b", nil, "a = 1"},
	{"unset between empty lines", "a = 1\n\nb = 2\n\nc = 3\n", "b", nil, "a = 1\n\nc = 3\n"},
	{"unset all there is", "a = 1\n", "a", nil, ""},
	{"unset in braces, first", "t = { a = 1, b = 2 }\n", "t.a", nil, "t = { b = 2 }\n"},
	{"unset in braces, last", "t = { a = 1, b = 2 }\n", "t.b", nil, "t = { a = 1 }\n"},
	{"unset in braces, only", "t = { a = 1 }\n", "t.a", nil, "t = {}\n"},
	{"unset in braces, dotted", "t = { a.b = 1, c = 2, a.d = 3 }\n", "t.a", nil, "t = { c = 2 }\n"},
	{"unset in braces, all of them", "t = { a.b = 1, a.d = 3 }\n", "t.a", nil, "t = {}\n"},
	{"unset a table", "[s]\nx = 1\n\n# ours\n[s.t]\na = 1\n# more\nb = 2\n\n[s.t.env]\nc = 1\n\n[z]\n", "s.t", nil, "[s]\nx = 1\n\n# ours\n# more\n\n[z]\n"},
	{"unset a list of tables", "[[t]]\na = 1\n[[t]]\na = 2\n", "t", nil, ""},
	{"unset in a table keeps it", "[t]\na = 1\n", "t.a", nil, "[t]\n"},
}

func split(key string) []string { return strings.Split(key, ".") }

func TestTOML(t *testing.T) {
	for _, c := range tomlCases {
		t.Run(c.name, func(t *testing.T) {
			change := func(file string) string {
				out, err := UnsetTOML([]byte(file), split(c.key))
				if c.value != nil {
					out, err = SetTOML([]byte(file), split(c.key), c.value)
				}
				if err != nil {
					t.Fatal(err)
				}
				return string(out)
			}
			got := change(c.file)
			if got != c.want {
				t.Fatalf("got  %q\nwant %q", got, c.want)
			}
			if again := change(got); again != got {
				t.Errorf("a second time it is %q", again)
			}
		})
	}
}

func TestTOMLRefuses(t *testing.T) {
	for _, c := range []struct{ file, key, want string }{
		{"a = 1\nb = \n", "c", "line 2, column 5: "},
		{"a = 1\na = 2\n", "c", "line 2, "},
		{"a = 1\n", "a.b", "line 1, column 1: a is no table"},
		{"a = [{ b = 1 }]\n", "a.b", "line 1, column 1: a is no table"},
		{"x = 1\n[[a]]\nb = 1\n", "a.b", "line 2, column 3: a is a list of tables"},
		{"t = { a = 1 }\n", "t.a.b", "line 1, column 7: t.a is no table"},
		{"[a]\nb = 1\n", "a", "a: it is a table"},
		{"a.b = 1\n", "a", "a: it is a table"},
		{"a = {}\n", "a", "a: it is a table"},
		{"[[a]]\n", "a", "a: it is a table"},
		{"a = \"\xff\"\n", "b", "invalid UTF-8"},
	} {
		out, err := SetTOML([]byte(c.file), split(c.key), 1)
		if err == nil || !strings.Contains(err.Error(), c.want) || out != nil {
			t.Errorf("set %s in %q: %q, %v, not %q", c.key, c.file, out, err, c.want)
		}
	}
	for _, value := range []any{nil, 1.5, map[string]any{}, []int{1}} {
		if out, err := SetTOML(nil, []string{"a"}, value); err == nil {
			t.Errorf("%T: %q", value, out)
		}
	}
	for _, key := range [][]string{nil, {}} {
		if out, err := SetTOML(nil, key, 1); err == nil {
			t.Errorf("no key: %q", out)
		}
		if out, err := UnsetTOML(nil, key); err == nil {
			t.Errorf("no key: %q", out)
		}
	}
	if out, err := UnsetTOML([]byte("[[a]]\nb = 1\n"), split("a.b")); err == nil {
		t.Errorf("unset in a list of tables: %q", out)
	}
}

// TestAddTOML puts a server of several tables into a file and takes it out.
func TestAddTOML(t *testing.T) {
	const file = "# mine\n[a]\nb = 1 # one\n"
	out, err := AddTOML([]byte(file), []byte("[s.x]\ncommand = \"X\"\nargs = [\"a\", \"b c\"]\nn = 3\n\n[s.x.env]\nPET = \"보리\"\n"))
	want := file + "\n[s.x]\ncommand = \"X\"\nargs = [\"a\", \"b c\"]\nn = 3\n\n[s.x.env]\nPET = \"보리\"\n"
	if err != nil || string(out) != want {
		t.Errorf("got  %q (%v)\nwant %q", out, err, want)
	}
	if back, err := UnsetTOML(out, split("s.x")); err != nil || string(back) != file {
		t.Errorf("back it is %q (%v)", back, err)
	}
	for _, snippet := range []string{"a =", "a = 1.5", "b = [["} {
		if out, err := AddTOML(nil, []byte(snippet)); err == nil {
			t.Errorf("%q: %q", snippet, out)
		}
	}
}

// TestTemplate switches on, one after the other, what the app's own file has
// commented out: each lands below its own line, and nothing else moves.
func TestTemplate(t *testing.T) {
	template, err := os.ReadFile(filepath.Join("..", "..", "tray", "template.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := template
	for _, key := range []string{"size", "language", "show.when", "lifetimes.done", "lifetimes.working", "agent_pets.claude"} {
		if file, err = SetTOML(file, split(key), "x"); err != nil {
			t.Fatal(err)
		}
		part, name := string(file), key
		if table, rest, ok := strings.Cut(key, "."); ok {
			_, part, _ = strings.Cut(part, "\n["+table+"]\n")
			name = rest
		}
		_, below, _ := strings.Cut("\n"+part, "\n#"+name+" = ")
		if lines := strings.SplitN(below, "\n", 3); len(lines) < 3 || lines[1] != name+` = "x"` {
			t.Errorf("%s is not below its own line:\n%s", key, file)
		}
	}
	for _, key := range []string{"show.when", "language", "size", "lifetimes.working", "agent_pets.claude", "lifetimes.done"} {
		if file, err = UnsetTOML(file, split(key)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(file, template) {
		t.Errorf("switched off again:\n%s", file)
	}
}

func FuzzTOML(f *testing.F) {
	for _, c := range tomlCases {
		f.Add([]byte(c.file), c.key, "x")
	}
	f.Fuzz(func(t *testing.T, file []byte, name, value string) {
		key := split(name)
		out, err := SetTOML(file, key, value)
		if err != nil {
			return
		}
		before, after := tree(t, file), tree(t, out)
		if got, _ := lookup(after, key); got != value {
			t.Fatalf("%q: the key is %v, not %q", out, got, value)
		}
		_, had := lookup(before, key)
		uproot(before, key)
		uproot(after, key)
		if !sameTree(before, after) {
			t.Fatalf("%q → %q changes something else", file, out)
		}
		if again, err := SetTOML(out, key, value); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q: a second time %q, %v", out, again, err)
		}
		back, err := UnsetTOML(out, key)
		if err != nil {
			t.Fatalf("%q: unset: %v", out, err)
		}
		made := bytes.Contains(out, []byte("{")) || bytes.Count(out, []byte("[")) != bytes.Count(file, []byte("["))
		if !had && !made && !bytes.Equal(back, file) {
			t.Fatalf("%q → %q → %q", file, out, back)
		}
	})
}

func tree(t *testing.T, file []byte) map[string]any {
	var tree map[string]any
	if _, err := toml.Decode(string(bytes.TrimPrefix(file, bom)), &tree); err != nil {
		t.Fatalf("%q: %v", file, err)
	}
	return tree
}
