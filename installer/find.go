package installer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// name is how the program is called where it is installed. On Windows it has a
// twin that opens no console (see windowless).
const name = "playpets"

// Program is this program as others start it.
type Program struct {
	// Path is absolute, and stays right when the program is updated, as far as
	// that can be known: the link that a package manager keeps and not the
	// versioned file behind it, an AppImage's own file, the alias of a Windows
	// package.
	Path string

	Temporary    bool // it is gone soon, or already: `go run`, or deleted
	Translocated bool // macOS runs a copy of a download: it must be moved to Applications first
	Packaged     bool // as a Windows package: what starts at login is the system's business
}

// Find finds this program. The error says why the system does not know it.
func Find() (Program, error) {
	exe, err := os.Executable()
	if err != nil {
		return Program{}, fmt.Errorf("find this program: %w", err)
	}
	family, err := packageFamily()
	if err != nil {
		return Program{}, fmt.Errorf("find this program's package: %w", err)
	}
	onPath, _ := exec.LookPath(name) // whoever has none on the PATH starts it in another way
	return findings{
		system: runtime.GOOS, exe: exe, family: family, getenv: os.Getenv,
		links:  []string{onPath, os.Args[0]},
		exists: exists, same: sameFile,
	}.program(), nil
}

// findings is what is known of the running program.
type findings struct {
	system string   // a GOOS
	exe    string   // its file
	links  []string // other paths that may lead to that file, best first
	family string   // of its Windows package; empty for none
	getenv func(string) string
	exists func(path string) bool
	same   func(a, b string) bool // whether they are one file
}

func (f findings) program() Program {
	switch image := f.getenv("APPIMAGE"); {
	case f.family != "":
		return Program{Path: join(`\`, f.getenv("LOCALAPPDATA"), "Microsoft", "WindowsApps", f.family, name+".exe"), Packaged: true}
	case f.system == "linux" && image != "" && within(f.exe, f.getenv("APPDIR")):
		return Program{Path: image, Temporary: !f.exists(image)}
	case f.system == "darwin" && strings.Contains(f.exe, "/AppTranslocation/"):
		return Program{Path: f.exe, Translocated: true}
	case !f.exists(f.exe) || builtToRun(f.exe):
		return Program{Path: f.exe, Temporary: true}
	}
	if console := strings.TrimSuffix(f.exe, windowless) + name + ".exe"; f.system == "windows" && strings.HasSuffix(f.exe, windowless) && f.exists(console) {
		return Program{Path: console}
	}
	// os.Executable on Linux, unlike elsewhere, names the file behind all links.
	for _, link := range f.links {
		if f.absolute(link) && f.same(link, f.exe) {
			return Program{Path: link}
		}
	}
	return Program{Path: f.exe}
}

// windowless is the end of the path of the twin that Windows' desktop starts:
// agents need the one that has a console.
const windowless = name + "w.exe"

// within reports whether a file lies in a folder. Every program that an AppImage
// starts inherits its variables.
func within(file, folder string) bool {
	return folder != "" && strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// builtToRun reports whether the go command built the program just to run it:
// in a temporary folder such as go-build123, or in its cache, below a folder
// that is called after 64 digits and -d.
func builtToRun(exe string) bool {
	parts := strings.FieldsFunc(exe, func(r rune) bool { return r == '/' || r == '\\' })
	for i, part := range parts {
		rest, ok := strings.CutPrefix(part, "go-build")
		if ok && strings.Trim(rest, "0123456789") == "" {
			return true
		}
		hash, ok := strings.CutSuffix(part, "-d")
		if ok && i == len(parts)-2 && len(hash) == 64 && strings.Trim(hash, "0123456789abcdef") == "" {
			return true
		}
	}
	return false
}

// absolute is filepath.IsAbs of the system in question. A link relative to the
// folder that somebody happens to be in is no use.
func (f findings) absolute(path string) bool {
	if f.system == "windows" {
		return len(path) > 2 && path[1] == ':' || strings.HasPrefix(path, `\\`)
	}
	return strings.HasPrefix(path, "/")
}

func join(separator string, parts ...string) string { return strings.Join(parts, separator) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// Same reports whether a path leads to this program. What lies behind the alias
// of a Windows package cannot be compared, so that one counts by its name.
func (p Program) Same(path string) bool {
	if p.Packaged {
		return strings.EqualFold(filepath.Clean(path), filepath.Clean(p.Path))
	}
	return sameFile(path, p.Path)
}
