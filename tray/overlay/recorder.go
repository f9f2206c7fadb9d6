package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"iter"
	"log/slog"
	"sync"
	"time"
)

// RecorderOptions are how a Recorder draws.
type RecorderOptions struct {
	Width, Height int     // of the pictures, in px at scale 1
	Scale         float64 // as Options.Scale; 2 makes pictures twice as large
	Dark          bool
	Language      string
	CacheDir      string
	Top, Bottom   color.RGBA // what is behind: from one to the other; zero is a quiet tone
	Log           *slog.Logger
}

// A Recorder shows friends on pictures instead of a display, in its own time:
// it stands still but for Advance. It is for tests and for demos where there is
// no display. Its methods may be called from any goroutine.
type Recorder struct {
	log     *slog.Logger
	mu      sync.Mutex
	now     time.Time
	stage   stage
	canvas  *canvas
	bubbles *bubbles
	scenes  []scene
}

// A scene is what changed in the picture at one moment.
type scene struct {
	at     time.Time
	change *image.RGBA // what is within its bounds is new
}

// NewRecorder returns a recorder whose picture is empty.
func NewRecorder(o RecorderOptions) *Recorder {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Scale <= 0 {
		o.Scale = 1
	}
	size := image.Pt(round(float64(o.Width)*o.Scale), round(float64(o.Height)*o.Scale))
	r := &Recorder{
		log:    o.Log,
		now:    time.Unix(0, 0),
		canvas: newCanvas(backdrop(size, o)),
	}
	look := Look{Dark: o.Dark, Size: 1, Language: o.Language}
	r.bubbles = newBubbles(look, o.Scale, o.CacheDir, o.Log)
	r.canvas.pixels = o.Scale
	r.stage = stage{screen: r.canvas, look: look, draw: r.draw, tell: func(Event) {}, places: places{}}
	r.catch()
	return r
}

// SetFriends is Overlay.SetFriends. It returns when every sheet is loaded.
func (r *Recorder) SetFriends(sprites []Sprite) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.stage.set(sprites, r.now) {
		err := cutSheet(s, r.stage.size(), func(row row, cut strip) bool {
			r.stage.load(s.ID, row, cut, r.now)
			return true
		})
		if err != nil {
			r.log.Warn("a friend cannot be shown", "friend", s.ID, "error", err)
		}
	}
	r.play()
}

// Show is Overlay.Show.
func (r *Recorder) Show(u Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stage.apply(u, r.now)
	r.play()
}

// ShowAll is Overlay.ShowAll.
func (r *Recorder) ShowAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stage.raise(r.now)
	r.play()
}

// Close gives back what the recorder holds. Its pictures can still be had.
func (r *Recorder) Close() { r.bubbles.release() }

// Advance lets time pass and records what changes.
func (r *Recorder) Advance(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := r.now.Add(d)
	for {
		next := r.play()
		if next.IsZero() || next.After(end) {
			r.now = end
			return
		}
		r.now = next
	}
}

// Frames goes through what was recorded so far: a picture for each change, and
// how long it was seen. The picture is reused; it is valid until the next one.
func (r *Recorder) Frames() iter.Seq2[*image.RGBA, time.Duration] {
	r.mu.Lock()
	scenes, end, bounds := r.scenes, r.now, r.canvas.back.Rect
	r.mu.Unlock()
	return func(yield func(*image.RGBA, time.Duration) bool) {
		picture := image.NewRGBA(bounds)
		for i, s := range scenes {
			draw.Draw(picture, s.change.Rect, s.change, s.change.Rect.Min, draw.Src)
			until := end
			if i+1 < len(scenes) {
				until = scenes[i+1].at
			}
			if seen := until.Sub(s.at); (seen > 0 || i+1 == len(scenes)) && !yield(picture, seen) {
				return
			}
		}
	}
}

// play plays the stage, records the picture if it changed and returns when it
// changes next.
func (r *Recorder) play() time.Time {
	next := r.stage.play(r.now)
	r.catch()
	return next
}

// draw is the stage's painter: it draws at once.
func (r *Recorder) draw(work func(*bubbles) func(time.Time)) { work(r.bubbles)(r.now) }

// catch records what changed in the picture.
func (r *Recorder) catch() {
	if change := r.canvas.compose(); change != nil {
		r.scenes = append(r.scenes, scene{r.now, change})
	}
}

// backdrop is what is behind the friends.
func backdrop(size image.Point, o RecorderOptions) *image.RGBA {
	top, bottom := o.Top, o.Bottom
	if top == (color.RGBA{}) && bottom == (color.RGBA{}) {
		top = color.RGBA{0xE9, 0xEE, 0xF2, 0xFF}
		if o.Dark {
			top = color.RGBA{0x1F, 0x21, 0x28, 0xFF}
		}
		bottom = top
	}
	img := image.NewRGBA(image.Rectangle{Max: size})
	mix := func(a, b uint8, y int) uint8 { return uint8((int(a)*(size.Y-y) + int(b)*y) / size.Y) }
	for y := range size.Y {
		c := color.RGBA{mix(top.R, bottom.R, y), mix(top.G, bottom.G, y), mix(top.B, bottom.B, y), 0xFF}
		draw.Draw(img, image.Rect(0, y, size.X, y+1), image.NewUniform(c), image.Point{}, draw.Src)
	}
	return img
}
