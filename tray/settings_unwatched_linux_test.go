package tray

import (
	"io"
	"log/slog"
	"strings"
	"syscall"
	"testing"
)

// TestUnwatched: where the system watches nothing more, that is said once, and the
// app's own writes are told all the same.
func TestUnwatched(t *testing.T) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	f, _ := openSettings(t.TempDir(), quietDiary())
	log, said := &syncBuffer{}, make(chan struct{}, 9)
	f.log = diary{slog.New(warnings{io.MultiWriter(log, signal(said))}), io.NopCloser(nil)}
	told := make(chan settings, 9)
	func() {
		none := files
		none.Cur = 3 // what is open stays so
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files)
		go f.watch(t.Context(), f.get(), func(s settings) { told <- s })
		<-said
	}()
	if err := f.set(70, "size"); err != nil {
		t.Fatal(err)
	}
	awaitSize(t, told, 70)
	const want = "playpets: what is changed in config.toml by hand is seen at the next start: "
	if got := log.String(); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("it says %q", got)
	}
}

// signal is a writer that tells that something was written.
type signal chan<- struct{}

func (s signal) Write(p []byte) (int, error) {
	s <- struct{}{}
	return len(p), nil
}
