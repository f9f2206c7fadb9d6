package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/playpets/playpets"

// arrows is the house: which room may import which other rooms of ours. A new
// arrow is added here, in the commit that needs it, with its reason. Rooms
// that stand here and not yet on disk are those that the design has fixed.
var arrows = map[string][]string{
	".": {"agents/cli", "tray",
		"agents/hook"}, // main links the fast door first of all

	"agents":      {},
	"i18n":        {},
	"notify":      {},
	"installer":   {},
	"bridge/line": {},

	"agents/speech": {"agents"}, // judges what is shown, which is agents.Plain
	"bridge/openpets": {"agents", "agents/speech",
		"bridge/line"}, // how a file with a token in it is written
	"bridge":              {"agents", "agents/speech", "bridge/line"},
	"snippets":            {"agents"},
	"snippets/edit":       {},
	"tray/overlay":        {"agents", "tray/overlay/bubble", "tray/wayland"},
	"tray/overlay/bubble": {"agents"},
	"tray/wayland":        {},
	"tray/desktop":        {},
	"tray/icon":           {},
	"tray/leases":         {"agents"},
	"tray/clipboard":      {"tray/wayland"},
	"agents/hook":         {"agents", "bridge/line"},
	"tray/friends":        {"agents", "i18n", "tray/friends/builtin"},
	"agents/mcpserver":    {"bridge", "agents", "agents/speech"},
	"agents/cli": {"bridge", "agents", "agents/mcpserver", "installer", "snippets", "snippets/edit",
		"agents/hook",  // `playpets --bridge X hook claude` comes through cobra
		"bridge/line"}, // where bridge.json is when nobody says so

	// The drawings: the sheets as bytes, and the program that makes them.
	"tray/friends/builtin": {},
	"tray/friends/art":     {},

	"tray": {"agents", "bridge", "bridge/line", "bridge/openpets", "tray/friends", "tray/overlay", "tray/overlay/bubble",
		"tray/desktop", "tray/clipboard", "tray/icon", "tray/leases",
		"notify", "snippets", "i18n", "installer",
		"snippets/edit"}, // config.toml keeps its comments and order
}

// outside says which rooms alone may import a library that reaches into the
// system: windows, menus, notices, the command line.
var outside = map[string][]string{
	"github.com/jezek/xgb":          {"tray/overlay", "tray/clipboard"},
	"github.com/godbus/dbus/v5":     {"tray/desktop", "notify", "tray/clipboard"},
	"fyne.io/systray":               {"tray"},
	"github.com/fsnotify/fsnotify":  {"tray"},
	"github.com/gen2brain/beeep":    {"notify"},
	"github.com/spf13/cobra":        {"agents/cli"},
	"github.com/mark3labs/mcp-go":   {"agents/mcpserver"},
	"github.com/Microsoft/go-winio": {"bridge/openpets"},
}

func TestArrows(t *testing.T) {
	rooms := 0
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if p != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "tools") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		rooms++
		checkImports(t, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rooms < 10 {
		t.Errorf("read %d Go files: the walk has lost its way", rooms)
	}
}

// TestFastDoor: no arrow leads from agents/hook to the room that compiles
// expressions and normalises text, which would cost more than a hook's work.
func TestFastDoor(t *testing.T) {
	for reached := []string{"agents/hook"}; len(reached) > 0; reached = reached[1:] {
		if reached[0] == "agents/speech" {
			t.Error("agents/hook reaches agents/speech")
		}
		reached = append(reached, arrows[reached[0]]...)
	}
}

func checkImports(t *testing.T, file string) {
	room := path.Dir(filepath.ToSlash(file))
	allowed, known := arrows[room]
	if !known {
		t.Errorf("%s: room %q is not in the table of arrows", file, room)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if ours, ok := strings.CutPrefix(imported, module+"/"); ok && !slices.Contains(allowed, ours) {
			t.Errorf("%s: arrow %s → %s is not in the table", file, room, ours)
		}
		for lib, homes := range outside {
			if (imported == lib || strings.HasPrefix(imported, lib+"/")) && !slices.Contains(homes, room) {
				t.Errorf("%s: only %s imports %s", file, strings.Join(homes, ", "), lib)
			}
		}
	}
}

// TestTopLevel keeps the top level to the rooms of the design.
func TestTopLevel(t *testing.T) {
	allowed := []string{"agents", "bridge", "docs", "i18n", "installer", "notify", "snippets", "testdata", "tools", "tray"}
	dirs, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if strings.HasPrefix(d, ".") {
			continue
		}
		if fi, err := filepath.Glob(d + "/*"); err == nil && len(fi) > 0 && !slices.Contains(allowed, d) {
			t.Errorf("folder %q is not part of the house", d)
		}
	}
}
