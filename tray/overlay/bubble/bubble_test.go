package bubble

import (
	"io"
	"log/slog"
	"testing"
)

func testFonts(t testing.TB) *Fonts {
	return NewFonts(t.TempDir(), "en", slog.New(slog.NewTextHandler(io.Discard, nil)))
}
