package bubble

import "testing"

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
