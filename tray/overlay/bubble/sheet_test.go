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

func TestSheet(t *testing.T) {
	if *sheet == "" {
		t.Skip("no -sheet FILE given")
	}
	f := newFonts(t)
	type column struct {
		theme Theme
		scale float64
		back  color.Color
		side  Side
	}
	columns := []column{{Light, 1, color.NRGBA{0x7A, 0x8C, 0x9E, 255}, Below}, {Dark, 1, color.NRGBA{0xDD, 0xE3, 0xE8, 255}, Above}, {Light, 1.25, color.White, Below}, {Dark, 1.5, color.NRGBA{0x22, 0x28, 0x30, 255}, Below}, {Light, 2, color.NRGBA{0xC8, 0xD6, 0xC0, 255}, Below}}
	var rows [][]*Image
	widths := make([]int, len(columns))
	var height int
	for _, s := range samples {
		<-f.Load(s.text)
		var row []*Image
		tall := 0
		for i, c := range columns {
			img := Draw(f, s.text, s.mark, Style{Theme: c.theme, Scale: c.scale, Shadow: true, Tail: Tail{Side: c.side, X: -1}})
			widths[i] = max(widths[i], img.Rect.Dx()+20)
			tall = max(tall, img.Rect.Dy()+10)
			row = append(row, img)
		}
		height += tall
		rows = append(rows, row)
	}
	total := 0
	for _, w := range widths {
		total += w
	}
	out := image.NewRGBA(image.Rect(0, 0, total, height))
	x := 0
	for i, c := range columns {
		draw.Draw(out, image.Rect(x, 0, x+widths[i], height), image.NewUniform(c.back), image.Point{}, draw.Src)
		y := 0
		for _, row := range rows {
			draw.Draw(out, row[i].Rect.Add(image.Pt(x+10, y+5)), row[i], image.Point{}, draw.Over)
			tall := 0
			for _, img := range row {
				tall = max(tall, img.Rect.Dy()+10)
			}
			y += tall
		}
		x += widths[i]
	}
	file, err := os.Create(*sheet)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, out); err != nil {
		t.Fatal(err)
	}
}
