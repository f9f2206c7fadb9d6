package tray

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/line"
	"github.com/playpets/playpets/tray/overlay"
)

// recording holds events that Claude Code sent to its hooks, one a line, as
// they were recorded, strung into one session.
//
//go:embed demo/claude.jsonl
var recording []byte

// pace is how long each event of the demo is looked at.
const pace = 2400 * time.Millisecond

// stage is a screen that the demo plays on: a display as time passes, or a
// recorder whose time the demo itself moves.
type stage interface {
	screen
	wait(ctx context.Context, d time.Duration) error
}

// Demo plays a recorded session through the real hook, bridge, store and
// overlay, in a data folder of its own that is removed at the end: on the
// display, or, without one or with framesDir, into pictures. It returns the
// exit code.
func Demo(ctx context.Context, framesDir string, stdout, stderr io.Writer) int {
	err := demo(ctx, framesDir, stdout, stderr)
	if errors.Is(err, context.Canceled) {
		return 130
	}
	if err != nil {
		fmt.Fprintf(stderr, "playpets: %v\n", err)
		return 1
	}
	return 0
}

func demo(ctx context.Context, framesDir string, stdout, stderr io.Writer) error {
	data, err := os.MkdirTemp("", "playpets-demo-")
	if err != nil {
		return fmt.Errorf("make the demo's folder: %w", err)
	}
	defer os.RemoveAll(data)
	d := openDiary(data, stderr)
	defer d.Close()

	if framesDir == "" {
		display, err := overlay.Open(overlay.Options{CacheDir: cacheDir(), Log: d.Logger})
		if err == nil {
			defer display.Close()
			fmt.Fprintln(stdout, "Look at the lower right corner of your screen. Ctrl-C ends the demo.")
			if path, err := line.DefaultPath(); err == nil {
				if _, err := line.Find(path); err == nil {
					fmt.Fprintln(stdout, "PlayPets is running: its own friends stand there as well.")
				}
			}
			return play(ctx, data, liveStage{display}, d)
		}
		fmt.Fprintf(stdout, "There is %v; drawing pictures instead.\n", err)
	}
	recorder := overlay.NewRecorder(overlay.RecorderOptions{Width: 640, Height: 330})
	defer recorder.Close()
	if err := play(ctx, data, recordedStage{recorder}, d); err != nil {
		return err
	}
	return writePictures(recorder, framesDir, stdout)
}

// play runs the app on show and hands it the recorded events, one hook
// process each.
func play(ctx context.Context, data string, show stage, d diary) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	path := filepath.Join(data, "bridge.json")
	lock, err := line.Acquire(path)
	if err != nil {
		return err
	}
	defer lock.Release()
	a, err := openApp(data, settings{}, show, d)
	if err != nil {
		return err
	}
	defer a.Close()
	door, err := bridge.Start(path, backend{a}, d.Logger)
	if err != nil {
		return err
	}
	defer door.Close()
	if err := show.wait(ctx, pace/2); err != nil {
		return err
	}
	for event := range bytes.Lines(recording) {
		hook := exec.CommandContext(ctx, program, "hook", "claude", "--bridge", path)
		hook.Stdin = bytes.NewReader(event)
		if err := hook.Run(); err != nil {
			return fmt.Errorf("run the hook: %w", err)
		}
		if err := show.wait(ctx, pace); err != nil {
			return err
		}
	}
	return nil
}

type liveStage struct{ *overlay.Overlay }

func (liveStage) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

type recordedStage struct{ *overlay.Recorder }

// OpenMenu implements screen: nobody clicks on a picture.
func (recordedStage) OpenMenu(string, overlay.Menu) {}

func (s recordedStage) wait(ctx context.Context, d time.Duration) error {
	s.Advance(d)
	return ctx.Err()
}
