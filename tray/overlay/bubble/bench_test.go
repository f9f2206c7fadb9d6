package bubble

import (
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

func benchmarkDraw(b *testing.B, text string, scale float64) {
	f := newFonts(b)
	load(b, f, text)
	for b.Loop() {
		drawn(f, text, "working", Style{Theme: Light, Scale: scale, Shadow: true})
	}
}

func BenchmarkDrawLatin(b *testing.B) {
	benchmarkDraw(b, "All 214 tests pass. The flaky one was a race in the lock; it is fixed.", 1)
}

func BenchmarkDrawLatinDoubleSize(b *testing.B) {
	benchmarkDraw(b, "All 214 tests pass. The flaky one was a race in the lock; it is fixed.", 2)
}

func BenchmarkDrawKorean(b *testing.B) {
	benchmarkDraw(b, "Bash를 실행해도 될까요? 확인이 필요한 명령이 3개 있습니다. 터미널에서 답해 주세요.", 1)
}

func BenchmarkDrawEmoji(b *testing.B) {
	benchmarkDraw(b, "👩‍👩‍👧‍👦 🏳️‍🌈 🇰🇷 1️⃣ 👍🏽 ❤️ ✅ done 🎉", 1)
}

// The most that a bubble takes.
func BenchmarkDrawLongHanDoubleSize(b *testing.B) {
	benchmarkDraw(b, strings.Repeat("漢字とkana、", agents.MaxMessage/8), 2)
}

func BenchmarkDrawMenu(b *testing.B) {
	f := newFonts(b)
	for b.Loop() {
		DrawMenu(f, friendMenu, 1, Style{Theme: Light, Shadow: true})
	}
}

// From a text that needs the system's fonts to its picture, in an app that was
// started before on this machine.
func BenchmarkFirstSystemFont(b *testing.B) {
	f := newFonts(b)
	const text = "확인이 필요합니다"
	load(b, f, text)
	for b.Loop() {
		f.Release()
		<-f.Load(text)
		drawn(f, text, "waiting", Style{Theme: Light, Shadow: true})
	}
}

// The same on a machine whose fonts nobody has looked through yet.
func BenchmarkFirstSystemFontEver(b *testing.B) {
	const text = "확인이 필요합니다"
	for b.Loop() {
		f := NewFonts(b.TempDir(), "ko", silent)
		<-f.Load(text)
		drawn(f, text, "waiting", Style{Theme: Light, Shadow: true})
		f.Release()
	}
}
