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

var sheet = flag.String("sheet", "", "write a contact sheet of everything that is drawn to this PNG file, to be looked at")

// TestSheet draws all there is, light at the left and dark at the right.
func TestSheet(t *testing.T) {
	if *sheet == "" {
		t.Skip("no -sheet FILE given")
	}
	const width, scale = 1000, 1.5
	f := newFonts(t)
	columns := []struct {
		style Style
		back  color.NRGBA
	}{
		{Style{Theme: Light, Scale: scale, Shadow: true}, color.NRGBA{0xDF, 0xE7, 0xEE, 255}},
		{Style{Theme: Dark, Scale: scale, Shadow: true}, color.NRGBA{0x46, 0x50, 0x5C, 255}},
	}
	var all *image.RGBA
	for i, c := range columns {
		images := everything(f, c.style)
		places, height := flow(images, width)
		if all == nil {
			all = image.NewRGBA(image.Rect(0, 0, width*len(columns), height))
		}
		at := image.Pt(i*width, 0)
		draw.Draw(all, image.Rectangle{at, at.Add(image.Pt(width, height))}, image.NewUniform(c.back), image.Point{}, draw.Src)
		for j, img := range images {
			draw.Draw(all, img.Rect.Add(at).Add(places[j]), img, image.Point{}, draw.Over)
		}
	}
	file, err := os.Create(*sheet)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	best := png.Encoder{CompressionLevel: png.BestCompression}
	if err := best.Encode(file, all); err != nil {
		t.Fatal(err)
	}
}

// everything is a picture of each thing that there is to draw.
func everything(f *Fonts, s Style) (images []*Image) {
	contents := []Content{
		{Text: "May I run “go test ./...”?", Caption: "playpets · Claude", Mark: agents.Waiting},
		{Text: "배포가 끝났습니다", Caption: "웹사이트 · Codex", Mark: agents.Done},
		{Text: "13:58 Claude Code: I need your OK\n14:01 Codex: Editing files…\n14:05 Claude Code: Running a command…\n14:07 Claude Code: All done!"},
	}
	for _, sample := range samples {
		contents = append(contents, Content{Text: sample.text, Mark: sample.mark})
	}
	for i, c := range contents {
		<-f.Load(c.Text, c.Caption)
		tail := Tail{Side(i % 2), -1}
		images = append(images, Lay(f, c, s).Paint(tail))
	}
	menus := []Menu{
		{"Mochi — resting", []string{"Hide Mochi", "Quiet for 1 hour", "Send away…", "", "Settings…", "Quit PlayPets"}},
		{"Bori 친구를 보내 줄까요? 맡은 에이전트는 Mochi 친구가 이어받아요. 지워지는 것은 없어요.", []string{"Bori 보내지 않기", "보내 주기"}},
		{"", []string{"إخفاء", "هدوء لمدة ساعة", "", "الإعدادات…"}},
	}
	for _, menu := range menus {
		<-f.Load(append(menu.Items, menu.Title)...)
		images = append(images, DrawMenu(f, menu, 1, s).Image)
	}
	for _, label := range []string{"2 sessions", "세션 3개"} {
		<-f.Load(label)
		images = append(images, DrawPill(f, label, s))
	}
	return append(images, DrawDoze(s))
}

// flow places pictures in lines, one after the other.
func flow(images []*Image, width int) (places []image.Point, height int) {
	const gap = 12
	at, below := image.Pt(gap, gap), gap
	for _, img := range images {
		if at.X > gap && at.X+img.Rect.Dx()+gap > width {
			at = image.Pt(gap, below+gap)
		}
		places = append(places, at)
		at.X += img.Rect.Dx() + gap
		below = max(below, at.Y+img.Rect.Dy())
	}
	return places, below + gap
}
