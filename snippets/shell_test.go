//go:build unix

package snippets

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/playpets/playpets/agents"
)

// The shells that agents start hooks with on Unix: /bin/sh, bash, or whatever
// the person logs in with.
var shells = []string{"sh", "bash", "dash", "zsh", "fish"}

// tool is the path of a program that the test needs.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + ", which tools/test-deps brings"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

const payload = `{"hook_event_name":"Stop","it's":"$HOME \u0041"}`

// recorder prints by what name and with which arguments it was started, each with
// a zero byte behind it, then what it reads.
const recorder = "#!/bin/sh\nprintf '%s\\0' \"$0\" \"$@\"\ncat\n"

// A rig is a folder in which programs of any name stand.
type rig struct {
	folder, recorder string
}

func newRig(t testing.TB) rig {
	t.Helper()
	r := rig{folder: t.TempDir()}
	r.recorder = filepath.Join(r.folder, "recorder")
	if err := os.WriteFile(r.recorder, []byte(recorder), 0o755); err != nil {
		t.Fatal(err)
	}
	return r
}

// install puts the recorder at that path below the folder. A link does: a file
// just written may still be open in a process that another test forks.
func (r rig) install(path string) (string, error) {
	path = r.folder + "/root/" + path
	if err := os.MkdirAll(path[:strings.LastIndex(path, "/")], 0o755); err != nil {
		return "", err
	}
	return path, os.Symlink(r.recorder, path)
}

// env is that of a person without settings of the shell's.
func (r rig) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.folder, "LANG=C.UTF-8"}
}

// run gives a line to a shell as an agent does, and returns what was recorded.
func (r rig) run(shell, flag, line string) (argv []string, input string, err error) {
	cmd := exec.Command(shell, flag, line)
	cmd.Env, cmd.Dir = r.env(), r.folder
	cmd.Stdin = strings.NewReader(payload)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	if err = cmd.Run(); err != nil || words.Len() > 0 {
		return nil, out.String(), fmt.Errorf("%s %s %s: %v, %s", shell, flag, line, err, &words)
	}
	all := strings.Split(out.String(), "\x00")
	return all[:len(all)-1], all[len(all)-1], nil
}

func want(agent string, p Program) []string {
	return append([]string{p.Path, "hook", agent}, p.flags()...)
}

// TestShells runs each line through each shell, as it is and as a login shell,
// and compares what arrives.
func TestShells(t *testing.T) {
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shell, r := tool(t, name), newRig(t)
			for i, odd := range unixPaths {
				path, err := r.install(fmt.Sprint(i, odd))
				if err != nil {
					t.Fatal(err)
				}
				p := Program{path, path[:strings.LastIndex(path, "/")] + "/bridge.json", pets[i%len(pets)], "linux"}
				for _, k := range agents.Kinds {
					flag := []string{"-c", "-lc"}[i%2]
					argv, input, err := r.run(shell, flag, hookCommand(k.Name, p).line)
					if err != nil || !slices.Equal(argv, want(k.Name, p)) || input != payload {
						t.Errorf("%v\n%q, %q\nwant %q", err, argv, input, want(k.Name, p))
					}
				}
			}
		})
	}
}

// TestAnyPath is the same with paths that nobody has yet.
func TestAnyPath(t *testing.T) {
	for _, name := range shells {
		tool(t, name)
	}
	r := newRig(t)
	// Fish keeps a few code points of private use for itself.
	letter := rapid.OneOf(rapid.SampledFrom([]rune("'\"\\$`!&;|<>(){}[]*?#~% \n\t=:@^-_.,ab가🐾’")), rapid.Rune().Filter(func(c rune) bool {
		return c != 0 && c != '/' && (c < 0xE000 || c > 0xF8FF)
	}))
	name := rapid.StringOfN(letter, 1, 12, 200).Filter(func(s string) bool { return s != "." && s != ".." })
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		path, err := r.install(fmt.Sprint(count, "/", name.Draw(t, "folder"), "/", name.Draw(t, "name")))
		if err != nil {
			t.Skip(err) // too long a name
		}
		p := Program{path, path + ".json", name.Draw(t, "pet"), "linux"}
		agent := rapid.SampledFrom(agents.Kinds).Draw(t, "agent").Name
		argv, input, err := r.run(rapid.SampledFrom(shells).Draw(t, "shell"), "-c", hookCommand(agent, p).line)
		if err != nil || !slices.Equal(argv, want(agent, p)) || input != payload {
			t.Errorf("%v\n%q, %q\nwant %q", err, argv, input, want(agent, p))
		}
	})
}

// TestGone: a program that is not there any more stops no agent. Cursor ignores
// failures, as long as nothing is printed. Fish has its say on standard error
// whatever the line, but only Codex and Cursor take it, which do not read that.
func TestGone(t *testing.T) {
	for _, name := range shells {
		shell, r := tool(t, name), newRig(t)
		for _, k := range agents.Kinds {
			p := Program{Path: r.folder + "/o'neil/playpets", Bridge: "/b b", System: "linux"}
			cmd := exec.Command(shell, "-lc", hookCommand(k.Name, p).line)
			cmd.Env, cmd.Dir = r.env(), r.folder
			var out, words bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &words
			err := cmd.Run()
			switch {
			case out.Len() > 0:
				t.Errorf("%s in %s prints %q", k.Name, name, &out)
			case k.Name == "cursor", name == "fish" && k.Name != "codex":
			case err != nil, words.Len() > 0 && name != "fish":
				t.Errorf("%s in %s: %v, %q", k.Name, name, err, &words)
			}
		}
	}
}

// TestHereDocument: Cursor appends its payload to the line so.
func TestHereDocument(t *testing.T) {
	const end = "CURSOR_HOOK_EOF"
	for _, name := range shells {
		shell, r := tool(t, name), newRig(t)
		path, err := r.install("o'neil & co/playpets")
		if err != nil {
			t.Fatal(err)
		}
		p := Program{Path: path, System: "darwin"}
		argv, input, err := r.run(shell, "-lc", hookCommand("cursor", p).line+" <<'"+end+"'\n"+payload+"\n"+end)
		if name == "fish" {
			// It has no here-documents, so nothing is started.
			if len(argv) > 0 || err == nil {
				t.Errorf("fish: %q, %v: tell people that Cursor works with it", argv, err)
			}
			continue
		}
		if err != nil || !slices.Equal(argv, want("cursor", p)) || strings.TrimSpace(input) != payload {
			t.Errorf("%s: %q, %q, %v", name, argv, input, err)
		}
	}
}

// TestPowerShell runs the lines of Windows in a real PowerShell, where there is
// one: Debian has none.
func TestPowerShell(t *testing.T) {
	shell, err := exec.LookPath("pwsh")
	if err != nil {
		t.Skip("there is no pwsh here")
	}
	r := newRig(t)
	path, err := r.install("O'Neil & ‘co’ $x`y/playpets")
	if err != nil {
		t.Fatal(err)
	}
	p := Program{path, path + ".json", "my friend", "windows"}
	for _, k := range agents.Kinds {
		line := hookCommand(k.Name, p).line
		if k.Name == "cursor" {
			line = "& " + line // as Cursor does
		}
		argv, input, err := r.run(shell, "-Command", line)
		if err != nil || !slices.Equal(argv, want(k.Name, p)) || input != payload {
			t.Errorf("%s: %q, %q, %v", k.Name, argv, input, err)
		}
	}
}
