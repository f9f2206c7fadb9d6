package friends

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start is when the tests' clock starts.
var start = time.Date(2026, 11, 30, 15, 4, 0, 0, time.UTC)

// house is a store of two friends with a clock that the test moves, and a
// list of the changes heard.
type house struct {
	*Store
	t       testing.TB
	now     time.Time
	changes []Change
}

func newHouse(t testing.TB, o Options) *house {
	h := &house{t: t, now: start}
	o.Now = func() time.Time { return h.now }
	h.Store = open(o, twoFriends())
	h.OnChange = func(c Change) { h.changes = append(h.changes, c) }
	return h
}

func twoFriends() []Package {
	return []Package{{ID: "mochi", Name: "Mochi"}, {ID: "bori", Name: "Bori"}}
}

func english(state agents.State, message string) string {
	return sentences().Sentence(string(state), message)
}

var sentences = sync.OnceValue(func() *i18n.Translator { return i18n.New("en") })

// after moves the clock and does what is due by then.
func (h *house) after(d time.Duration) *house {
	h.now = h.now.Add(d)
	h.tick()
	return h
}

// hears sends "state message" of a session to Mochi.
func (h *house) hears(session string, state agents.State, message string) {
	h.t.Helper()
	h.report(agents.Report{Agent: "claude", Session: session, State: state, Message: message})
}

func (h *house) report(r agents.Report) {
	h.t.Helper()
	if _, err := h.Report(r); err != nil {
		h.t.Fatal(err)
	}
}

// heard returns the changes since it was asked last.
func (h *house) heard() []Change {
	c := h.changes
	h.changes = nil
	return c
}

func (h *house) state(pet string) agents.State {
	for _, f := range h.Friends() {
		if f.ID == pet {
			return f.State
		}
	}
	h.t.Fatalf("no friend %s", pet)
	return ""
}

func (h *house) wantState(pet string, want agents.State) {
	h.t.Helper()
	if got := h.state(pet); got != want {
		h.t.Errorf("%s is %s, want %s", pet, got, want)
	}
}

// wantSentences checks what was said since the last time, in order.
func (h *house) wantSentences(want ...string) {
	h.t.Helper()
	var got []string
	for _, c := range h.heard() {
		if c.Sentence != "" {
			got = append(got, c.Sentence)
		}
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("said %q, want %q", got, want)
	}
}

// pngSheet is a sheet of nearly nothing.
func pngSheet(width, height int) []byte {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Transparent, color.Black})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}
