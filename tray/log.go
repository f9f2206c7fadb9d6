package tray

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/natefinch/lumberjack.v2"
)

// diary is where the app tells what happens: everything into the log file,
// warnings also to the person, a line each. No message text and no token is
// told at any level but debug.
type diary struct {
	*slog.Logger
	file io.Closer
}

// openDiary logs into dir/playpets.log: 1 MB, one older file kept. In a folder
// that cannot be written only stderr is told. PLAYPETS_DEBUG set to anything
// logs more.
func openDiary(dir string, stderr io.Writer) diary {
	file := logFile(filepath.Join(dir, "playpets.log"))
	level := slog.LevelInfo
	if os.Getenv("PLAYPETS_DEBUG") != "" {
		level = slog.LevelDebug
	}
	log := slog.NewTextHandler(file, &slog.HandlerOptions{Level: level})
	return diary{Logger: slog.New(slog.NewMultiHandler(log, warnings{stderr})), file: file}
}

// logFile rotates the file at path. What is there and no file, a pipe that would
// be waited for or a link that leads elsewhere, is left alone, and nothing logged.
func logFile(path string) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nowhere{}
	}
	return &lumberjack.Logger{Filename: path, MaxSize: 1, MaxBackups: 1}
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }

// tell warns with a text of its own.
func (d diary) tell(format string, args ...any) { d.Warn(fmt.Sprintf(format, args...)) }

func (d diary) Close() error { return d.file.Close() }

// warnings is a slog.Handler that says warnings as a command would:
// "playpets: what happened: why".
type warnings struct{ stderr io.Writer }

func (w warnings) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key != "stack" { // that is for the log alone
			text += fmt.Sprintf(": %v", a.Value)
		}
		return true
	})
	_, err := fmt.Fprintf(w.stderr, "playpets: %s\n", strings.ReplaceAll(text, "\n", " "))
	return err
}

func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w warnings) WithGroup(string) slog.Handler      { return w }
