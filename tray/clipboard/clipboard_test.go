package clipboard

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// far is longer than anything here takes on the slowest machine.
const far = 30 * time.Second

// Texts that people copy, and what is longer than anything is sent at once.
var texts = map[string]string{
	"settings": "{\n  \"hooks\": {}\n}\n",
	"Latin-1":  "Grüße, naïve façade",
	"Korean":   "친구를 고르세요 🐾 — 한 줄 더\n끝",
	"long":     strings.Repeat("길다 and wide 🐈 ", 1<<20/24),
	"one line": "x",
}

// open makes a Clipboard that is patient.
func open(t testing.TB) *Clipboard {
	t.Helper()
	c := New(slog.New(slog.DiscardHandler))
	c.limit = far
	t.Cleanup(c.Close)
	return c
}

// mustCopy copies a text, which has to go the given way.
func (c *Clipboard) mustCopy(t testing.TB, text, way string) {
	t.Helper()
	if got, err := c.Copy(t.Context(), text); got != way || err != nil {
		t.Fatalf("copied by way of %q with error %v, want %q", got, err, way)
	}
}

// expectError fails unless a copy does, for a reason that names all of these.
func (c *Clipboard) expectError(t testing.TB, names ...string) {
	t.Helper()
	way, err := c.Copy(t.Context(), "nowhere to be seen")
	if err == nil {
		t.Fatalf("copied by way of %s", way)
	}
	expectNames(t, err, names...)
}

func expectNames(t testing.TB, err error, names ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error %q does not say %q", err, name)
		}
	}
}

// expectWay fails unless Way says this.
func expectWay(t testing.TB, want string) {
	t.Helper()
	if way, err := Way(t.Context()); way != want || err != nil {
		t.Errorf("the way is %q with error %v, want %q", way, err, want)
	}
}

// tool is the path of a program that the test needs.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		reason := "this test needs " + name + ", which tools/test-deps brings"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	return path
}

// output is what a program prints; it fails when the program does.
func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), far)
	defer cancel()
	out, err := exec.CommandContext(ctx, tool(t, name), args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out)
}

// until waits for something to become true; it fails when that takes far too
// long.
func until(t testing.TB, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(far); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

func expectText(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("read %d bytes %.40q…, want %d bytes %.40q…", len(got), got, len(want), want)
	}
}

// shut is whether a channel gets closed.
func shut(t testing.TB, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(far):
		t.Fatalf("it never came that %s", what)
	}
}

// Where there is nothing, an error says what was tried, and nothing is left.
func TestNothingThere(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	if len(ways) == 1 {
		t.Skip("here the clipboard is a part of the system")
	}
	open(t).expectError(t, "copy to the clipboard: ", "WAYLAND_DISPLAY is not set", "; X11: DISPLAY is not set", "; Klipper: ")
	_, err := Way(t.Context())
	expectNames(t, err, "look for a clipboard: ", "WAYLAND_DISPLAY is not set", "; X11: DISPLAY is not set", "; Klipper: ")
}

func TestCopyAfterClose(t *testing.T) {
	c := open(t)
	c.Close()
	c.expectError(t, "closing")
}

// A held text is served until the next one is there, and not ended when that
// comes nowhere.
func TestHolders(t *testing.T) {
	var first, second fakeHolder
	holders := []holder{&first, &second, nil}
	errs := []error{nil, nil, errNotThere}
	was := ways
	defer func() { ways = was }()
	n := -1
	ways = []way{{"fake", nil, func(context.Context, string) (holder, error) { n++; return holders[n], errs[n] }}}
	c := New(slog.New(slog.DiscardHandler))
	c.mustCopy(t, "a", "fake")
	c.mustCopy(t, "b", "fake")
	c.expectError(t, "fake: something else is in the clipboard")
	if first != (fakeHolder{ended: 1}) || second != (fakeHolder{}) {
		t.Errorf("the first %+v and the second %+v", first, second)
	}
	c.Close()
	c.Close()
	if second != (fakeHolder{left: 1, ended: 1}) {
		t.Errorf("after the end the second is %+v", second)
	}
}

type fakeHolder struct{ left, ended int }

func (f *fakeHolder) leave(context.Context) { f.left++ }
func (f *fakeHolder) end()                  { f.ended++ }

// A way that does not answer is left for the next one; when it answers after all,
// what it holds is ended.
func TestSilentWay(t *testing.T) {
	late := make(chan struct{})
	ended := make(chan struct{})
	was := ways
	defer func() { ways = was }()
	ways = []way{
		{"silent", nil, func(context.Context, string) (holder, error) { <-late; return endOnly(ended), nil }},
		{"good", nil, func(context.Context, string) (holder, error) { return nil, nil }},
	}
	c := open(t)
	c.limit = time.Second / 2 // the good one has as long, and a busy machine needs it
	c.mustCopy(t, "text", "good")
	close(late)
	shut(t, "the late holder ended", ended)
}

// Ways that do not answer leave time for those behind them.
func TestSilentWaysInTime(t *testing.T) {
	was := ways
	defer func() { ways = was }()
	synctest.Test(t, func(t *testing.T) {
		silent := func(ctx context.Context, _ string) (holder, error) { <-ctx.Done(); return nil, ctx.Err() }
		ways = []way{
			{"silent", nil, silent},
			{"silent too", nil, silent},
			{"slow", nil, func(context.Context, string) (holder, error) { time.Sleep(time.Second / 2); return nil, nil }},
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if way, err := open(t).Copy(ctx, "text"); way != "slow" || err != nil {
			t.Errorf("copied by way of %q: %v", way, err)
		}
	})
}

type endOnly chan struct{}

func (endOnly) leave(context.Context) {}
func (e endOnly) end()                { close(e) }
