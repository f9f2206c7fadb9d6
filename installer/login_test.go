package installer

import (
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
		if got, on := startedBy(entry); got != path || !on {
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
		"[Desktop Entry]\nExec=/usr/bin/playpets %u\n":                                               {"/usr/bin/playpets", true},
		"[Desktop Entry]\r\nExec = playpets\r\n":                                                     {"playpets", true},
		"[Desktop Entry]\nExec=\"/a b/playpets\" --quiet\nHidden=true\n":                             {"/a b/playpets", false},
		"[Desktop Entry]\nExec=/usr/bin/playpets\nX-GNOME-Autostart-enabled=false\n":                 {"/usr/bin/playpets", false},
		"[Desktop Action x]\nExec=/bin/false\n[Desktop Entry]\nExec=/usr/bin/playpets\n":             {"/usr/bin/playpets", true},
		"# Exec=x\n[Desktop Entry]\nName=PlayPets\n[Desktop Action x]\nExec=/bin/false\nHidden=true": {"", true},
		"": {"", true},
	} {
		if program, on := startedBy([]byte(entry)); program != want.program || on != want.on {
			t.Errorf("%q starts %q, on %t; want %+v", entry, program, on, want)
		}
	}
}

func TestLaunchAgentKeepsThePath(t *testing.T) {
	check := func(t rapid.TB, path string) {
		agent, err := launchAgent(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, on := launchedBy(agent); got != path || !on {
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
		"<plist><dict><key>ProgramArguments</key><array><string>/a</string><string>-q</string></array><key>RunAtLoad</key><true/></dict></plist>":        {"/a", true},
		"<plist><dict><key>Disabled</key><true/><key>ProgramArguments</key><array><string>/a</string></array><key>RunAtLoad</key><true/></dict></plist>": {"/a", false},
		"<plist><dict><key>ProgramArguments</key><array><string>/a</string></array><key>RunAtLoad</key><false/></dict></plist>":                          {"/a", false},
		"<plist><dict><key>Label</key><string>x</string></dict></plist>":                                                                                 {"", true},
		"<plist><dict><key>Program": {"", false},
	} {
		if program, on := launchedBy([]byte(agent)); program != want.program || on != want.on {
			t.Errorf("%q starts %q, on %t; want %+v", agent, program, on, want)
		}
	}
}

func TestRunKey(t *testing.T) {
	for command, want := range map[string]string{
		runCommand(`C:\a b\playpetsw.exe`): `C:\a b\playpetsw.exe`,
		`C:\PP\playpets.exe`:               `C:\PP\playpets.exe`,
		` C:\PP\playpets.exe --quiet`:      `C:\PP\playpets.exe`,
		`"C:\PP\playpets.exe" --quiet`:     `C:\PP\playpets.exe`,
		``:                                 ``,
	} {
		if got := runBy(command); got != want {
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

func FuzzStartedBy(f *testing.F) {
	f.Add("[Desktop Entry]\nExec=\"\\\\")
	f.Fuzz(func(t *testing.T, entry string) {
		program, _ := startedBy([]byte(entry))
		if utf8.ValidString(entry) && !utf8.ValidString(program) {
			t.Errorf("%q tears a letter: %q", entry, program)
		}
	})
}
