package bubble

import "github.com/playpets/playpets/agents"

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
	{"devanagari", agents.Working, "क्षत्रिय ज्ञान स्त्री: परीक्षण चल रहे हैं, कृपया प्रतीक्षा करें।", false},
	{"thai", agents.Idle, "บางทีอาจจะอยู่ในกระเป๋าเสื้อโค้ตตัวเก่าของผมและยังมีข้อความต่ออีกยาวมาก", false},
	{"tamil and khmer", agents.Idle, "தயவுசெய்து காத்திருக்கவும் · សូមរង់ចាំ", false},
	{"emoji", agents.Idle, "👩‍👩‍👧‍👦 🧑🏾‍💻 🏳️‍🌈 🇰🇷🇯🇵 1️⃣ #️⃣ 👍🏽👍🏿 ❤️ ❤︎ ✅ done 🎉🎉", false},
	{"missing", agents.Error, "no font has \U0001FAFD\u0378 or \U000F1234", true},
	{"marks", agents.Idle, "z̷a̵l̶g̷o̸ n\u0303 e\u0323\u0302 x̂ q̃ ḗ", false},
	{"long word", agents.Error, "https://example.test/a/very/long/path/that/goes/on/and-on/withoutanybreakwithoutanybreakwithoutanybreak", false},
	{"mixed directions", agents.Waiting, "The folder שלום 123 עולם holds 42 files", false},
	{"short", agents.Idle, "Hi", false},
	{"long", agents.Waiting, "Claude asks whether it may run “go test -race ./...” in the folder playpets and, when that is green, push the branch to origin. Answer in the terminal that you left open; nothing else happens until you do, and it will wait for a day or so.", false},
}
