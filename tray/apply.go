package tray

import (
	"maps"
	"slices"
	"time"

	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/notify"
	"github.com/playpets/playpets/tray/desktop"
)

// apply has the settings take effect while the app runs.
func (a *app) apply(s settings) {
	a.Configure(s.lifetimes(), s.AgentPets)
	a.notePicked(s.AgentPets)
	a.notices.SetRules(s.rules())
	if words := i18n.New(s.language()); words.Lang() != a.words().Lang() {
		a.speech.Store(words)
		a.Respeak()
	}
	a.setLook()
	if a.door != nil {
		a.door.SetMode(s.OpenPets.IPC)
	}
	a.refresh()
}

// follow has friends look as the desktop says, and rest while nobody sees them.
func (a *app) follow(now desktop.State) {
	a.mu.Lock()
	a.desktop = now
	a.mu.Unlock()
	a.setLook()
	if a.display != nil {
		a.display.Pause(now.Away)
	}
	a.endQuiet() // its time may have come while the machine slept
}

// rules are what is told by notifications.
func (s settings) rules() notify.Rules {
	n := s.Notifications
	return notify.Rules{Done: n.Done, Failed: n.Error, Waiting: n.Waiting, MinTask: time.Duration(n.MinTask)}
}

// notePicked remembers which friends were ever chosen for an agent: what was
// pasted then names one of them.
func (a *app) notePicked(agentPets map[string]string) {
	for _, agent := range slices.Sorted(maps.Keys(agentPets)) {
		if p := (pick{agent, agentPets[agent]}); !slices.Contains(a.notebook.get().Picked, p) {
			a.notebook.change(func(s *state) { s.pick(p) })
		}
	}
}

// meant is the friend that a report is for. What was pasted into an agent's settings
// names the friend that was its own at that time: who has chosen another one since
// need not paste again. Every other name is the agent's or a person's own choice.
func (a *app) meant(agent, pet string) string {
	if a.notebook.get().picked(agent, pet) {
		return ""
	}
	return pet
}

// settings are those of the moment.
func (a *app) settings() settings {
	if a.config == nil {
		return a.started
	}
	return a.config.get()
}

// setLook has friends look as the settings and the desktop want it.
func (a *app) setLook() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.display != nil {
		a.display.SetLook(a.settings().look(a.desktop))
	}
}
