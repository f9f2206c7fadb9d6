package tray

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// following is a settingsFile that is watched, with what it told.
type following struct {
	*settingsFile
	path    string
	log     *syncBuffer
	said    chan string   // by warn
	changed chan settings // by changed
	touched chan struct{}
}

// followed opens config.toml with such a text and follows it until the test ends.
func followed(t *testing.T, text string) *following {
	t.Helper()
	dir := t.TempDir()
	f := &following{path: settingsPath(dir), log: &syncBuffer{}, said: make(chan string, 9), changed: make(chan settings, 9), touched: make(chan struct{})}
	write(t, f.path, text)
	f.settingsFile, _ = openSettings(dir, diary{slog.New(warnings{f.log}), io.NopCloser(nil)})
	f.warn = func(warning string) { f.said <- warning }
	go f.follow(t.Context(), f.touched, f.get(), func(s settings) { f.changed <- s })
	synctest.Wait()
	return f
}

// TestSetBeforeWatched: what is set before anybody watches is told as well.
func TestSetBeforeWatched(t *testing.T) {
	f, _ := openSettings(t.TempDir(), quietDiary())
	was := f.get()
	if err := f.set(150, "size"); err != nil {
		t.Fatal(err)
	}
	told := make(chan settings, 9)
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { f.watch(ctx, was, func(s settings) { told <- s }) })
	if s := <-told; s.Size != 150 {
		t.Errorf("told of size %d", s.Size)
	}
	stop()
	watching.Wait()
}

// edit writes the file by hand, and lets some time pass.
func (f *following) edit(t *testing.T, text string, pass time.Duration) {
	t.Helper()
	write(t, f.path, text)
	f.touched <- struct{}{}
	time.Sleep(pass)
	synctest.Wait()
}

// sizes are those that changed was told since the last time.
func (f *following) sizes() (all []int) {
	for len(f.changed) > 0 {
		s := <-f.changed
		all = append(all, s.Size)
	}
	return all
}

const believed = settleTime + doubtTime

func wantSizes(t *testing.T, f *following, want ...int) {
	t.Helper()
	got := f.sizes()
	same := len(got) == len(want)
	for i := 0; same && i < len(want); i++ {
		same = got[i] == want[i]
	}
	if now := f.get().Size; !same || len(want) > 0 && now != want[len(want)-1] {
		t.Errorf("told sizes %v, want %v; it is %d", got, want, now)
	}
}

func TestFollowSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, "size = 100\n")
		time.Sleep(time.Hour)
		synctest.Wait()
		wantSizes(t, f)

		f.edit(t, "size = 110\n", settleTime-1)
		wantSizes(t, f) // not yet
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		wantSizes(t, f, 110)

		f.edit(t, "size = 120\n", settleTime-1)
		f.edit(t, "size = 130\n", settleTime)
		wantSizes(t, f, 130) // both at once

		f.edit(t, "# another comment\nsize = 130\n", believed)
		wantSizes(t, f) // nothing that matters
	})
}

// TestTwoSteps: an editor that empties the file and writes it then makes no moment of
// defaults, nor one that is slow in writing it.
func TestTwoSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, "size = 150\n")
		f.edit(t, "", settleTime)
		f.edit(t, "size = 1", settleTime) // what is written so far, and refused
		f.edit(t, "size = 160\n", settleTime)
		wantSizes(t, f, 160)

		f.edit(t, "\n", believed-1)
		wantSizes(t, f)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		wantSizes(t, f, 0) // it stayed empty

		f.edit(t, "size = 170\n", settleTime)
		wantSizes(t, f, 170)
		if err := os.Remove(f.path); err != nil {
			t.Fatal(err)
		}
		f.touched <- struct{}{}
		time.Sleep(believed)
		synctest.Wait()
		wantSizes(t, f, 0)
		if len(f.said) > 0 || f.log.String() != "" {
			t.Errorf("it said %q", f.log)
		}
	})
}

func TestBrokenEdit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, "size = 150\n")
		says := func(want ...string) {
			t.Helper()
			for _, one := range want {
				select {
				case got := <-f.said:
					if !strings.Contains(got, one) {
						t.Errorf("it says %q, want %q", got, one)
					}
				default:
					t.Errorf("it does not say %q", one)
				}
			}
			if len(f.said) > 0 {
				t.Errorf("it also says %q", <-f.said)
			}
		}
		for range 2 { // the second time nothing is new
			f.edit(t, "size = 150\n\ntheme = dark\n", believed)
			wantSizes(t, f)
			if f.get().Size != 150 {
				t.Errorf("size is %d", f.get().Size)
			}
		}
		says("config.toml: line 3: theme: ")
		f.edit(t, "size = 20\n", believed)
		says("line 1: size = 20: use 50 to 300 (percent); going on with the last good ones")

		f.edit(t, "size = 180\n", settleTime)
		wantSizes(t, f, 180) // healed
		says()
		f.edit(t, "size = 20\n", believed)
		says("line 1: size = 20")

		f.edit(t, "size = 190\nsiez = 1\n", settleTime)
		wantSizes(t, f, 190)
		says("line 2: unknown key siez; did you mean size?")
		f.edit(t, "# on another line\nsize = 200\nsiez = 1\n", settleTime)
		wantSizes(t, f, 200)
		says()
		if lines := strings.Count(f.log.String(), "\n"); lines != 4 {
			t.Errorf("the log has %d lines:\n%s", lines, f.log)
		}
	})
}

// TestBrokenFromTheStart: openSettings has said it, watch does not say it again.
func TestBrokenFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, "size = 20\n")
		time.Sleep(time.Minute)
		synctest.Wait()
		if f.get().Size != 0 || len(f.said) > 0 {
			t.Errorf("size %d, %d warnings", f.get().Size, len(f.said))
		}
		f.edit(t, "size = 60\n", settleTime)
		wantSizes(t, f, 60)
	})
}

// watched opens config.toml in dir and watches it with the system's own eyes.
func watched(t *testing.T, dir string) (f *settingsFile, changed <-chan settings) {
	t.Helper()
	told, done := make(chan settings, 9), make(chan struct{})
	f, _ = openSettings(dir, quietDiary())
	ctx, stop := context.WithCancel(context.Background())
	was := f.get()
	go func() {
		defer close(done)
		f.watch(ctx, was, func(s settings) { told <- s })
	}()
	t.Cleanup(func() { stop(); <-done })
	return f, told
}

// awaitSize waits until changed has told that size.
func awaitSize(t *testing.T, changed <-chan settings, size int) {
	t.Helper()
	end := time.After(time.Minute)
	for {
		select {
		case s := <-changed:
			if s.Size == size {
				return
			}
		case <-end:
			t.Fatalf("size %d was not taken up", size)
		}
	}
}

// TestWatch edits the file as editors and people do.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	f, changed := watched(t, dir)
	for i, edit := range []func(text string){
		func(text string) { write(t, path, text) }, // a new file
		func(text string) { write(t, path, text) }, // in place
		func(text string) { // a new one in its place
			write(t, path+"~", text)
			rename(t, path+"~", path)
		},
		func(text string) { // the old one kept
			rename(t, path, path+".bak")
			write(t, path, text)
		},
		func(text string) { // bit by bit
			write(t, path, "")
			write(t, path, text[:4])
			write(t, path, text)
		},
		func(text string) { // the folder is another one
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			mkdir(t, dir)
			write(t, path, text)
		},
		func(text string) { write(t, path, text) }, // and is watched
	} {
		size := 60 + i
		edit("size = " + strconv.Itoa(size) + "\n")
		awaitSize(t, changed, size)
		if got := f.get().Size; got != size {
			t.Errorf("edit %d: size is %d", i, got)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	awaitSize(t, changed, 0)
}

// TestWatchLater: the folder comes when the app runs already, step by step or at once.
func TestWatchLater(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "a", "b", "c")
	path := filepath.Join(dir, "config.toml")
	_, changed := watched(t, dir)
	mkdir(t, dir)
	write(t, path, "size = 60\n")
	awaitSize(t, changed, 60)
	rename(t, dir, filepath.Join(root, "z"))
	awaitSize(t, changed, 0)
	rename(t, filepath.Join(root, "z"), dir)
	awaitSize(t, changed, 60)
	write(t, path, "size = 70\n")
	awaitSize(t, changed, 70)
}

// TestWatchLinks: people keep their settings elsewhere.
func TestWatchLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	t.Parallel()
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	mkdir(t, at("one"))
	mkdir(t, at("two"))
	link(t, at("one"), at("dir"))
	link(t, filepath.Join("..", "two", "mine.toml"), at("one/config.toml")) // leads to nothing yet
	_, changed := watched(t, at("dir"))
	write(t, at("two/mine.toml"), "size = 60\n")
	awaitSize(t, changed, 60)
	write(t, at("two/new.toml"), "size = 70\n")
	rename(t, at("two/new.toml"), at("two/mine.toml"))
	awaitSize(t, changed, 70)
	write(t, at("two/other.toml"), "size = 80\n")
	link(t, at("two/other.toml"), at("one/link"))
	rename(t, at("one/link"), at("one/config.toml")) // another target
	awaitSize(t, changed, 80)
	write(t, at("two/other.toml"), "size = 90\n")
	awaitSize(t, changed, 90)
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}
