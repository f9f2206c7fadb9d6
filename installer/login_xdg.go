//go:build unix && !darwin

package installer

import (
	"os"
	"path/filepath"
)

// loginFile is our file in the user's autostart folder.
func loginFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "autostart", name+".desktop"), nil
}

func makeLoginFile(program string) ([]byte, error) { return desktopEntry(program) }

func readLoginFile(data []byte) (words []string, on bool) { return startedBy(data) }

func changeLoginFile(data []byte, program string) []byte { return restarted(data, program) }
