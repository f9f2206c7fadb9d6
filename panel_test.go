//go:build linux

package main

import (
	"bufio"
	"image"
	"image/draw"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// panelDesktop is a whole desktop of its own: X server, window manager, session bus,
// panel, notification daemon. Programs that open files are stood in for by one that
// notes what it was given.
type panelDesktop struct {
	home
	bus    *dbus.Conn
	person string   // the home folder
	opened string   // the file with what was opened, a path a line
	around []string // the environment of everything on it
}

func newPanelDesktop(t *testing.T) *panelDesktop {
	t.Helper()
	needs(t, "Xvfb", "openbox", "dbus-daemon", "xfce4-panel", "dunst", "dunstctl", "xdotool", "xclip")
	_, display := xServer(t)
	d := &panelDesktop{person: t.TempDir()}
	d.opened = filepath.Join(d.person, "opened")
	bin, run := filepath.Join(d.person, "bin"), filepath.Join(d.person, "run")
	for _, dir := range []string{bin, run, filepath.Join(d.person, ".config")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	note := "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '" + d.opened + "'\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(note), 0o700); err != nil {
		t.Fatal(err)
	}
	d.around = []string{"HOME=" + d.person, "XDG_RUNTIME_DIR=" + run,
		"XDG_CONFIG_HOME=" + filepath.Join(d.person, ".config"), "XDG_DATA_HOME=" + filepath.Join(d.person, ".local/share"),
		"PATH=" + bin + ":" + os.Getenv("PATH"), "PLAYPETS_LANG=", "LC_ALL=C.UTF-8", "DISPLAY=" + display}
	d.around = append([]string{"DBUS_SESSION_BUS_ADDRESS=" + d.startBus(t)}, d.around...)
	d.home = newHome(t, d.around...)
	d.keeps("openbox", "--sm-disable")
	d.keeps("dunst")
	return d
}

// startBus starts the session bus and returns its address.
func (d *panelDesktop) startBus(t *testing.T) string {
	t.Helper()
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1")
	daemon.Env = append(os.Environ(), d.around...)
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(daemon) })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("dbus-daemon names no address: %v", err)
	}
	address = strings.TrimSpace(address)
	if d.bus, err = dbus.Connect(address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.bus.Close() })
	return address
}

// keeps runs a program of the desktop until the test ends.
func (d *panelDesktop) keeps(name string, args ...string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), d.around...)
	if d.env != nil {
		cmd.Env = d.env
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) // its plug-ins too
		cmd.Wait()
	})
	return cmd
}

// tool runs a program on the desktop and returns what it prints.
func (d *panelDesktop) tool(name string, args ...string) string {
	d.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), d.around...)
	out, _ := cmd.Output() // what it could not do is missed below
	return string(out)
}

// panel starts a panel. Its tray is the watcher as well as the host.
func (d *panelDesktop) panel() *exec.Cmd {
	d.t.Helper()
	panel := d.keeps("xfce4-panel", "--disable-wm-check")
	d.until("the panel is there", func() bool { return d.has("org.kde.StatusNotifierWatcher") })
	return panel
}

// friends reports whether friends stand in their corner.
func (d *panelDesktop) friends() bool {
	return colours(part(d.screen(), image.Rect(820, 600, 1280, 800))) > 200
}

// part is a copy of a part of a picture.
func part(m *image.RGBA, r image.Rectangle) *image.RGBA {
	p := image.NewRGBA(r.Intersect(m.Bounds()))
	draw.Draw(p, p.Bounds(), m, p.Bounds().Min, draw.Src)
	return p
}

// has reports whether somebody owns a name on the bus.
func (d *panelDesktop) has(name string) (owned bool) {
	d.bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&owned)
	return owned
}

// icons are those that the panel shows.
func (d *panelDesktop) icons() (all []string) {
	v, err := d.bus.Object("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher").GetProperty("org.kde.StatusNotifierWatcher.RegisteredStatusNotifierItems")
	if err == nil {
		all, _ = v.Value().([]string)
	}
	return all
}

// entry is one entry of the menu, as the panel reads it.
type entry struct {
	id       int32
	label    string
	path     string // the labels down to it, with " ▸ " between
	hidden   bool
	disabled bool
	checked  bool
	entries  []entry
}

// menu reads the menu of the icon. It is asked for twice: the first answer of a
// start has no submenus.
func (d *panelDesktop) menu() entry {
	d.t.Helper()
	icons := d.icons()
	if len(icons) != 1 {
		d.t.Fatalf("the panel shows %q", icons)
	}
	owner, _, _ := strings.Cut(icons[0], "/")
	var root layout
	for range 2 {
		var revision uint32
		call := d.bus.Object(owner, "/StatusNotifierItem/menu").Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{})
		if err := call.Store(&revision, &root); err != nil {
			d.t.Fatal(err)
		}
	}
	return root.entry("")
}

// layout is an item as com.canonical.dbusmenu has it.
type layout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

func (l layout) entry(above string) entry {
	e := entry{id: l.ID}
	text, _ := l.Properties["label"].Value().(string)
	e.label = strings.ReplaceAll(text, "__", "_")
	e.path = strings.TrimPrefix(above+" ▸ "+e.label, " ▸ ")
	if shown, set := l.Properties["visible"].Value().(bool); set {
		e.hidden = !shown
	}
	if enabled, set := l.Properties["enabled"].Value().(bool); set {
		e.disabled = !enabled
	}
	state, _ := l.Properties["toggle-state"].Value().(int32)
	e.checked = state == 1
	for _, child := range l.Children {
		var c layout
		if dbus.Store([]any{child.Value()}, &c) == nil {
			e.entries = append(e.entries, c.entry(e.path))
		}
	}
	return e
}

// all lists what can be clicked below an entry.
func (e entry) all() (leaves []entry) {
	for _, c := range e.entries {
		switch {
		case c.hidden || c.disabled || c.label == "":
		case len(c.entries) > 0:
			leaves = append(leaves, c.all()...)
		default:
			leaves = append(leaves, c)
		}
	}
	return leaves
}

// find is the entry at a path that can be clicked.
func (d *panelDesktop) find(path string) (e entry, ok bool) {
	for _, e := range d.menu().all() {
		if e.path == path {
			return e, true
		}
	}
	return entry{}, false
}

// click clicks an entry, which may come soon.
func (d *panelDesktop) click(path string) {
	d.t.Helper()
	var e entry
	d.until("the menu has "+path, func() (ok bool) { e, ok = d.find(path); return ok })
	owner, _, _ := strings.Cut(d.icons()[0], "/")
	call := d.bus.Object(owner, "/StatusNotifierItem/menu").Call("com.canonical.dbusmenu.Event", 0, e.id, "clicked", dbus.MakeVariant(int32(0)), uint32(time.Now().Unix()))
	if call.Err != nil {
		d.t.Fatalf("%s: %v", path, call.Err)
	}
}
