package bubble

import (
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"testing"

	"github.com/playpets/playpets/agents"
)

var sheet = flag.String("sheet", "", "write a contact sheet of bubbles to this PNG file, to be looked at")

// samples are one text for each script, and the marks.
var samples = []struct {
	name  string
	mark  agents.State
	text  string
	boxes bool // some of it is in no font
}{
	{"latin", agents.Working, "Thinking…", false},
	{"sentence", agents.Done, "All 214 tests pass. The flaky one was a race in the lock; it is fixed.", false},
	{"greek and cyrillic", agents.Waiting, "Ждёт ответа · Περιμένει απάντηση", false},
	{"vietnamese", agents.Idle, "Đang chạy kiểm thử, vui lòng đợi một chút nhé!", false},
	{"korean", agents.Waiting, "Bash를 실행해도 될까요? 확인이 필요한 명령이 3개 있습니다.", false},
	{"japanese", agents.Working, "ファイルを編集しています。「テスト」が終わるまで少々お待ちください。", false},
	{"chinese", agents.Done, "测试全部通过,已经把修改推送到主分支了。", false},
	{"arabic", agents.Done, "مرحبا، انتهت الاختبارات (3 من 3) بنجاح — file.txt", false},
	{"hebrew", agents.Error, "הבנייה נכשלה עם קוד 2, נא לבדוק את main.go", false},
	{"devanagari", agents.Working, "परीक्षण चल रहे हैं, कृपया प्रतीक्षा करें।", false},
	{"thai", agents.Idle, "บางทีอาจจะอยู่ในกระเป๋าเสื้อโค้ตตัวเก่าของผมและยังมีข้อความต่ออีกยาวมาก", false},
	{"tamil and khmer", agents.Idle, "தயவுசெய்து காத்திருக்கவும் · សូមរង់ចាំ", false},
	{"emoji", agents.Idle, "👩‍👩‍👧‍👦 🏳️‍🌈 🇰🇷 1️⃣ 👍🏽 ❤️ ❤︎ ✅ done 🎉🎉", false},
	{"missing", agents.Error, "no font has \U0001FAFD\u0378 or \U000F1234", true},
	{"marks", agents.Idle, "z̷a̵l̶g̷o̸ ñ ệ x̂ q̃ ḗ", false},
	{"long word", agents.Error, "https://example.test/a/very/long/path/that/goes/on/and-on/withoutanybreakwithoutanybreakwithoutanybreak", false},
	{"mixed directions", agents.Waiting, "The folder שלום 123 עולם holds 42 files", false},
	{"short", agents.Idle, "Hi", false},
	{"long", agents.Waiting, "Claude asks whether it may run “go test -race ./...” in the folder playpets and, when that is green, push the branch to origin. Answer in the terminal that you left open; nothing else happens until you do, and it will wait for a day or so.", false},
}

// TestSheet draws every sample in several styles, a column for each.
func TestSheet(t *testing.T) {
	if *sheet == "" {
		t.Skip("no -sheet FILE given")
	}
	f := newFonts(t)
	columns := []struct {
		theme Theme
		scale float64
		back  color.NRGBA
		side  Side
	}{
		{Light, 1, color.NRGBA{0x7A, 0x8C, 0x9E, 255}, Below},
		{Dark, 1, color.NRGBA{0xDD, 0xE3, 0xE8, 255}, Above},
		{Light, 1.25, color.NRGBA{255, 255, 255, 255}, Below},
		{Dark, 1.5, color.NRGBA{0x22, 0x28, 0x30, 255}, Above},
		{Light, 2, color.NRGBA{0xC8, 0xD6, 0xC0, 255}, Below},
	}
	const gap = 6
	var strips []*image.RGBA
	var size image.Point
	for _, c := range columns {
		var bubbles []*Image
		var strip image.Point
		for _, s := range samples {
			<-f.Load(s.text)
			img := Lay(f, Content{Text: s.text, Mark: s.mark}, Style{Theme: c.theme, Scale: c.scale, Shadow: true}).Paint(Tail{c.side, -1})
			bubbles = append(bubbles, img)
			strip = image.Pt(max(strip.X, img.Rect.Dx()+2*gap), strip.Y+img.Rect.Dy()+gap)
		}
		out := image.NewRGBA(image.Rectangle{Max: strip.Add(image.Pt(0, gap))})
		draw.Draw(out, out.Rect, image.NewUniform(c.back), image.Point{}, draw.Src)
		at := image.Pt(gap, gap)
		for _, img := range bubbles {
			draw.Draw(out, img.Rect.Add(at), img, image.Point{}, draw.Over)
			at.Y += img.Rect.Dy() + gap
		}
		strips = append(strips, out)
		size = image.Pt(size.X+out.Rect.Dx(), max(size.Y, out.Rect.Dy()))
	}
	all := image.NewRGBA(image.Rectangle{Max: size})
	x := 0
	for i, strip := range strips {
		r := image.Rect(x, 0, x+strip.Rect.Dx(), size.Y)
		draw.Draw(all, r, image.NewUniform(columns[i].back), image.Point{}, draw.Src)
		draw.Draw(all, strip.Rect.Add(r.Min), strip, image.Point{}, draw.Src)
		x = r.Max.X
	}
	file, err := os.Create(*sheet)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, all); err != nil {
		t.Fatal(err)
	}
}
