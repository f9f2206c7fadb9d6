package tray

import (
	"context"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/bridge/openpets"
	"github.com/playpets/playpets/installer"
)

// stranger is the app as OpenPets' clients see it.
type stranger struct{ backend }

// Pets lists the friends, with why nobody can see one.
func (s stranger) Pets() []openpets.Pet {
	builtin := map[string]bool{}
	for _, p := range s.Packages() {
		builtin[p.ID] = p.Builtin
	}
	var all []openpets.Pet
	for _, f := range s.Status() {
		all = append(all, openpets.Pet{ID: f.ID, Name: f.Name, Builtin: builtin[f.ID], Unseen: f.Unseen})
	}
	return all
}

// Held is a lease that lives.
func (s stranger) Held(lease string) (agents.Lease, bool) {
	held, ok := s.leases.Get(lease)
	return held.Lease, ok
}

// Report is the bridge's, with a sentence as the bridge would have made it.
func (s stranger) Report(r agents.Report) (string, error) {
	r.Message = bridge.Clean(r.Message)
	return s.backend.Report(r)
}

// Say is the bridge's, with a sentence as the bridge would have made it.
func (s stranger) Say(to agents.Target, message string) (string, error) {
	return s.backend.Say(to, bridge.Clean(message))
}

// checkOpenPets tells who answers the programs that were made for OpenPets.
func checkOpenPets(context.Context) installer.Check {
	const id, who = "openpets", "programs made for OpenPets"
	var mode string
	if dir, err := settingsDir(); err == nil {
		mode = readConfig(settingsPath(dir)).settings.OpenPets.IPC
	}
	place, err := openpets.Look()
	switch {
	case err != nil:
		return odd(id, who+" find no friend: "+installer.Reason(err), "")
	case place.Live && place.Ours:
		return good(id, who+" reach the friends")
	case place.Live && mode == openpets.On:
		return odd(id, "another program answers "+who+", and ipc is \"on\"", "PlayPets takes the place back within a minute.")
	case place.Live:
		return good(id, "another program answers "+who+", as OpenPets does")
	case mode == openpets.Off:
		return good(id, who+" do not reach the friends: ipc is \"off\" in config.toml")
	case appRuns():
		return odd(id, who+" do not reach the friends, though the app runs", "playpets.log says why; a place that was left is taken within a minute.")
	}
	return good(id, who+" reach the friends when the app runs")
}

func appRuns() bool {
	path, err := line.DefaultPath()
	if err != nil {
		return false
	}
	held, err := line.Held(path)
	return err == nil && held
}
