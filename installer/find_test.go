package installer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestProgram(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	for name, test := range map[string]struct {
		system, exe string
		links       []string
		family      string
		env         map[string]string
		gone        bool
		linked      map[string]string // link → file
		also        []string          // other files that exist
		want        Program
	}{
		"installed": {
			system: "linux", exe: "/usr/bin/playpets", links: []string{"/usr/bin/playpets"},
			want: Program{Path: "/usr/bin/playpets"},
		},
		"link of Homebrew": {
			system: "linux", exe: "/home/linuxbrew/.linuxbrew/Cellar/playpets/1.2.3/bin/playpets",
			links:  []string{"/home/linuxbrew/.linuxbrew/bin/playpets", "playpets"},
			linked: map[string]string{"/home/linuxbrew/.linuxbrew/bin/playpets": "/home/linuxbrew/.linuxbrew/Cellar/playpets/1.2.3/bin/playpets"},
			want:   Program{Path: "/home/linuxbrew/.linuxbrew/bin/playpets"},
		},
		"started by a link off the PATH": {
			system: "linux", exe: "/opt/playpets-1.2/playpets", links: []string{"", "/opt/playpets/playpets"},
			linked: map[string]string{"/opt/playpets/playpets": "/opt/playpets-1.2/playpets"},
			want:   Program{Path: "/opt/playpets/playpets"},
		},
		"another one on the PATH": {
			system: "linux", exe: "/home/me/src/playpets", links: []string{"/usr/bin/playpets", "./playpets"},
			linked: map[string]string{"./playpets": "/home/me/src/playpets"},
			want:   Program{Path: "/home/me/src/playpets"},
		},
		"go run": {
			system: "linux", exe: "/tmp/go-build2791/b001/exe/playpets",
			want: Program{Path: "/tmp/go-build2791/b001/exe/playpets", Temporary: true},
		},
		"go run, from its cache": {
			system: "darwin", exe: "/Users/me/cache/ab/" + hash + "-d/playpets",
			want: Program{Path: "/Users/me/cache/ab/" + hash + "-d/playpets", Temporary: true},
		},
		"go run on Windows": {
			system: "windows", exe: `C:\Users\me\AppData\Local\go-build\ab\cd-d\playpets.exe`,
			want: Program{Path: `C:\Users\me\AppData\Local\go-build\ab\cd-d\playpets.exe`, Temporary: true},
		},
		"somebody's own go-builder": {
			system: "linux", exe: "/home/me/go-builder/playpets",
			want: Program{Path: "/home/me/go-builder/playpets"},
		},
		"deleted": {
			system: "linux", exe: "/home/me/Downloads/playpets", gone: true,
			want: Program{Path: "/home/me/Downloads/playpets", Temporary: true},
		},
		"AppImage": {
			system: "linux", exe: "/tmp/.mount_PlayPeABC/usr/bin/playpets", links: []string{"/usr/bin/playpets"},
			env:  map[string]string{"APPIMAGE": "/home/me/Apps/PlayPets.AppImage", "APPDIR": "/tmp/.mount_PlayPeABC"},
			also: []string{"/home/me/Apps/PlayPets.AppImage"},
			want: Program{Path: "/home/me/Apps/PlayPets.AppImage"},
		},
		"AppImage that was deleted": {
			system: "linux", exe: "/tmp/.mount_PlayPeABC/usr/bin/playpets",
			env:  map[string]string{"APPIMAGE": "/home/me/Apps/PlayPets.AppImage", "APPDIR": "/tmp/.mount_PlayPeABC/"},
			want: Program{Path: "/home/me/Apps/PlayPets.AppImage", Temporary: true},
		},
		"started from a terminal that is an AppImage": {
			system: "linux", exe: "/usr/bin/playpets",
			env:  map[string]string{"APPIMAGE": "/home/me/Apps/Term.AppImage", "APPDIR": "/tmp/.mount_TermABC"},
			want: Program{Path: "/usr/bin/playpets"},
		},
		"app on macOS": {
			system: "darwin", exe: "/Applications/PlayPets.app/Contents/MacOS/playpets",
			want: Program{Path: "/Applications/PlayPets.app/Contents/MacOS/playpets"},
		},
		"translocated": {
			system: "darwin", exe: "/private/var/folders/x/T/AppTranslocation/0-1/d/PlayPets.app/Contents/MacOS/playpets",
			want: Program{Path: "/private/var/folders/x/T/AppTranslocation/0-1/d/PlayPets.app/Contents/MacOS/playpets", Translocated: true},
		},
		"Windows": {
			system: "windows", exe: `C:\Users\me\AppData\Local\Programs\PlayPets\playpets.exe`, links: []string{"", "playpets"},
			want: Program{Path: `C:\Users\me\AppData\Local\Programs\PlayPets\playpets.exe`},
		},
		"Windows, the twin without a console": {
			system: "windows", exe: `C:\PP\playpetsw.exe`, also: []string{`C:\PP\playpets.exe`},
			want: Program{Path: `C:\PP\playpets.exe`},
		},
		"Windows, the twin alone": {
			system: "windows", exe: `C:\PP\playpetsw.exe`,
			want: Program{Path: `C:\PP\playpetsw.exe`},
		},
		"link of winget": {
			system: "windows", exe: `C:\w\Packages\PlayPets_1\playpets.exe`, links: []string{`C:\w\Links\playpets.exe`},
			linked: map[string]string{`C:\w\Links\playpets.exe`: `C:\w\Packages\PlayPets_1\playpets.exe`},
			want:   Program{Path: `C:\w\Links\playpets.exe`},
		},
		"package": {
			system: "windows", exe: `C:\Program Files\WindowsApps\PlayPets_1.2.3.0_x64__abc\playpetsw.exe`, family: "PlayPets_abc",
			env:  map[string]string{"LOCALAPPDATA": `C:\Users\me\AppData\Local`},
			want: Program{Path: `C:\Users\me\AppData\Local\Microsoft\WindowsApps\PlayPets_abc\playpets.exe`, Packaged: true},
		},
	} {
		files := append(test.also, test.links...)
		if !test.gone {
			files = append(files, test.exe)
		}
		got := findings{
			system: test.system, exe: test.exe, links: test.links, family: test.family,
			getenv: func(key string) string { return test.env[key] },
			exists: func(path string) bool { return slices.Contains(files, path) },
			same:   func(a, b string) bool { return a == b || test.linked[a] == b },
		}.program()
		if got != test.want {
			t.Errorf("%s: %+v, not %+v", name, got, test.want)
		}
	}
}

// install makes a copy of this test, called as the program is, in a new folder
// of that name, and returns its path.
func install(folder string) (path string, err error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	return path, os.WriteFile(path, data, 0o700)
}

// TestMain runs the tests from a copy that is installed and called as the program
// is: the one that `go test` built just to run it is neither. It is the program as
// well, and says what it finds of itself.
func TestMain(m *testing.M) {
	if os.Getenv("INSTALLER_FIND") != "" {
		p, err := Find()
		fmt.Print(p.Path, p.Temporary, CanStartAtLogin(), err)
		return
	}
	if exe, err := os.Executable(); err != nil || strings.TrimSuffix(filepath.Base(exe), ".exe") == name {
		os.Exit(m.Run())
	}
	os.Exit(runInstalled())
}

func runInstalled() int {
	dir, err := os.MkdirTemp("", "installer")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	exe, err := install(dir)
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(exe, os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Run()
	return cmd.ProcessState.ExitCode()
}

// TestFind runs a real program by the links that people have.
func TestFind(t *testing.T) {
	t.Setenv("INSTALLER_FIND", "1")
	find := func(start, path string) string {
		t.Helper()
		cmd := exec.Command(start)
		cmd.Env = append(os.Environ(), "PATH="+path)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	exe, err := install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	built, err := install(mkdir(t, "go-build1"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := find(built, ""), fmt.Sprint(built, true, false, nil); got != want {
		t.Errorf("go run: found %q, not %q", got, want)
	}
	links := t.TempDir()
	link := filepath.Join(links, filepath.Base(exe))
	os.Symlink(exe, link)
	if _, err := os.Stat(link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for _, test := range []struct{ what, start, path, want string }{
		{"linked from the PATH", exe, links, link},
		{"started by the link", link, "", link},
		{"neither", exe, "", exe},
	} {
		if got, want := find(test.start, test.path), fmt.Sprint(test.want, false, true, nil); got != want {
			t.Errorf("%s: found %q, not %q", test.what, got, want)
		}
	}
}

// mkdir makes a folder of that name.
func mkdir(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSame(t *testing.T) {
	exe, err := install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := Program{Path: exe}
	if !p.Same(exe) || p.Same(exe+"x") || p.Same(t.TempDir()) {
		t.Error("Same cannot tell this program from others")
	}
	alias := Program{Path: filepath.Join("X", "playpets.exe"), Packaged: true}
	if !alias.Same(filepath.Join("x", ".", "Playpets.exe")) || alias.Same("playpets.exe") {
		t.Error("Same cannot tell the alias of a package from others")
	}
}
