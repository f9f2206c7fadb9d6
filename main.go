// Command playpets keeps animated friends on the desktop that show what the
// coding agents on this computer are doing; with a command it is what those
// agents and scripts run.
package main

import (
	"os"

	"github.com/playpets/playpets/agents/cli"
	_ "github.com/playpets/playpets/agents/hook" // answers `playpets hook …` before main is reached
	"github.com/playpets/playpets/tray"
)

func main() {
	os.Exit(cli.Main(cli.Apps{
		Run: tray.Run, Demo: tray.Demo, Config: tray.Config, Picked: tray.Picked, Check: tray.Checks,
	}))
}
