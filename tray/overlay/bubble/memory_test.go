package bubble

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"unicode"

	"github.com/playpets/playpets/agents"
)

// heap is the bytes in use, when everything is collected that can be.
func heap() int {
	runtime.GC()
	runtime.GC() // what had a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// slack is what the runtime and the libraries keep once, in bytes.
const slack = 400 << 10

func TestReleaseGivesTheHeapBack(t *testing.T) {
	f := newFonts(t)
	drawn(f, "Latin", agents.Done, Style{Theme: Light})
	before := heap()
	for _, s := range samples {
		<-f.Load(s.text)
		drawn(f, s.text, s.mark, Style{Theme: Light})
	}
	loaded := heap()
	if loaded-before < 5*slack {
		lacking(t, "fonts for the samples: fonts-noto-core fonts-noto-cjk")
	}
	f.Release()
	if after := heap(); after > before+slack {
		t.Errorf("%d KB of %d are still there after a release", (after-before)>>10, (loaded-before)>>10)
	}
	runtime.KeepAlive(f)
}

// scripts are what random texts are made of.
var scripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Hangul, unicode.Hiragana, unicode.Han, unicode.Arabic, unicode.Hebrew, unicode.Devanagari,
	unicode.Thai, unicode.Tamil, unicode.Khmer, unicode.Mn, unicode.So, unicode.Ethiopic, unicode.Cuneiform, unicode.Co,
}

// randomText has words of some scripts.
func randomText(rng *rand.Rand) string {
	var text []rune
	for range 1 + rng.IntN(6) {
		table := scripts[rng.IntN(len(scripts))]
		for range 1 + rng.IntN(10) {
			text = append(text, randomRune(rng, table))
		}
		text = append(text, ' ')
	}
	return string(text)
}

func randomRune(rng *rand.Rand, table *unicode.RangeTable) rune {
	if n := rng.IntN(len(table.R16) + len(table.R32)); n < len(table.R16) {
		r := table.R16[n]
		return rune(r.Lo) + rune(r.Stride)*rune(rng.IntN(int((r.Hi-r.Lo)/r.Stride)+1))
	} else {
		r := table.R32[n-len(table.R16)]
		return rune(r.Lo) + rune(r.Stride)*rune(rng.IntN(int((r.Hi-r.Lo)/r.Stride)+1))
	}
}

// drawRandom draws n bubbles of random text and gives the fonts back.
func drawRandom(f *Fonts, rng *rand.Rand, n int) {
	for range n {
		text := randomText(rng)
		<-f.Load(text)
		drawn(f, text, agents.States[rng.IntN(len(agents.States))], Style{Theme: Dark, MaxWidth: 500, Shadow: true})
	}
	f.Release()
}

func TestBubblesLeaveNothingBehind(t *testing.T) {
	f := newFonts(t)
	rng := rand.New(rand.NewPCG(3, 4))
	drawRandom(f, rng, 100)
	before := heap()
	drawRandom(f, rng, 500)
	if after := heap(); after > before+slack {
		t.Errorf("500 bubbles left %d KB behind", (after-before)>>10)
	}
	runtime.KeepAlive(f)
}

// BenchmarkTenThousandBubbles tells what ten thousand bubbles of random text
// leave behind, and what they hold on to before a release.
func BenchmarkTenThousandBubbles(b *testing.B) {
	f := newFonts(b)
	rng := rand.New(rand.NewPCG(5, 6))
	drawRandom(f, rng, 100)
	for b.Loop() {
		before := heap()
		drawRandom(f, rng, 10_000)
		b.ReportMetric(float64(heap()-before)/1024, "left-KB")
	}
	runtime.KeepAlive(f)
}
