package installer

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// odd are paths that some reader of them could get wrong.
var odd = []string{
	"/usr/bin/playpets",
	"/home/a b/playpets",
	"/home/it's/\"q\"/playpets",
	"/home/100%/%u/%%/playpets",
	"/home/$HOME/`id`/playpets",
	`/home/back\slash\\two\n/playpets`,
	"/home/친구/🐾/playpets",
	"/home/a=b;c&d|e<f>g#h/playpets",
	"/home/tab\tline\nreturn\r/playpets",
	"/home/~!*?()[]{}/playpets ",
}

func TestDesktopEntryKeepsThePath(t *testing.T) {
	check := func(t rapid.TB, path string) {
		if strings.Contains(path, "%") {
			path = strings.ReplaceAll(path, "=", "")
		}
		entry, err := desktopEntry(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, on := startedBy(entry); len(got) != 1 || got[0] != path || !on {
			t.Fatalf("%q came back as %q, on %t", path, got, on)
		}
	}
	for _, path := range odd {
		check(t, path)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, "/"+rapid.StringOf(rapid.RuneFrom([]rune(" \"'`$\\%\t\r\nab=한"))).Draw(t, "path"))
	})
	for _, path := range []string{"/home/\xff/playpets", "/home/\x00/playpets", "/home/%/=/playpets"} {
		if _, err := desktopEntry(path); err == nil {
			t.Errorf("%q cannot be written in such a file", path)
		}
	}
}

// TestStartedBy reads files that others wrote or changed.
func TestStartedBy(t *testing.T) {
	for entry, want := range map[string]struct {
		program string
		on      bool
	}{
		"[Desktop Entry]\nExec=/usr/bin/playpets %u\n":                                               {"/usr/bin/playpets %u", true},
		"[Desktop Entry]\r\nExec = playpets\r\n":                                                     {"playpets", true},
		"[Desktop Entry]\nExec=\"/a b/playpets\" --quiet\nHidden=true\n":                             {"/a b/playpets --quiet", false},
		"[Desktop Entry]\nExec=/usr/bin/playpets\nX-GNOME-Autostart-enabled=false\n":                 {"/usr/bin/playpets", false},
		"[Desktop Action x]\nExec=/bin/false\n[Desktop Entry]\nExec=/usr/bin/playpets\n":             {"/usr/bin/playpets", true},
		"# Exec=x\n[Desktop Entry]\nName=PlayPets\n[Desktop Action x]\nExec=/bin/false\nHidden=true": {"", true},
		"": {"", true},
	} {
		if words, on := startedBy([]byte(entry)); strings.Join(words, " ") != want.program || on != want.on {
			t.Errorf("%q starts %q, on %t; want %+v", entry, words, on, want)
		}
	}
}

func TestLaunchAgentKeepsThePath(t *testing.T) {
	check := func(t rapid.TB, path string) {
		agent, err := launchAgent(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, on := launchedBy(agent); len(got) != 1 || got[0] != path || !on {
			t.Fatalf("%q came back as %q, on %t", path, got, on)
		}
	}
	for _, path := range odd {
		if !strings.Contains(path, "\r") {
			check(t, path)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, "/"+rapid.StringOf(rapid.RuneFrom([]rune(" <>&'\"\t\nab]한"))).Draw(t, "path"))
	})
	for _, path := range []string{"/\xff", "/\x00", "/\x1b"} {
		if _, err := launchAgent(path); err == nil {
			t.Errorf("%q cannot be written in such a file", path)
		}
	}
}

// TestLaunchedBy reads files that others wrote or changed.
func TestLaunchedBy(t *testing.T) {
	for agent, want := range map[string]struct {
		program string
		on      bool
	}{
		"<plist><dict><key>Program</key><string>/a</string><key>RunAtLoad</key><true/></dict></plist>":                                                   {"/a", true},
		"<plist><dict><key>ProgramArguments</key><array><string>/a</string><string>-q</string></array><key>RunAtLoad</key><true/></dict></plist>":        {"/a -q", true},
		"<plist><dict><key>Disabled</key><true/><key>ProgramArguments</key><array><string>/a</string></array><key>RunAtLoad</key><true/></dict></plist>": {"/a", false},
		"<plist><dict><key>ProgramArguments</key><array><string>/a</string></array><key>RunAtLoad</key><false/></dict></plist>":                          {"/a", false},
		"<plist><dict><key>Label</key><string>x</string></dict></plist>":                                                                                 {"", true},
		"<plist><dict><key>Program": {"", false},
	} {
		if words, on := launchedBy([]byte(agent)); strings.Join(words, " ") != want.program || on != want.on {
			t.Errorf("%q starts %q, on %t; want %+v", agent, words, on, want)
		}
	}
}

func TestRunKey(t *testing.T) {
	for command, want := range map[string]string{
		runCommand(`C:\a b\playpetsw.exe`): `C:\a b\playpetsw.exe`,
		`C:\PP\playpets.exe`:               `C:\PP\playpets.exe`,
		` C:\PP\playpets.exe --quiet`:      `C:\PP\playpets.exe --quiet`,
		`"C:\PP\playpets.exe" --quiet`:     `C:\PP\playpets.exe --quiet`,
		``:                                 ``,
	} {
		if got := strings.Join(runBy(command), " "); got != want {
			t.Errorf("%q starts %q, not %q", command, got, want)
		}
	}
	for mark, want := range map[string]bool{"": true, "\x02": true, "\x06\x00": true, "\x03\x00": false, "\x07": false} {
		if approved([]byte(mark)) != want {
			t.Errorf("a mark %q: approved %t", mark, !want)
		}
	}
	both := func(path string) bool { return path == `C:\PP\playpetsw.exe` }
	for console, want := range map[string]string{
		`C:\PP\playpets.exe`:  `C:\PP\playpetsw.exe`,
		`C:\one\playpets.exe`: `C:\one\playpets.exe`,
		`C:\PP\other.exe`:     `C:\PP\other.exe`,
	} {
		if got := atDesktop(console, both); got != want {
			t.Errorf("%q has %q start, not %q", console, got, want)
		}
	}
}

func TestOurs(t *testing.T) {
	for program, want := range map[string]bool{
		"/usr/bin/playpets": true, `C:\PP\playpetsw.exe`: true, "playpets": true,
		"/home/me/PlayPets-1.2-x86_64.AppImage": true,
		"/usr/bin/playpets-other-tool":          false, "/home/me/my-playpets.sh": false, "/usr/bin/env": false, "/playpets/other": false, "": false,
	} {
		if ours(program) != want {
			t.Errorf("ours(%q) = %t", program, !want)
		}
	}
}

// TestMovedProgram: what a person added stays when only the program is another.
func TestMovedProgram(t *testing.T) {
	const moved = `/new & "place"/playpets`
	for before, after := range map[string]string{
		"# mine\n[Desktop Entry]\r\nExec = /old/playpets --bridge \"/a b\" %u\r\nX-GNOME-Autostart-Delay=20\n[Desktop Action x]\nExec=/bin/false": "# mine\n[Desktop Entry]\r\nExec=" + execLine(moved) + " --bridge \"/a b\" %u\r\nX-GNOME-Autostart-Delay=20\n[Desktop Action x]\nExec=/bin/false",
		"[Desktop Entry]\nHidden=true\nExec=/old/playpets\nX-GNOME-Autostart-enabled=false\n":                                                     "[Desktop Entry]\nHidden=false\nExec=" + execLine(moved) + "\nX-GNOME-Autostart-enabled=true\n",
	} {
		if got := string(restarted([]byte(before), moved)); got != after {
			t.Errorf("%q became %q", before, got)
		}
	}
	const agent = "<plist><!-- mine --><dict><key>Program</key><string>%s</string><key>ProgramArguments</key><array><string>%s</string><string>-q</string></array><key>Nice</key><integer>5</integer></dict></plist>"
	const escaped = "/new &amp; &#34;place&#34;/playpets"
	if got := string(relaunched(fmt.Appendf(nil, agent, "/old&lt;/x", "playpets"), moved)); got != fmt.Sprintf(agent, escaped, escaped) {
		t.Errorf("the LaunchAgent became %s", got)
	}
	if got := rerun(`C:\old\playpets.exe --bridge "C:\a b"`, `C:\n w\playpetsw.exe`); got != `"C:\n w\playpetsw.exe" --bridge "C:\a b"` {
		t.Errorf("the Run key became %s", got)
	}
}

// TestOwnEntry: a program of our name with a command is not how we start.
func TestOwnEntry(t *testing.T) {
	for line, want := range map[string]bool{
		"/x/playpets": true, "/x/playpets --bridge /y": true, "/x/playpets %u": true,
		"/x/playpets say hi": false, "sh -c /x/playpets": false, "A=b /x/playpets": false, "": false,
	} {
		if got := (login{there: true, words: strings.Fields(line)}).ours(Program{Path: "/z/playpets"}); got != want {
			t.Errorf("%q is ours: %t", line, got)
		}
	}
}

func FuzzStartedBy(f *testing.F) {
	f.Add("[Desktop Entry]\nExec=\"\\\\")
	f.Fuzz(func(t *testing.T, entry string) {
		words, _ := startedBy([]byte(entry))
		if utf8.ValidString(entry) && !utf8.ValidString(strings.Join(words, "")) {
			t.Errorf("%q tears a letter: %q", entry, words)
		}
	})
}
