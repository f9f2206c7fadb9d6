package tray

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"gopkg.in/natefinch/lumberjack.v2"
)

// diary is where the app tells what happens: words for the person on standard
// error, everything in the log file. No message text and no token enters
// either at the default level.
type diary struct {
	*slog.Logger
	stderr io.Writer
	file   io.Closer
}

// openDiary logs into dir/playpets.log: 1 MB, one older file kept. A folder
// that cannot be written leaves only standard error.
func openDiary(dir string, stderr io.Writer) diary {
	file := &lumberjack.Logger{Filename: filepath.Join(dir, "playpets.log"), MaxSize: 1, MaxBackups: 1}
	level := slog.LevelInfo
	if os.Getenv("PLAYPETS_DEBUG") != "" {
		level = slog.LevelDebug
	}
	return diary{
		Logger: slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: level})),
		stderr: stderr,
		file:   file,
	}
}

// tell writes one line to the person and into the log.
func (d diary) tell(format string, args ...any) {
	text := firstLine(fmt.Sprintf(format, args...))
	fmt.Fprintf(d.stderr, "playpets: %s\n", text)
	d.Warn(text)
}

func (d diary) Close() error { return d.file.Close() }
