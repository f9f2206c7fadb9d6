package bubble

import (
	"image"
	"path/filepath"
	"strings"
	"testing"
)

var friendMenu = Menu{Items: []string{"Hide", "Quiet for an hour", "", "Send away…", "Settings…", "", "Quit PlayPets"}}

func TestMenuGolden(t *testing.T) {
	asks := Menu{"Send Mochi away? Its folder is deleted, but it can be invited again.", []string{"Send away", "Keep"}}
	for _, test := range []struct {
		name  string
		menu  Menu
		hot   int
		style Style
	}{
		{"menu", friendMenu, 1, Style{Theme: Light, Shadow: true}},
		{"menu-dark", friendMenu, 4, Style{Theme: Dark}},
		{"menu-title-dark-2x", asks, 0, Style{Theme: Dark, Scale: 2, Shadow: true}},
		{"menu-title", asks, -1, Style{Theme: Light, Scale: 1.25, Shadow: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			compare(t, filepath.Join("testdata", test.name+".png"), DrawMenu(newFonts(t), test.menu, test.hot, test.style).RGBA)
		})
	}
}

// Whoever points somewhere in the menu points at one item, or at none.
func TestMenuItems(t *testing.T) {
	f := newFonts(t)
	for _, title := range []string{"", "Mochi", strings.Repeat("Is it time to go? ", 8)} {
		for _, scale := range []float64{1, 1.5, 2} {
			m := friendMenu
			m.Title = title
			img := DrawMenu(f, m, -1, Style{Theme: Light, Scale: scale, Shadow: true})
			if len(img.Items) != len(m.Items) {
				t.Fatalf("%d rectangles for %d items", len(img.Items), len(m.Items))
			}
			end := img.Body.Min.Y
			for i, r := range img.Items {
				if m.Items[i] == "" {
					if !r.Empty() {
						t.Errorf("a line between is %v", r)
					}
					continue
				}
				if r.Dy() < int(28*scale) || r.Min.X != img.Body.Min.X || r.Max.X != img.Body.Max.X || !r.In(img.Body) || r.Min.Y < end {
					t.Errorf("scale %v: %q is at %v in %v, after %d", scale, m.Items[i], r, img.Body, end)
				}
				end = r.Max.Y
			}
		}
	}
}

// The hot item changes in its place and nowhere else; a line between, or none,
// is never hot.
func TestHotItem(t *testing.T) {
	f := newFonts(t)
	s := Style{Theme: Dark, Scale: 1.5, Shadow: true}
	cold := DrawMenu(f, friendMenu, -1, s)
	for hot, r := range append(cold.Items, image.Rectangle{}) {
		img := DrawMenu(f, friendMenu, hot, s)
		changed := image.Rectangle{}
		for y := range img.Rect.Max.Y {
			for x := range img.Rect.Max.X {
				if img.RGBAAt(x, y) != cold.RGBAAt(x, y) {
					changed = changed.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if !changed.In(r) || changed.Dx() < r.Dx()*3/4 || changed.Dy() < r.Dy()*3/4 {
			t.Errorf("item %d at %v is hot in %v", hot, r, changed)
		}
	}
}

// Each label reads from its own side.
func TestMenuLabelsFromTheRight(t *testing.T) {
	f := newFonts(t)
	menu := Menu{Items: []string{"A much longer label than the others", "إخفاء", "الإعدادات (PlayPets)…", "שלח", "Hide"}}
	for _, label := range menu.Items {
		load(t, f, label)
	}
	empty := menu
	empty.Items = make([]string, len(menu.Items))
	s := Style{Theme: Light}
	img := DrawMenu(f, menu, -1, s)
	m := measuresFor(1)
	for i, r := range img.Items {
		left, right := r.Max.X, r.Min.X
		for x := r.Min.X + 8; x < r.Max.X-8; x++ {
			for y := r.Min.Y + 2; y < r.Max.Y-2; y++ {
				if img.RGBAAt(x, y).R < 128 {
					left, right = min(left, x), max(right, x+1)
				}
			}
		}
		left, right = left-r.Min.X-m.px(menuIndent), r.Max.X-m.px(menuIndent)-right
		if fromRight := i > 0 && i < 4; fromRight && (right < -2 || right > 4 || left < 50) || !fromRight && (left < -2 || left > 4) {
			t.Errorf("%q is %d px from the left and %d px from the right", menu.Items[i], left, right)
		}
	}
}

func TestMenuKeepsToItsWidth(t *testing.T) {
	f := newFonts(t)
	menu := Menu{strings.Repeat("Wide ", 90), []string{strings.Repeat("Wider ", 40), strings.Repeat("w", 300)}}
	for _, width := range []int{0, 160, 300} {
		img := DrawMenu(f, menu, 0, Style{Theme: Light, MaxWidth: width, Shadow: true})
		most := usualWidth*15 + 2*menuIndent + 2*measuresFor(1).margin
		if width > 0 {
			most = width
		}
		if got := img.Rect.Dx(); got > most || got < most-40 {
			t.Errorf("%d px wide, at most %d", got, most)
		}
		if got := len(f.layoutMenu(menu, Style{MaxWidth: width}).title.lines); got != usualLines {
			t.Errorf("the title has %d lines", got)
		}
	}
}

// Not even a failure of the built-in font ends the app.
func TestMenuSurvivesTheLibraries(t *testing.T) {
	f := newFonts(t)
	breakBase(f)
	img := DrawMenu(f, Menu{"Title", []string{"One", "", "Two"}}, 0, Style{Theme: Light})
	if img.Rect.Empty() || len(img.Items) != 3 {
		t.Errorf("it is %v with %d items", img.Rect, len(img.Items))
	}
	if pill := DrawPill(f, "2 sessions", Style{Theme: Light}); pill.Rect.Empty() {
		t.Error("no label was drawn")
	}
}
