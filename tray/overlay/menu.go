package overlay

import (
	"image"
	"time"
)

// menuKept is how long a menu stays open that nobody touches: it has the
// pointer, and nobody else can click meanwhile.
const menuKept = time.Minute

// A menu is one that is open beside a friend.
type menu struct {
	Menu
	friend  *friend
	balloon balloon // nil until there is a picture
	picture menuPicture
	hot     int // the item under the pointer or chosen by keys; -1 for none
	armed   bool
	anchor  image.Point // where the pointer asked for it
	at      image.Point // its corner
	closes  time.Time
}

// A menuPicture is a drawn menu.
type menuPicture struct {
	img   *image.RGBA
	items []image.Rectangle // of each; a dividing line has none
}

// openMenu opens a menu for a friend, in place of one that is open.
func (s *stage) openMenu(o openMenu, now time.Time) {
	s.closeMenu()
	f := find(s.friends, o.friend)
	if f == nil || !f.shown || len(o.menu.Items) == 0 || s.hand.drags {
		return
	}
	anchor := s.hand.called
	if !anchor.In(image.Rectangle{Max: f.cell}.Add(f.at)) {
		anchor = f.at.Add(f.cell.Div(2))
	}
	s.menu = &menu{Menu: o.menu, friend: f, hot: -1, anchor: anchor, closes: now.Add(menuKept)}
	s.drawMenu(s.menu)
}

func (s *stage) closeMenu() {
	m := s.menu
	if s.menu = nil; m == nil || m.balloon == nil {
		return
	}
	s.screen.ungrab()
	m.balloon.close()
}

// drawMenu has the menu drawn with its hot item.
func (s *stage) drawMenu(m *menu) {
	shown, hot, shadow := m.Menu, m.hot, s.screen.translucent()
	s.draw(func(d *bubbles) func(time.Time) {
		p := d.menu(shown, hot, shadow)
		return func(time.Time) {
			if s.menu == m && m.hot == hot {
				s.putMenu(m, p)
			}
		}
	})
}

// putMenu shows a picture of the menu: with its corner where the pointer is, if
// there is room.
func (s *stage) putMenu(m *menu, p menuPicture) {
	m.picture = p
	m.at = within(nearest(s.screen.monitors(), m.anchor).work, m.anchor, p.img.Rect.Size())
	first := m.balloon == nil
	if first {
		m.balloon = s.screen.newBalloon(m.friend.Name)
	}
	m.balloon.put(p.img, m.at)
	if first {
		s.screen.grab(m.balloon)
	}
}

// playMenu closes a menu that was forgotten, and says when that would be.
func (s *stage) playMenu(now time.Time) time.Time {
	if s.menu == nil {
		return time.Time{}
	}
	if !now.Before(s.menu.closes) {
		s.closeMenu()
		return time.Time{}
	}
	return s.menu.closes
}

// menuOpen reports whether a menu is on the screen.
func (s *stage) menuOpen() bool { return s.menu != nil && s.menu.balloon != nil }

// holds reports whether an input is the menu's.
func (m *menu) holds(in input) bool {
	return m.balloon != nil && (in.on == nil || in.on == any(m.balloon))
}

// touchMenu takes what the person does with the menu.
func (s *stage) touchMenu(in input) {
	m := s.menu
	m.closes = in.now.Add(menuKept)
	switch in.deed {
	case moved:
		s.heat(m, m.item(in.at))
	case left:
		s.heat(m, -1)
	case pressed:
		m.armed = true
		s.heat(m, m.item(in.at))
	case released:
		// The button that opened the menu is let go over it.
		if m.armed {
			s.choose(m, m.item(in.at))
		}
	case keyUp:
		s.heat(m, m.next(-1))
	case keyDown:
		s.heat(m, m.next(1))
	case keyEnter:
		s.choose(m, m.hot)
	case keyEscape, dismissed:
		s.closeMenu()
	}
}

// item is the item at a point of the screen; -1 for none.
func (m *menu) item(at image.Point) int {
	for i, r := range m.picture.items {
		if at.Sub(m.at).In(r) {
			return i
		}
	}
	return -1
}

// next is the item after the hot one in a direction, round and round.
func (m *menu) next(step int) int {
	n := len(m.Items)
	i := m.hot
	if i < 0 && step < 0 {
		i = 0
	}
	for range n {
		if i = (i + step + n) % n; m.Items[i].Label != "" {
			return i
		}
	}
	return m.hot
}

func (s *stage) heat(m *menu, item int) {
	if item != m.hot {
		m.hot = item
		s.drawMenu(m)
	}
}

func (s *stage) choose(m *menu, item int) {
	if item < 0 {
		return
	}
	s.closeMenu()
	s.tell(Event{Kind: Chosen, Friend: m.friend.ID, Item: m.Items[item].ID})
}
