package snippets

import (
	"strings"
	"testing"
)

func TestOurs(t *testing.T) {
	for line, program := range map[string]string{
		"'/full/path/playpets' hook claude 2>/dev/null || true":          "/full/path/playpets",
		"'/full/path/playpets' hook codex 2>/dev/null; true":             "/full/path/playpets",
		"playpets hook claude":                                           "playpets",
		"  /usr/local/bin/playpets hook codex ":                          "/usr/local/bin/playpets",
		`"/opt/play pets/playpets" hook claude --bridge "/b.json"`:       "/opt/play pets/playpets",
		`'/opt/p'\''q/playpets' hook claude --bridge '/a; b'\'' c.json'`: "/opt/p'q/playpets",
		`"C:\p p\playpets.exe" hook cursor`:                              `C:\p p\playpets.exe`,
		`& "C:\p p\playpets.exe" hook cursor`:                            `C:\p p\playpets.exe`,
		`& 'C:\O''Neil\playpets.exe' hook gemini; exit 0`:                `C:\O'Neil\playpets.exe`,
		"C:/Users/sam/playpets.exe hook claude; exit 0":                  `C:\Users\sam\playpets.exe`,
		`\\server\share\playpets.exe hook codex`:                         `\\server\share\playpets.exe`,
		"'/home/u/Apps/PlayPets-1.2-x86_64.AppImage' hook claude":        "/home/u/Apps/PlayPets-1.2-x86_64.AppImage",
		`'/a\b'/playpets hook x`:                                         `/a\b/playpets`,
	} {
		if got, ok := Ours(line); got != program || !ok {
			t.Errorf("%s: %q, %t", line, got, ok)
		}
	}
	for _, line := range []string{
		"", "'", "& '", `"`, "& 'x", "playpets", "playpets mcpx", "playpets hook", "hook claude", "'' hook claude",
		"my-playpets-hook.sh", "/home/me/my-playpets hook claude", "/home/me/playpets-hook.sh hook claude", "playpetsd hook claude",
		"echo playpets hook claude", "echo /opt/playpets hook claude", "/bin/echo /opt/playpets hook claude", `C:\echo.exe C:\playpets.exe hook x`,
		"/usr/bin/env playpets hook claude", "sh -c 'playpets hook claude'", "'/bin/sh' -c '/opt/playpets hook claude'",
		"'/opt/playpets/other' hook claude", "/opt/playpets status working", "'/opt/playpets' say 'a hook b'", `& 'C:\x\playpets.exe' say hi`,
		"/home/me/guard.sh # not playpets hook claude", "python hooks/playpets.py hook claude",
		// Somebody else's program is in these as well.
		"/home/me/guard.sh && ~/bin/playpets hook claude", "guard; playpets hook claude", "cat | playpets hook claude",
		"playpets hook claude; /home/me/guard.sh", "playpets hook claude && /home/me/guard.sh", "playpets hook claude | tee log",
		"'/p/playpets' hook claude 2>/dev/null || true; rm x", "playpets hook claude $(guard)", "playpets hook claude `guard`",
		"playpets hook claude > /home/me/log", "playpets hook claude\nguard", "'/p/playpets' hook claude 'a' & guard",
		`playpets hook claude "$(guard)"`, "playpets hook claude \"`guard`\"", "playpets hook claude \"`$(guard)`\"",
		"/usr/bin/my wrapper bin/playpets hook codex", "/usr/bin/wrap ~/playpets hook codex", "PLAYPETS_PET=bori playpets hook claude",
	} {
		if program, ok := Ours(line); ok {
			t.Errorf("%s is taken for %q", line, program)
		}
	}
}

// Where the words stand apart, the first one is the program.
func TestOursByWords(t *testing.T) {
	for _, words := range [][]string{
		{"/opt/play pets/playpets", "hook", "codex", "--bridge", "/a b/c.json"},
		{"/x/a /b/playpets", "hook", "codex"}, {`C:\Users\With Space\PlayPets.exe`, "mcp", "--bridge", `C:\b.json`},
		{"/Applications/Play Pets.app/Contents/MacOS/playpets", "mcp"}, {"/r&d; x/playpets", "hook", "codex"},
	} {
		if got, ok := Ours(words...); !ok || got != words[0] {
			t.Errorf("%q: %q, %t", words, got, ok)
		}
	}
	for _, words := range [][]string{
		nil, {"/opt/playpets", "hook"}, {"/opt/playpets", "say", "hook"}, {"/usr/bin/my wrapper", "bin/playpets", "hook", "codex"},
		{"/usr/bin/wrap", "~/playpets", "hook", "codex"}, {"/usr/bin/mcp-logger", "./playpets", "mcp", "--log", "x"},
	} {
		if program, ok := Ours(words...); ok {
			t.Errorf("%q is taken for %q", words, program)
		}
	}
}

func TestStarts(t *testing.T) {
	for _, line := range []string{
		"/home/me/guard.sh && ~/bin/playpets hook claude", "PLAYPETS_PET=bori playpets hook claude", "timeout 5 '/p p/playpets' hook claude",
		`exec "C:\x\playpets.exe" hook codex`,
	} {
		if !Starts(line) {
			t.Errorf("%s starts us", line)
		}
	}
	for _, words := range [][]string{
		{"/usr/bin/my wrapper", "/x/a /b/playpets", "hook", "codex"}, {"sh", "-c", "guard; playpets hook codex"},
	} {
		if !Starts(words...) {
			t.Errorf("%q start us", words)
		}
	}
	for _, words := range [][]string{nil, {"playpets", "hook"}, {"say", "playpets", "mcp", "hook"}, {"notify", "playpets"}} {
		if Starts(words...) {
			t.Errorf("%q do not start us", words)
		}
	}
	for _, line := range []string{"", "/home/me/guard.sh # not playpets hook claude", "# playpets hook claude", "my-playpets hook claude", "playpets say hook", "echo playpets", strings.Repeat("playpets ", 100)} {
		if Starts(line) {
			t.Errorf("%s does not start us", line)
		}
	}
}
