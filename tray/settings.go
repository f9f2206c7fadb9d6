package tray

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/friends"
)

// settingsVersion is the newest form of config.toml that this program reads.
const settingsVersion = 1

// settings is config.toml. Every key is optional; template.toml says what each
// means.
type settings struct {
	Version  int    `toml:"version"`
	Language string `toml:"language"` // "ko"; empty: the system's
	Theme    string `toml:"theme"`    // of bubbles, one of themes; empty: the system's
	Size     int    `toml:"size"`     // percent, 50 to 300; 0: 100
	Motion   string `toml:"motion"`   // one of motions; empty: the system's
	Show     struct {
		When string `toml:"when"` // one of whens; empty: always
	} `toml:"show"`
	AgentPets     map[string]string `toml:"agent_pets"`
	Notifications struct {
		Done    bool `toml:"done"`
		Error   bool `toml:"error"`
		Waiting bool `toml:"waiting"`
		Sound   bool `toml:"sound"`
		MinTask span `toml:"min_task"` // zero: every task is told
	} `toml:"notifications"`
	OpenPets struct {
		IPC string `toml:"ipc"` // one of openpets.Modes; empty: the first of them
	} `toml:"openpets"`
	Lifetimes struct { // how long a state lasts that no event renews; zero: the store's own
		Working duration `toml:"working"`
		Waiting duration `toml:"waiting"`
		Error   duration `toml:"error"`
		Done    duration `toml:"done"`
	} `toml:"lifetimes"`
}

// defaults are the settings of nobody who has written any. What is not set here
// has its default where it is used.
func defaults() (s settings) {
	n := &s.Notifications
	n.Done, n.Error, n.Waiting, n.MinTask = true, true, true, span(10*time.Second)
	return s
}

// The words that settings know.
var (
	themes  = []string{"system", "light", "dark"}
	motions = []string{"system", "calm", "lively", "reduced"}
	whens   = []string{"always", "active", "never"}
)

// lifetimes hands over what is set; zero means the store's own default.
func (s settings) lifetimes() friends.Lifetimes {
	l := s.Lifetimes
	return friends.Lifetimes{
		Working: time.Duration(l.Working), Waiting: time.Duration(l.Waiting),
		Error: time.Duration(l.Error), Done: time.Duration(l.Done),
	}
}

// duration is a time.Duration written as in "15m" or "24h", above zero.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is not a time such as \"15m\" or \"24h\"", text)
	}
	*d = duration(v)
	return nil
}

// span is a time.Duration written as in "10s", zero or more.
type span time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *span) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a time such as \"10s\" or \"0s\"", text)
	}
	*s = span(v)
	return nil
}

// settingsDir is the folder of config.toml, as the design's table of files
// gives it.
func settingsDir() (string, error) {
	if dir := os.Getenv("PLAYPETS_DATA"); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the settings folder: %w", err)
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return filepath.Join(root, "PlayPets"), nil
	}
	return filepath.Join(root, "playpets"), nil
}

// settingsPath is the settings' file in their folder.
func settingsPath(dir string) string { return filepath.Join(dir, "config.toml") }

// language is the one to speak: the environment's choice, the file's, the
// system's.
func (s settings) language() string {
	if s.Language != "" && os.Getenv("PLAYPETS_LANG") == "" {
		return s.Language
	}
	return i18n.System(os.Getenv)
}
