package snippets

import "testing"

func TestOurs(t *testing.T) {
	for line, program := range map[string]string{
		"'/full/path/playpets' hook claude 2>/dev/null || true": "/full/path/playpets",
		"playpets hook claude":                                       "playpets",
		"  /usr/local/bin/playpets hook codex ":                      "/usr/local/bin/playpets",
		"/opt/play pets/playpets hook codex --bridge /a b/c.json":    "/opt/play pets/playpets",
		"/opt/my hook dir/playpets hook codex":                       "/opt/my hook dir/playpets",
		"/opt/play pets/playpets mcp":                                "/opt/play pets/playpets",
		`"/opt/play pets/playpets" hook claude --bridge "/b.json"`:   "/opt/play pets/playpets",
		`"C:\p p\playpets.exe" hook cursor`:                          `C:\p p\playpets.exe`,
		`& "C:\p p\playpets.exe" hook cursor`:                        `C:\p p\playpets.exe`,
		`& 'C:\O''Neil\playpets.exe' hook gemini; exit 0`:            `C:\O'Neil\playpets.exe`,
		"C:/Users/sam/playpets.exe hook claude; exit 0":              `C:\Users\sam\playpets.exe`,
		`C:\Users\With Space\PlayPets.exe mcp --bridge C:\b.json`:    `C:\Users\With Space\PlayPets.exe`,
		`\\server\share\playpets.exe hook codex`:                     `\\server\share\playpets.exe`,
		"'/home/u/Apps/PlayPets-1.2-x86_64.AppImage' hook claude":    "/home/u/Apps/PlayPets-1.2-x86_64.AppImage",
		`'/a\b'/playpets hook x`:                                     `/a\b/playpets`,
		"/Applications/Play Pets.app/Contents/MacOS/playpets mcp -v": "/Applications/Play Pets.app/Contents/MacOS/playpets",
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
	} {
		if program, ok := Ours(line); ok {
			t.Errorf("%s is taken for %q", line, program)
		}
	}
}
