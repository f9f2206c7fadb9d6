package bubble

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

const sentence = "All 214 tests pass. The flaky one was a race in the lock; it is fixed."

// counts are the numbers of lines of the paragraphs.
func counts(l *Laid) (n []int) {
	for _, p := range l.paragraphs {
		n = append(n, len(p.lines))
	}
	return n
}

func TestParagraphs(t *testing.T) {
	f := newFonts(t)
	long := strings.Repeat(sentence+" ", 3)
	for _, test := range []struct {
		name    string
		content Content
		style   Style
		want    []int
	}{
		{"one", Content{Text: "Hello"}, Style{}, []int{1}},
		{"one among blank lines", Content{Text: "\n \n Hello\r\n\u200e\n"}, Style{}, []int{1}},
		{"only blank lines", Content{Text: "\n\t\n"}, Style{}, []int{1}},
		{"one has five lines", Content{Text: long}, Style{}, []int{5}},
		{"of several each has two", Content{Text: "a\n" + long + "\nb"}, Style{}, []int{1, 2, 1}},
		{"eight of 240 characters", Content{Text: strings.Repeat(long+"\n", 8)}, Style{}, []int{2, 2, 2, 2, 2, 2, 2, 2}},
		{"where it is narrow, more", Content{Text: "a\n" + long + "\nb"}, Style{MaxWidth: 200}, []int{1, 4, 1}},
		{"one line each where that is too much", Content{Text: strings.Repeat(long+"\n", 9)}, Style{}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"or too high", Content{Text: strings.Repeat(long+"\n", 4)}, Style{MaxHeight: 160}, []int{1, 1, 1, 1}},
		{"sixteen at most", Content{Text: strings.Repeat("a\n", 30)}, Style{}, slices.Repeat([]int{1}, 16)},
		{"the last ones are left out", Content{Text: strings.Repeat("a\n", 10)}, Style{MaxHeight: 100}, []int{1, 1, 1}},
		{"one stays in any case", Content{Text: "a\nb"}, Style{MaxHeight: 10}, []int{1}},
		{"a caption is one line", Content{Text: sentence, Caption: long}, Style{}, []int{2, 1}},
		{"a blank one is none", Content{Text: sentence, Caption: " \n"}, Style{}, []int{2}},
		{"it takes its room from the text", Content{Text: long, Caption: "playpets"}, Style{MaxWidth: 300, MaxHeight: 100}, []int{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := Lay(f, test.content, test.style)
			if got := counts(l); !slices.Equal(got, test.want) {
				t.Errorf("lines of the paragraphs: %v, want %v", got, test.want)
			}
			most := mostWidth*l.em + 2*l.padX
			if size := l.Size(Below); size.X > most || test.style.MaxHeight > 50 && size.Y > test.style.MaxHeight {
				t.Errorf("it is %v, at most %d wide and %d high", size, most, test.style.MaxHeight)
			}
			for i, p := range l.paragraphs[1:] {
				if before := l.paragraphs[i]; p.top != before.top+before.height()+l.gapY {
					t.Errorf("paragraph %d begins at %d, the one before ends at %d", i+1, p.top, before.top+before.height())
				}
			}
		})
	}
}

func TestParagraphsReadFromTheirOwnSide(t *testing.T) {
	l := Lay(newFonts(t), Content{Text: "שלום\nHello", Caption: "playpets · Claude"}, Style{})
	var right []bool
	for _, p := range l.paragraphs {
		right = append(right, p.right)
	}
	// The caption stands where the text begins, whatever its own script is.
	if want := []bool{true, false, true}; !slices.Equal(right, want) {
		t.Errorf("at the right: %v, want %v", right, want)
	}
}

// Size and Tip tell before the painting what the image will be.
func TestMeasuresAreThoseOfTheImage(t *testing.T) {
	f := newFonts(t)
	for _, scale := range []float64{1, 1.25, 1.5, 2} {
		for _, shadow := range []bool{false, true} {
			for _, side := range []Side{Below, Above, None} {
				l := Lay(f, Content{Text: sentence, Caption: "playpets", Mark: agents.Done}, Style{Theme: Light, Scale: scale, Shadow: shadow})
				img := l.Paint(Tail{side, -1})
				if img.Rect.Max != l.Size(side) || img.TailTip != l.Tip(side) {
					t.Errorf("scale %v, shadow %v, side %v: size %v and tip %v, told %v and %v", scale, shadow, side, img.Rect.Max, img.TailTip, l.Size(side), l.Tip(side))
				}
				for x := range img.Rect.Max.X { // a tail would reach here
					if y := img.Body.Max.Y + l.tail/2; side == None && y < img.Rect.Max.Y && img.RGBAAt(x, y).A > 60 {
						t.Fatalf("scale %v: something hangs under the bubble at %d,%d", scale, x, y)
					}
				}
			}
		}
	}
}

// One layout paints as often as it is asked to.
func TestPaintChangesNothing(t *testing.T) {
	l := Lay(newFonts(t), Content{Text: sentence, Mark: agents.Done}, Style{Theme: Light, Shadow: true})
	first := l.Paint(middle)
	l.Paint(Tail{Above, 0})
	if again := l.Paint(middle); string(again.Pix) != string(first.Pix) {
		t.Error("the second time it is another picture")
	}
}

// What neighbours copy from each other is what was worked out for each pixel.
func TestPaintBodyEqualsEveryPixel(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		for _, tail := range []Tail{{Below, -1}, {Below, 0}, {Above, 9999}, {Above, 70}, {None, 0}} {
			s := Style{Theme: Light, Scale: scale, Shadow: true}
			size := image.Pt(int(150*scale), int(70*scale))
			fast, slow := newCanvas(measuresFor(scale), size, tail, s), newCanvas(measuresFor(scale), size, tail, s)
			fast.paintBody()
			_, both, _ := slow.outline()
			for y := range slow.img.Rect.Max.Y {
				for x := range slow.img.Rect.Max.X {
					slow.paintPixel(both, x, y)
					a, b := fast.img.RGBAAt(x, y), slow.img.RGBAAt(x, y)
					if differ(a.A, b.A) > 1 || differ(a.R, b.R) > 1 {
						t.Fatalf("scale %v, tail %v at %d,%d: %v, worked out %v", scale, tail, x, y, a, b)
					}
				}
			}
		}
	}
}
