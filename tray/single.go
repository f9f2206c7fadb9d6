package tray

import (
	"errors"
	"fmt"
	"time"

	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
)

// errAlreadyRunning says that another app lives and was asked to show its
// friends: this one has nothing left to do.
var errAlreadyRunning = errors.New("playpets is already running")

// errElsewhere says that another app holds the lock, and why its friends cannot
// be shown.
var errElsewhere = errors.New("running already")

// claim takes the single-instance lock beside bridge.json, or hands link over
// to the app that holds it (errAlreadyRunning).
func claim(bridgePath, link string) (*line.Lock, error) {
	lock, err := line.Acquire(bridgePath)
	if !errors.Is(err, line.ErrLocked) {
		return lock, err
	}
	if err := handOver(bridge.NewClient(bridgePath), link); err != nil {
		return nil, elsewhere(err)
	}
	return nil, errAlreadyRunning
}

// elsewhere explains why the running app does not show its friends.
func elsewhere(err error) error {
	var refused *bridge.Error
	if errors.As(err, &refused) {
		return fmt.Errorf("%w, without a display (%s); stop that one and start it here", errElsewhere, refused.Message)
	}
	return fmt.Errorf("%w and does not answer (%w); stop that one and start it again", errElsewhere, err)
}

// handOver asks the running app to show its friends. An app that has taken
// the lock and not yet opened its bridge needs a moment.
func handOver(client *bridge.Client, link string) (err error) {
	for range 20 {
		if err = client.Open(link); err == nil {
			return nil
		}
		var refused *bridge.Error
		if errors.As(err, &refused) && refused.Status < 500 {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}
