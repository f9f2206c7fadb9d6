package overlay

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

var update = flag.Bool("update", false, "write the golden images anew")

const (
	testScale = 0.125 // a friend of 24×26 pixels
	blank     = 0xEE  // the grey behind it
)

var testCell = figureSize(testScale)

// newTestRecorder is a recorder of 400×160 pixels with small friends on it.
func newTestRecorder(t *testing.T, ids ...string) *Recorder {
	t.Helper()
	grey := color.RGBA{blank, blank, blank, 255}
	r := NewRecorder(RecorderOptions{Width: 400 * 8, Height: 160 * 8, Scale: testScale, Top: grey, Bottom: grey, CacheDir: t.TempDir()})
	t.Cleanup(r.Close)
	var sprites []Sprite
	for _, id := range ids {
		sprites = append(sprites, testSprite(id, testCell))
	}
	r.SetFriends(sprites)
	return r
}

// A shot is one recorded frame.
type shot struct {
	img  *image.RGBA
	seen time.Duration
}

func shots(r *Recorder) (all []shot) {
	for img, seen := range r.Frames() {
		all = append(all, shot{clone(img, img.Rect), seen})
	}
	return all
}

func TestRecorderGolden(t *testing.T) {
	r := newTestRecorder(t, "a", "b", "c", "d", "e")
	for i, s := range agents.States {
		r.Show(Update{Friend: string(rune('a' + i)), State: s})
	}
	r.Advance(300 * time.Millisecond)
	all := shots(r)
	got := all[len(all)-1].img
	path := filepath.Join("testdata", "states.png")
	if *update {
		var b bytes.Buffer
		if err := png.Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			if w := color.RGBAModel.Convert(want.At(x, y)); got.RGBAAt(x, y) != w {
				t.Fatalf("pixel %d,%d is %v, in %s it is %v; look, then run with -update", x, y, got.RGBAAt(x, y), path, w)
			}
		}
	}
}

func TestRecorderHasTheTablesTimes(t *testing.T) {
	r := newTestRecorder(t, "a")
	r.Show(Update{Friend: "a", State: agents.Working})
	r.Advance(2 * ms(820))
	var seen []time.Duration
	for _, s := range shots(r) {
		seen = append(seen, s.seen)
	}
	pass := []time.Duration{ms(120), ms(120), ms(120), ms(120), ms(120), ms(220)}
	if want := slices.Concat(pass, pass, []time.Duration{0}); !slices.Equal(seen, want) {
		t.Errorf("frames are seen for %v, want %v", seen, want)
	}
}

func TestNothingIsRecordedWhenNothingChanges(t *testing.T) {
	r := newTestRecorder(t)
	r.Advance(time.Hour)
	if all := shots(r); len(all) != 1 || all[0].seen != time.Hour {
		t.Errorf("an empty screen has %d frames", len(all))
	}
}

// bubblePixels counts what is drawn in the upper part, where only bubbles are.
func bubblePixels(img *image.RGBA) (n int) {
	top := img.Rect
	top.Max.Y -= testCell.Y
	for i := 0; i < top.Dy()*img.Stride; i += 4 {
		if img.Pix[i] != blank {
			n++
		}
	}
	return n
}

func TestBubbleComesAndLeaves(t *testing.T) {
	r := newTestRecorder(t, "a")
	r.Advance(time.Second)
	r.Show(Update{Friend: "a", State: agents.Done, Bubble: &Bubble{Text: "All is done", Mark: agents.Done}})
	r.Advance(20 * time.Second)
	var began, end time.Duration
	now := time.Duration(0)
	for _, s := range shots(r) {
		if bubblePixels(s.img) > 0 {
			if began == 0 {
				began = now
			}
			end = now + s.seen
		}
		now += s.seen
	}
	if want := time.Second; began != want {
		t.Errorf("the bubble comes at %v, want %v", began, want)
	}
	if want := time.Second + lifetime("All is done") + fadeOut; end != want {
		t.Errorf("the bubble has left at %v, want %v", end, want)
	}
}

func TestStormIsCoalesced(t *testing.T) {
	r := newTestRecorder(t, "a")
	for i := range 200 {
		r.Show(Update{Friend: "a", State: agents.Working, Bubble: &Bubble{Text: strings.Repeat("i", 1+i%7) + fmt.Sprint(i), Stay: true}})
		r.Advance(10 * time.Millisecond)
	}
	r.Advance(time.Second)
	var texts int // pictures of the full bubble that differ in the upper part
	var last *image.RGBA
	for _, s := range shots(r) {
		top := s.img.Rect
		top.Max.Y -= testCell.Y
		part := clone(s.img, top)
		if last == nil || !bytes.Equal(part.Pix, last.Pix) {
			texts++
		}
		last = part
	}
	// Before, the steps of the fade, and one text every 400 ms of two seconds.
	if most := 1 + int(fadeIn/fadeStep) + 6; texts > most {
		t.Errorf("200 sentences changed the bubble %d times, want at most %d", texts, most)
	}
}

func TestWhoStaysKeepsWhatItDoes(t *testing.T) {
	r := newTestRecorder(t, "a", "b")
	r.Show(Update{Friend: "a", State: agents.Working})
	r.Advance(ms(130))
	a := r.stage.friends[0]
	r.SetFriends([]Sprite{testSprite("c", testCell), {ID: "a"}})
	if r.stage.friends[1] != a || a.actor.state != agents.Working || len(r.canvas.windows) != 2 {
		t.Errorf("the friends are %v on %d windows, want c and the same a", r.stage.friends, len(r.canvas.windows))
	}
	r.Show(Update{Friend: "b", State: agents.Error}) // who left is not asked any more
	r.SetFriends(nil)
	r.Advance(0)
	all := shots(r)
	if last := all[len(all)-1].img; !bytes.Equal(last.Pix, r.canvas.back.Pix) {
		t.Error("who was sent away is still seen")
	}
}

func TestShowAllWaves(t *testing.T) {
	r := newTestRecorder(t, "a")
	r.ShowAll()
	if f := r.stage.friends[0]; f.row != rowWave {
		t.Errorf("shows row %d, want a wave", f.row)
	}
}

func TestFriendWithoutASheetIsSaid(t *testing.T) {
	var said bytes.Buffer
	r := NewRecorder(RecorderOptions{Width: 100, Height: 100, Log: slog.New(slog.NewTextHandler(&said, nil))})
	defer r.Close()
	r.SetFriends([]Sprite{{ID: "ghost", Sheet: func() (image.Image, error) { return nil, errors.New("read ghost.png: gone") }}})
	r.Show(Update{Friend: "ghost", Bubble: &Bubble{Text: "Boo"}})
	r.Advance(time.Second)
	if n := len(shots(r)); n != 1 {
		t.Errorf("%d frames are recorded, want the empty one", n)
	}
	if !strings.Contains(said.String(), "ghost") || !strings.Contains(said.String(), "gone") {
		t.Errorf("the log says %q, want the friend and the reason", said.String())
	}
}
