package installer

import (
	"os"
	"path/filepath"
)

// loginFile is our job in the user's list of LaunchAgents. launchd reads it at
// the next login.
func loginFile() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "Library", "LaunchAgents", launchLabel+".plist"), nil
}

func makeLoginFile(program string) ([]byte, error) { return launchAgent(program) }

func readLoginFile(data []byte) (words []string, on bool) { return launchedBy(data) }

func changeLoginFile(data []byte, program string) []byte { return relaunched(data, program) }
