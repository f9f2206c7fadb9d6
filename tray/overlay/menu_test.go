package overlay

import (
	"image"
	"testing"
	"time"
)

var testMenu = Menu{Title: "Mochi", Items: []MenuItem{{"hide", "Hide"}, {"quiet", "Quiet 1 hour"}, {}, {"quit", "Quit PlayPets"}}}

// openTestMenu opens the menu of the friend of a stage.
func openTestMenu(t *testing.T) *playhouse {
	t.Helper()
	p := newPlayhouse(t, Look{}, "a")
	p.click(p.friends[0], rightButton)
	p.stage.openMenu(openMenu{"a", testMenu}, p.now)
	if p.menu == nil || p.menu.balloon == nil || p.canvas.grabbed != p.menu.balloon {
		t.Fatal("the menu is not open, or has not the pointer")
	}
	p.told = nil
	return p
}

// over is the middle of an item on the screen.
func (m *menu) over(item int) image.Point {
	r := m.picture.items[item]
	return r.Min.Add(r.Max).Div(2).Add(m.at)
}

func TestMenuIsOnTheScreen(t *testing.T) {
	p := openTestMenu(t)
	if box := p.menu.picture.img.Rect.Add(p.menu.at); !box.In(p.canvas.back.Rect) {
		t.Errorf("the menu is at %v, outside the screen", box)
	}
	if n := len(p.menu.picture.items); n != len(testMenu.Items) {
		t.Errorf("%d items are drawn, want %d", n, len(testMenu.Items))
	}
}

func TestMenuChooses(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(p *playhouse, m *menu)
		want string // item; empty for none
		open bool
	}{
		{"click", func(p *playhouse, m *menu) { p.clickAt(m, m.over(1)) }, "quiet", false},
		{"click on a line", func(p *playhouse, m *menu) { p.clickAt(m, m.over(2)) }, "", true},
		{"click on nothing", func(p *playhouse, m *menu) { p.clickAt(m, m.at) }, "", true},
		{"the button that opened it is let go", func(p *playhouse, m *menu) {
			at := m.over(1)
			p.do(moved, m.balloon, at.X, at.Y, 0)
			p.do(released, m.balloon, at.X, at.Y, rightButton)
		}, "", true},
		{"down, enter", func(p *playhouse, m *menu) { p.do(keyDown, nil, 0, 0, 0); p.do(keyEnter, nil, 0, 0, 0) }, "hide", false},
		{"up, enter", func(p *playhouse, m *menu) { p.do(keyUp, nil, 0, 0, 0); p.do(keyEnter, nil, 0, 0, 0) }, "quit", false},
		{"over the line and round", func(p *playhouse, m *menu) {
			for range 5 {
				p.do(keyDown, nil, 0, 0, 0)
			}
			p.do(keyUp, nil, 0, 0, 0)
			p.do(keyEnter, nil, 0, 0, 0)
		}, "hide", false},
		{"enter on nothing", func(p *playhouse, m *menu) { p.do(keyEnter, nil, 0, 0, 0) }, "", true},
		{"escape", func(p *playhouse, m *menu) { p.do(keyEscape, nil, 0, 0, 0) }, "", false},
		{"a click elsewhere", func(p *playhouse, m *menu) { p.do(dismissed, nil, 0, 0, 0) }, "", false},
		{"the pointer leaves", func(p *playhouse, m *menu) {
			at := m.over(1)
			p.do(moved, m.balloon, at.X, at.Y, 0)
			p.do(left, m.balloon, 0, 0, 0)
			p.do(keyEnter, nil, 0, 0, 0)
		}, "", true},
		{"nobody touches it", func(p *playhouse, m *menu) { p.wait(menuKept) }, "", false},
		{"its friend leaves", func(p *playhouse, m *menu) { p.load(nil) }, "", false},
		{"its friend is hidden", func(p *playhouse, m *menu) {
			p.canvas.all = []monitor{{name: "A", whole: p.canvas.back.Rect, work: p.canvas.back.Rect, covered: true}}
			p.play()
		}, "", false},
		{"the screen is locked", func(p *playhouse, m *menu) { p.pause(true, p.now) }, "", false},
		{"another menu", func(p *playhouse, m *menu) {
			p.stage.openMenu(openMenu{"a", Menu{Items: []MenuItem{{"x", "X"}}}}, p.now)
			p.clickAt(p.menu, p.menu.over(0))
		}, "x", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := openTestMenu(t)
			c.do(p, p.menu)
			if open := p.menu != nil; open != c.open || open != (p.canvas.grabbed != nil) {
				t.Errorf("the menu is open: %v, want %v; it has the pointer: %v", open, c.open, p.canvas.grabbed != nil)
			}
			chosen := ""
			for _, e := range p.told {
				if e.Kind == Chosen {
					chosen += e.Item
				}
			}
			if chosen != c.want {
				t.Errorf("chosen is %q, want %q", chosen, c.want)
			}
		})
	}
}

func (p *playhouse) clickAt(m *menu, at image.Point) {
	p.do(moved, m.balloon, at.X, at.Y, 0)
	p.do(pressed, m.balloon, at.X, at.Y, leftButton)
	p.do(released, m.balloon, at.X, at.Y, leftButton)
}

func TestNothingCoversAMenu(t *testing.T) {
	p := openTestMenu(t)
	f, two := p.friends[0], "2 sessions"
	p.apply(Update{Friend: "a", Label: &two, Bubble: &Bubble{Session: "s", Text: "May I?", Stay: true}})
	p.raise(p.now)
	p.wait(steady)
	top := p.canvas.windows[len(p.canvas.windows)-1]
	if text, _ := p.bubble(f, 0); text != "" || f.tag.shown != nil || top != p.menu.balloon.(*canvasWindow) {
		t.Errorf("while the menu is open it says %q", text)
	}
	p.do(keyEscape, nil, 0, 0, 0)
	p.wait(steady)
	if text, _ := p.bubble(f, 0); text != "May I?" || f.tag.shown == nil {
		t.Errorf("after that it says %q, and its label shows: %v", text, f.tag.shown != nil)
	}
}

func TestMenuOfNobody(t *testing.T) {
	p := newPlayhouse(t, Look{When: Never}, "a")
	for _, o := range []openMenu{{"b", testMenu}, {"a", testMenu}, {"a", Menu{}}} {
		p.stage.openMenu(o, p.now)
		if p.menu != nil {
			t.Errorf("a menu of %q is open", o.friend)
		}
	}
	p.now = p.now.Add(time.Hour)
	if next := p.play(); !next.IsZero() {
		t.Errorf("nobody is there, yet it wants to be played at %v", next)
	}
}
