//go:build linux

package main

import (
	"encoding/json"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// file is what stands in a file of the data folder; empty if it is not there.
func (h home) file(name string) string {
	data, _ := os.ReadFile(filepath.Join(h.data, name))
	return string(data)
}

// TestEveryMenuItem clicks everything in the tray's menu on a desktop of real parts,
// and looks for what it does where that must show.
func TestEveryMenuItem(t *testing.T) {
	d := newPanelDesktop(t)
	d.panel()
	app := d.keeps(d.program)
	d.until("the icon", func() bool { return len(d.icons()) == 1 })
	d.until("the friends", d.friends)

	set := func(line string) func() bool {
		return func() bool { return strings.Contains(d.file("config.toml"), "\n"+line+"\n") }
	}
	unset := func(line string) func() bool { return func() bool { return !set(line)() } }
	remembered := func(what string) func() bool {
		return func() bool { return regexp.MustCompile(what).MatchString(d.file("state.json")) }
	}
	forgotten := func(what string) func() bool { return func() bool { return !remembered(what)() } }
	wasOpened := func(name string) func() bool {
		return func() bool {
			text, _ := os.ReadFile(d.opened)
			return strings.Contains(string(text), name+"\n")
		}
	}
	copied := func(what string) func() bool {
		return func() bool { return strings.Contains(d.tool("xclip", "-o", "-selection", "clipboard"), what) }
	}
	friends := func(want string) func() bool {
		return func() bool {
			var ids []string
			for _, f := range d.status().Friends {
				ids = append(ids, f.ID)
			}
			return strings.Join(ids, " ") == want
		}
	}
	checked := func(path string) func() bool {
		return func() bool { e, ok := d.find(path); return ok && e.checked }
	}
	quiet := func() bool { return paper(d.screen()) < 500 } // nobody says anything
	said := func() bool { return paper(d.screen()) > 1500 }
	notified := func(count string) func() bool {
		return func() bool { return strings.TrimSpace(d.tool("dunstctl", "count", "displayed")) == count }
	}

	clicked, last := map[string]bool{}, entry{}
	for _, step := range []struct {
		path string
		does func() bool
	}{
		{"Friends ▸ Bori — resting ▸ On the screen", remembered(`"hidden": \[\s*"bori"`)},
		{"Friends ▸ Bori — resting · hidden ▸ On the screen", forgotten(`"hidden"`)},
		{"Friends ▸ Mochi — resting ▸ On the screen", remembered(`"hidden": \[\s*"mochi"`)},
		{"Friends ▸ Mochi — resting · hidden ▸ On the screen", forgotten(`"hidden"`)},
		{"Friends ▸ Ssak — resting ▸ On the screen", remembered(`"hidden": \[\s*"ssak"`)},
		{"Friends ▸ Ssak — resting · hidden ▸ On the screen", forgotten(`"hidden"`)},
		{"Friends ▸ Ssak — resting ▸ Make first", friends("ssak mochi bori")},
		{"Friends ▸ Bori — resting ▸ Make first", friends("bori ssak mochi")},
		{"Friends ▸ Mochi — resting ▸ Make first", friends("mochi bori ssak")},
		{"Friends ▸ Open the friends folder", wasOpened("/friends")},

		{"Agents ▸ Claude Code ▸ Bori", set(`claude = "bori"`)},
		{"Agents ▸ Claude Code — Bori ▸ Ssak", set(`claude = "ssak"`)},
		{"Agents ▸ Claude Code — Ssak ▸ Mochi", set(`claude = "mochi"`)},
		{"Agents ▸ Claude Code — Mochi ▸ First friend (Mochi)", unset(`claude = "mochi"`)},
		{"Agents ▸ Claude Code ▸ Copy settings", copied("hook claude")},
		{"Agents ▸ Claude Code ▸ Copy MCP settings", copied(`"type": "stdio"`)},
		{"Agents ▸ Claude Code ▸ Show where to paste", said},
		{"Agents ▸ Codex ▸ Copy settings for ~/.codex/config.toml", copied("notify = [")},
		{"Agents ▸ Codex ▸ Copy settings for ~/.codex/hooks.json", copied("hook codex")},
		{"Agents ▸ Codex ▸ Copy MCP settings", copied("[mcp_servers.playpets]")},
		{"Agents ▸ Gemini CLI ▸ Copy settings", copied("hook gemini")},
		{"Agents ▸ Gemini CLI ▸ Copy MCP settings", copied(`"mcpServers"`)},
		{"Agents ▸ Cursor ▸ Copy settings", copied("hook cursor")},
		{"Agents ▸ Cursor ▸ Copy MCP settings", copied(`"mcpServers"`)},
		{"Agents ▸ Other MCP tools ▸ Copy MCP settings", copied(`"mcpServers"`)},

		{"Show friends", func() bool { return !d.friends() }},
		{"Show friends", d.friends},
		{"Size ▸ Small", set("size = 75")},
		{"Size ▸ Large", set("size = 150")},
		{"Size ▸ Very large", set("size = 200")},
		{"Size ▸ Medium", set("size = 100")},
		{"Motion ▸ Lively", set(`motion = "lively"`)},
		{"Motion ▸ Hardly any", set(`motion = "reduced"`)},
		{"Motion ▸ Calm", set(`motion = "calm"`)},
		{"Motion ▸ Same as the system", set(`motion = "system"`)},

		{"Quiet ▸ For 30 minutes", remembered(`"quiet_until"`)},
		{"QUIET ▸ For 1 hour", remembered(`"quiet_until"`)},
		{"QUIET ▸ Until tomorrow 8:00", remembered(`"quiet_until": "\d{4}-\d\d-\d\dT08:00:00`)},
		{"QUIET ▸ Until I turn it off", remembered(`"quiet_until": "9999`)},
		{"QUIET ▸ Turn off now", forgotten(`"quiet_until"`)},

		{"Notifications ▸ When an agent is done", set("done = false")},
		{"Notifications ▸ When an agent is done", set("done = true")},
		{"Notifications ▸ When something fails", set("error = false")},
		{"Notifications ▸ When something fails", set("error = true")},
		{"Notifications ▸ When an agent needs me", set("waiting = false")},
		{"Notifications ▸ When an agent needs me", set("waiting = true")},
		{"Notifications ▸ Play a sound", set("sound = true")},
		{"Notifications ▸ Play a sound", set("sound = false")},
		{"Notifications ▸ Skip short tasks", set(`min_task = "0s"`)},
		{"Notifications ▸ Skip short tasks", set(`min_task = "10s"`)},
		{"Notifications ▸ Send a test notification", notified("1")},

		{"Language ▸ 한국어", func() bool { _, ok := d.find("언어 ▸ English"); return ok }},
		{"언어 ▸ English", checked("Language ▸ English")},
		{"Language ▸ Same as the system", checked("Language ▸ Same as the system")},
		{"Start at login", func() bool {
			_, err := os.Stat(filepath.Join(d.person, ".config/autostart/playpets.desktop"))
			return err == nil
		}},
		{"Start at login", func() bool {
			_, err := os.Stat(filepath.Join(d.person, ".config/autostart/playpets.desktop"))
			return err != nil
		}},
		{"Settings…", wasOpened("/config.toml")},
		{"Help ▸ Getting started", wasOpened("/getting-started.txt")},
		{"Help ▸ Check setup", wasOpened("/check.txt")},
		{"Friends ▸ Ssak — resting ▸ Send away ▸ Send Ssak away", friends("mochi bori")},
	} {
		path := step.path
		if under, quiet := strings.CutPrefix(path, "QUIET"); quiet { // its label has the time
			for _, e := range d.menu().entries {
				if strings.HasPrefix(e.label, "Quiet — until") {
					path = e.label + under
				}
			}
		}
		// A second click means what the first one meant until the panel shows another mark.
		d.until("the mark of "+path, func() bool {
			e, ok := d.find(path)
			return ok && (e.path != last.path || e.checked != last.checked)
		})
		last, _ = d.find(path)
		d.click(path)
		clicked[step.path] = true
		d.until(step.path+" has done it", step.does)
	}

	d.tool("xdotool", "mousemove", "1165", "740", "mousedown", "1", "mousemove", "800", "500", "mousemove", "400", "300", "mouseup", "1")
	astray := func() bool { return colours(part(d.screen(), image.Rect(320, 200, 480, 320))) > 50 }
	d.until("a friend is dragged away", astray)
	d.click("Bring friends back to this screen")
	clicked["Bring friends back to this screen"] = true
	d.until("it is back", func() bool { return !astray() })

	d.until("the menu knows that Ssak left", func() bool {
		return !slices.ContainsFunc(d.menu().all(), func(e entry) bool { return strings.Contains(e.path, "Ssak") })
	})

	// Each place was clicked, whatever its state was then.
	states := regexp.MustCompile(` — (resting|until [^▸]*)( · hidden)?`)
	same := func(path string) string {
		return states.ReplaceAllString(strings.Replace(path, "QUIET", "Quiet", 1), "")
	}
	var done []string
	for path := range clicked {
		done = append(done, same(strings.Replace(path, "언어", "Language", 1)))
	}
	for _, e := range d.menu().all() {
		path := same(e.path)
		switch {
		case path == "Quit PlayPets" || strings.HasPrefix(path, "Help ▸ About PlayPets"):
		case slices.Contains(done, path), strings.Contains(path, "Show where to paste"), strings.HasSuffix(path, " away"):
		case strings.HasPrefix(path, "Agents ▸") && slices.Contains([]string{"Mochi", "Bori", "First friend (Mochi)"}, path[strings.LastIndex(path, " ▸ ")+len(" ▸ "):]):
		default:
			t.Errorf("nobody clicked %s", e.path)
		}
	}

	for _, e := range d.menu().all() {
		if strings.HasPrefix(e.label, "About PlayPets") {
			d.until("silence", quiet)
			d.click(e.path)
			d.until("a friend says what PlayPets is", said)
		}
	}
	d.click("Quit PlayPets")
	if err := app.Wait(); err != nil {
		t.Errorf("after Quit: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(d.data, "bridge.json")); err == nil {
		t.Error("after Quit bridge.json is there")
	}
}

// TestPastedFromTheMenu pastes what the menu copied and runs its command line with a
// recorded payload, as the agent would.
func TestPastedFromTheMenu(t *testing.T) {
	d := newPanelDesktop(t)
	d.panel()
	d.start()
	d.until("the icon", func() bool { return len(d.icons()) == 1 })
	d.click("Agents ▸ Claude Code ▸ Copy settings")
	var pasted struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	d.until("settings in the clipboard", func() bool {
		return json.Unmarshal([]byte(d.tool("xclip", "-o", "-selection", "clipboard")), &pasted) == nil
	})
	hook := exec.Command("sh", "-c", pasted.Hooks["PermissionRequest"][0].Hooks[0].Command)
	hook.Stdin = strings.NewReader(payload(t, "claude/PermissionRequest.json"))
	if out, err := hook.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("the pasted hook: %v %q", err, out)
	}
	if first := d.status().Friends[0]; first.State != "waiting" {
		t.Errorf("the first friend is %s", first.State)
	}
	d.until("a notification", func() bool { return strings.Contains(d.tool("dunstctl", "count", "displayed"), "1") })
	d.until("the menu tells it", func() bool { return strings.Contains(d.menu().entries[0].label, "1 needs you") })
}

// TestPanelComesBack kills the panel, also after a notification was shown: the icon is
// in the next one.
func TestPanelComesBack(t *testing.T) {
	d := newPanelDesktop(t)
	panel := d.panel()
	d.start()
	for range 2 {
		d.until("the icon", func() bool { return len(d.icons()) == 1 })
		if _, errs, code := d.run("", "notify-test"); code != 0 {
			t.Fatalf("notify-test: %s", errs)
		}
		panel.Process.Kill()
		d.until("no panel", func() bool { return !d.has("org.kde.StatusNotifierWatcher") })
		panel = d.panel()
	}
	d.until("the icon, once", func() bool { return len(d.icons()) == 1 })
	d.click("Quiet ▸ For 1 hour")
	d.until("its menu works", func() bool { return strings.Contains(d.file("state.json"), "quiet_until") })
}
